#include "run/sample.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct sample *sample_create(void) {
    struct sample *sample = calloc(1, sizeof *sample);
    if (!sample)
        return NULL;
    for (int l = 0; l < LANES_MAX; l++) {
        sample->lanes[l].field.cells = malloc(FIELD_MAX_CELLS * sizeof(float));
        if (!sample->lanes[l].field.cells) {
            sample_destroy(sample);
            return NULL;
        }
    }
    return sample;
}

void sample_destroy(struct sample *sample) {
    if (!sample)
        return;
    for (int l = 0; l < LANES_MAX; l++)
        free(sample->lanes[l].field.cells);
    free(sample);
}

/* The bytes of a lane that mean something lie in three runs: up to the last residual, up to the
 * last event, and to the end. */
enum { RUNS = 3 };

struct run {
    size_t begin, size;
};

static void find_runs(const struct lane_sample *lane, struct run runs[RUNS]) {
    const size_t residuals = (size_t)lane->history.count * sizeof *lane->history.residuals;
    const size_t events = (size_t)lane->event_count * sizeof *lane->events;
    const size_t second = offsetof(struct lane_sample, event_count);
    const size_t third = offsetof(struct lane_sample, phase);
    runs[0] = (struct run){0, offsetof(struct lane_sample, history.residuals) + residuals};
    runs[1] = (struct run){second, offsetof(struct lane_sample, events) + events - second};
    runs[2] = (struct run){third, sizeof *lane - third};
}

static void copy_lane(struct lane_sample *to, const struct lane_sample *from) {
    float *cells = to->field.cells;
    struct run runs[RUNS];
    find_runs(from, runs);
    for (int r = 0; r < RUNS; r++)
        memcpy((char *)to + runs[r].begin, (const char *)from + runs[r].begin, runs[r].size);
    const struct downsample *downsample = &from->field.downsample;
    const size_t count = (size_t)downsample->cols * (size_t)downsample->rows;
    memcpy(cells, from->field.cells, count * sizeof *cells);
    to->field.cells = cells;
}

void sample_copy(struct sample *to, const struct sample *from) {
    memcpy(to, from, offsetof(struct sample, lanes));
    for (int l = 0; l < LANES_MAX; l++)
        copy_lane(&to->lanes[l], &from->lanes[l]);
    to->beside_count = from->beside_count;
    memcpy(to->beside, from->beside, (size_t)from->beside_count * sizeof *from->beside);
}

static void clear_lane(struct lane_sample *lane) {
    float *cells = lane->field.cells;
    struct run runs[RUNS];
    find_runs(lane, runs);
    for (int r = 0; r < RUNS; r++)
        memset((char *)lane + runs[r].begin, 0, runs[r].size);
    lane->field.cells = cells;
}

void sample_clear(struct sample *sample) {
    memset(sample, 0, offsetof(struct sample, lanes));
    for (int l = 0; l < LANES_MAX; l++)
        clear_lane(&sample->lanes[l]);
    sample->beside_count = 0;
}

void lane_sample_copy(struct lane_sample *to, const struct lane_sample *from) {
    const size_t count = (size_t)from->field.downsample.cols * (size_t)from->field.downsample.rows;
    float *cells = to->field.cells;
    memcpy(cells, from->field.cells, count * sizeof *cells);
    *to = *from;
    to->field.cells = cells;
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

double lane_sample_ms_per_iteration(const struct lane_sample *lane) {
    return lane->window_iterations > 0
               ? 1e3 * lane->window_seconds / (double)lane->window_iterations
               : NAN;
}
