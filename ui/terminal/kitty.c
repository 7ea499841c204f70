#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/text.h"
#include "ui/terminal/pixels.h"

/* A number per picture, from 7261 on; d=I frees them, too. */
#define REMOVE(number) "\x1b_Ga=d,d=I,i=" number ",q=2\x1b\\"
const char kitty_removal[] = REMOVE("7261") REMOVE("7262") REMOVE("7263") REMOVE("7264");
_Static_assert(PICTURES_MAX == 4, "kitty_removal names every picture");

char *kitty_encode(const struct pixel_picture *picture, int number, bool under_text,
                   const struct palette *palette, size_t *length) {
    enum { CHUNK = 4096 };
    const size_t pixels = (size_t)picture->cols * (size_t)picture->rows;
    const struct area *area = &picture->area;
    uLongf packed = compressBound((uLong)(3 * pixels));
    uint8_t *rgb = malloc(3 * pixels), *bytes = malloc(packed);
    char *text = malloc(text_base64_size(packed) + 1), *sequences = NULL;
    for (size_t p = 0; rgb && p < pixels; p++) {
        const struct rgb color =
            theme_rgb(palette->theme, palette->map, (enum role)picture->roles[p], true);
        memcpy(rgb + 3 * p, (uint8_t[]){color.r, color.g, color.b}, 3);
    }
    FILE *stream =
        rgb && bytes && text &&
                compress2(bytes, &packed, rgb, (uLong)(3 * pixels), Z_DEFAULT_COMPRESSION) == Z_OK
            ? open_memstream(&sequences, length)
            : NULL;
    if (stream) {
        const size_t count = text_base64(text, bytes, packed);
        fprintf(stream, "\x1b[%d;%dH\x1b_Ga=T,f=24,o=z,s=%d,v=%d,c=%d,r=%d,i=%d,p=1,z=%d,C=1,q=2,",
                area->y + 1, area->x + 1, picture->cols, picture->rows, area->cols, area->rows,
                7261 + number, under_text ? -1 : 0);
        for (size_t sent = 0; sent < count; sent += CHUNK) {
            const size_t left = count - sent;
            fprintf(stream, "%sm=%d;", sent ? "\x1b_G" : "", left > CHUNK);
            fwrite(text + sent, 1, left < CHUNK ? left : CHUNK, stream);
            fputs("\x1b\\", stream);
        }
        const bool failed = ferror(stream);
        if (fclose(stream) || failed) {
            free(sequences);
            sequences = NULL;
        }
    }
    free(rgb);
    free(bytes);
    free(text);
    return sequences;
}
