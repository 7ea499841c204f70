#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "core/text.h"
#include "kernels/cpu/downsample.h"
#include "kernels/omp/depth.h"
#include "kernels/omp/engine.h"
#include "kernels/omp/loader.h"
#include "kernels/omp/omp.h"

static struct omp_engine *of(struct engine *engine) {
    return (struct omp_engine *)engine;
}

void omp_engine_begin(struct omp_engine *omp) {
    omp->listener.kernels = 0;
    listener_set(&omp->listener);
    omp->module->choose(omp->base.spec.device);
}

static struct omp_engine *begin(struct engine *engine) {
    struct omp_engine *omp = of(engine);
    omp_engine_begin(omp);
    return omp;
}

/* A region that launched nothing was run by the host in the device's place: that is a failure. */
static enum status end(struct omp_engine *omp, struct error *error) {
    listener_set(NULL);
    if (omp->listener.kernels > 0)
        return STATUS_OK;
    return error_set(error, STATUS_DEVICE_FAILED, "device %d did not run a kernel",
                     omp->base.spec.device);
}

/* ---- classic ------------------------------------------------------------------------------ */

static enum status omp_laplacian(struct engine *engine, struct error *error) {
    struct omp_engine *omp = begin(engine);
    omp->phases->laplacian(&engine->spec.mesh, omp->U, omp->AU);
    return end(omp, error);
}

static enum status omp_boundary(struct engine *engine, struct error *error) {
    struct omp_engine *omp = begin(engine);
    omp->phases->boundary(&engine->spec.mesh, omp->U, omp->AU);
    return end(omp, error);
}

static enum status omp_update(struct engine *engine, struct error *error) {
    struct omp_engine *omp = begin(engine);
    omp->phases->update(&engine->spec.mesh, omp->RHS, omp->AU, omp->RES, omp->U);
    return end(omp, error);
}

static enum status omp_norm(struct engine *engine, double *sum, struct error *error) {
    struct omp_engine *omp = begin(engine);
    *sum = omp->phases->norm(&engine->spec.mesh, omp->RES, omp->sums);
    return end(omp, error);
}

/* ---- fused -------------------------------------------------------------------------------- */

static bool stop_requested(const struct engine *engine) {
    return engine->spec.stop && atomic_load_explicit(engine->spec.stop, memory_order_relaxed);
}

static void swap(struct omp_engine *omp) {
    double *next = omp->U_next;
    omp->U_next = omp->U;
    omp->U = next;
}

static enum status fused_advance(struct engine *engine, long count, double tolerance,
                                 double *residuals, long *done, struct error *error) {
    const struct mesh *mesh = &engine->spec.mesh;
    event_log_enter(engine->events, PHASE_FUSED);
    while (*done < count && !stop_requested(engine)) {
        struct omp_engine *omp = begin(engine);
        const double sum = omp->phases->fused(mesh, omp->RHS, omp->U, omp->U_next, omp->sums);
        const enum status status = end(omp, error);
        if (status)
            return status;
        swap(omp);
        engine->events->iteration++;
        residuals[*done] = mesh_residual(mesh, sum);
        if (!(residuals[(*done)++] > tolerance))
            break;
    }
    return STATUS_OK;
}

/* ---- blocked ------------------------------------------------------------------------------ */

static enum status blocked_pass(struct engine *engine, int depth, struct error *error) {
    struct omp_engine *omp = begin(engine);
    omp->phases->blocked(&engine->spec.mesh, depth, omp->RHS, omp->U, omp->U_next, omp->norms,
                         omp->window);
    return end(omp, error);
}

/* How many of a pass's iterations count: up to the first whose residual is small enough. */
static int iterations_wanted(const struct mesh *mesh, const double *norms, int depth,
                             double tolerance, double *residuals) {
    for (int k = 0; k < depth; k++) {
        residuals[k] = mesh_residual(mesh, norms[k]);
        if (!(residuals[k] > tolerance))
            return k + 1;
    }
    return depth;
}

/* A pass that went too far is made once more, up to where it should have stopped: it left U as it
 * was. */
static enum status blocked_advance(struct engine *engine, long count, double tolerance,
                                   double *residuals, long *done, struct error *error) {
    const struct mesh *mesh = &engine->spec.mesh;
    event_log_enter(engine->events, PHASE_BLOCKED);
    while (*done < count && !stop_requested(engine)) {
        const long left = count - *done;
        const int most = engine->spec.schedule.depth, depth = left < most ? (int)left : most;
        enum status status = blocked_pass(engine, depth, error);
        if (status)
            return status;
        const int wanted =
            iterations_wanted(mesh, of(engine)->norms, depth, tolerance, residuals + *done);
        if (wanted < depth && (status = blocked_pass(engine, wanted, error)))
            return status;
        swap(of(engine));
        *done += wanted;
        engine->events->iteration += wanted;
        if (!(residuals[*done - 1] > tolerance))
            break;
    }
    return STATUS_OK;
}

/* ---- looking ------------------------------------------------------------------------------ */

