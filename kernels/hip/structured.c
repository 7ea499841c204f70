/* Structured mapping: each kernel with its arrays mapped around it, with the directions of the
 * OpenMP directives. */
#include <stddef.h>

#include "kernels/hip/engine.h"

enum direction { TO = 1, FROM = 2, TOFROM = TO | FROM };

#define AT(name) offsetof(struct hip_engine, at.name)

static const struct use {
    size_t vector; /* its offset in the engine */
    enum direction direction;
} uses_of[PHASE_COUNT][5] = {
    /* a direction of 0 ends the list */
    [PHASE_LAPLACIAN] = {{AT(U), TO}, {AT(AU), TOFROM}},
    [PHASE_BOUNDARY] = {{AT(U), TO}, {AT(AU), TOFROM}},
    [PHASE_UPDATE] = {{AT(RHS), TO}, {AT(AU), TO}, {AT(RES), FROM}, {AT(U), TOFROM}},
    [PHASE_NORM] = {{AT(RES), TO}},
    /* the user's; the program's is in passes.c */
    [PHASE_FUSED] = {{AT(RHS), TO}, {AT(U), TO}, {AT(other), FROM}},
    [PHASE_SWEEP] = {{AT(RHS), TO}, {AT(U), TOFROM}},
    [PHASE_RESTRICTION] = {{AT(RHS), TO},
                           {AT(AU), TO},
                           {AT(coarser_RHS), FROM},
                           {AT(coarser_U), FROM}},
    [PHASE_PROLONGATION] = {{AT(coarser_U), TO}, {AT(U), TOFROM}},
};

/* Chebyshev's update also reads the iterate before U, and replaces it by the next one. */
static const struct use chebyshev_update[] = {{AT(RHS), TO}, {AT(AU), TO},        {AT(RES), FROM},
                                              {AT(U), TO},   {AT(other), TOFROM}, {0, 0}};

static struct hip_vector *vector_of(struct hip_engine *hip, const struct use *use) {
    return (struct hip_vector *)((char *)hip + use->vector);
}

void hip_run_structured(struct hip_engine *hip, enum phase phase) {
    struct hip_context *context = &hip->context;
    const bool chebyshev = hip->base.spec.run.method == METHOD_CHEBYSHEV;
    const struct use *uses = chebyshev && phase == PHASE_UPDATE ? chebyshev_update : uses_of[phase];
    context->phase = phase;
    for (const struct use *use = uses; use->direction; use++)
        hip_vector_map(context, vector_of(hip, use), use->direction & TO);
    hip_launch_phase(hip, phase);
    for (const struct use *use = uses; use->direction; use++)
        hip_vector_unmap(context, vector_of(hip, use), use->direction & FROM);
    hip_timer_collect(&context->timer); /* unmapping has waited */
}
