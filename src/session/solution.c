#include "session/solution.h"

#include <math.h>
#include <stdlib.h>

#include "core/system.h"

const struct solution solution_unknown = {NAN, NAN, NAN, NAN, NAN, NAN};

struct solution solution_read(struct lane *lane, const struct problem *problem) {
    const struct mesh *mesh = &lane->mesh;
    const size_t N = mesh_unknowns(mesh), bytes = N * sizeof(double);
    struct solution solution = solution_unknown;
    double *U = lane->ops->read && bytes < memory_usable() ? malloc(bytes) : NULL;
    if (U && lane->ops->read(lane, U) == STATUS_OK) {
        double sum = 0, min = U[0], max = U[0];
        for (size_t id = 0; id < N; id++) {
            min = U[id] < min ? U[id] : min;
            max = U[id] > max ? U[id] : max;
            sum += U[id] * U[id];
        }
        if (isfinite(sum))
            solution = (struct solution){
                .min = min,
                .max = max,
                .middle = U[mesh->Nx / 2 + (size_t)(mesh->Ny / 2) * (size_t)mesh->Nx],
                .l2 = sqrt(sum * mesh->dx * mesh->dy),
                .error = NAN,
                .error_max = NAN};
        if (isfinite(sum) && problem->exact)
            solution.error = problem_error(problem, mesh, U, &solution.error_max);
    }
    free(U);
    return solution;
}
