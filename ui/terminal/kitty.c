#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "ui/terminal/pixels.h"

/* A number per picture, from 7261 on; d=I also frees the picture. */
#define REMOVE(number) "\x1b_Ga=d,d=I,i=" number ",q=2\x1b\\"
const char kitty_removal[] = REMOVE("7261") REMOVE("7262") REMOVE("7263") REMOVE("7264");
_Static_assert(PICTURES_MAX == 4, "kitty_removal names every picture");

/* Writes the bytes as base64, in chunks of 4096 characters: the end of one sequence, and its
 * continuations. */
static void write_base64(FILE *file, const uint8_t *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { CHUNK_BYTES = 4096 / 4 * 3 };
    for (size_t k = 0; k < size; k += 3) {
        const size_t left = size - k;
        const unsigned triple = (unsigned)bytes[k] << 16 |
                                (left > 1 ? (unsigned)bytes[k + 1] << 8 : 0) |
                                (left > 2 ? (unsigned)bytes[k + 2] : 0);
        if (k % CHUNK_BYTES == 0)
            fprintf(file, "%sm=%d;", k ? "\x1b\\\x1b_G" : "", left > CHUNK_BYTES);
        fputc(digits[triple >> 18], file);
        fputc(digits[triple >> 12 & 63], file);
        fputc(left > 1 ? digits[triple >> 6 & 63] : '=', file);
        fputc(left > 2 ? digits[triple & 63] : '=', file);
    }
    fputs("\x1b\\", file);
}

bool kitty_write(FILE *file, const struct pixel_picture *picture, int number, bool under_text,
                 const struct palette *palette) {
    const size_t pixels = (size_t)picture->cols * (size_t)picture->rows;
    const struct area *area = &picture->area;
    uLongf packed = compressBound((uLong)(3 * pixels));
    uint8_t *rgb = malloc(3 * pixels), *bytes = malloc(packed);
    for (size_t p = 0; rgb && p < pixels; p++) {
        const struct rgb color =
            theme_rgb(palette->theme, palette->map, (enum role)picture->roles[p], true);
        memcpy(rgb + 3 * p, (uint8_t[]){color.r, color.g, color.b}, 3);
    }
    const bool made =
        rgb && bytes &&
        compress2(bytes, &packed, rgb, (uLong)(3 * pixels), Z_DEFAULT_COMPRESSION) == Z_OK;
    if (made) {
        fprintf(file, "\x1b[%d;%dH\x1b_Ga=T,f=24,o=z,s=%d,v=%d,c=%d,r=%d,i=%d,p=1,z=%d,C=1,q=2,",
                area->y + 1, area->x + 1, picture->cols, picture->rows, area->cols, area->rows,
                7261 + number, under_text ? -1 : 0);
        write_base64(file, bytes, packed);
    }
    free(rgb);
    free(bytes);
    return made;
}
