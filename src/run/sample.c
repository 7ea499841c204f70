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

/* The bytes of a lane that mean something lie in three spans: up to the last residual, up to the
 * last event, and to the end. */
enum { SPANS = 3 };

struct span {
    size_t begin, size;
};

static void lane_sample_spans(const struct lane_sample *lane, struct span spans[SPANS]) {
    const size_t residuals = (size_t)lane->history.count * sizeof *lane->history.residuals;
    const size_t events = (size_t)lane->event_count * sizeof *lane->events;
    const size_t second = offsetof(struct lane_sample, event_count);
    const size_t third = offsetof(struct lane_sample, phase);
    spans[0] = (struct span){0, offsetof(struct lane_sample, history.residuals) + residuals};
    spans[1] = (struct span){second, offsetof(struct lane_sample, events) + events - second};
    spans[2] = (struct span){third, sizeof *lane - third};
}

void lane_sample_copy(struct lane_sample *to, const struct lane_sample *from) {
    const size_t count = (size_t)from->field.downsample.cols * (size_t)from->field.downsample.rows;
    float *cells = to->field.cells;
    struct span spans[SPANS];
    lane_sample_spans(from, spans);
    for (int s = 0; s < SPANS; s++)
        memcpy((char *)to + spans[s].begin, (const char *)from + spans[s].begin, spans[s].size);
    to->field.cells = cells;
    if (count > 0)
        memcpy(cells, from->field.cells, count * sizeof *cells);
}

void sample_copy(struct sample *to, const struct sample *from) {
    memcpy(to, from, offsetof(struct sample, lanes));
    for (int l = 0; l < LANES_MAX; l++)
        lane_sample_copy(&to->lanes[l], &from->lanes[l]);
    for (int k = 0; k < from->study_count; k++)
        lane_sample_copy(&to->study[k], &from->study[k]);
}

void sample_clear(struct sample *sample) {
    memset(sample, 0, offsetof(struct sample, lanes));
    for (int l = 0; l < LANES_MAX; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        float *cells = lane->field.cells;
        struct span spans[SPANS];
        lane_sample_spans(lane, spans);
        for (int s = 0; s < SPANS; s++)
            memset((char *)lane + spans[s].begin, 0, spans[s].size);
        lane->field.cells = cells;
    }
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