/* Under `structured` U is in the host's memory between kernels, so it is reduced there. */
static void reduce_on_host(const struct omp_engine *omp, const struct downsample *downsample,
                           float *cells) {
    const struct engine_spec *spec = &omp->base.spec;
    const int64_t start = clock_now_ns();
    for (int row = 0; row < downsample->rows; row++)
        cpu_downsample_row(&spec->mesh, downsample, row, omp->U, cells + row * downsample->cols);
    if (!spec->without_events)
        event_log_add(omp->base.events, EVENT_KERNEL, ARRAY_NONE, CLOCK_HOST, start,
                      clock_now_ns() - start, phase_minimum_bytes(PHASE_DOWNSAMPLE, &spec->mesh));
}

static enum status omp_reduce(struct engine *engine, const struct downsample *downsample,
                              float *cells, struct error *error) {
    enum status status = STATUS_OK;
    event_log_enter(engine->events, PHASE_DOWNSAMPLE);
    if (of(engine)->on_device) {
        struct omp_engine *omp = begin(engine);
        omp->module->downsample(&engine->spec.mesh, downsample, omp->U, cells);
        status = end(omp, error);
    } else {
        reduce_on_host(of(engine), downsample, cells);
    }
    event_log_enter(engine->events, PHASE_SETUP);
    return status;
}

static enum status omp_read(struct engine *engine, double *U, struct error *error) {
    struct omp_engine *omp = of(engine);
    (void)error;
    omp_arrays_update(omp);
    memcpy(U, omp->U, mesh_unknowns(&engine->spec.mesh) * sizeof *U);
    return STATUS_OK;
}

/* ---- start and end ------------------------------------------------------------------------ */

static void omp_close(struct engine *engine) {
    omp_arrays_close(of(engine));
    free(of(engine));
}

static const struct engine_ops classic_ops = {
    .laplacian = omp_laplacian,
    .boundary = omp_boundary,
    .update = omp_update,
    .norm = omp_norm,
    .downsample = omp_reduce,
    .read = omp_read,
    .close = omp_close,
};

static const struct engine_ops fused_ops = {
    .advance = fused_advance,
    .downsample = omp_reduce,
    .read = omp_read,
    .close = omp_close,
};

static const struct engine_ops blocked_ops = {
    .advance = blocked_advance,
    .downsample = omp_reduce,
    .read = omp_read,
    .close = omp_close,
};

static const struct engine_ops *const ops_of[SCHEDULE_COUNT] = {
    [SCHEDULE_CLASSIC] = &classic_ops,
    [SCHEDULE_FUSED] = &fused_ops,
    [SCHEDULE_BLOCKED] = &blocked_ops,
};

static struct omp_engine *create(const struct engine_spec *spec, struct event_log *events,
                                 const struct offload_module *module) {
    struct omp_engine *omp = calloc(1, sizeof *omp);
    if (!omp)
        return NULL;
    omp->base.ops = ops_of[spec->schedule.kind];
    omp->base.spec = *spec;
    omp->base.events = events;
    omp->module = module;
    omp->phases = &module->phases[spec->mapping];
    omp->listener.log = spec->without_events ? NULL : events;
    omp->listener.mesh = spec->mesh;
    omp->listener.is_gpu = module->is_gpu;
    return omp;
}

/* As much as the largest kernel, or the whole run, holds on the device at a time. */
static enum status check_room(const struct engine_spec *spec, const struct offload_module *module,
                              struct error *error) {
    const size_t arrays = spec->schedule.kind == SCHEDULE_CLASSIC ? 4 : 3;
    const size_t bytes = arrays * sizeof(double) * mesh_unknowns(&spec->mesh);
    char size[32];
    if (spec->mapping == MAPPING_UNIFIED)
        return STATUS_OK;
    module->choose(spec->device);
    if (module->has_room(bytes))
        return STATUS_OK;
    return error_set(error, STATUS_DEVICE_FAILED,
                     "device %d has not the %s of memory left that a grid of %d×%d unknowns needs",
                     spec->device, text_bytes(size, sizeof size, (double)bytes), spec->mesh.Nx,
                     spec->mesh.Ny);
}

enum status omp_engine_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error) {
    struct offload offload;
    struct engine_spec chosen = *spec;
    enum status status = offload_load(&offload, error);
    if (!status)
        status = omp_depth_choose(&chosen, offload.module->depths, error);
    if (status)
        return status;
    spec = &chosen;
    struct omp_engine *omp = create(spec, events, offload.module);
    if (!omp || !omp_arrays_open(omp)) {
        if (omp)
            omp_close(&omp->base);
        return error_set(error, STATUS_INTERNAL, "out of memory for a grid of %d×%d unknowns",
                         spec->mesh.Nx, spec->mesh.Ny);
    }
    status = check_room(spec, offload.module, error);
    if (status) {
        omp_close(&omp->base);
        return status;
    }
    for (int j = 0; j < spec->mesh.Ny; j++) {
        const size_t row = (size_t)j * (size_t)spec->mesh.Nx;
        spec->problem->fill_row(&spec->mesh, j, omp->U + row, omp->RHS + row);
    }
    omp_arrays_enter(omp);
    *engine = &omp->base;
    return STATUS_OK;
}
