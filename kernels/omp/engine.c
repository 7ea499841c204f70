/* The engine of `omp`: maps the arrays and runs a module's target regions on them. */
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/system.h"
#include "kernels/omp/omp.h"
#include "kernels/omp/ompt_tracer.h"

enum { STEPS_PER_TIMED = 16, HIDDEN_ITERATIONS = 8 };

struct omp_engine {
    struct sync_engine sync;
    const struct offload_module *module;
    bool entered_by_user;   /* the user's functions have mapped the arrays, too */
    bool keeps_freed;       /* the process keeps freed device memory between the regions */
    uint64_t copies_before; /* copies counted before the current region */
    struct ompt_tracer tracer;
    struct offload_clock clock; /* the device's clock */
    struct device_scratch *scratch;
    long steps; /* steps begun */
};

/* ---- around a region ---------------------------------------------------------------------- */

/* On the host device a kernel could use an array that the user forgot to map: it would find the
 * host's. So the first iterations hide the host's arrays, as on a GPU; later ones save the time. */
static bool hides_arrays(const struct omp_engine *omp) {
    const struct engine_spec *spec = &omp->sync.base.spec;
    return spec->run.user_kernels && spec->run.mapping == MAPPING_STRUCTURED &&
           !omp->module->is_gpu;
}

/* Assigns this thread's target regions to this engine until tracer_set(NULL). */
static struct omp_engine *regions_begin(struct sync_engine *sync) {
    struct omp_engine *omp = (struct omp_engine *)sync;
    const struct engine *engine = &sync->base;
    omp->tracer.kernels = 0;
    omp->copies_before = omp->tracer.copies_seen;
    omp->tracer.hides = hides_arrays(omp) && engine->events->iteration < HIDDEN_ITERATIONS;
    tracer_set(&omp->tracer);
    omp->module->choose(engine->spec.run.device, omp->scratch);
    return omp;
}

/* Fails if a region launched nothing: then the host ran it instead of the device. A region that
 * maps its arrays copies them. If the user's region does not, it would find no arrays on a GPU. */
static enum status kernel_ran(const struct omp_engine *omp, struct error *error) {
    const struct engine_spec *spec = &omp->sync.base.spec;
    tracer_set(NULL);
    const bool must_copy = spec->run.user_kernels && spec->run.mapping == MAPPING_STRUCTURED;
    const bool copied = omp->tracer.copies_seen > omp->copies_before;
    const bool may_rest = spec->run.user_kernels && omp->sync.base.events->phase == PHASE_NORM;
    if ((omp->tracer.kernels > 0 && (copied || !must_copy)) || may_rest)
        return STATUS_OK;
    if (spec->run.user_kernels)
        return error_set(
            error, STATUS_DEVICE_FAILED, "%s %s", phase_names[omp->sync.base.events->phase],
            omp->tracer.kernels > 0 ? "copied nothing to the device: its arrays have to be mapped"
                                    : "launched no kernel: no target directive ran");
    return error_set(error, STATUS_DEVICE_FAILED, "device %d did not run a kernel",
                     omp->sync.base.spec.run.device);
}

/* Begins a step of engine_advance: an iteration, or a pass of several. A GPU's kernels record their
 * times, which the host has to fetch. Only every STEPS_PER_TIMED-th step is timed, so the cost is
 * negligible. With `structured`, mapping costs a thousand times as much, so every step is timed. */
static void step_begins(struct omp_engine *omp) {
    /* A V-cycle runs a phase many times, but each phase has only one span. */
    if (!(omp->clock.tick_ns > 0) || omp->sync.base.spec.run.method == METHOD_MULTIGRID)
        return;
    const bool often = omp->sync.base.spec.run.mapping == MAPPING_STRUCTURED;
    omp->scratch->timed = often || omp->steps % STEPS_PER_TIMED == 0;
    omp->tracer.timing = omp->scratch->timed ? TRACE_SPAN : TRACE_COUNT;
    omp->steps++;
}

static bool is_pass(enum phase phase) {
    return phase == PHASE_FUSED || phase == PHASE_BLOCKED;
}

static void omp_begin(struct sync_engine *sync) {
    struct omp_engine *omp = regions_begin(sync);
    const enum phase phase = sync->base.events->phase;
    if (phase == PHASE_LAPLACIAN || is_pass(phase))
        step_begins(omp);
    omp->scratch->backwards ^= is_pass(phase);
}

/* The last kernel of a step has copied all spans to the host. */
static enum status omp_end(struct sync_engine *sync, struct error *error) {
    struct omp_engine *omp = (struct omp_engine *)sync;
    const enum phase phase = sync->base.events->phase;
    if ((phase == PHASE_NORM || is_pass(phase)) && omp->tracer.region_count > 0)
        tracer_deliver(&omp->tracer, omp->scratch->spans, omp->clock.tick_ns);
    return kernel_ran(omp, error);
}

