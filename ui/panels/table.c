/* The table panel: the tables of metrics/table.h, cut to the width there is. */
#include <stdio.h>

#include "metrics/labels.h"
#include "metrics/table.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"

enum { GAP = 2 };

static enum ink group_ink(const struct table *table, int column, int lane_count) {
    const int group = table->columns[column].group;
    if (group >= GROUP_REFERENCE)
        return INK_REFERENCE;
    return lane_count > 1 && group >= 0 ? (enum ink)(INK_LANE_A + group) : INK_TEXT;
}

/* `row` NULL: the columns' titles. */
static void draw_cells(struct grid *grid, struct rect area, int y, const struct table *table,
                       const struct table_row *row, int lane_count) {
    const bool sum = row && row->kind == ROW_SUM;
    const enum ink own = !row ? INK_DIM : sum ? INK_VALUE : INK_TEXT;
    int x = area.x;
    for (int c = 0; c < table->column_count; c++) {
        const char *text = row ? row->cells[c] : table->columns[c].title;
        const bool reference = row && table->columns[c].group >= GROUP_REFERENCE;
        const enum ink ink = reference ? group_ink(table, c, lane_count) : own;
        x += (c > 0 ? GAP : 0) + table_width(table, c);
        if (c == 0)
            grid_text(grid, area, area.x, y, ink, sum ? CELL_BOLD : 0, "%s", text);
        else
            draw_text_right(grid, area, x, y, ink, sum ? CELL_BOLD : 0, text);
    }
}

/* Returns the rows used. */
static int draw_table(struct grid *grid, struct rect area, const struct table *table,
                      int lane_count) {
    int y = area.y + 1, x = area.x + table_width(table, 0);
    grid_text(grid, area, area.x, area.y, INK_DIM, 0, "%s", table->base);
    for (int c = 1; c < table->column_count;) {
        const int group = table->columns[c].group;
        const enum ink ink = group_ink(table, c, lane_count);
        for (; c < table->column_count && table->columns[c].group == group; c++)
            x += GAP + table_width(table, c);
        draw_text_right(grid, area, x, area.y, ink, CELL_BOLD, table->groups[group]);
    }
    draw_cells(grid, area, y++, table, NULL, lane_count);
    for (int r = 0; r < table->row_count; r++) {
        const bool new_kind = r > 0 && table->rows[r].kind != table->rows[r - 1].kind;
        y += new_kind && area.rows > table->row_count + 4;
        draw_cells(grid, area, y++, table, &table->rows[r], lane_count);
    }
    return y - area.y;
}

void table_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const struct panel *panel = panel_find("table");
    char title[64];
    snprintf(title, sizeof title, "%s: means of the whole run", panel->title);
    const struct sample *sample = screen->sample;
    const struct reference *reference = &screen->config->reference;
    const struct rect inside = rect_inset(
        draw_frame(grid, area, &(struct frame){.title = title, .key = panel->key}), 1, 0);
    const struct reference *second = &screen->config->second_reference;
    struct table table = table_costs(sample, reference, second);
    table_fit(&table, inside.cols);
    struct rect rest = rect_below(inside, draw_table(grid, inside, &table, sample->lane_count));
    for (int r = 0; r < 2; r++) {
        const struct reference *shown = r ? second : reference;
        char source[sizeof shown->source + 96], unknowns[32];
        snprintf(source, sizeof source, "%s", shown->source);
        if (!reference_is_comparable(shown, sample))
            format_append(source, sizeof source, ", %s",
                          format_grid(unknowns, sizeof unknowns, shown->nx, shown->ny));
        if (reference_loop_ms(shown, &sample->lanes[0]) == shown->structured_ms)
            format_append(source, sizeof source, "; the 1000 iterations: structured mapping");
        if (rest.rows > 1 && *shown->source)
            rest =
                rect_below(rest, draw_paragraph(grid, rect_top(rest, 2), INK_REFERENCE, 0, source));
    }
    table = table_spreads(sample);
    table_fit(&table, inside.cols);
    if (rest.rows < table.row_count + 4)
        return;
    rest = rect_below(rest, 1);
    grid_text(grid, rest, rest.x, rest.y, INK_TITLE, CELL_BOLD, "Spread over the whole run");
    draw_table(grid, rect_below(rest, 1), &table, sample->lane_count);
}
