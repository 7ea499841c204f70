#include "report/solution.h"

#include <math.h>
#include <stdlib.h>

#include "core/system.h"

const struct solution solution_unknown = {NAN, NAN, NAN, NAN};

static struct solution look_at(const struct engine_spec *spec, const double *U) {
    const size_t N = mesh_unknowns(&spec->mesh);
    struct solution solution = {U[0], U[0], 0, NAN};
    double sum = 0;
    for (size_t id = 0; id < N; id++) {
        solution.min = U[id] < solution.min ? U[id] : solution.min;
        solution.max = U[id] > solution.max ? U[id] : solution.max;
        sum += U[id] * U[id];
    }
    if (!isfinite(sum))
        return solution_unknown;
    solution.l2 = sqrt(sum * spec->mesh.dx * spec->mesh.dy);
    if (spec->problem->exact)
        solution.error = problem_error(spec->problem, &spec->mesh, U);
    return solution;
}

struct solution solution_read(struct lane *lane) {
    const struct engine_spec *spec = &lane->engine->spec;
    const size_t bytes = mesh_unknowns(&spec->mesh) * sizeof(double);
    struct solution solution = solution_unknown;
    double *U = bytes < memory_usable() ? malloc(bytes) : NULL;
    if (U && lane_read(lane, U) == STATUS_OK)
        solution = look_at(spec, U);
    free(U);
    return solution;
}
