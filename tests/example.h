/* Made-up samples with round figures, for golden screens: nothing here was measured. */
#ifndef JACOBI_TESTS_EXAMPLE_H
#define JACOBI_TESTS_EXAMPLE_H

#include <math.h>
#include <stdio.h>

#include "config/config.h"
#include "session/sample.h"

enum { EXAMPLE_ITERATIONS = 40 };

/* `count` calls an iteration, `ms` milliseconds and `bytes` for all of them together. */
static inline void example_tally(struct event_totals *totals, enum event_kind kind,
                                 enum phase phase, uint64_t count, double ms, double bytes) {
    totals->of[kind][phase] = (struct tally){
        .count = count * EXAMPLE_ITERATIONS,
        .timed = count * EXAMPLE_ITERATIONS,
        .bytes = (uint64_t)(bytes * EXAMPLE_ITERATIONS),
        .total_ns = (int64_t)(1e6 * ms * EXAMPLE_ITERATIONS),
        .clock = CLOCK_OMPT,
    };
}

/* Structured: an iteration takes 1000 ms, of which 80 % move data. Unstructured: 40 ms. */
static inline void example_costs(struct lane_sample *lane, const struct mesh *mesh) {
    static const double kernel_ms[4] = {10, 1, 20, 5};
    static const int arrays_to[4] = {2, 2, 3, 1}, arrays_from[4] = {1, 1, 1, 0};
    const double array = 8.0 * (double)mesh_unknowns(mesh);
    struct event_totals *totals = &lane->window;
    for (int k = 0; k < 4; k++) {
        const enum phase phase = (enum phase)k;
        example_tally(totals, EVENT_KERNEL, phase, 1, kernel_ms[k],
                      (double)phase_minimum_bytes(phase, mesh));
        if (lane->mapping == MAPPING_UNSTRUCTURED)
            continue;
        example_tally(totals, EVENT_TO_DEVICE, phase, (uint64_t)arrays_to[k], 75 * arrays_to[k],
                      array * arrays_to[k]);
        if (arrays_from[k])
            example_tally(totals, EVENT_FROM_DEVICE, phase, 1, 200.0 / 3, array);
        example_tally(totals, EVENT_ALLOC, phase, 2, 25, 2 * array);
    }
    if (lane->mapping == MAPPING_UNSTRUCTURED)
        example_tally(totals, EVENT_FROM_DEVICE, PHASE_NORM, 1, 0.01, 8);
    lane->window_iterations = EXAMPLE_ITERATIONS;
    lane->window_seconds =
        (lane->mapping == MAPPING_UNSTRUCTURED ? 0.040 : 1.0) * EXAMPLE_ITERATIONS;
    lane->totals = lane->window;
    lane->seconds = lane->window_seconds;
    lane->look_seconds = lane->seconds / 999;
}

/* A residual that falls by a factor of ten at first, then along 1/k. */
static inline void example_history(struct lane_sample *lane) {
    history_reset(&lane->history);
    for (int k = 0; k < lane->iterations; k++)
        history_add(&lane->history, k, 0.02 / (1 + k));
    lane->initial_residual = 0.02;
    lane->residual = 0.02 / (double)lane->iterations;
}

/* Warm at the rim, 1 at the middle of each side, 0 inside; `sign` -1 makes the left half cold. */
static inline void example_field(struct lane_sample *lane, const struct mesh *mesh, int cols,
                                 int rows, bool is_signed) {
    struct field *field = &lane->field;
    field->reduction = (struct reduction){0, mesh->Nx, 0, mesh->Ny, cols, rows};
    field->iteration = lane->iterations;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            const double x = 2 * (c + 0.5) / cols - 1, y = 2 * (r + 0.5) / rows - 1;
            const double value = pow(fmax(fabs(x), fabs(y)), 8) * cos(x * y * 1.5);
            field->cells[c + r * cols] = (float)(is_signed && x < 0 ? -value : value);
        }
    field_measure(field);
}

static inline void example_lane(struct lane_sample *lane, const struct mesh *mesh,
                                enum mapping mapping) {
    snprintf(lane->backend, sizeof lane->backend, "omp");
    snprintf(lane->title, sizeof lane->title, "OpenMP offload");
    snprintf(lane->device, sizeof lane->device, "host device (x86-64)");
    lane->mapping = mapping;
    lane->iterations = EXAMPLE_ITERATIONS;
    lane->iteration_limit = 1000;
    lane->tolerance = 1e-5;
    lane->state = LANE_RUNNING;
    example_history(lane);
    example_costs(lane, mesh);
    example_field(lane, mesh, 64, 48, false);
}

/* One lane of blog at 4096² in iteration 40 of 1000. To be freed by sample_destroy. */
static inline struct sample *example_sample(enum mapping mapping) {
    struct sample *sample = sample_create();
    const struct mesh mesh = mesh_make(4096, 4096);
    if (!sample)
        return NULL;
    sample->sequence = 1;
    sample->state = SESSION_RUNNING;
    snprintf(sample->preset, sizeof sample->preset, "mi250");
    snprintf(sample->problem, sizeof sample->problem, "blog");
    sample->nx = sample->ny = 4096;
    sample->iteration_limit = 1000;
    sample->tolerance = 1e-5;
    sample->lane_count = 1;
    example_lane(&sample->lanes[0], &mesh, mapping);
    return sample;
}

#endif
