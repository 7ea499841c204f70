/* Running a solver in a test. */
#ifndef JACOBI_TESTS_RUNS_H
#define JACOBI_TESTS_RUNS_H

#include "solver/lane.h"

static inline struct lane_spec run_spec(const char *problem, int nx, int ny, const char *backend,
                                        enum mapping mapping, const char *schedule) {
    struct lane_spec spec = {
        .choices = {backend_find(backend)},
        .choice_count = 1,
        .engine = {.mesh = mesh_make(nx, ny), .problem = problem_find(problem), .mapping = mapping},
        .iterations = 1000,
        .tolerance = 1e-5,
    };
    assert_non_null(spec.choices[0]);
    assert_non_null(spec.engine.problem);
    assert_true(schedule_parse(schedule, &spec.engine.schedule));
    return spec;
}

/* Opens a lane, or fails the test with the reason. */
static inline struct lane *run_open(const struct lane_spec *spec) {
    struct error error = {0};
    struct lane *lane = NULL;
    if (lane_open(spec, &lane, &error))
        fail_msg("%s", error.message);
    return lane;
}

static inline struct lane *run_to_end(const struct lane_spec *spec) {
    struct lane *lane = run_open(spec);
    if (lane_advance(lane, spec->iterations))
        fail_msg("%s", lane->error.message);
    return lane;
}

#endif
