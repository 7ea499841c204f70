#include "kernels/cpu/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/system.h"
#include "kernels/cpu/cpu_name.h"
#include "kernels/cpu/depth.h"
#include "kernels/cpu/strip.h"

struct host_engine {
    struct engine base;
    const struct host_kernels *kernels;
    double *U, *RHS;
    double *AU, *RES; /* classic */
    double *U_next;   /* fused, blocked */
    void *work;       /* blocked */
};

static struct host_engine *of(struct engine *engine) {
    return (struct host_engine *)engine;
}

static void use_threads(const struct host_engine *host) {
    if (host->kernels->use_threads)
        host->kernels->use_threads(host->base.spec.tuning.threads);
}

static int64_t begin(const struct host_engine *host) {
    use_threads(host);
    return host->base.spec.without_events ? 0 : clock_now_ns();
}

static void end(struct host_engine *host, enum phase phase, int64_t start) {
    if (host->base.spec.without_events)
        return;
    event_log_add(host->base.events, EVENT_KERNEL, ARRAY_NONE, CLOCK_HOST, start,
                  clock_now_ns() - start, phase_minimum_bytes(phase, &host->base.spec.mesh));
}

static enum status host_laplacian(struct engine *engine, struct error *error) {
    struct host_engine *host = of(engine);
    (void)error;
    const int64_t start = begin(host);
    host->kernels->laplacian(&engine->spec.mesh, host->U, host->AU);
    end(host, PHASE_LAPLACIAN, start);
    return STATUS_OK;
}

static enum status host_boundary(struct engine *engine, struct error *error) {
    struct host_engine *host = of(engine);
    (void)error;
    const int64_t start = begin(host);
    host->kernels->boundary(&engine->spec.mesh, host->U, host->AU);
    end(host, PHASE_BOUNDARY, start);
    return STATUS_OK;
}

static enum status host_update(struct engine *engine, struct error *error) {
    struct host_engine *host = of(engine);
    (void)error;
    const int64_t start = begin(host);
    host->kernels->update(&engine->spec.mesh, host->RHS, host->AU, host->RES, host->U);
    end(host, PHASE_UPDATE, start);
    return STATUS_OK;
}

static enum status host_norm(struct engine *engine, double *sum, struct error *error) {
    struct host_engine *host = of(engine);
    (void)error;
    const int64_t start = begin(host);
    *sum = host->kernels->norm(&engine->spec.mesh, host->RES);
    end(host, PHASE_NORM, start);
    return STATUS_OK;
}

static void swap(struct host_engine *host) {
    double *next = host->U_next;
    host->U_next = host->U;
    host->U = next;
}

static bool stop_requested(const struct engine *engine) {
    return engine->spec.stop && atomic_load_explicit(engine->spec.stop, memory_order_relaxed);
}

static enum status fused_advance(struct engine *engine, long count, double tolerance,
                                 double *residuals, long *done, struct error *error) {
    struct host_engine *host = of(engine);
    const struct mesh *mesh = &engine->spec.mesh;
    (void)error;
    event_log_enter(engine->events, PHASE_FUSED);
    while (*done < count && !stop_requested(engine)) {
        const int64_t start = begin(host);
        const double sum = host->kernels->fused(mesh, host->RHS, host->U, host->U_next);
        end(host, PHASE_FUSED, start);
        swap(host);
        engine->events->iteration++;
        residuals[*done] = mesh_residual(mesh, sum);
        if (!(residuals[(*done)++] > tolerance))
            break;
    }
    return STATUS_OK;
}

static void blocked_pass(struct host_engine *host, int depth, double *sums) {
    const int64_t start = begin(host);
    host->kernels->blocked(&host->base.spec.mesh, depth, host->RHS, host->U, host->U_next, sums,
                           host->work);
    end(host, PHASE_BLOCKED, start);
}

/* How many of the pass's iterations count: up to the first whose residual is small enough. */
static int iterations_wanted(const struct mesh *mesh, const double *sums, int depth,
                             double tolerance, double *residuals) {
    for (int k = 0; k < depth; k++) {
        residuals[k] = mesh_residual(mesh, sums[k]);
        if (!(residuals[k] > tolerance))
            return k + 1;
    }
    return depth;
}

/* A pass writes U' and leaves U alone, so one that ran past its stopping point is made again, from
 * the same U, exactly as deep as it should have been. */
static enum status blocked_advance(struct engine *engine, long count, double tolerance,
                                   double *residuals, long *done, struct error *error) {
    struct host_engine *host = of(engine);
    const struct mesh *mesh = &engine->spec.mesh;
    double sums[SCHEDULE_MAX_DEPTH];
    (void)error;
    event_log_enter(engine->events, PHASE_BLOCKED);
    while (*done < count && !stop_requested(engine)) {
        const long left = count - *done;
        const int depth =
            left < engine->spec.schedule.depth ? (int)left : engine->spec.schedule.depth;
        blocked_pass(host, depth, sums);
        const int wanted = iterations_wanted(mesh, sums, depth, tolerance, residuals + *done);
        if (wanted < depth)
            blocked_pass(host, wanted, sums);
        swap(host);
        *done += wanted;
        engine->events->iteration += wanted;
        if (!(residuals[*done - 1] > tolerance))
            break;
    }
    return STATUS_OK;
}