static bool maps_each(const struct engine_spec *spec) {
    return spec->run.mapping == MAPPING_STRUCTURED;
}

static void omp_run_method(struct sync_engine *sync, enum method_kernel kernel,
                           struct method_step *step) {
    const struct omp_engine *omp = (const struct omp_engine *)sync;
    omp->module->methods[maps_each(&sync->base.spec)][kernel](step);
}

static void omp_refine(struct sync_engine *sync) {
    struct omp_engine *omp = (struct omp_engine *)sync;
    omp->tracer.refines = true;
    omp->module->refine[maps_each(&sync->base.spec)](&sync->base.spec.mesh, sync->exact_RHS,
                                                     sync->exact_U, sync->U, sync->RHS);
    omp->tracer.refines = false;
}

/* ---- memory ------------------------------------------------------------------------------- */

static void omp_for_rows(struct sync_engine *sync, int rows, void (*work)(void *context, int row),
                         void *context) {
    ((const struct omp_engine *)sync)->module->for_rows(rows, work, context);
}

static void *omp_allocate(struct sync_engine *sync, enum array name, size_t bytes) {
    struct omp_engine *omp = (struct omp_engine *)sync;
    const struct run_id *run = &sync->base.spec.run;
    void *array = NULL;
    if (run->mapping == MAPPING_UNIFIED)
        array = omp->module->alloc_unified(bytes);
    else if (run->host_memory == HOST_PINNED)
        array = omp->module->alloc_pinned(bytes);
    else if (run->mapping == MAPPING_STRUCTURED)
        array = alloc_pages(bytes); /* filled by the threads that use it */
    else if ((array = calloc(1, bytes)))
        memory_use_large_pages(array, bytes); /* the host never accesses some arrays */
    tracer_name(&omp->tracer, name, array, bytes);
    return array;
}

static void omp_release(struct sync_engine *sync, void *array) {
    const struct omp_engine *omp = (const struct omp_engine *)sync;
    if (sync->base.spec.run.mapping == MAPPING_UNIFIED)
        omp->module->free_unified(array);
    else if (sync->base.spec.run.host_memory == HOST_PINNED)
        omp->module->free_pinned(array);
    else
        free(array);
}

static enum status read_device(struct sync_engine *sync, void *to, const void *values, size_t bytes,
                               struct error *error) {
    const bool is_read = regions_begin(sync)->module->read(bytes, to, values);
    tracer_set(NULL);
    return is_read ? STATUS_OK
                   : error_set(error, STATUS_DEVICE_FAILED, "device %d: U can't be read",
                               sync->base.spec.run.device);
}

static void update_device(struct sync_engine *sync, void *values, size_t bytes) {
    regions_begin(sync)->module->update_to(bytes, values);
    tracer_set(NULL);
}

static enum status omp_copy(struct sync_engine *sync, real *to, const struct sync_engine *other,
                            const real *from, size_t length, struct error *error) {
    const struct omp_engine *omp = (const struct omp_engine *)sync;
    const int device = sync->base.spec.run.device;
    if (omp->module->copy(length, to, device, from, other->base.spec.run.device))
        return STATUS_OK;
    return error_set(error, STATUS_DEVICE_FAILED, "device %d: rows can't be copied", device);
}

static enum status omp_downsample(struct sync_engine *sync, const struct downsample *downsample,
                                  const real *U, double *sums, struct error *error) {
    const struct engine *engine = &sync->base;
    struct omp_engine *omp = regions_begin(sync);
    omp->module->downsample(engine_step_mesh(engine), engine->spec.slab.first,
                            engine_own_rows(&engine->spec), downsample, U, sync->exact_U, sums);
    return kernel_ran(omp, error);
}

/* ---- mapping for the whole run ------------------------------------------------------------ */

/* Maps or unmaps the arrays that neither schedule's directives name. */
static void map_others(const struct omp_engine *omp, void (*map)(size_t bytes, void *array)) {
    const struct sync_engine *sync = &omp->sync;
    const struct levels *levels = &sync->base.levels;
    const size_t N = levels->begin[levels->count];
    const bool four = schedule_has_four_kernels(sync->base.spec.run.schedule);
    const struct {
        void *array;
        size_t number;
    } others[] = {{four ? sync->U_next : NULL, sizeof(real)},
                  {sync->saved, sizeof(real)},
                  {sync->exact_U, sizeof(double)},
                  {sync->exact_RHS, sizeof(double)}};
    for (size_t a = 0; a < sizeof others / sizeof *others; a++)
        if (others[a].array)
            map(N * others[a].number, others[a].array);
}

