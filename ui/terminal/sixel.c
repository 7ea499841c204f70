#include <setjmp.h>
#include <sixel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/terminal/pixels.h"

/* libsixel's memory. It does not ask whether it got what it wants, so an arena that is full ends it
 * in the middle; all of it goes at once. */
static struct {
    uint8_t *bytes; /* NULL but while a picture is made */
    size_t room, used;
    jmp_buf full;
} arena;

enum { ARENA_HEAD = 16 }; /* before each block: its size */

static void *arena_malloc(size_t size) {
    if (size > arena.room || arena.used + ARENA_HEAD > arena.room - size)
        longjmp(arena.full, 1);
    uint8_t *head = arena.bytes + arena.used;
    memcpy(head, &size, sizeof size);
    arena.used += (ARENA_HEAD + size + ARENA_HEAD - 1) / ARENA_HEAD * ARENA_HEAD;
    return head + ARENA_HEAD;
}

static void *arena_calloc(size_t count, size_t size) {
    void *block = arena_malloc(size && count > arena.room / size ? arena.room + 1 : count * size);
    return memset(block, 0, count * size);
}

static void *arena_realloc(void *before, size_t size) {
    uint8_t *block = arena_malloc(size);
    size_t had = 0;
    if (before)
        memcpy(&had, (uint8_t *)before - ARENA_HEAD, sizeof had);
    if (before)
        memcpy(block, before, had < size ? had : size);
    return block;
}

static void arena_free(void *block) {
}

static int write_bytes(char *bytes, int count, void *stream) {
    return (int)fwrite(bytes, 1, (size_t)count, stream);
}

/* Writes the pixels, which are numbers of colours, as sixels. What libsixel makes is the arena's.
 */
static bool write_sixels(FILE *stream, uint8_t *pixels, int width, int height, int colors,
                         const uint8_t *rgb) {
    sixel_allocator_t *allocator;
    sixel_dither_t *dither;
    sixel_output_t *output;
    if (setjmp(arena.full) ||
        SIXEL_FAILED(sixel_allocator_new(&allocator, arena_malloc, arena_calloc, arena_realloc,
                                         arena_free)) ||
        SIXEL_FAILED(sixel_dither_new(&dither, colors, allocator)) ||
        SIXEL_FAILED(sixel_output_new(&output, write_bytes, stream, allocator)))
        return false;
    sixel_dither_set_palette(dither, (uint8_t *)rgb);
    sixel_dither_set_pixelformat(dither, SIXEL_PIXELFORMAT_PAL8);
    sixel_dither_set_diffusion_type(dither, SIXEL_DIFFUSE_NONE);
    sixel_output_set_encode_policy(output, SIXEL_ENCODEPOLICY_SIZE);
    sixel_output_set_skip_dcs_envelope(output, 1);
    return SIXEL_SUCCEEDED(sixel_encode(pixels, width, height, 0, dither, output));
}

char *sixel_encode_picture(const struct pixel_picture *picture, int width, int height, int colors,
                           const struct palette *palette, size_t *length) {
    const int first = picture->roles[0] >= ROLE_SIGNED0 ? ROLE_SIGNED0 : ROLE_LEVEL0;
    const size_t count = (size_t)width * (size_t)height;
    char *text = NULL;
    uint8_t rgb[3 * ROLE_LEVELS], *pixels = malloc(count);
    arena.used = 0;
    /* Of a row of sixels a byte per column and colour, and a node per sixel; its tables. */
    arena.room = count + (size_t)width * (2 * ROLE_LEVELS + 6 * 64) + (1 << 19);
    arena.bytes = malloc(arena.room);
    FILE *stream = pixels && arena.bytes ? open_memstream(&text, length) : NULL;
    for (int c = 0; c < colors; c++) { /* each stands for as many levels as any other */
        const int role = first + (c * ROLE_LEVELS + ROLE_LEVELS / 2) / colors;
        const struct rgb color = theme_rgb(palette->theme, palette->map, (enum role)role, true);
        memcpy(rgb + 3 * c, (uint8_t[]){color.r, color.g, color.b}, 3);
    }
    for (int p = 0; stream && p < width * height; p++) {
        const int x = p % width * picture->cols / width, y = p / width * picture->rows / height;
        pixels[p] =
            (uint8_t)((picture->roles[x + y * picture->cols] - first) * colors / ROLE_LEVELS);
    }
    if (stream) {
        /* 0;1 leaves alone what the last row of sixels doesn't cover. */
        fprintf(stream, "\x1b[%d;%dH\x1bP0;1", picture->area.y + 1, picture->area.x + 1);
        bool made = write_sixels(stream, pixels, width, height, colors, rgb);
        fputs("\x1b\\", stream);
        made &= !ferror(stream);
        if (fclose(stream) || !made) {
            free(text);
            text = NULL;
        }
    }
    free(arena.bytes);
    arena.bytes = NULL;
    free(pixels);
    return text;
}
