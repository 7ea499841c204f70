#include "ui/terminal/pixels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/limits.h"
#include "ui/terminal/term_caps.h"

/* The plausible ranges of replies, and the side that every terminal supports. */
enum { CELL_MIN = 4, CELL_MAX = 128, COLORS_MIN = 16, SIDE_USUAL = 1000, SIDE_MAX = 2048 };

/* SIXEL_WRITER is sixel_write, or NULL if the program is built without libsixel. */
static bool (*const sixel_writer)(FILE *, const struct pixel_picture *, int, int, int,
                                  const struct palette *) = SIXEL_WRITER;

bool sixel_is_built(void) {
    return sixel_writer != NULL;
}

/* The most halvings of the colours of sixels: 64, 32 or 16 colours. */
enum { COARSE_MAX = 2 };

void pixels_begin(struct pixels *pixels, enum pixel_mode mode, const char *term) {
    *pixels = (struct pixels){.mode = mode, .asks = mode != PIXELS_OFF, .coarse = 1};
    pixels->in_multiplexer = term_caps_multiplexer(term);
}

/* ---- questions and replies */

void pixels_resized(struct pixels *pixels) {
    if (!pixels->has_sixels || pixels->failed)
        return;
    pixels->asks = true;
    pixels->protocol = PROTOCOL_NONE;
}

