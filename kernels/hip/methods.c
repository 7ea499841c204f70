/* The kernels that Chebyshev's method, red-black SOR and multigrid add to the blog's four, and the
 * levels of multigrid. */
#include "kernels/hip/engine.h"

void hip_bind_level(struct hip_engine *hip) {
    const struct levels *levels = &hip->base.levels;
    const size_t bytes = hip_number_bytes(hip);
    const int level = hip->base.step.level, coarser = level + 1 < levels->count ? level + 1 : level;
    const struct {
        struct hip_vector *view;
        const struct hip_vector *whole;
        int level;
    } views[] = {{&hip->at.U, &hip->U, level},
                 {&hip->at.RHS, &hip->RHS, level},
                 {&hip->at.AU, &hip->AU, level},
                 {&hip->at.RES, &hip->RES, level},
                 {&hip->at.other, &hip->U_next, level},
                 {&hip->at.coarser_U, &hip->U, coarser},
                 {&hip->at.coarser_RHS, &hip->RHS, coarser}};
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        const struct hip_vector *whole = views[v].whole;
        const size_t begin = levels->begin[views[v].level] * bytes;
        *views[v].view =
            (struct hip_vector){.array = whole->array,
                                .bytes = mesh_unknowns(&levels->mesh[views[v].level]) * bytes,
                                .host = whole->host ? (char *)whole->host + begin : NULL,
                                .device = whole->device ? (char *)whole->device + begin : NULL};
    }
}

void hip_swap_iterates(struct hip_engine *hip) {
    struct hip_vector next = hip->U_next;
    hip->U_next = hip->U;
    hip->U = next;
    hip->U.array = ARRAY_U;
}

void hip_end_chebyshev(struct hip_engine *hip) {
    hip->base.weight = chebyshev_weight(&hip->base.spec.mesh, hip->base.weight);
    hip_swap_iterates(hip);
    hip_bind_level(hip);
}

/* ---- launches -------------------------------------------------------------------------------- */

void hip_launch_chebyshev_update(struct hip_engine *hip) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    const unsigned pack = hip_pack(PRECISION_DOUBLE);
    long N = (long)mesh_unknowns(&mesh);
    void *arguments[] = {&N,
                         &mesh.factor,
                         &hip->base.weight,
                         &hip->at.RHS.device,
                         &hip->at.AU.device,
                         &hip->at.RES.device,
                         &hip->at.U.device,
                         &hip->at.other.device,
                         &hip->state};
    hip_launch_threads(hip, KERNEL_CHEBYSHEV_UPDATE, ((uint64_t)N + pack - 1) / pack, arguments);
}

void hip_launch_colour_update(struct hip_engine *hip) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    int colour = (int)hip->base.step.colour;
    void *arguments[] = {&mesh.Nx,
                         &mesh.Ny,
                         &colour,
                         &mesh.factor,
                         &hip->at.RHS.device,
                         &hip->at.AU.device,
                         &hip->at.RES.device,
                         &hip->at.U.device,
                         &hip->state};
    hip_launch_threads(hip, KERNEL_COLOUR_UPDATE, mesh_unknowns(&mesh), arguments);
}

void hip_launch_sweep(struct hip_engine *hip) {
    struct mesh mesh = *engine_step_mesh(&hip->base);
    int colour = (int)hip->base.step.colour;
    void *arguments[] = {&mesh.Nx,
                         &mesh.Ny,
                         &colour,
                         &mesh._1bydx2,
                         &mesh._1bydy2,
                         &mesh.factor,
                         &hip->at.RHS.device,
                         &hip->at.U.device,
                         &hip->state};
    hip_launch_threads(hip, KERNEL_SWEEP, (uint64_t)((mesh.Nx + 1) / 2) * (uint64_t)mesh.Ny,
                       arguments);
}

void hip_launch_restriction(struct hip_engine *hip) {
    struct mesh fine = *engine_step_mesh(&hip->base), coarse = engine_step_mesh(&hip->base)[1];
    void *arguments[] = {&fine.Nx,
                         &fine.Ny,
                         &coarse.Nx,
                         &coarse.Ny,
                         &hip->at.RHS.device,
                         &hip->at.AU.device,
                         &hip->at.coarser_RHS.device,
                         &hip->at.coarser_U.device};
    hip_launch_threads(hip, KERNEL_RESTRICTION, mesh_unknowns(&coarse), arguments);
}

void hip_launch_prolongation(struct hip_engine *hip) {
    struct mesh fine = *engine_step_mesh(&hip->base), coarse = engine_step_mesh(&hip->base)[1];
    void *arguments[] = {
        &fine.Nx, &fine.Ny, &coarse.Nx, &coarse.Ny, &hip->at.coarser_U.device, &hip->at.U.device};
    hip_launch_threads(hip, KERNEL_PROLONGATION, mesh_unknowns(&fine), arguments);
}
