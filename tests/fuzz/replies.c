/* A terminal's replies to the questions asked of it, and what somebody pastes. */
#include "tests/fuzz/fuzz.h"

#include "ui/terminal/pixels.h"
#include "ui/terminal/term_caps.h"

/* Read in pieces, as a terminal's replies come: the first byte says how long they are. Whatever the
 * terminal says of its pixels, a picture has a size that can be made. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct replies replies = {0};
    struct paste paste = {0};
    struct pixels pixels;
    struct tty tty = {.in = -1, .out = -1};
    char typed[256], unpasted[sizeof typed + PASTE_HELD];
    char keys[sizeof unpasted + sizeof pixels.held];
    if (size == 0)
        return 0;
    replies_question(&replies);
    pixels_begin(&pixels, PIXELS_AUTO, "xterm");
    for (size_t at = 1; at < size;) {
        const size_t piece = bytes[0] ? bytes[0] : sizeof typed;
        const size_t count = size - at < piece ? size - at : piece;
        struct pixel_picture picture = {.area = {1, 1, 40, 20}};
        pixels_ask(&pixels, &tty, (int64_t)at);
        tty.waiting_count = 0;
        memcpy(typed, bytes + at, count);
        const size_t key_count = paste_take(&paste, typed, count, (int64_t)at, unpasted);
        const size_t left = pixels_take(&pixels, unpasted, key_count, (int64_t)at, keys);
        if (key_count > count + PASTE_HELD || left > key_count + sizeof pixels.held ||
            replies_take(&replies, keys, left) > left)
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
