#include "ui/export/ansi.h"

/* A glyph that is never drawn. */
static const uint32_t damaged = UINT32_MAX;

/* Up to this many unchanged cells are written again: moving the cursor costs 4 bytes. */
enum { BRIDGE = 3 };

static struct ansi_style style_of(const struct palette *palette, const struct cell *cell) {
    struct ansi_style style = {PALETTE_TERMINAL_OWN, PALETTE_TERMINAL_OWN, cell->attributes};
    /* With few colours a bar is reversed text. */
    const bool is_bar = palette->depth < PALETTE_256 &&
                        (cell->background == ROLE_BAR || cell->background == ROLE_SELECT);
    if (is_bar)
        style.attributes ^= REVERSE;
    if (palette->depth == PALETTE_MONO)
        return style;
    const enum role role = is_bar ? ROLE_TEXT : (enum role)cell->foreground;
    style.text = palette_color(palette, role, false);
    style.background = palette_color(palette, (enum role)cell->background, true);
    /* With 8 or 16 colours, bold often means bright: yellow on white. */
    if (palette->theme == THEME_LIGHT && palette->depth < PALETTE_256 && style.text >= 0)
        style.attributes &= ~BOLD;
    return style;
}

static bool is_same_style(struct ansi_style a, struct ansi_style b) {
    return a.text == b.text && a.background == b.background && a.attributes == b.attributes;
}

/* `base` is 30 for text and 40 for a background. */
static void put_color(const struct ansi_writer *writer, int base, int color) {
    FILE *file = writer->file;
    if (color == PALETTE_TERMINAL_OWN)
        fprintf(file, "%d", base + 9);
    else if (writer->palette->depth == PALETTE_DIRECT)
        fprintf(file, "%d;2;%d;%d;%d", base + 8, color >> 16 & 0xff, color >> 8 & 0xff,
                color & 0xff);
    else if (writer->palette->depth == PALETTE_256)
        fprintf(file, "%d;5;%d", base + 8, color);
    else
        fprintf(file, "%d", color < 8 ? base + color : base + 60 + color - 8);
}

static void put_style(struct ansi_writer *writer, struct ansi_style style) {
    struct ansi_style *now = &writer->style;
    const char *separator = "";
    if (writer->has_style && is_same_style(style, *now))
        return;
    fputs("\033[", writer->file);
    if (!writer->has_style || style.attributes != now->attributes) {
        fprintf(writer->file, "0%s%s%s", style.attributes & BOLD ? ";1" : "",
                style.attributes & UNDERLINE ? ";4" : "", style.attributes & REVERSE ? ";7" : "");
        now->text = now->background = PALETTE_TERMINAL_OWN;
        separator = ";";
    }
    if (style.text != now->text) {
        fputs(separator, writer->file);
        put_color(writer, 30, style.text);
        separator = ";";
    }
    if (style.background != now->background) {
        fputs(separator, writer->file);
        put_color(writer, 40, style.background);
    }
    fputc('m', writer->file);
    *now = style;
    writer->has_style = true;
}

static void move_to(struct ansi_writer *writer, int x, int y) {
    if (writer->x >= 0 && writer->y == y && x > writer->x)
        fprintf(writer->file, "\033[%dC", x - writer->x);
    else if (writer->x < 0 || writer->y != y || x != writer->x)
        fprintf(writer->file, "\033[%d;%dH", y + 1, x + 1);
    writer->x = x;
    writer->y = y;
}

/* The style for the cell: a blank keeps the current text colour. */
static struct ansi_style style_at(const struct ansi_writer *writer, const struct grid *grid, int x,
                                  int y) {
    const struct cell *cell = &grid->cells[x + y * grid->cols];
    struct ansi_style style = style_of(writer->palette, cell);
    const bool is_blank =
        (cell->glyph == 0 || cell->glyph == ' ') && !(style.attributes & (REVERSE | UNDERLINE));
    if (is_blank && writer->has_style && !(writer->style.attributes & (REVERSE | UNDERLINE))) {
        style.text = writer->style.text;
        style.attributes = writer->style.attributes;
    }
    return style;
}

static void put_cell(struct ansi_writer *writer, const struct grid *grid, int x, int y) {
    char utf8[5];
    const uint32_t glyph = grid->cells[x + y * grid->cols].glyph;
    put_style(writer, style_at(writer, grid, x, y));
    grid_encode(glyph_in_set(writer->glyphs, glyph), utf8);
    fputs(utf8, writer->file);
    writer->x = x + 1 < grid->cols ? x + 1 : -1; /* terminals differ after the last column */
}

void ansi_put_changes(struct ansi_writer *writer, struct grid *shown, const struct grid *grid) {
    for (int c = 0; c < grid->cols * grid->rows; c++) {
        const int x = c % grid->cols, y = c / grid->cols;
        if (cell_equals(&grid->cells[c], &shown->cells[c]))
            continue;
        /* Unchanged cells that cost one byte in the current style. */
        while (writer->y == y && writer->x >= 0 && writer->x < x && x - writer->x <= BRIDGE &&
               grid->cells[writer->x + y * grid->cols].glyph < 0x80 &&
               is_same_style(style_at(writer, grid, writer->x, y), writer->style))
            put_cell(writer, grid, writer->x, y);
        move_to(writer, x, y);
        put_cell(writer, grid, x, y);
        shown->cells[c] = grid->cells[c];
    }
}

void ansi_put_row(struct ansi_writer *writer, const struct grid *grid, int y) {
    for (int x = 0; x < grid->cols; x++)
        put_cell(writer, grid, x, y);
}

void ansi_end_style(struct ansi_writer *writer) {
    if (writer->has_style)
        fputs("\033[0m", writer->file);
    writer->has_style = false;
}

void ansi_damage(struct grid *shown) {
    for (int c = 0; c < shown->cols * shown->rows; c++)
        shown->cells[c].glyph = damaged;
}

void ansi_clear(struct ansi_writer *writer, struct grid *shown, bool has_bce) {
    const struct cell blank = {0};
    const struct ansi_style style = style_of(writer->palette, &blank);
    writer->has_style = false;
    put_style(writer, style);
    fputs("\033[H\033[2J", writer->file);
    writer->x = writer->y = 0;
    if (has_bce || style.background == PALETTE_TERMINAL_OWN)
        grid_clear(shown);
    else
        ansi_damage(shown);
}

void ansi_change_palette(struct grid *shown, const struct palette *from, const struct palette *to) {
    if (from->depth == to->depth && from->theme == to->theme && from->map == to->map &&
        from->own_background == to->own_background)
        return;
    for (int c = 0; c < shown->cols * shown->rows; c++) {
        struct cell *cell = &shown->cells[c];
        if (!is_same_style(style_of(from, cell), style_of(to, cell)))
            cell->glyph = damaged;
    }
}