/* Maps the filled arrays for the run's mapping. */
static enum status enter(struct omp_engine *omp, struct error *error) {
    struct sync_engine *sync = &omp->sync;
    const struct engine_spec *spec = &sync->base.spec;
    const size_t N = sync->base.levels.begin[sync->base.levels.count];
    const bool four = schedule_has_four_kernels(spec->run.schedule);
    const bool is_chebyshev = spec->run.method == METHOD_CHEBYSHEV;
    real *const U = sync->U, *const AU = sync->AU, *const RES = sync->RES, *const RHS = sync->RHS;
    const char *missing = NULL;
    sync->on_device = !maps_each(spec);
    omp->keeps_freed = maps_each(spec) && !omp->module->is_gpu;
    if (omp->keeps_freed)
        memory_keep_freed();
    if (spec->run.mapping != MAPPING_UNSTRUCTURED)
        return STATUS_OK;
    regions_begin(sync);
    if (spec->run.user_kernels && four)
        omp->entered_by_user = user_kernels_enter(&spec->mesh, U, AU, RES, RHS, &missing);
    if (four && !omp->entered_by_user)
        omp->module->enter_classic(N, U, AU, RES, RHS);
    else if (!four && !is_chebyshev)
        omp->module->enter_fused(N, U, sync->U_next, RHS);
    map_others(omp, omp->module->enter_array);
    for (int a = 0; a < 3 && is_chebyshev && !four; a++) /* in place of enter_fused */
        omp->module->enter_array(N * sizeof(real), (real *const[]){U, sync->U_next, RHS}[a]);
    tracer_set(NULL);
    return missing ? error_set(error, STATUS_DEVICE_FAILED,
                               "enter leaves %s on the host: no target enter data maps it", missing)
                   : STATUS_OK;
}

/* The arrays may have been mapped one by one, or together. */
static void leave(struct omp_engine *omp) {
    const struct sync_engine *sync = &omp->sync;
    const struct engine_spec *spec = &sync->base.spec;
    const size_t N = sync->base.levels.begin[sync->base.levels.count];
    const bool four = schedule_has_four_kernels(spec->run.schedule);
    if (!sync->on_device || spec->run.mapping == MAPPING_UNIFIED)
        return;
    if (omp->entered_by_user &&
        user_kernels_leave(&spec->mesh, sync->U, sync->AU, sync->RES, sync->RHS))
        return;
    if (four)
        omp->module->exit_classic(N, sync->U, sync->AU, sync->RES, sync->RHS);
    else
        omp->module->exit_fused(N, sync->U, sync->U_next, sync->RHS);
    map_others(omp, omp->module->exit_array);
}

/* Also closes an engine that is only partly open. */
static void omp_close(struct engine *engine) {
    struct sync_engine *sync = (struct sync_engine *)engine;
    struct omp_engine *omp = regions_begin(sync);
    leave(omp);
    if (omp->scratch)
        omp->module->close_scratch(omp->scratch);
    if (sync->work)
        omp->module->close_work(sync->work);
    sync_release(sync);
    tracer_set(NULL);
    if (omp->keeps_freed)
        memory_release_freed();
    free(omp);
}

static const struct sync_ops omp_ops = {
    .begin = omp_begin,
    .end = omp_end,
    .run_method = omp_run_method,
    .refine = omp_refine,
    .for_rows = omp_for_rows,
    .allocate = omp_allocate,
    .release = omp_release,
    .from_device = read_device,
    .to_device = update_device,
    .copy = omp_copy,
    .downsample = omp_downsample,
};

/* ---- opening ------------------------------------------------------------------------------ */

struct tuning omp_teams(const struct tuning *asked, enum schedule_kind kind, int multiprocessors) {
    enum { NORM_TEAMS = 512, FUSED_TEAMS = 2 };
    const int norm = asked->norm_blocks > 0 ? asked->norm_blocks : NORM_TEAMS;
    const int fused = asked->fused_blocks > 0 ? asked->fused_blocks : FUSED_TEAMS;
    const int norm_most = OFFLOAD_TEAMS, fused_most = OFFLOAD_TEAMS / multiprocessors;
    return (struct tuning){.norm_blocks = kind != SCHEDULE_CLASSIC ? 0
                                          : norm < norm_most       ? norm
                                                                   : norm_most,
                           .fused_blocks = kind != SCHEDULE_FUSED ? 0
                                           : fused < fused_most   ? fused
                                                                  : fused_most};
}

