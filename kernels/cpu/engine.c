#include "kernels/cpu/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/system.h"
#include "kernels/cpu/methods.h"
#include "kernels/cpu/row.h"
#include "kernels/cpu/strip.h"
#include "solver/tuner.h"

struct cpu_engine {
    struct sync_engine sync;
    const struct cpu_kernels *kernels;
    int64_t start_ns; /* of the current kernel */
};

static void use_threads(const struct sync_engine *sync) {
    const struct cpu_engine *cpu = (const struct cpu_engine *)sync;
    if (cpu->kernels->use_threads)
        cpu->kernels->use_threads(sync->base.spec.run.tuning.threads);
}

static void cpu_begin(struct sync_engine *sync) {
    struct cpu_engine *cpu = (struct cpu_engine *)sync;
    use_threads(sync);
    cpu->start_ns = sync->base.spec.without_events ? 0 : clock_now_ns();
}

static enum status cpu_end(struct sync_engine *sync, struct error *error) {
    struct engine *engine = &sync->base;
    if (engine->spec.without_events)
        return STATUS_OK;
    const uint64_t refining = sync->refines ? engine_refine_bytes(&engine->spec.mesh) : 0;
    engine_note(engine, EVENT_KERNEL, ARRAY_NONE, ((const struct cpu_engine *)sync)->start_ns,
                engine_step_bytes(engine, engine->events->phase) + refining);
    return STATUS_OK;
}

static void cpu_for_rows(struct sync_engine *sync, int rows, void (*work)(void *context, int row),
                         void *context) {
    use_threads(sync);
    ((const struct cpu_engine *)sync)->kernels->for_rows(rows, work, context);
}

static void cpu_run_method(struct sync_engine *sync, enum method_kernel kernel,
                           struct method_step *step) {
    static const struct {
        void (*rows)(void *method_step, int part);
        int height; /* of the part */
    } table[METHOD_KERNELS] = {
        [CHEBYSHEV_UPDATE] = {chebyshev_update_row, 1},
        [CHEBYSHEV_FUSED] = {chebyshev_fused_rows, CPU_ROWS},
        [COLOUR_UPDATE] = {colour_update_row, 1},
        [SWEEP] = {sweep_row, 1},
        [RESTRICTION] = {restriction_rows, TRANSFER_ROWS},
        [PROLONGATION] = {prolongation_rows, TRANSFER_ROWS},
    };
    const int height = table[kernel].height;
    const int rows = kernel == RESTRICTION ? step->coarser->Ny : step->mesh->Ny;
    const int parts = (rows + height - 1) / height;
    ((const struct cpu_engine *)sync)->kernels->for_rows(parts, table[kernel].rows, step);
    for (int part = 0; part < parts && kernel == CHEBYSHEV_FUSED; part++)
        step->sum += ((const double *)step->work)[part];
}

static void *cpu_allocate(struct sync_engine *sync, enum array name, size_t bytes) {
    return alloc_pages(bytes);
}

static void cpu_release(struct sync_engine *sync, void *array) {
    free(array);
}

static void cpu_refine(struct sync_engine *sync) {
    struct refinement refinement = {&sync->base.spec.mesh, sync->exact_RHS, sync->exact_U, sync->U,
                                    sync->RHS};
    cpu_for_rows(sync, sync->base.spec.mesh.Ny, refine_add_row, &refinement);
    cpu_for_rows(sync, sync->base.spec.mesh.Ny, refine_residual_row, &refinement);
}

static void cpu_close(struct engine *engine) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    sync_release(sync);
    free(sync->work);
    free(sync);
}

static const struct sync_ops cpu_ops = {
    .begin = cpu_begin,
    .end = cpu_end,
    .run_method = cpu_run_method,
    .for_rows = cpu_for_rows,
    .allocate = cpu_allocate,
    .release = cpu_release,
    .refine = cpu_refine,
};

/* ---- the depth of blocking ---------------------------------------------------------------- */

enum { FALLBACK_DEPTH = 8, TRIAL_ROWS = 384, TRIAL_COLUMNS = 4096, TRIAL_ROUNDS = 3 };

/* A window for each thread. Returns NULL if there is no memory. */
static struct cpu_window *open_window(const struct engine_spec *spec, int depth) {
    const size_t bytes = cpu_window_bytes(&spec->mesh, depth, spec->run.tuning.threads);
    return cpu_window_open(&spec->mesh, depth, alloc_pages(bytes));
}

struct trial {
    const struct cpu_kernels *kernels;
    struct engine_spec spec;
    struct engine *engine; /* NULL until it is opened */
};

static enum status measure_pass(void *context, int depth, double *seconds, struct error *error) {
    struct trial *trial = context;
    double sums[SCHEDULE_MAX_DEPTH];
    if (!trial->engine)
        cpu_open(trial->kernels, trial->spec.run.tuning.threads, &trial->spec, NULL, &trial->engine,
                 NULL);
    if (!trial->engine)
        return STATUS_OK;
    struct sync_engine *sync = (struct sync_engine *)trial->engine;
    free(sync->work);
    sync->work = open_window(&trial->spec, depth);
    if (!sync->work)
        return STATUS_OK;
    const int64_t start = clock_now_ns();
    trial->engine->ops->pass(trial->engine, depth, sums, NULL);
    *seconds = 1e-9 * (double)(clock_now_ns() - start) / depth;
    return STATUS_OK;
}

