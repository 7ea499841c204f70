/* PNG pictures, read back by libpng. */
#include "tests/fixtures/pictures.h"

#include <png.h>

/* Reads the picture of the grid back; skips if there is no font. */
static uint8_t *decode(const struct grid *grid, unsigned *width, unsigned *height) {
    owned_memory char *bytes = NULL;
    size_t size;
    FILE *file = open_memstream(&bytes, &size);
    const enum status status = png_write(file, grid, &picture_palette, &error);
    fclose(file);
    if (status && strstr(error.message, "font"))
        exit(77);
    assert_ok(status);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, bytes, size));
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    *width = image.width;
    *height = image.height;
    return pixels;
}

TEST(size_and_exact_levels) {
    owned_grid grid;
    unsigned width, height;
    picture_grid(&grid);
    owned_memory uint8_t *pixels = decode(&grid, &width, &height);
    assert_int_equal(width % PICTURE_COLS, 0);
    assert_int_equal(height % PICTURE_ROWS, 0);
    const unsigned cols = width / PICTURE_COLS, rows = height / PICTURE_ROWS;
    for (unsigned k = 0; k < ROLE_LEVELS; k++) {
        const struct rgb upper = colormap_rgb(picture_palette.map, (int)k);
        const struct rgb lower = colormap_rgb(picture_palette.map, ROLE_LEVELS - 1 - (int)k);
        for (unsigned y = 0; y < rows; y++)
            for (unsigned x = 0; x < cols; x++) {
                const struct rgb rgb = y < rows / 2 ? upper : lower;
                const uint8_t wanted[3] = {rgb.r, rgb.g, rgb.b};
                assert_memory_equal(pixels + 3 * ((4 * rows + y) * width + k * cols + x), wanted,
                                    3);
            }
    }
}

/* Each letter draws pixels in its own cell. */
TEST(text_is_drawn) {
    owned_grid grid;
    unsigned width, height;
    assert_true(grid_init(&grid, 4, 1));
    grid_text((struct area){0, 0, 4, 1, &grid}, 0, 0, ROLE_TEXT, "Uµ m");
    owned_memory uint8_t *pixels = decode(&grid, &width, &height);
    const unsigned cols = width / 4;
    for (unsigned cell = 0; cell < 4; cell++) {
        int inked = 0;
        for (unsigned y = 0; y < height; y++)
            for (unsigned x = cell * cols; x < (cell + 1) * cols; x++)
                inked += pixels[3 * (y * width + x)] > 0x80;
        assert_true(cell == 2 ? inked == 0 : inked > 10);
    }
}

TEST_MODULE(png, NULL, NULL)
