#include "ui/terminal/pixels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/text.h"

const char pixels_removal[] = "\x1b_Ga=d,d=I,i=7261,q=2\x1b\\";

/* What pictures may take of a slow line; the rest is for text. */
static const double pixel_bytes_per_second = 40e3;

bool pixels_may_ask(const char *term) {
    return !getenv("TMUX") && !getenv("STY") && strncmp(term, "screen", 6) != 0 &&
           strncmp(term, "tmux", 4) != 0;
}

/* ---- question and reply ------------------------------------------------------------------- */

const char *pixels_question(struct pixels *pixels, int64_t now_ns) {
    pixels->until_ns = now_ns + 3000000000;
    return "\x1b_Gi=7261,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c";
}

/* Replies begin with "ESC _ G" and end with "ESC \", or begin with "ESC [ ?" and end with "c". */
size_t pixels_take(struct pixels *pixels, const char *bytes, size_t count, int64_t now_ns,
                   char *keys) {
    const bool late = now_ns > pixels->until_ns;
    size_t used = 0;
    for (size_t b = 0; b < count; b++) {
        const char byte = bytes[b];
        if (!pixels->until_ns) { /* behind the last reply */
            keys[used++] = byte;
            continue;
        }
        if (pixels->inside) {
            const bool graphics = pixels->held[1] == '_';
            if (pixels->count + 1 < sizeof pixels->text)
                pixels->text[pixels->count++] = byte;
            if (byte != (graphics ? '\\' : 'c'))
                continue;
            pixels->text[pixels->count] = '\0';
            pixels->can |= graphics && strncmp(pixels->text, "i=7261;OK", 9) == 0;
            if (!graphics) /* all terminals answer this one, and it was asked last */
                pixels->until_ns = 0;
            pixels->inside = false;
            pixels->held_count = pixels->count = 0;
            continue;
        }
        const size_t held = pixels->held_count;
        const bool fits = held == 0   ? byte == 0x1b
                          : held == 1 ? byte == '_' || byte == '['
                                      : byte == (pixels->held[1] == '_' ? 'G' : '?');
        if (!fits) { /* a key that begins like a reply */
            memcpy(keys + used, pixels->held, held);
            used += held;
            pixels->held_count = 0;
        }
        if (fits || byte == 0x1b)
            pixels->held[pixels->held_count++] = byte;
        else
            keys[used++] = byte;
        pixels->inside = pixels->held_count == 3;
    }
    if (late && !pixels->inside) { /* a reply comes whole by now: this is the key Escape */
        memcpy(keys + used, pixels->held, pixels->held_count);
        used += pixels->held_count;
        pixels->held_count = 0;
    }
    return used;
}

/* ---- pictures ----------------------------------------------------------------------------- */

/* The picture's colours as zlib's stream in base64; NULL if there is no memory. To be freed. */
static char *encode_picture(const struct pixel_picture *picture, const struct palette *palette) {
    const size_t pixels = (size_t)picture->cols * (size_t)picture->rows;
    uLongf packed = compressBound((uLong)(3 * pixels));
    uint8_t *rgb = malloc(3 * pixels), *stream = malloc(packed);
    char *text = malloc(text_base64_size(packed) + 1);
    for (size_t p = 0; rgb && p < pixels; p++) {
        const struct rgb color =
            theme_rgb(palette->theme, palette->map, (enum ink)picture->inks[p], true);
        memcpy(rgb + 3 * p, (uint8_t[]){color.r, color.g, color.b}, 3);
    }
    if (rgb && stream && text &&
        compress2(stream, &packed, rgb, (uLong)(3 * pixels), Z_DEFAULT_COMPRESSION) == Z_OK) {
        text[text_base64(text, stream, packed)] = '\0';
    } else {
        free(text);
        text = NULL;
    }
    free(rgb);
    free(stream);
    return text;
}

bool pixels_are_due(const struct pixels *pixels, struct rect area, int64_t now_ns) {
    return pixels->can &&
           (memcmp(&area, &pixels->area, sizeof area) != 0 || now_ns >= pixels->next_ns);
}

void pixels_show(struct pixels *pixels, struct tty *tty, const struct pixel_picture *picture,
                 const struct palette *palette, int64_t now_ns) {
    enum { CHUNK = 4096 };
    if (!picture) {
        if (pixels->area.cols > 0)
            tty_write_text(tty, pixels_removal);
        pixels->area.cols = 0;
        return;
    }
    const struct rect area = picture->area;
    if (!picture->inks || !pixels_are_due(pixels, area, now_ns))
        return;
    const bool moved = memcmp(&area, &pixels->area, sizeof area) != 0;
    uint64_t hash = 14695981039346656037u ^ ((uint64_t)palette->map << 8 | palette->theme);
    for (int p = 0; p < picture->cols * picture->rows; p++)
        hash = (hash ^ picture->inks[p]) * 1099511628211u;
    if (!moved && hash == pixels->hash)
        return;
    char *text = encode_picture(picture, palette), head[160];
    if (!text)
        return;
    const size_t length = strlen(text), before = tty->waiting_count;
    /* At its place, under the text; the cursor stays for ncurses. */
    snprintf(head, sizeof head,
             "\x1b"
             "7\x1b[%d;%dH\x1b_Ga=T,f=24,o=z,s=%d,v=%d,c=%d,r=%d,i=7261,p=1,z=-1,C=1,q=2,",
             area.y + 1, area.x + 1, picture->cols, picture->rows, area.cols, area.rows);
    for (size_t sent = 0; sent < length; sent += CHUNK) {
        char chunk[CHUNK + 256];
        const size_t left = length - sent;
        snprintf(chunk, sizeof chunk, "%sm=%d;%.*s\x1b\\", sent ? "\x1b_G" : head, left > CHUNK,
                 left > CHUNK ? CHUNK : (int)left, text + sent);
        tty_write_text(tty, chunk);
    }
    tty_write_text(tty, "\x1b"
                        "8");
    pixels->area = area;
    pixels->hash = hash;
    pixels->next_ns =
        now_ns + (int64_t)(1e9 * (double)(tty->waiting_count - before) / pixel_bytes_per_second);
    free(text);
}
