#include "run/sample.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const struct solution solution_unknown = {NAN, NAN, NAN, NAN, NAN, NAN};

struct sample *sample_create(void) {
    struct sample *sample = calloc(1, sizeof *sample);
    if (!sample)
        return NULL;
    for (int l = 0; l < LANES_MAX; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        lane->field.cells = malloc(FIELD_MAX_CELLS * sizeof *lane->field.cells);
        float *cells = malloc(LEVEL_CELLS * sizeof *cells);
        lane->levels.of[0].cells = cells;
        if (!lane->field.cells || !cells) {
            sample_destroy(sample);
            return NULL;
        }
        for (int k = 0; k < LEVEL_FIELDS; k++) {
            lane->levels.of[k] = (struct field){.cells = cells, .stats = field_stats_none};
            cells += level_side(k) * level_side(k);
        }
    }
    return sample;
}

void sample_destroy(struct sample *sample) {
    if (!sample)
        return;
    for (int l = 0; l < LANES_MAX; l++) {
        free(sample->lanes[l].field.cells);
        free(sample->lanes[l].levels.of[0].cells);
    }
    free(sample);
}

static void field_copy(struct field *to, const struct field *from) {
    const size_t count = (size_t)from->downsample.cols * (size_t)from->downsample.rows;
    float *const cells = to->cells;
    *to = *from;
    to->cells = cells;
    if (count > 0)
        memcpy(cells, from->cells, count * sizeof *cells);
}

void lane_fields_copy(struct lane_sample *to, const struct lane_sample *from) {
    field_copy(&to->field, &from->field);
    to->levels.count = from->levels.count;
    to->levels.iteration = from->levels.iteration;
    for (int k = 0; k < from->levels.count; k++)
        field_copy(&to->levels.of[k], &from->levels.of[k]);
}

void lane_sample_copy(struct lane_sample *to, const struct lane_sample *from) {
    const size_t residuals = (size_t)from->history.count * sizeof *from->history.residuals;
    memcpy(to, from, offsetof(struct lane_sample, history.residuals) + residuals);
    memcpy(to->events, from->events, (size_t)from->event_count * sizeof *from->events);
    to->event_count = from->event_count;
    lane_fields_copy(to, from);
}

void sample_copy(struct sample *to, const struct sample *from) {
    memcpy(to, from, offsetof(struct sample, lanes));
    for (int l = 0; l < LANES_MAX; l++)
        lane_sample_copy(&to->lanes[l], &from->lanes[l]);
    for (int k = 0; k < from->study_count; k++)
        lane_sample_copy(&to->study[k], &from->study[k]);
}

const struct solution *lane_solution(const struct lane_sample *lane) {
    return lane->has_solution ? &lane->solution : &solution_unknown;
}

bool sample_is_paused(const struct sample *sample) {
    return sample->state == SESSION_PAUSED || sample->playback.paused;
}

int lane_phases(const struct lane_sample *lane, enum phase phases[PHASE_COUNT]) {
    const struct mesh mesh = mesh_make(lane->nx > 0 ? lane->nx : 1, lane->ny > 0 ? lane->ny : 1);
    return method_phases(lane->run.method, lane->run.cycle, &mesh, lane->run.schedule, phases);
}

bool lane_same_iterates(const struct lane_sample *a, const struct lane_sample *b) {
    return a->nx == b->nx && a->ny == b->ny &&
           !(run_id_difference(&a->run, &b->run) & RUN_ITERATES);
}

bool sample_methods_differ(const struct sample *sample) {
    bool differ = false;
    for (int l = 1; l < sample->lane_count; l++) {
        const struct lane_sample *a = &sample->lanes[0], *b = &sample->lanes[l];
        differ |= a->run.method != b->run.method ||
                  (a->run.method != METHOD_JACOBI && !lane_same_iterates(a, b));
    }
    return differ;
}

bool sample_iterates_differ(const struct sample *sample) {
    bool differ = false;
    for (int l = 1; l < sample->lane_count; l++)
        differ |= !lane_same_iterates(&sample->lanes[0], &sample->lanes[l]);
    return differ;
}