void pixels_ask(struct pixels *pixels, struct tty *tty, int64_t now_ns) {
    if (!pixels->asks || pixels->until_ns)
        return;
    if (pixels->has_sixels) {
        const struct tty_size size = tty_size(tty);
        pixels->cell_width = (int)size.cell_width;
        pixels->cell_height = (int)size.cell_height;
        pixels->colors = ROLE_LEVELS;
        pixels->width_most = pixels->height_most = SIDE_USUAL;
        tty_write_text(tty, "\x1b[16t\x1b[?1;1;0S\x1b[?2;1;0S");
    } else if (pixels->mode != PIXELS_SIXEL && !pixels->in_multiplexer) {
        tty_write_text(tty, "\x1b_Gi=7261,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\");
    }
    tty_write_text(tty, "\x1b[c");
    pixels->asks = false;
    pixels->until_ns = now_ns + limit_ns(LIMIT_REPLY);
}

/* Handles DA1, the reply to the last query, which every terminal sends. */
static void take_attributes(struct pixels *pixels, const struct input_event *reply) {
    pixels->until_ns = 0;
    if (pixels->has_sixels) {
        const bool suffices = pixels->cell_width >= CELL_MIN && pixels->cell_width <= CELL_MAX &&
                              pixels->cell_height >= CELL_MIN && pixels->cell_height <= CELL_MAX &&
                              pixels->colors >= COLORS_MIN;
        if (suffices && !pixels->asks && !pixels->failed)
            pixels->protocol = PROTOCOL_SIXEL;
        return;
    }
    if (pixels->protocol || pixels->mode == PIXELS_KITTY || !sixel_is_built())
        return;
    for (int n = 1; n < reply->count; n++) /* the first number is the terminal's class */
        pixels->asks |= reply->numbers[n] == 4;
    pixels->has_sixels = pixels->asks;
}

void pixels_take(struct pixels *pixels, const struct input_event *reply) {
    const int *numbers = reply->numbers;
    if (!pixels->until_ns)
        return;
    if (reply->kind == INPUT_STRING) {
        if (strncmp(reply->text, "_Gi=7261;OK", 11) == 0 && !pixels->in_multiplexer &&
            pixels->mode != PIXELS_SIXEL && !pixels->failed)
            pixels->protocol = PROTOCOL_KITTY;
    } else if (reply->final == 't' && numbers[0] == 6) {
        pixels->cell_height = numbers[1];
        pixels->cell_width = numbers[2];
    } else if (reply->final == 'S' && reply->count > 2 && numbers[1] == 0) { /* status 0: success */
        if (numbers[0] == 1)
            pixels->colors = numbers[2];
        if (numbers[0] == 2) {
            pixels->width_most = numbers[2];
            pixels->height_most = numbers[3];
        }
    } else if (reply->final == 'c') {
        take_attributes(pixels, reply);
    }
}

/* ---- pictures */

bool pixels_fit(const struct pixels *pixels, struct pixel_picture *picture) {
    enum { PIXELS_PER_COL = 4, LEAST_COLS = 10 };
    int width = PIXELS_PER_COL * picture->area.cols;
    int height = 2 * PIXELS_PER_COL * picture->area.rows;
    if (pixels->protocol == PROTOCOL_SIXEL) {
        width = picture->area.cols * pixels->cell_width;
        height = picture->area.rows * pixels->cell_height;
        if (picture->area.cols < LEAST_COLS || width > SIDE_MAX || height > SIDE_MAX ||
            width > pixels->width_most || height > pixels->height_most)
            return false;
        width = (width + 1) / 2; /* one pixel for four of the terminal: half the bytes */
        height = (height + 1) / 2;
    }
    picture->cols = width < PICTURE_SIDE_MAX ? width : PICTURE_SIDE_MAX;
    picture->rows = height < PICTURE_SIDE_MAX ? height : PICTURE_SIDE_MAX;
    return pixels->protocol != PROTOCOL_NONE && !pixels->failed;
}

bool pixels_have_moved(const struct pixels *pixels, const struct pixel_picture *pictures,
                       int count) {
    bool moved = pixels->count != count;
    for (int p = 0; p < count && !moved; p++)
        moved = memcmp(&pictures[p].area, &pixels->shown[p].area, sizeof pictures->area) != 0;
    return moved;
}

bool pixels_are_due(const struct pixels *pixels, const struct pixel_picture *pictures, int count,
                    int64_t now_ns) {
    return now_ns >= pixels->retry_after_ns &&
           (pixels_have_moved(pixels, pictures, count) || now_ns >= pixels->next_ns);
}

void pixels_forget(struct pixels *pixels) {
    for (int p = 0; p < PICTURES_MAX; p++) {
        pixels->taken_away |= pixels->shown[p].is_there;
        free(pixels->shown[p].bytes);
        pixels->shown[p] = (struct shown_picture){0};
    }
    pixels->count = 0;
}

/* Encodes the picture unless it is shown already. `bytes` is NULL after a failure. */
static void renew_picture(struct pixels *pixels, const struct pixel_picture *picture, int number,
                          const struct palette *palette) {
    struct shown_picture *shown = &pixels->shown[number];
    uint64_t hash = 14695981039346656037u ^ ((uint64_t)pixels->under_text << 16 |
                                             (uint64_t)palette->map << 8 | palette->theme);
    for (int p = 0; p < picture->cols * picture->rows; p++)
        hash = (hash ^ picture->roles[p]) * 1099511628211u;
    if (shown->bytes && hash == shown->hash)
        return;
    free(shown->bytes);
    *shown =
        (struct shown_picture){.area = picture->area, .hash = hash, .is_there = shown->is_there};
    FILE *file = open_memstream(&shown->bytes, &shown->length);
    const int wanted = ROLE_LEVELS >> pixels->coarse;
    const bool made =
        file && (pixels->protocol == PROTOCOL_KITTY
                     ? kitty_write(file, picture, number, pixels->under_text, palette)
                     : sixel_writer(file, picture, picture->area.cols * pixels->cell_width,
                                    picture->area.rows * pixels->cell_height,
                                    wanted < pixels->colors ? wanted : pixels->colors, palette));
    const bool failed = !made || ferror(file);
    if (file && (fclose(file) || failed)) {
        free(shown->bytes);
        shown->bytes = NULL;
    }
}

int pixels_renew(struct pixels *pixels, const struct pixel_picture *pictures, int count,
                 const struct palette *palette, int64_t now_ns) {
    static const size_t most = PICTURE_BYTES_PER_SECOND, much = most / 2, little = most / 6;
    const bool due = pixels_are_due(pixels, pictures, count, now_ns);
    size_t length = 0;
    bool made = true;
    if (pixels_have_moved(pixels, pictures, count))
        pixels_forget(pixels);
    for (int p = 0; p < count && made; p++) {
        if (due && pictures[p].roles)
            renew_picture(pixels, &pictures[p], p, palette);
        made = pixels->shown[p].bytes != NULL;
        length += pixels->shown[p].length;
    }
    pixels->count = count;
    if (!made) {
        pixels_forget(pixels);
        pixels->failed = due;
    } else if (length >
               most) { /* with noise: shows cells for a second or until there are fewer colours */
        pixels_forget(pixels);
        pixels->retry_after_ns = now_ns + (pixels->coarse < COARSE_MAX ? 0 : 1000000000);
    }
    if (due) {
        pixels->coarse += length > much && pixels->coarse < COARSE_MAX;
        pixels->coarse -= length < little && pixels->coarse > 0;
    }
    return pixels->count;
}

size_t pixels_send(struct pixels *pixels, struct tty *tty, bool damaged, int64_t now_ns) {
    size_t sent = 0, again = 0;
    if (pixels->taken_away && pixels->protocol == PROTOCOL_KITTY)
        tty_write_text(tty, kitty_removal);
    pixels->taken_away = false;
    for (int p = 0; p < pixels->count; p++) {
        struct shown_picture *shown = &pixels->shown[p];
        if (shown->is_sent && !damaged)
            continue;
        tty_write(tty, shown->bytes, shown->length);
        *(shown->is_sent ? &again : &sent) += shown->length;
        shown->is_sent = shown->is_there = true;
    }
    if (sent > 0)
        pixels->next_ns = now_ns + (int64_t)(1e9 * (double)sent / PICTURE_BYTES_PER_SECOND);
    return again;
}