/* Autotunes on a part of the grid. It is large enough to behave like the whole, and small enough to
 * be fast (about a third of a second). Without memory for autotuning the depth is fixed. */
static void choose_cpu_depth(const struct cpu_kernels *kernels, struct engine_spec *spec,
                             uint64_t *tried) {
    static const struct autotune_choice depths = {TUNING_DEPTH, {4, 8, 12, 16, 24, 32}};
    const int threads = spec->run.tuning.threads;
    const long rows = (long)TRIAL_ROWS * threads;
    struct trial trial = {.kernels = kernels, .spec = *spec};
    struct mesh *mesh = &trial.spec.mesh; /* keep dx, dy and ω: the run's kernels depend on them */
    mesh->Nx = mesh->Nx < TRIAL_COLUMNS ? mesh->Nx : TRIAL_COLUMNS;
    mesh->Ny = mesh->Ny < rows ? mesh->Ny : (int)rows;
    trial.spec.problem = problem_find("manufactured");
    trial.spec.slab = (struct slab){0};
    trial.spec.run.schedule.depth = FALLBACK_DEPTH;
    trial.spec.run.precision = sizeof(real) == sizeof(double) ? PRECISION_DOUBLE : PRECISION_SINGLE;
    trial.spec.without_events = true;
    trial.spec.on_filling = NULL;
    char device[256];
    snprintf(device, sizeof device, "%s, %d threads, %dx%d, iteration %d%s", kernels->name, threads,
             mesh->Nx, mesh->Ny, (int)cpu_iteration_of(mesh, 2),
             trial.spec.run.precision == PRECISION_SINGLE ? ", single" : "");
    const struct autotune plan = {.device = device,
                                  .choices = &depths,
                                  .choice_count = 1,
                                  .rounds = TRIAL_ROUNDS,
                                  .measure = measure_pass,
                                  .context = &trial};
    struct tuning no_tuning;
    autotune(&plan, spec, tried, &no_tuning, NULL);
    if (spec->run.schedule.depth == 0)
        spec->run.schedule.depth = FALLBACK_DEPTH;
    engine_close(trial.engine);
}

/* ---- the back end's functions ------------------------------------------------------------- */

/* Returns false if there is no memory. Chebyshev's Fused stores a sum per part in `work`. */
static bool open_work(struct cpu_engine *cpu) {
    struct engine *engine = &cpu->sync.base;
    struct run_id *run = &engine->spec.run;
    if (run->schedule.kind == SCHEDULE_BLOCKED && run->schedule.depth == 0)
        choose_cpu_depth(cpu->kernels, &engine->spec, &engine->depths_tried);
    if (run->schedule.kind == SCHEDULE_BLOCKED)
        cpu->sync.work = open_window(&engine->spec, run->schedule.depth);
    else
        cpu->sync.work = calloc((size_t)engine->spec.mesh.Ny, sizeof(double));
    return cpu->sync.work;
}

enum status cpu_open(const struct cpu_kernels *kernels, int threads, const struct engine_spec *spec,
                     struct event_log *events, struct engine **engine, struct error *error) {
    struct cpu_engine *cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    sync_init(&cpu->sync, &cpu_ops, spec, events);
    cpu->sync.table.close = cpu_close;
    cpu->kernels = kernels;
    cpu->sync.kernels = kernels->phases;
    cpu->sync.base.spec.run.tuning.threads = threads;
    cpu->sync.base.spec.run.host_memory = HOST_PAGEABLE;
    use_threads(&cpu->sync);
    if (!open_work(cpu) || !sync_allocate(&cpu->sync)) {
        engine_close(&cpu->sync.base);
        return engine_spec_too_large(spec, error);
    }
    const enum status status = sync_fill(&cpu->sync, true, error);
    if (status)
        engine_close(&cpu->sync.base);
    else
        *engine = &cpu->sync.base;
    return status;
}

struct footprint cpu_footprint(const struct engine_spec *spec, int threads) {
    const int depth = spec->run.schedule.depth > 0 ? spec->run.schedule.depth : SCHEDULE_MAX_DEPTH;
    uint64_t bytes = sync_bytes(spec);
    if (spec->run.schedule.kind == SCHEDULE_BLOCKED)
        bytes += cpu_window_bytes(&spec->mesh, depth, threads);
    return (struct footprint){.host_bytes = bytes};
}

enum status cpu_supports(const struct engine_spec *spec, struct error *error) {
    if (spec->run.mapping == MAPPING_UNIFIED)
        return error_set(error, STATUS_UNAVAILABLE,
                         "mapping 'unified' has no meaning without a device: use omp or hip");
    if (spec->run.schedule.kind == SCHEDULE_PLAIN)
        return error_set(
            error, STATUS_UNAVAILABLE,
            "schedule 'plain' is the blog's device code: use omp or hip, or classic on the host");
    return STATUS_OK;
}

enum status cpu_probe(int threads, struct device_list *devices) {
    *devices = (struct device_list){.count = 1};
    struct device *device = &devices->devices[0];
    const char *const unit = threads > sysconf(_SC_NPROCESSORS_ONLN) ? "thread" : "core";
    snprintf(device->name, sizeof device->name, "%s, %d %s%s", cpu_name(), threads, unit,
             threads == 1 ? "" : "s");
    snprintf(device->architecture, sizeof device->architecture, "x86-64");
    device->cache_bytes = cpu_last_cache();
    device->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    return STATUS_OK;
}
