#include "run/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* [*first, *last) = the unknowns between two fractions of `side`, at least one of them. */
static void cut_fractions(double from, double to, int side, int *first, int *last) {
    *first = (int)(from * side);
    *last = (int)ceil(to * side);
    if (*first > side - 1)
        *first = side - 1;
    if (*first < 0)
        *first = 0;
    if (*last > side)
        *last = side;
    if (*last <= *first)
        *last = *first + 1;
}

struct downsample view_downsample(const struct view *view, const struct mesh *mesh) {
    struct downsample downsample = {.cols = view->cols, .rows = view->rows};
    cut_fractions(view->x0, view->x1, mesh->Nx, &downsample.i0, &downsample.i1);
    cut_fractions(view->y0, view->y1, mesh->Ny, &downsample.j0, &downsample.j1);
    if (downsample.cols < 1 || downsample.rows < 1)
        downsample.cols = downsample.rows = 1;
    while ((long)downsample.cols * downsample.rows > FIELD_MAX_CELLS) {
        downsample.cols = (downsample.cols + 1) / 2;
        downsample.rows = (downsample.rows + 1) / 2;
    }
    return downsample;
}

/* ---- from recorded cells -------------------------------------------------------------------- */

static int clamp(int value, int most) {
    return value < 0 ? 0 : value > most ? most : value;
}

/* The recorded cells [*first, *last) that overlap unknowns [begin, end). `from`, `to` and `count`
 * are those of the recorded cells. */
static void overlap(int begin, int end, int from, int to, int count, int *first, int *last) {
    const double scale = (double)count / (to - from);
    *first = clamp((int)floor((begin - from) * scale), count - 1);
    *last = clamp((int)ceil((end - from) * scale), count);
    if (*last <= *first)
        *last = *first + 1;
}

static float mean(const struct field *field, int c0, int c1, int r0, int r1) {
    double sum = 0;
    for (int r = r0; r < r1; r++)
        for (int c = c0; c < c1; c++)
            sum += (double)field->cells[c + r * field->downsample.cols];
    return (float)(sum / ((double)(c1 - c0) * (r1 - r0)));
}

static void fill(const struct field *field, const struct downsample *to, float *cells) {
    const struct downsample *from = &field->downsample;
    for (int r = 0; r < to->rows; r++) {
        int j0, j1, r0, r1;
        downsample_span(to->j0, to->j1, to->rows, r, &j0, &j1);
        overlap(j0, j1, from->j0, from->j1, from->rows, &r0, &r1);
        for (int c = 0; c < to->cols; c++) {
            int i0, i1, c0, c1;
            downsample_span(to->i0, to->i1, to->cols, c, &i0, &i1);
            overlap(i0, i1, from->i0, from->i1, from->cols, &c0, &c1);
            cells[c + r * to->cols] = mean(field, c0, c1, r0, r1);
        }
    }
}

/* Cuts [*begin, *end) to what was recorded; all of that where they have nothing in common. */
static void cut(int *begin, int *end, int from, int to) {
    const int first = *begin > from ? *begin : from, last = *end < to ? *end : to;
    *begin = first < last ? first : from;
    *end = first < last ? last : to;
}

void field_resample(struct field *field, const struct view *view, int nx, int ny) {
    if (field->downsample.cols < 1 || field->downsample.rows < 1)
        return;
    const struct mesh mesh = mesh_make(nx, ny);
    struct downsample wanted = view_downsample(view, &mesh);
    cut(&wanted.i0, &wanted.i1, field->downsample.i0, field->downsample.i1);
    cut(&wanted.j0, &wanted.j1, field->downsample.j0, field->downsample.j1);
    if (memcmp(&wanted, &field->downsample, sizeof wanted) == 0)
        return;
    const size_t count = (size_t)wanted.cols * (size_t)wanted.rows;
    float *cells = malloc(count * sizeof *cells);
    if (!cells)
        return;
    fill(field, &wanted, cells);
    memcpy(field->cells, cells, count * sizeof *cells);
    free(cells);
    field->downsample = wanted;
    field_measure(field);
}
