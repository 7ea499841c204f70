#include <stdio.h>
#include <stdlib.h>

#include "solver/lane.h"

int main(int argc, char **argv) {
    const int side = argc > 1 ? atoi(argv[1]) : 256;
    struct lane_spec spec = {
        .choices = {backend_find(argc > 2 ? argv[2] : "serial")},
        .choice_count = 1,
        .engine = {.mesh = mesh_make(side, side),
                   .problem = problem_find("blog"),
                   .mapping = MAPPING_UNSTRUCTURED},
        .iterations = argc > 4 ? atol(argv[4]) : 1000,
        .tolerance = 1e-5,
    };
    if (argc > 3)
        schedule_parse(argv[3], &spec.engine.schedule);
    struct lane *lane;
    struct error error = {0};
    if (lane_open(&spec, &lane, &error)) {
        fprintf(stderr, "jacobi-tui: %s\n", error.message);
        return (int)error.status;
    }
    lane_advance(lane, spec.iterations);
    printf(
        "%ld iterations, residual %.6g -> %.6g, %.3f ms/iteration, %.1f Mlu/s\n", lane->iterations,
        lane->initial_residual, lane->residual, 1e3 * lane->seconds / (double)lane->iterations,
        1e-6 * (double)mesh_unknowns(&spec.engine.mesh) * (double)lane->iterations / lane->seconds);
    lane_close(lane);
    return 0;
}