bool sample_lanes_differ(const struct sample *sample) {
    return (sample->race == RACE_SAME_TIME && sample->lane_count > 1) ||
           sample_iterates_differ(sample);
}

bool sample_grids_differ(const struct sample *sample) {
    bool differ = false;
    for (int l = 1; l < sample->lane_count; l++)
        differ |= sample->lanes[l].nx != sample->lanes[0].nx ||
                  sample->lanes[l].ny != sample->lanes[0].ny;
    return differ;
}

int sample_first_of(const struct sample *sample, enum method method) {
    int l = 0;
    while (l < sample->lane_count && sample->lanes[l].run.method != method)
        l++;
    return l < sample->lane_count ? l : -1;
}

int sample_recorded_count(const struct sample *sample) {
    int count = 0;
    for (int l = 0; l < sample->lane_count; l++)
        count += *sample->lanes[l].recorded != '\0';
    return count;
}

void field_measure(struct field *field) {
    const int count = field->downsample.cols * field->downsample.rows;
    float min = INFINITY, max = -INFINITY, smallest = INFINITY;
    for (int k = 0; k < count; k++) {
        const float cell = field->cells[k], magnitude = fabsf(cell);
        if (!isfinite(cell))
            continue;
        min = fminf(min, cell);
        max = fmaxf(max, cell);
        if (magnitude > 0)
            smallest = fminf(smallest, magnitude);
    }
    field->min = min <= max ? min : 0;
    field->max = min <= max ? max : 0;
    field->smallest_nonzero = isfinite(smallest) ? smallest : 0;
}

int level_side(int index) {
    return LEVEL_SIDE >> index;
}

bool field_middle(const struct field *field, int nx, int ny, double *value) {
    const struct downsample *d = &field->downsample;
    const int i = nx / 2, j = ny / 2;
    if (field->kind != FIELD_U || i < d->i0 || i >= d->i1 || j < d->j0 || j >= d->j1)
        return false;
    const long col = (long)(i - d->i0) * d->cols / (d->i1 - d->i0);
    const long row = (long)(j - d->j0) * d->rows / (d->j1 - d->j0);
    *value = (double)field->cells[col + row * d->cols];
    return true;
}

bool lane_is_on_gpu(const struct lane_sample *lane) {
    return strncmp(lane->architecture, "sm_", 3) == 0 || strncmp(lane->architecture, "gfx", 3) == 0;
}

/* ---- views ----------------------------------------------------------------------------------- */

static int clamp(int value, int least, int most) {
    return value < least ? least : value > most ? most : value;
}

/* Sets [*first, *last) to the unknowns between two fractions of `side`, at least one. */
static void cut_fractions(double from, double to, int side, int *first, int *last) {
    *first = clamp((int)(from * side), 0, side - 1);
    *last = clamp((int)ceil(to * side), *first + 1, side);
}

bool view_same(const struct view *a, const struct view *b) {
    return a->cols == b->cols && a->rows == b->rows && a->x0 == b->x0 && a->x1 == b->x1 &&
           a->y0 == b->y0 && a->y1 == b->y1 && a->kind == b->kind;
}

/* Keeps at most `most` unknowns, those in the middle. */
static void cut_to_middle(int *first, int *last, int most) {
    const int surplus = *last - *first - most;
    if (surplus <= 0)
        return;
    *first += surplus / 2;
    *last = *first + most;
}

struct downsample view_downsample(const struct view *view, const struct mesh *mesh) {
    struct downsample downsample = {.cols = view->cols, .rows = view->rows};
    cut_fractions(view->x0, view->x1, mesh->Nx, &downsample.i0, &downsample.i1);
    cut_fractions(view->y0, view->y1, mesh->Ny, &downsample.j0, &downsample.j1);
    if (downsample.cols < 1 || downsample.rows < 1)
        downsample.cols = downsample.rows = 1;
    downsample.cols = clamp(downsample.cols, 1, downsample.i1 - downsample.i0);
    downsample.rows = clamp(downsample.rows, 1, downsample.j1 - downsample.j0);
    while ((long)downsample.cols * downsample.rows > FIELD_MAX_CELLS) {
        downsample.cols = (downsample.cols + 1) / 2;
        downsample.rows = (downsample.rows + 1) / 2;
    }
    if (view->kind == FIELD_SIGN) {
        cut_to_middle(&downsample.i0, &downsample.i1, downsample.cols);
        cut_to_middle(&downsample.j0, &downsample.j1, downsample.rows);
    }
    return downsample;
}

