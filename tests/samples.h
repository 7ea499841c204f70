/* Samples of a real run, made without threads or clocks, for what records, replays and draws. */
#ifndef JACOBI_TESTS_SAMPLES_H
#define JACOBI_TESTS_SAMPLES_H

#include <stdio.h>

#include "session/snapshot.h"
#include "tests/runs.h"

/* A run whose samples are taken by hand, a tenth of a second of its time apart. */
struct sampled_run {
    struct lane *lanes[2];
    struct snapshot_mark marks[2];
    struct sample *sample;
    struct view view;
};

static inline void sampled_run_open(struct sampled_run *run, const struct lane_spec *specs,
                                    int lane_count, int cols, int rows) {
    *run = (struct sampled_run){.view = {.cols = cols, .rows = rows, .x1 = 1, .y1 = 1}};
    struct sample *sample = run->sample = sample_create();
    assert_non_null(sample);
    for (int l = 0; l < lane_count; l++)
        run->lanes[l] = run_open(&specs[l]);
    snprintf(sample->preset, sizeof sample->preset, "test");
    snprintf(sample->problem, sizeof sample->problem, "%s", specs->engine.problem->name);
    sample->state = SESSION_RUNNING;
    sample->nx = specs->engine.mesh.Nx;
    sample->ny = specs->engine.mesh.Ny;
    sample->iteration_limit = specs->iterations;
    sample->tolerance = specs->tolerance;
    sample->lane_count = lane_count;
}

/* Makes `count` more iterations and the sample after them. */
static inline const struct sample *sampled_run_next(struct sampled_run *run, long count) {
    struct sample *sample = run->sample;
    struct error error;
    bool any = false;
    for (int l = 0; l < sample->lane_count; l++) {
        struct field *field = &sample->lanes[l].field;
        assert_int_equal(lane_advance(run->lanes[l], count), STATUS_OK);
        snapshot_take(run->lanes[l], &run->marks[l], &sample->lanes[l]);
        field->reduction = view_reduction(&run->view, &run->lanes[l]->spec.engine.mesh);
        assert_int_equal(lane_reduce(run->lanes[l], &field->reduction, field->cells, &error), 0);
        field->iteration = run->lanes[l]->iterations;
        field_measure(field);
        any |= run->lanes[l]->state == LANE_RUNNING;
    }
    sample->state = any ? SESSION_RUNNING : SESSION_FINISHED;
    sample->sequence++;
    sample->time_ns += 100000000;
    return sample;
}

static inline void sampled_run_close(struct sampled_run *run) {
    for (int l = 0; l < run->sample->lane_count; l++)
        lane_close(run->lanes[l]);
    sample_destroy(run->sample);
}

#endif