static enum status cpu_downsample(struct engine *engine, const struct downsample *downsample,
                                  float *cells, struct error *error) {
    struct host_engine *host = of(engine);
    (void)error;
    event_log_enter(engine->events, PHASE_DOWNSAMPLE);
    const int64_t start = begin(host);
    host->kernels->downsample(&engine->spec.mesh, downsample, host->U, cells);
    end(host, PHASE_DOWNSAMPLE, start);
    event_log_enter(engine->events, PHASE_SETUP);
    return STATUS_OK;
}

static enum status host_read(struct engine *engine, double *U, struct error *error) {
    (void)error;
    memcpy(U, of(engine)->U, mesh_unknowns(&engine->spec.mesh) * sizeof *U);
    return STATUS_OK;
}

static void release(struct host_engine *host) {
    free(host->U);
    free(host->RHS);
    free(host->AU);
    free(host->RES);
    free(host->U_next);
    free(host->work);
    free(host);
}

static void host_close(struct engine *engine) {
    release(of(engine));
}

static const struct engine_ops classic_ops = {
    .laplacian = host_laplacian,
    .boundary = host_boundary,
    .update = host_update,
    .norm = host_norm,
    .downsample = cpu_downsample,
    .read = host_read,
    .close = host_close,
};

static const struct engine_ops fused_ops = {
    .advance = fused_advance,
    .downsample = cpu_downsample,
    .read = host_read,
    .close = host_close,
};

static const struct engine_ops blocked_ops = {
    .advance = blocked_advance,
    .downsample = cpu_downsample,
    .read = host_read,
    .close = host_close,
};

static const struct engine_ops *const ops_of[SCHEDULE_COUNT] = {
    [SCHEDULE_CLASSIC] = &classic_ops,
    [SCHEDULE_FUSED] = &fused_ops,
    [SCHEDULE_BLOCKED] = &blocked_ops,
};

/* Aligned for the vector units; large arrays on large pages where the system has them, so that a
 * walk across rows does not need a page table entry for each. */
static bool allocate(double **array, const struct mesh *mesh) {
    enum { LINE = 64, LARGE_PAGE = 2 << 20 };
    const size_t needed = mesh_unknowns(mesh) * sizeof **array;
    const size_t page = needed < 4 * (size_t)LARGE_PAGE ? LINE : LARGE_PAGE;
    const size_t bytes = (needed + page - 1) / page * page;
    *array = aligned_alloc(page, bytes);
    if (*array && page == LARGE_PAGE)
        madvise(*array, bytes, MADV_HUGEPAGE);
    return *array != NULL;
}

static bool allocate_all(struct host_engine *host) {
    const struct mesh *mesh = &host->base.spec.mesh;
    struct schedule *schedule = &host->base.spec.schedule;
    use_threads(host);
    if (!allocate(&host->U, mesh) || !allocate(&host->RHS, mesh))
        return false;
    if (schedule->kind == SCHEDULE_CLASSIC)
        return allocate(&host->AU, mesh) && allocate(&host->RES, mesh);
    if (schedule->kind == SCHEDULE_BLOCKED) {
        if (schedule->depth == 0)
            schedule->depth = host_depth(host->kernels, mesh, host->base.spec.tuning.threads);
        host->work = host->kernels->blocked_open(mesh, schedule->depth);
        if (!host->work)
            return false;
    }
    return allocate(&host->U_next, mesh);
}

enum status host_open(const struct host_kernels *kernels, const struct engine_spec *spec,
                      struct event_log *events, struct engine **engine, struct error *error) {
    struct host_engine *host = calloc(1, sizeof *host);
    if (!host)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    host->base =
        (struct engine){.ops = ops_of[spec->schedule.kind], .spec = *spec, .events = events};
    host->kernels = kernels;
    if (!allocate_all(host)) {
        release(host);
        return error_set(error, STATUS_INTERNAL, "out of memory for a grid of %d×%d unknowns",
                         spec->mesh.Nx, spec->mesh.Ny);
    }
    kernels->initialize(spec->problem, &spec->mesh, host->U, host->RHS,
                        host->AU ? host->AU : host->U_next, host->RES);
    *engine = (struct engine *)host;
    return STATUS_OK;
}

struct footprint host_footprint(const struct engine_spec *spec) {
    const int arrays = spec->schedule.kind == SCHEDULE_CLASSIC ? 4 : 3;
    const int depth = spec->schedule.depth > 0 ? spec->schedule.depth : SCHEDULE_MAX_DEPTH;
    uint64_t bytes = arrays * sizeof(double) * (uint64_t)mesh_unknowns(&spec->mesh);
    if (spec->schedule.kind == SCHEDULE_BLOCKED)
        bytes += host_window_bytes(&spec->mesh, depth, spec->tuning.threads);
    return (struct footprint){.host_bytes = bytes};
}

enum status host_supports(const struct engine_spec *spec, struct error *why_not) {
    if (spec->mapping == MAPPING_UNIFIED)
        return error_set(why_not, STATUS_UNAVAILABLE,
                         "mapping 'unified' has no meaning without a device: use omp or hip");
    return STATUS_OK;
}

enum status host_probe(int cores, struct device_list *devices) {
    *devices = (struct device_list){.count = 1};
    struct device *device = &devices->devices[0];
    char cpu[64];
    snprintf(device->name, sizeof device->name, "%s, %d core%s", host_cpu_name(cpu, sizeof cpu),
             cores, cores == 1 ? "" : "s");
    snprintf(device->architecture, sizeof device->architecture, "x86-64");
    device->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return STATUS_OK;
}