/* Finds the recorded cells [*first, *last) that overlap unknowns [begin, end). `from`, `to` and
 * `count` describe the recorded cells. */
static void overlapping_cells(int begin, int end, int from, int to, int count, int *first,
                              int *last) {
    const double scale = (double)count / (to - from);
    *first = clamp((int)floor((begin - from) * scale), 0, count - 1);
    *last = clamp((int)ceil((end - from) * scale), *first + 1, count);
}

static float mean_of_cells(const struct field *field, int c0, int c1, int r0, int r1) {
    double sum = 0;
    for (int r = r0; r < r1; r++)
        for (int c = c0; c < c1; c++)
            sum += (double)field->cells[c + r * field->downsample.cols];
    return (float)(sum / ((double)(c1 - c0) * (r1 - r0)));
}

static void resample_cells(const struct field *field, const struct downsample *to, float *cells) {
    const struct downsample *from = &field->downsample;
    for (int r = 0; r < to->rows; r++) {
        int j0, j1, r0, r1;
        downsample_span(to->j0, to->j1, to->rows, r, &j0, &j1);
        overlapping_cells(j0, j1, from->j0, from->j1, from->rows, &r0, &r1);
        for (int c = 0; c < to->cols; c++) {
            int i0, i1, c0, c1;
            downsample_span(to->i0, to->i1, to->cols, c, &i0, &i1);
            overlapping_cells(i0, i1, from->i0, from->i1, from->cols, &c0, &c1);
            cells[c + r * to->cols] = mean_of_cells(field, c0, c1, r0, r1);
        }
    }
}

/* Cuts [*begin, *end) to the recorded range, or sets it to all of that if they are disjoint. */
static void cut_to_recorded(int *begin, int *end, int from, int to) {
    const int first = *begin > from ? *begin : from, last = *end < to ? *end : to;
    *begin = first < last ? first : from;
    *end = first < last ? last : to;
}

/* Cuts `wanted` cells to those of `count` recorded cells over `whole` unknowns covering `part`. */
static int cut_count(int wanted, int part, int whole, int count) {
    return clamp(wanted, 1, (int)(((long)part * count + whole - 1) / whole));
}

void field_resample(struct field *field, const struct view *view, int nx, int ny) {
    if (field->downsample.cols < 1 || field->downsample.rows < 1)
        return;
    const struct mesh mesh = mesh_make(nx, ny);
    struct view of_recorded = *view;
    of_recorded.kind = field->kind;
    struct downsample wanted = view_downsample(&of_recorded, &mesh);
    cut_to_recorded(&wanted.i0, &wanted.i1, field->downsample.i0, field->downsample.i1);
    cut_to_recorded(&wanted.j0, &wanted.j1, field->downsample.j0, field->downsample.j1);
    const struct downsample *from = &field->downsample;
    wanted.cols = cut_count(wanted.cols, wanted.i1 - wanted.i0, from->i1 - from->i0, from->cols);
    wanted.rows = cut_count(wanted.rows, wanted.j1 - wanted.j0, from->j1 - from->j0, from->rows);
    if (memcmp(&wanted, from, sizeof wanted) == 0)
        return;
    const size_t count = (size_t)wanted.cols * (size_t)wanted.rows;
    float *cells = malloc(count * sizeof *cells);
    if (!cells)
        return;
    resample_cells(field, &wanted, cells);
    memcpy(field->cells, cells, count * sizeof *cells);
    free(cells);
    field->downsample = wanted;
    field_measure(field);
}
