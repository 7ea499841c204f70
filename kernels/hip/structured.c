/* Structured mapping: each kernel with its arrays mapped around it, in the directions of the OpenMP
 * directives. */
#include "kernels/hip/engine.h"

struct use {
    struct hip_vector *vector;
    bool to, from;
};

enum { USES_MAX = 5 };

static enum status run_mapped(struct hip_engine *hip, enum phase phase, const struct use *uses,
                              struct error *error) {
    struct hip_context *context = &hip->context;
    enum status status = STATUS_OK;
    context->phase = phase;
    for (int u = 0; u < USES_MAX && uses[u].vector && !status; u++)
        status = hip_vector_map(context, uses[u].vector, uses[u].to, error);
    if (!status)
        status = hip_launch_phase(hip, phase, error);
    /* Unmaps all of them whatever failed; the first failure counts. */
    for (int u = 0; u < USES_MAX && uses[u].vector; u++) {
        const enum status unmapped = hip_vector_unmap(
            context, uses[u].vector, uses[u].from && !status, status ? NULL : error);
        status = status ? status : unmapped;
    }
    return status ? status : hip_timer_collect(&context->timer, error); /* unmapping has waited */
}

static enum status structured_laplacian(struct hip_engine *hip, struct error *error) {
    const struct use uses[USES_MAX] = {{&hip->at.U, true, false}, {&hip->at.AU, true, true}};
    return run_mapped(hip, PHASE_LAPLACIAN, uses, error);
}

static enum status structured_boundary(struct hip_engine *hip, struct error *error) {
    const struct use uses[USES_MAX] = {{&hip->at.U, true, false}, {&hip->at.AU, true, true}};
    return run_mapped(hip, PHASE_BOUNDARY, uses, error);
}

/* Reads the iterate before U as well, and makes the next one of it. */
static enum status map_chebyshev(struct hip_engine *hip, struct error *error) {
    const struct use uses[USES_MAX] = {{&hip->at.RHS, true, false},
                                       {&hip->at.AU, true, false},
                                       {&hip->at.RES, false, true},
                                       {&hip->at.U, true, false},
                                       {&hip->at.other, true, true}};
    return run_mapped(hip, PHASE_UPDATE, uses, error);
}

static enum status structured_update(struct hip_engine *hip, struct error *error) {
    const struct use uses[USES_MAX] = {{&hip->at.RHS, true, false},
                                       {&hip->at.AU, true, false},
                                       {&hip->at.RES, false, true},
                                       {&hip->at.U, true, true}};
    return hip->base.spec.run.method == METHOD_CHEBYSHEV
               ? map_chebyshev(hip, error)
               : run_mapped(hip, PHASE_UPDATE, uses, error);
}

static enum status structured_norm(struct hip_engine *hip, struct error *error) {
    const struct use uses[USES_MAX] = {{&hip->at.RES, true, false}};
    return run_mapped(hip, PHASE_NORM, uses, error);
}

/* The user's: the program's is in passes.c. */
static enum status structured_fused(struct hip_engine *hip, struct error *error) {
    const struct use uses[USES_MAX] = {
        {&hip->at.RHS, true, false}, {&hip->at.U, true, false}, {&hip->at.other, false, true}};
    return run_mapped(hip, PHASE_FUSED, uses, error);
}

static enum status structured_sweep(struct hip_engine *hip, struct error *error) {
    const struct use uses[USES_MAX] = {{&hip->at.RHS, true, false}, {&hip->at.U, true, true}};
    return run_mapped(hip, PHASE_SWEEP, uses, error);
}

static enum status structured_restriction(struct hip_engine *hip, struct error *error) {
    const struct use uses[USES_MAX] = {{&hip->at.RHS, true, false},
                                       {&hip->at.AU, true, false},
                                       {&hip->at.coarser_RHS, false, true},
                                       {&hip->at.coarser_U, false, true}};
    return run_mapped(hip, PHASE_RESTRICTION, uses, error);
}

static enum status structured_prolongation(struct hip_engine *hip, struct error *error) {
    const struct use uses[USES_MAX] = {{&hip->at.coarser_U, true, false}, {&hip->at.U, true, true}};
    return run_mapped(hip, PHASE_PROLONGATION, uses, error);
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
