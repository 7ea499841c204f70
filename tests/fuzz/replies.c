/* A terminal's replies to queries, and pastes. */
#include "tests/fuzz/fuzz.h"

#include "ui/terminal/pixels.h"
#include "ui/terminal/term_caps.h"

/* Reads the input in pieces, like a terminal's replies; the first byte is their length. Whatever
 * pixel sizes the terminal reports, the picture's size must be valid. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct input input = {0};
    struct input_event event;
    struct pixels pixels;
    struct tty tty = {.in = -1, .out = -1};
    if (size == 0)
        return 0;
    pixels_begin(&pixels, PIXELS_AUTO, "xterm");
    for (size_t at = 1; at < size;) {
        const size_t piece = bytes[0] ? bytes[0] : INPUT_READ_MAX;
        const size_t count = size - at < piece ? size - at : piece;
        struct pixel_picture picture = {.area = {1, 1, 40, 20, NULL}};
        pixels_ask(&pixels, &tty, (int64_t)at);
        tty.waiting_count = 0;
        input_add(&input, (const char *)bytes + at, count, (int64_t)at);
        while (input_next(&input, &event)) {
            term_caps_background(event.text);
            pixels_take(&pixels, &event);
        }
        if (input.count > INPUT_ITEM_MAX)
            abort();
        const bool sixels = pixels.protocol == PROTOCOL_SIXEL;
        if (pixels_fit(&pixels, &picture) &&
            (picture.cols < 1 || picture.cols > PICTURE_SIDE_MAX || picture.rows < 1 ||
             picture.rows > PICTURE_SIDE_MAX ||
             (sixels && (picture.area.cols * pixels.cell_width > 2048 || pixels.cell_width < 1 ||
                         picture.area.rows * pixels.cell_height > 2048 || pixels.cell_height < 1 ||
                         pixels.colors < 1))))
            abort();
        if (at % 64 == 1)
            pixels_resized(&pixels);
        at += count;
    }
    free(tty.waiting);
    return 0;
}
