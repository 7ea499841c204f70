/* Structured mapping: each kernel with its arrays mapped around it, with the directions of the
 * OpenMP directives. */
#include "kernels/hip/engine.h"

enum direction { TO = 1, FROM = 2, TOFROM = TO | FROM };

struct use {
    struct hip_vector *vector; /* NULL ends the list */
    enum direction direction;
};

static void run_mapped(struct hip_engine *hip, enum phase phase, const struct use *uses) {
    struct hip_context *context = &hip->context;
    context->phase = phase;
    for (const struct use *use = uses; use->vector; use++)
        hip_vector_map(context, use->vector, use->direction & TO);
    hip_launch_phase(hip, phase);
    for (const struct use *use = uses; use->vector; use++)
        hip_vector_unmap(context, use->vector, use->direction & FROM);
    hip_timer_collect(&context->timer); /* unmapping has waited */
}

static void structured_laplacian(struct hip_engine *hip) {
    const struct use uses[] = {{&hip->at.U, TO}, {&hip->at.AU, TOFROM}, {0}};
    run_mapped(hip, PHASE_LAPLACIAN, uses);
}

static void structured_boundary(struct hip_engine *hip) {
    const struct use uses[] = {{&hip->at.U, TO}, {&hip->at.AU, TOFROM}, {0}};
    run_mapped(hip, PHASE_BOUNDARY, uses);
}

/* Chebyshev's update also reads the iterate before U, and replaces it by the next one. */
static void structured_update(struct hip_engine *hip) {
    const bool chebyshev = hip->base.spec.run.method == METHOD_CHEBYSHEV;
    const struct use uses[] = {{&hip->at.RHS, TO},
                               {&hip->at.AU, TO},
                               {&hip->at.RES, FROM},
                               {&hip->at.U, chebyshev ? TO : TOFROM},
                               {chebyshev ? &hip->at.other : NULL, TOFROM},
                               {0}};
    run_mapped(hip, PHASE_UPDATE, uses);
}

static void structured_norm(struct hip_engine *hip) {
    const struct use uses[] = {{&hip->at.RES, TO}, {0}};
    run_mapped(hip, PHASE_NORM, uses);
}

/* For the user's Fused; the program's is in passes.c. */
static void structured_fused(struct hip_engine *hip) {
    const struct use uses[] = {{&hip->at.RHS, TO}, {&hip->at.U, TO}, {&hip->at.other, FROM}, {0}};
    run_mapped(hip, PHASE_FUSED, uses);
}

static void structured_sweep(struct hip_engine *hip) {
    const struct use uses[] = {{&hip->at.RHS, TO}, {&hip->at.U, TOFROM}, {0}};
    run_mapped(hip, PHASE_SWEEP, uses);
}

static void structured_restriction(struct hip_engine *hip) {
    const struct use uses[] = {{&hip->at.RHS, TO},
                               {&hip->at.AU, TO},
                               {&hip->at.coarser_RHS, FROM},
                               {&hip->at.coarser_U, FROM},
                               {0}};
    run_mapped(hip, PHASE_RESTRICTION, uses);
}

static void structured_prolongation(struct hip_engine *hip) {
    const struct use uses[] = {{&hip->at.coarser_U, TO}, {&hip->at.U, TOFROM}, {0}};
    run_mapped(hip, PHASE_PROLONGATION, uses);
}

const hip_launch hip_structured_phases[PHASE_COUNT] = {
    [PHASE_LAPLACIAN] = structured_laplacian,
    [PHASE_BOUNDARY] = structured_boundary,
    [PHASE_UPDATE] = structured_update,
    [PHASE_NORM] = structured_norm,
    [PHASE_FUSED] = structured_fused,
    [PHASE_SWEEP] = structured_sweep,
    [PHASE_RESTRICTION] = structured_restriction,
    [PHASE_PROLONGATION] = structured_prolongation,
};
