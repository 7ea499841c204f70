/* A grid as PNG: text through FreeType, other glyphs as shapes (ui/export/picture.h). */
#include <fontconfig/fontconfig.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "ui/export/picture.h"

/* A cell in pixels: half and quarter cells are whole pixels. */
enum { CELL_COLS = 12, CELL_ROWS = 24, BASELINE = 18, FONT_SIZE = 20 };

enum { FACE_REGULAR, FACE_BOLD, FACE_COUNT };

struct canvas {
    int width, height;
    uint8_t *pixels; /* RGB, rows from the top */
    FT_Library freetype;
    FT_Face faces[FACE_COUNT];
};

/* Opens the system's monospaced font; false if there is none. */
static bool open_face(struct canvas *canvas, int face) {
    FcPattern *wanted =
        FcNameParse((const FcChar8 *)(face == FACE_BOLD ? "DejaVu Sans Mono,monospace:bold"
                                                        : "DejaVu Sans Mono,monospace"));
    FcConfigSubstitute(NULL, wanted, FcMatchPattern);
    FcDefaultSubstitute(wanted);
    FcResult result;
    FcPattern *found = FcFontMatch(NULL, wanted, &result);
    FcChar8 *path = NULL;
    int index = 0;
    bool opened = false;
    if (found && FcPatternGetString(found, FC_FILE, 0, &path) == FcResultMatch) {
        FcPatternGetInteger(found, FC_INDEX, 0, &index);
        opened = !FT_New_Face(canvas->freetype, (const char *)path, index, &canvas->faces[face]) &&
                 !FT_Set_Pixel_Sizes(canvas->faces[face], 0, FONT_SIZE);
    }
    if (found)
        FcPatternDestroy(found);
    FcPatternDestroy(wanted);
    return opened;
}

static void blend(struct canvas *canvas, int x, int y, struct rgb rgb, double alpha) {
    if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height)
        return;
    uint8_t *pixel = canvas->pixels + 3 * ((size_t)x + (size_t)y * (size_t)canvas->width);
    const uint8_t color[3] = {rgb.r, rgb.g, rgb.b};
    for (int k = 0; k < 3; k++)
        pixel[k] = (uint8_t)lround(pixel[k] + alpha * (color[k] - pixel[k]));
}

static void fill(struct canvas *canvas, double x0, double y0, double x1, double y1, struct rgb rgb,
                 double alpha) {
    const int left = (int)lround(x0), top = (int)lround(y0);
    const int right = (int)fmax(lround(x1), left + 1), bottom = (int)fmax(lround(y1), top + 1);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            blend(canvas, x, y, rgb, alpha);
}

static void draw_cell(struct canvas *canvas, int x, int y, const struct cell *cell,
                      const struct palette *palette) {
    const struct rgb rgb = cell_rgb(cell, false, palette);
    const struct shape shape = shape_of(cell->glyph, (double)CELL_ROWS / CELL_COLS);
    fill(canvas, x * CELL_COLS, y * CELL_ROWS, (x + 1) * CELL_COLS, (y + 1) * CELL_ROWS,
         cell_rgb(cell, true, palette), 1);
    for (int k = 0; k < shape.count; k++) {
        const struct shape_rect *rect = &shape.rects[k];
        fill(canvas, (x + rect->x0) * CELL_COLS, (y + rect->y0) * CELL_ROWS,
             (x + rect->x1) * CELL_COLS, (y + rect->y1) * CELL_ROWS, rgb, shape.alpha);
    }
    const FT_Face face = canvas->faces[cell->attributes & BOLD ? FACE_BOLD : FACE_REGULAR];
    if (shape.count == 0 && cell->glyph > ' ' && !FT_Load_Char(face, cell->glyph, FT_LOAD_RENDER)) {
        const FT_Bitmap *bitmap = &face->glyph->bitmap;
        const int left = x * CELL_COLS + face->glyph->bitmap_left;
        const int top = y * CELL_ROWS + BASELINE - face->glyph->bitmap_top;
        for (int r = 0; r < (int)bitmap->rows; r++)
            for (int c = 0; c < (int)bitmap->width; c++)
                blend(canvas, left + c, top + r, rgb,
                      bitmap->buffer[r * bitmap->pitch + c] / 255.0);
    }
    if (cell->attributes & UNDERLINE)
        fill(canvas, x * CELL_COLS, y * CELL_ROWS + BASELINE + 2, (x + 1) * CELL_COLS,
             y * CELL_ROWS + BASELINE + 3, rgb, 1);
}

enum status png_write(FILE *file, const struct grid *grid, const struct palette *palette,
                      struct error *error) {
    struct canvas canvas = {.width = grid->cols * CELL_COLS, .height = grid->rows * CELL_ROWS};
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)canvas.width,
                       .height = (png_uint_32)canvas.height,
                       .format = PNG_FORMAT_RGB};
    enum status status = STATUS_OK;
    canvas.pixels = calloc((size_t)canvas.width * (size_t)canvas.height, 3);
    if (!canvas.pixels || FT_Init_FreeType(&canvas.freetype)) {
        status = error_set(error, STATUS_INTERNAL, "out of memory");
    } else if (!open_face(&canvas, FACE_REGULAR) || !open_face(&canvas, FACE_BOLD)) {
        status = error_set(error, STATUS_INTERNAL,
                           "a .png picture needs a font, and none is installed; try .svg");
    } else {
        for (int c = 0; c < grid->cols * grid->rows; c++)
            draw_cell(&canvas, c % grid->cols, c / grid->cols, &grid->cells[c], palette);
        if (!png_image_write_to_stdio(&image, file, 0, canvas.pixels, 0, NULL))
            status = error_set(error, STATUS_INTERNAL, "the picture can't be written: %s",
                               image.message);
    }
    FT_Done_FreeType(canvas.freetype);
    free(canvas.pixels);
    return status;
}