/* Only a GPU needs numbers of teams; the host device's regions leave them to the runtime. */
static enum status omp_retune(struct engine *engine, const struct tuning *tuning,
                              struct error *error) {
    enum { H200 = 132 };
    struct omp_engine *omp = (struct omp_engine *)engine;
    struct tuning *used = &engine->spec.run.tuning, asked = *used, teams = {0};
    const int known = cuda_multiprocessors(engine->spec.run.device);
    const int multiprocessors = known > 0 ? known : H200;
    if (tuning->norm_blocks > 0)
        asked.norm_blocks = tuning->norm_blocks;
    if (tuning->fused_blocks > 0)
        asked.fused_blocks = tuning->fused_blocks;
    if (omp->module->is_gpu)
        teams = omp_teams(&asked, engine->spec.run.schedule.kind, multiprocessors);
    teams.threads = used->threads;
    *used = teams;
    omp->scratch->norm_teams = teams.norm_blocks;
    omp->scratch->fused_teams = teams.fused_blocks * multiprocessors;
    return STATUS_OK;
}

static struct omp_engine *create(const struct offload_module *module,
                                 const struct engine_spec *spec, struct event_log *events) {
    struct omp_engine *omp = calloc(1, sizeof *omp);
    if (!omp)
        return NULL;
    const bool maps = maps_each(spec), is_plain = spec->run.schedule.kind == SCHEDULE_PLAIN;
    sync_init(&omp->sync, &omp_ops, spec, events);
    omp->sync.table.retune = omp_retune;
    omp->sync.table.close = omp_close;
    omp->sync.kernels = maps ? module->structured : is_plain ? module->plain : module->tuned;
    if (spec->run.user_kernels)
        user_kernels_replace(&omp->sync.kernels);
    if (!maps || !module->alloc_pinned)
        omp->sync.base.spec.run.host_memory = HOST_PAGEABLE;
    omp->module = module;
    omp->tracer = (struct ompt_tracer){.log = spec->without_events ? NULL : events,
                                       .engine = &omp->sync.base,
                                       .is_gpu = module->is_gpu,
                                       .waits = spec->run.user_kernels && module->is_gpu};
    return omp;
}

/* Allocates arrays and scratch. False if there is no memory. */
static bool allocate(struct omp_engine *omp) {
    const struct engine_spec *spec = &omp->sync.base.spec;
    const bool is_blocked = spec->run.schedule.kind == SCHEDULE_BLOCKED;
    tracer_name(&omp->tracer, ARRAY_NORM, omp->sync.norms, sizeof omp->sync.norms);
    regions_begin(&omp->sync);
    const bool all = sync_allocate(&omp->sync) && (omp->scratch = omp->module->open_scratch());
    if (all)
        omp->scratch->plain = spec->run.schedule.kind == SCHEDULE_PLAIN;
    tracer_name(&omp->tracer, ARRAY_NORM, omp->scratch, sizeof *omp->scratch);
    if (all && is_blocked)
        omp->sync.work = omp->module->open_work(&spec->mesh, spec->run.schedule.depth);
    tracer_set(NULL);
    return all && (omp->sync.work || !is_blocked);
}

/* Checks for the bytes that the largest kernel, or the whole run, holds on the device at a time. */
static enum status check_free_memory(const struct omp_engine *omp, struct error *error) {
    const struct engine_spec *spec = &omp->sync.base.spec;
    /* On the host the runtime starts threads later, and ends the process if that fails. */
    const uint64_t bytes = sync_bytes(spec), stacks = omp->module->is_gpu ? 0 : 64 << 20;
    char size[32];
    omp->module->choose(spec->run.device, omp->scratch);
    if (spec->run.mapping == MAPPING_UNIFIED || omp->module->has_free_memory(bytes + stacks))
        return STATUS_OK;
    return error_set(error, STATUS_DEVICE_FAILED,
                     "device %d: not enough free memory (a grid of %d×%d unknowns needs %s)",
                     spec->run.device, spec->mesh.Nx, spec->mesh.Ny,
                     format_bytes(size, sizeof size, (double)bytes));
}

enum status omp_engine_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error) {
    struct offload offload = {0};
    TRY(offload_load(spec->run.precision, &offload, error));
    struct omp_engine *omp = create(offload.module, spec, events);
    if (!omp || !allocate(omp)) {
        engine_close(omp ? &omp->sync.base : NULL);
        return engine_spec_too_large(spec, error);
    }
    omp_retune(&omp->sync.base, &(struct tuning){0}, NULL);
    enum status status = check_free_memory(omp, error);
    if (!status)
        status = offload_check_team(omp->module, true, error);
    if (!status)
        status = sync_fill(&omp->sync, maps_each(spec), error);
    if (!status)
        status = enter(omp, error);
    if (status) {
        engine_close(&omp->sync.base);
        return status;
    }
    if (omp->module->measure_clock && !spec->without_events && !spec->run.user_kernels) {
        omp->module->measure_clock(&omp->clock);
        events->clock_step_ns = omp->clock.step_ns;
    }
    *engine = &omp->sync.base;
    return STATUS_OK;
}
