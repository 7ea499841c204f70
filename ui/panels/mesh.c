/* The mesh panel: the blog's figure 1, drawn for the current grid. Boundary nodes, with given
 * values, surround the unknowns; dx and dy are the distances between neighbours. A direction with
 * too many nodes shows the first ones and the last two. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "solver/mesh.h"
#include "ui/panels/panel.h"

enum {
    LABEL_COLS = 6,
    LABEL_ROWS = 2,
    KEY_COLS = 38,
    KEY_ROWS = 9,
    KEY_PARTS = 3,
    KEY_GAP = 6,
    STENCIL_ROWS = 6,
    PITCH_MAX = 4,
    GAP_NODE = -2
};

/* The nodes of one direction, in the order in which they are drawn. */
struct axis {
    int n;     /* unknowns; the boundary nodes are -1 and n */
    int count; /* positions; position `gap` represents all omitted nodes */
    int gap;   /* -1: none omitted */
    int pitch; /* cells from one position to the next */
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

/* The nodes and the lines between them; position (at, at) and its four neighbours are lit if `at` >
 * 0. The numbers, j at the left and i below, run from the last to the first as long as they don't
 * touch. dx and dy are between the first two unknowns. */
static void draw_nodes(struct area area, const struct axis *across, const struct axis *up, int at) {
    const struct area left = area_left(area, LABEL_COLS), numbers = area_left(left, LABEL_COLS - 1);
    const int x0 = area.x + LABEL_COLS, bottom = area.y + (up->count - 1) * up->pitch;
    for (int p = 0; p < across->count; p++)
        for (int q = 0; q < up->count; q++) {
            const int i = node_at(across, p), j = node_at(up, q);
            const int x = x0 + p * across->pitch;
            const int y = bottom - q * up->pitch;
            const bool lit = at > 0 && abs(p - at) + abs(q - at) < 2;
            const int walls = (i == -1) + (i == across->n) + (j == -1) + (j == up->n);
            const bool at_boundary = i == 0 || j == 0 || i == across->n - 1 || j == up->n - 1;
            for (int k = 1; k < across->pitch && p + 1 < across->count; k++)
                grid_put(area, x + k, y, U'─', ROLE_DIM);
            for (int k = 1; k < up->pitch && q + 1 < up->count; k++)
                grid_put(area, x, y - k, U'│', ROLE_DIM);
            const bool gap = i == GAP_NODE || j == GAP_NODE;
            const uint32_t glyph = i == GAP_NODE   ? U'⋯'
                                   : j == GAP_NODE ? ':'
                                   : walls == 2    ? U'·'
                                   : walls == 1    ? U'○'
                                   : at_boundary   ? U'◆'
                                                   : U'●';
            const enum role role = gap           ? ROLE_DIM
                                   : walls > 0   ? ROLE_PREDICTED
                                   : at_boundary ? ROLE_WARN
                                                 : ROLE_KERNEL;
            grid_put(area, x, y, glyph, role | (lit && !gap ? BOLD | REVERSE : BOLD));
        }
    for (int q = 0; q < up->count; q++) {
        draw_right(area_row(numbers, bottom - q * up->pitch - area.y), ROLE_DIM,
                   q == up->gap ? "" : PRINT("%d", node_at(up, q)));
    }
    int taken = area.x + area.cols + 1;
    for (int p = across->count - 1; p >= 0; p--) {
        const int x = x0 + p * across->pitch - (p == 0);
        const char *number = PRINT("%d", node_at(across, p));
        if (p == across->gap || x + grid_text_width(number) >= taken)
            continue;
        grid_text(area, x, bottom + 1, ROLE_DIM, "%s", number);
        taken = x;
    }
    grid_text(left, area.x, bottom + 1, ROLE_TEXT, "j↑ i→");
    if (across->pitch < 4)
        return;
    const struct area dx = {x0 + across->pitch, bottom + 2, across->pitch + 1, 1, area.grid};
    grid_fill_glyph(area_inset(dx, 1, 0), U'─', ROLE_TEXT | BOLD);
    grid_put(dx, dx.x, dx.y, U'├', ROLE_TEXT | BOLD);
    grid_put(dx, dx.x + dx.cols - 1, dx.y, U'┤', ROLE_TEXT | BOLD);
    grid_text(dx, dx.x + (dx.cols - 2) / 2, dx.y, ROLE_TEXT | BOLD, "dx");
    for (int y = 1; y < up->pitch; y++)
        draw_right(area_row(numbers, bottom - up->pitch - y - area.y), ROLE_TEXT | BOLD,
                   y == up->pitch / 2 ? "dy │" : "│");
}

/* The size, the meaning of each sort of node with their number and the kernel that computes it, and
 * remarks: one below the other, or side by side. */
static void draw_key(struct area area, bool is_wide, int nx, int ny, bool lit) {
    const struct mesh mesh = mesh_make(nx, ny);
    const long N = (long)mesh_unknowns(&mesh);
    const long inner = nx > 2 && ny > 2 ? (nx - 2L) * (ny - 2L) : 0;
    const struct {
        uint32_t mark;
        enum role role;
        long count;
        const char *what;
    } sorts[] = {
        {U'●', ROLE_KERNEL, inner, "inner: Laplacian"},
        {U'◆', ROLE_WARN, N - inner, "next to the boundary"},
        {U'○', ROLE_PREDICTED, 2L * nx + 2L * ny, "boundary nodes"},
    };
    struct area parts[KEY_PARTS];
    for (int p = 0; p < KEY_PARTS; p++)
        parts[p] = is_wide ? area_column_of(area, p, KEY_PARTS)
                           : area_take_top(&area, KEY_ROWS / KEY_PARTS);
    draw_text(parts[0], ROLE_TEXT | BOLD, "%d × %d = %s unknowns", nx, ny, AS(format_count, N));
    draw_text(area_row(parts[0], 1), ROLE_TEXT, "dx = 1/(Nx+1) = %.3g", mesh.dx);
    draw_text(area_row(parts[0], 2), ROLE_TEXT, "dy = 1/(Ny+1) = %.3g", mesh.dy);
    for (size_t s = 0; s < sizeof sorts / sizeof *sorts; s++) {
        struct area row = area_take_top(&parts[1], 1);
        grid_put(row, row.x, row.y, sorts[s].mark, sorts[s].role | BOLD);
        draw_cell(&row, 13, ROLE_TEXT, AS(format_count, sorts[s].count));
        draw_text(row, ROLE_TEXT, " %s", sorts[s].what);
    }
    draw_paragraph(parts[2], ROLE_TEXT,
                   lit ? "(i, j) is number i + j*Nx in memory\nBoundary values are part of "
                         "RHS\nhighlighted: the five for AU(1, 1)"
                       : "(i, j) is number i + j*Nx in memory\nBoundary values are part of RHS");
}

static void mesh_draw(struct area area, const struct screen *screen) {
    const int nx = screen->sample->nx, ny = screen->sample->ny;
    const struct frame frame = panel_frame(&mesh_panel);
    const struct area inside = panel_inside(area, &frame);
    if (nx < 1 || ny < 1) {
        draw_paragraph(inside, ROLE_DIM, "no grid yet");
        return;
    }
    /* A mesh that needs all columns has its key below it. */
    const bool is_wide = inside.cols >= KEY_PARTS * KEY_COLS &&
                         4 * (nx + 1) > inside.cols - KEY_COLS - LABEL_COLS - KEY_GAP;
    const bool beside = !is_wide && inside.cols >= KEY_COLS + 20;
    const int below = is_wide ? KEY_ROWS / KEY_PARTS : KEY_ROWS;
    const struct area picture =
        beside ? area_left(inside, inside.cols - KEY_COLS) : area_top(inside, inside.rows - below);
    const int cols = picture.cols - LABEL_COLS - 2, rows = picture.rows - LABEL_ROWS;
    /* Twice as many columns per node as rows look square: two rows if enough nodes fit, and more if
     * all of them do. */
    int pitch = rows < 13 && ny + 2 > (rows + 1) / 2 ? 1 : 2;
    while (pitch > 1 && pitch < PITCH_MAX && (ny + 1) * (pitch + 1) < rows &&
           (nx + 1) * 2 * (pitch + 1) < cols)
        pitch++;
    const struct axis up = axis_make(ny, rows + (pitch == 1), pitch); /* without a row for dx */
    struct axis across = axis_make(nx, cols, 2 * pitch);
    if (nx == ny && across.count == nx + 2 && up.count < across.count) /* a square remains one */
        across = axis_make(nx, 2 * pitch * (up.count - 1) + 1, 2 * pitch);
    const int least = min_int(across.count, up.count);
    const int at = least >= 7 ? 2 : 0;
    if (least > 0)
        draw_nodes(picture, &across, &up, at);
    const int used = LABEL_COLS + max_int(across.count - 1, 0) * across.pitch + KEY_GAP;
    const struct area key = beside ? area_right_of(inside, min_int(used, inside.cols - KEY_COLS))
                                   : area_below(inside, picture.rows);
    draw_key(key, is_wide, nx, ny, at > 0);
    const struct area spare = area_right_of(area_below(key, KEY_ROWS + 2), KEY_GAP);
    if (beside && nx == ny && spare.rows >= STENCIL_ROWS && !for_screen_reader(screen))
        draw_stencil(spare, INFINITY);
}

const struct panel mesh_panel = {PANEL("mesh", "Mesh", '7', mesh_draw)};
