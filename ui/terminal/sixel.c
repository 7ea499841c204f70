#include <setjmp.h>
#include <sixel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/terminal/pixels.h"

/* libsixel doesn't check its allocations: a failed one ends the picture here. */
static jmp_buf out_of_memory;

static void *checked(void *block) {
    if (!block)
        longjmp(out_of_memory, 1);
    return block;
}

static void *checked_malloc(size_t size) {
    return checked(malloc(size));
}

static void *checked_calloc(size_t count, size_t size) {
    return checked(calloc(count, size));
}

static void *checked_realloc(void *before, size_t size) {
    return checked(realloc(before, size));
}

static int write_bytes(char *bytes, int count, void *stream) {
    return (int)fwrite(bytes, 1, (size_t)count, stream);
}

/* Writes the pixels, which are colour numbers, as sixels. If memory runs out, libsixel's
 * allocations leak: no more pictures are made then. */
static bool encode_pixels(FILE *stream, uint8_t *pixels, int width, int height, int colors,
                          const uint8_t *rgb) {
    sixel_allocator_t *allocator;
    sixel_dither_t *dither;
    sixel_output_t *output;
    if (setjmp(out_of_memory) ||
        SIXEL_FAILED(sixel_allocator_new(&allocator, checked_malloc, checked_calloc,
                                         checked_realloc, free)) ||
        SIXEL_FAILED(sixel_dither_new(&dither, colors, allocator)) ||
        SIXEL_FAILED(sixel_output_new(&output, write_bytes, stream, allocator)))
        return false;
    sixel_dither_set_palette(dither, (uint8_t *)rgb);
    sixel_dither_set_pixelformat(dither, SIXEL_PIXELFORMAT_PAL8);
    sixel_dither_set_diffusion_type(dither, SIXEL_DIFFUSE_NONE);
    sixel_output_set_encode_policy(output, SIXEL_ENCODEPOLICY_SIZE);
    sixel_output_set_skip_dcs_envelope(output, 1);
    const bool made = SIXEL_SUCCEEDED(sixel_encode(pixels, width, height, 0, dither, output));
    sixel_output_unref(output);
    sixel_dither_unref(dither);
    sixel_allocator_unref(allocator);
    return made;
}

bool sixel_write(FILE *file, const struct pixel_picture *picture, int width, int height, int colors,
                 const struct palette *palette) {
    const int first = picture->roles[0] >= ROLE_SIGNED0 ? ROLE_SIGNED0 : ROLE_LEVEL0;
    uint8_t rgb[3 * ROLE_LEVELS], *pixels = malloc((size_t)width * (size_t)height);
    if (!pixels)
        return false;
    for (int c = 0; c < colors; c++) { /* each colour represents equally many levels */
        const int role = first + (c * ROLE_LEVELS + ROLE_LEVELS / 2) / colors;
        const struct rgb color = theme_rgb(palette->theme, palette->map, (enum role)role, true);
        memcpy(rgb + 3 * c, (uint8_t[]){color.r, color.g, color.b}, 3);
    }
    for (int p = 0; p < width * height; p++) {
        const int x = p % width * picture->cols / width, y = p / width * picture->rows / height;
        pixels[p] =
            (uint8_t)((picture->roles[x + y * picture->cols] - first) * colors / ROLE_LEVELS);
    }
    /* 0;1 leaves pixels unchanged that the last row of sixels doesn't cover. */
    fprintf(file, "\x1b[%d;%dH\x1bP0;1", picture->area.y + 1, picture->area.x + 1);
    const bool made = encode_pixels(file, pixels, width, height, colors, rgb);
    fputs("\x1b\\", file);
    free(pixels);
    return made;
}
