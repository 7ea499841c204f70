/* The mesh panel: the blog's figure 1, drawn for the grid in use. Nodes of the wall, whose values
 * are given, stand around the unknowns; dx and dy lie between neighbours. Of a direction with more
 * nodes than there is room for, the first and the last two are shown. */
#include <stdio.h>
#include <stdlib.h>

#include "metrics/labels.h"
#include "solver/mesh.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"

enum { LABEL_COLS = 6, LABEL_ROWS = 2, KEY_COLS = 38, KEY_ROWS = 9, GAP_NODE = -2 };

/* The nodes of one direction, in the order in which they are drawn. */
struct axis {
    int n;     /* unknowns; the wall's nodes are -1 and n */
    int count; /* places, of which place `gap` stands for all that are left out */
    int gap;   /* -1: nothing is */
    int pitch; /* cells from one place to the next */
};

static struct axis axis_make(int n, int cells, int pitch) {
    const int room = cells > 0 ? (cells - 1) / pitch + 1 : 0;
    if (n + 2 <= room)
        return (struct axis){n, n + 2, -1, pitch};
    return (struct axis){n, room >= 5 ? room : 0, room - 3, pitch};
}

static int node_at(const struct axis *axis, int place) {
    if (place == axis->gap)
        return GAP_NODE;
    return axis->gap < 0 || place < axis->gap ? place - 1 : axis->n + 1 - (axis->count - place);
}

/* The nodes with the lines between them, place (at, at) and its four neighbours lit if `at` > 0.
 * Their numbers, j at the left and i below, from the last to the first as long as they don't touch;
 * dx and dy between the first two unknowns. */
static void draw_nodes(struct grid *grid, struct rect area, const struct axis *across,
                       const struct axis *up, int at) {
    const struct rect left = rect_left(area, LABEL_COLS);
    const int x0 = area.x + LABEL_COLS, bottom = area.y + (up->count - 1) * up->pitch;
    char text[16];
    for (int p = 0; p < across->count; p++)
        for (int q = 0; q < up->count; q++) {
            const int i = node_at(across, p), j = node_at(up, q);
            const int x = x0 + p * across->pitch;
            const int y = bottom - q * up->pitch;
            const bool lit = at > 0 && abs(p - at) + abs(q - at) < 2;
            const int walls = (i == -1) + (i == across->n) + (j == -1) + (j == up->n);
            const bool rim = i == 0 || j == 0 || i == across->n - 1 || j == up->n - 1;
            for (int k = 1; k < across->pitch && p + 1 < across->count; k++)
                grid_put(grid, area, x + k, y, 0x2500, INK_DIM, INK_DEFAULT, 0);
            for (int k = 1; k < up->pitch && q + 1 < up->count; k++)
                grid_put(grid, area, x, y - k, 0x2502, INK_DIM, INK_DEFAULT, 0);
            const bool gap = i == GAP_NODE || j == GAP_NODE;
            const uint32_t glyph = i == GAP_NODE   ? 0x22ef
                                   : j == GAP_NODE ? ':'
                                   : walls == 2    ? 0xb7
                                   : walls == 1    ? 0x25cb
                                   : rim           ? 0x25c6
                                                   : 0x25cf;
            const enum ink ink = gap         ? INK_DIM
                                 : walls > 0 ? INK_PREDICTED
                                 : rim       ? INK_WARN
                                             : INK_KERNEL;
            grid_put(grid, area, x, y, glyph, ink, INK_DEFAULT,
                     lit && !gap ? CELL_BOLD | CELL_REVERSE : CELL_BOLD);
        }
    for (int q = 0; q < up->count; q++) {
        snprintf(text, sizeof text, "%d", node_at(up, q));
        draw_text_right(grid, left, x0 - 1, bottom - q * up->pitch, INK_DIM, 0,
                        q == up->gap ? "" : text);
    }
    int taken = area.x + area.cols + 1;
    for (int p = across->count - 1; p >= 0; p--) {
        const int x = x0 + p * across->pitch - (p == 0);
        const int cols = snprintf(text, sizeof text, "%d", node_at(across, p));
        if (p == across->gap || x + cols >= taken)
            continue;
        grid_text(grid, area, x, bottom + 1, INK_DIM, 0, "%s", text);
        taken = x;
    }
    grid_text(grid, left, area.x, bottom + 1, INK_TEXT, 0, "j↑ i→");
    if (across->pitch == 4)
        grid_text(grid, area, x0 + across->pitch, bottom + 2, INK_TEXT, CELL_BOLD, "├dx─┤");
    if (up->pitch == 2)
        draw_text_right(grid, left, x0 - 1, bottom - up->pitch - 1, INK_TEXT, CELL_BOLD, "dy │");
}

