#include "session/sample.h"

#include <math.h>
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

void sample_copy(struct sample *to, const struct sample *from) {
    float *cells[LANES_MAX];
    for (int l = 0; l < LANES_MAX; l++)
        cells[l] = to->lanes[l].field.cells;
    *to = *from;
    for (int l = 0; l < LANES_MAX; l++) {
        struct field *field = &to->lanes[l].field;
        const size_t count = (size_t)field->reduction.cols * (size_t)field->reduction.rows;
        memcpy(cells[l], field->cells, count * sizeof *cells[l]);
        field->cells = cells[l];
    }
}

void field_measure(struct field *field) {
    const int count = field->reduction.cols * field->reduction.rows;
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
