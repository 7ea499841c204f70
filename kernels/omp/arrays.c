#include <stdlib.h>
#include <string.h>

#include "kernels/omp/engine.h"

static size_t length(const struct omp_engine *omp) {
    return mesh_unknowns(&omp->base.spec.mesh);
}

static bool is_unified(const struct omp_engine *omp) {
    return omp->base.spec.mapping == MAPPING_UNIFIED;
}

static bool allocate(struct omp_engine *omp, enum array name, double **array) {
    const size_t bytes = length(omp) * sizeof **array;
    *array = is_unified(omp) ? omp->module->alloc_unified(bytes) : calloc(1, bytes);
    listener_name(&omp->listener, name, *array, bytes);
    return *array != NULL;
}

static bool allocate_all(struct omp_engine *omp) {
    if (!allocate(omp, ARRAY_U, &omp->U) || !allocate(omp, ARRAY_RHS, &omp->RHS))
        return false;
    if (omp->base.spec.schedule.kind == SCHEDULE_CLASSIC)
        return allocate(omp, ARRAY_AU, &omp->AU) && allocate(omp, ARRAY_RES, &omp->RES);
    return allocate(omp, ARRAY_U, &omp->U_next);
}

static void release(struct omp_engine *omp, double *array) {
    if (is_unified(omp) && array)
        omp->module->free_unified(array);
    else
        free(array);
}

static bool open_sums(struct omp_engine *omp) {
    omp->sums = omp->module->open_sums();
    if (omp->sums)
        listener_name(&omp->listener, ARRAY_NORM, omp->sums, sizeof *omp->sums);
    return omp->sums != NULL;
}

static bool open_window(struct omp_engine *omp) {
    struct engine_spec *spec = &omp->base.spec;
    if (spec->schedule.kind != SCHEDULE_BLOCKED)
        return true;
    omp->window = omp->module->open_window(&spec->mesh, spec->schedule.depth);
    return omp->window != NULL;
}

bool omp_arrays_open(struct omp_engine *omp) {
    listener_name(&omp->listener, ARRAY_NORM, omp->norms, sizeof omp->norms);
    omp_engine_begin(omp);
    const bool all = allocate_all(omp) && open_sums(omp) && open_window(omp);
    listener_set(NULL);
    return all;
}

void omp_arrays_enter(struct omp_engine *omp) {
    if (omp->base.spec.mapping == MAPPING_STRUCTURED)
        return;
    omp->on_device = true;
    if (is_unified(omp))
        return;
    omp_engine_begin(omp);
    if (omp->base.spec.schedule.kind == SCHEDULE_CLASSIC)
        omp->module->enter_classic(length(omp), omp->U, omp->AU, omp->RES, omp->RHS);
    else
        omp->module->enter_fused(length(omp), omp->U, omp->U_next, omp->RHS);
    listener_set(NULL);
}

static void leave(struct omp_engine *omp) {
    if (is_unified(omp) || !omp->on_device)
        return;
    if (omp->base.spec.schedule.kind == SCHEDULE_CLASSIC)
        omp->module->exit_classic(length(omp), omp->U, omp->AU, omp->RES, omp->RHS);
    else
        omp->module->exit_fused(length(omp), omp->U, omp->U_next, omp->RHS);
}

void omp_arrays_close(struct omp_engine *omp) {
    omp_engine_begin(omp);
    leave(omp);
    if (omp->sums)
        omp->module->close_sums(omp->sums);
    if (omp->window)
        omp->module->close_window(omp->window);
    release(omp, omp->U);
    release(omp, omp->RHS);
    release(omp, omp->AU);
    release(omp, omp->RES);
    release(omp, omp->U_next);
    listener_set(NULL);
}

void omp_arrays_update(struct omp_engine *omp) {
    if (is_unified(omp) || !omp->on_device)
        return;
    omp_engine_begin(omp);
    omp->module->update_from(length(omp), omp->U);
    listener_set(NULL);
}