/* What each sort of node is, how many there are, and who computes it. */
static void draw_key(struct grid *grid, struct rect area, int nx, int ny, bool lit) {
    const struct mesh mesh = mesh_make(nx, ny);
    const long N = (long)mesh_unknowns(&mesh);
    const long inner = nx > 2 && ny > 2 ? (nx - 2L) * (ny - 2L) : 0;
    char count[32];
    const struct {
        uint32_t mark;
        enum ink ink;
        long count;
        const char *what;
    } sorts[] = {
        {0x25cf, INK_KERNEL, inner, "inner: Laplacian"},
        {0x25c6, INK_WARN, N - inner, "rim: BoundaryConditions"},
        {0x25cb, INK_PREDICTED, 2L * nx + 2L * ny, "nodes of the wall"},
    };
    int y = area.y;
    grid_text(grid, area, area.x, y++, INK_TEXT, CELL_BOLD, "%d × %d = %s unknowns", nx, ny,
              format_count(count, sizeof count, N));
    for (size_t s = 0; s < sizeof sorts / sizeof *sorts; s++, y++) {
        grid_put(grid, area, area.x, y, sorts[s].mark, sorts[s].ink, INK_DEFAULT, CELL_BOLD);
        draw_text_right(grid, area, area.x + 13, y, INK_TEXT, 0,
                        format_count(count, sizeof count, sorts[s].count));
        grid_text(grid, area, area.x + 14, y, INK_TEXT, 0, "%s", sorts[s].what);
    }
    grid_text(grid, area, area.x, y++, INK_TEXT, 0, "dx = 1/(Nx+1) = %.3g", mesh.dx);
    grid_text(grid, area, area.x, y++, INK_TEXT, 0, "dy = 1/(Ny+1) = %.3g", mesh.dy);
    grid_text(grid, area, area.x, y++, INK_TEXT, 0, "(i, j) is number i + j*Nx in memory");
    grid_text(grid, area, area.x, y++, INK_TEXT, 0, "U on the wall is given, part of RHS");
    if (lit)
        grid_text(grid, area, area.x, y, INK_TEXT, 0, "lit: the five that make AU(1, 1)");
}

void mesh_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const struct panel *panel = panel_find("mesh");
    const int nx = screen->sample->nx, ny = screen->sample->ny;
    const struct rect inside = rect_inset(
        draw_frame(grid, area, &(struct frame){.title = panel->title, .key = panel->key}), 1, 0);
    if (nx < 1 || ny < 1) {
        draw_paragraph(grid, inside, INK_DIM, 0, "no grid yet");
        return;
    }
    const bool beside = inside.cols >= KEY_COLS + 20;
    const struct rect picture = beside ? rect_left(inside, inside.cols - KEY_COLS)
                                       : rect_top(inside, inside.rows - KEY_ROWS);
    const int cols = picture.cols - LABEL_COLS - 2, rows = picture.rows - LABEL_ROWS;
    /* Two rows per node look square, if that leaves enough of them. */
    const bool dense = rows < 13 && ny + 2 > (rows + 1) / 2;
    const struct axis across = axis_make(nx, cols, dense ? 2 : 4);
    const struct axis up = axis_make(ny, rows, dense ? 1 : 2);
    const int least = across.count < up.count ? across.count : up.count;
    const int at = least >= 7 ? 2 : 0;
    if (least > 0)
        draw_nodes(grid, picture, &across, &up, at);
    draw_key(grid,
             beside ? rect_right_of(inside, inside.cols - KEY_COLS)
                    : rect_below(inside, picture.rows),
             nx, ny, at > 0);
}
