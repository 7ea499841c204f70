#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "ui/terminal/pixels.h"

/* A number per picture, from 7261 on; d=I also frees the picture. */
#define REMOVE(number) "\x1b_Ga=d,d=I,i=" number ",q=2\x1b\\"
const char kitty_removal[] = REMOVE("7261") REMOVE("7262") REMOVE("7263") REMOVE("7264");
_Static_assert(PICTURES_MAX == 4, "kitty_removal names every picture");

/* Writes `size` bytes as base64, without a final '\0'. Returns the number of characters. */
static size_t encode_base64(char *to, const uint8_t *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *begin = to;
    for (size_t k = 0; k < size; k += 3) {
        const size_t left = size - k;
        const unsigned triple = (unsigned)bytes[k] << 16 |
                                (left > 1 ? (unsigned)bytes[k + 1] << 8 : 0) |
                                (left > 2 ? (unsigned)bytes[k + 2] : 0);
        *to++ = digits[triple >> 18];
        *to++ = digits[triple >> 12 & 63];
        *to++ = left > 1 ? digits[triple >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[triple & 63] : '=';
    }
    return (size_t)(to - begin);
}

char *kitty_encode(const struct pixel_picture *picture, int number, bool under_text,
                   const struct palette *palette, size_t *length) {
    enum { CHUNK = 4096 };
    const size_t pixels = (size_t)picture->cols * (size_t)picture->rows;
    const struct area *area = &picture->area;
    uLongf packed = compressBound((uLong)(3 * pixels));
    uint8_t *rgb = malloc(3 * pixels), *bytes = malloc(packed);
    char *text = malloc((packed + 2) / 3 * 4 + 1), *sequences = NULL;
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
        const size_t count = encode_base64(text, bytes, packed);
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
