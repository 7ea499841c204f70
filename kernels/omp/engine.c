/* The engine of `omp`: maps the arrays and runs a module's target regions on them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format.h"
#include "core/system.h"
#include "kernels/cpu/row.h"
#include "kernels/omp/omp.h"
#include "kernels/omp/ompt_tracer.h"
#include "kernels/omp/user_kernels.h"
#include "solver/batch.h"

enum { STEPS_PER_TIMED = 16, HIDDEN_ITERATIONS = 8 };

struct omp_engine {
    struct engine base;
    const struct offload_module *module;
    const struct offload_phases *phases; /* of the mapping and schedule */
    struct offload_phases user;          /* what they are if some are the user's */
    bool entered_by_user;                /* they have mapped the arrays, too */
    uint64_t copies_before;              /* those seen before the region that runs */
    const struct offload_methods *methods;
    struct ompt_tracer tracer;
    struct offload_clock clock; /* the device's */

    double *U, *RHS;
    double *AU, *RES; /* classic, plain */
    double *U_next;   /* fused, blocked; with Chebyshev the iterate before U */
    bool on_device;   /* the arrays can be used there without mapping */
    bool keeps_freed; /* the device's memory stays with the process between the regions */

    struct device_scratch *scratch;
    long steps;                    /* begun */
    struct offload_window *window; /* blocked */
    double norms[SCHEDULE_MAX_DEPTH];

    struct slab_batch batch; /* of a slab, */
    double *checkpoint;      /* and what it began with */
};

/* On the host device a kernel could use an array that the user forgot to map: it would find the
 * host's. So that is hidden, as on a GPU, in the first iterations: it takes time. */
static bool hides_arrays(const struct omp_engine *omp) {
    const struct engine_spec *spec = &omp->base.spec;
    return spec->run.user_kernels && spec->run.mapping == MAPPING_STRUCTURED &&
           !omp->module->is_gpu;
}

/* From now on this thread's target regions are this engine's; ended by tracer_set(NULL). */
static struct omp_engine *regions_begin(struct engine *engine) {
    struct omp_engine *omp = (struct omp_engine *)engine;
    omp->tracer.kernels = 0;
    omp->copies_before = omp->tracer.copies_seen;
    omp->tracer.hides = hides_arrays(omp) && engine->events->iteration < HIDDEN_ITERATIONS;
    tracer_set(&omp->tracer);
    omp->module->choose(engine->spec.run.device);
    return omp;
}

/* If a region launched nothing, the host ran it instead of the device: a failure. One that maps its
 * arrays copies them; if the user's does not, it would find none on a GPU. */
static enum status kernel_ran(const struct omp_engine *omp, struct error *error) {
    const struct engine_spec *spec = &omp->base.spec;
    tracer_set(NULL);
    const bool must_copy = spec->run.user_kernels && spec->run.mapping == MAPPING_STRUCTURED;
    const bool copied = omp->tracer.copies_seen > omp->copies_before;
    const bool may_rest = spec->run.user_kernels && omp->base.events->phase == PHASE_NORM;
    if ((omp->tracer.kernels > 0 && (copied || !must_copy)) || may_rest)
        return STATUS_OK;
    if (spec->run.user_kernels)
        return error_set(error, STATUS_DEVICE_FAILED, "%s %s", phase_name(omp->base.events->phase),
                         omp->tracer.kernels > 0
                             ? "copied nothing to the device: its arrays have to be mapped"
                             : "launched no kernel: no target directive was met");
    return error_set(error, STATUS_DEVICE_FAILED, "device %d did not run a kernel",
                     omp->base.spec.run.device);
}

/* Begins a step of engine_advance: an iteration, or a pass of several. A GPU's kernels time
 * themselves, which the host has to fetch: so that it costs nothing to speak of, in every
 * so-many-th step only, unless mapping the arrays costs a thousand times as much. */
static void step_begins(struct omp_engine *omp) {
    /* A V-cycle comes to a phase many times, and there is but one span for each. */
    if (!(omp->clock.tick_ns > 0) || omp->base.spec.run.method == METHOD_MULTIGRID)
        return;
    const bool often = omp->base.spec.run.mapping == MAPPING_STRUCTURED;
    omp->scratch->timed = often || omp->steps % STEPS_PER_TIMED == 0;
    omp->tracer.timing = omp->scratch->timed ? TRACE_SPAN : TRACE_COUNT;
    omp->steps++;
}

/* Reports the step's kernels; the last of them has brought the spans. */
static void step_ends(struct omp_engine *omp) {
    if (omp->tracer.region_count > 0)
        tracer_deliver(&omp->tracer, omp->scratch->spans, omp->clock.tick_ns);
}

/* ---- iterations --------------------------------------------------------------------------- */

/* The part of an array that is of the step's level. */
static double *of_step(const struct omp_engine *omp, double *array) {
    return array + omp->base.levels.begin[omp->base.step.level];
}

static enum status omp_laplacian(struct engine *engine, struct error *error) {
    struct omp_engine *omp = regions_begin(engine);
    step_begins(omp);
    omp->phases->laplacian(engine_step_mesh(&omp->base), of_step(omp, omp->U),
                           of_step(omp, omp->AU), omp->scratch);
    return kernel_ran(omp, error);
}

static enum status omp_boundary(struct engine *engine, struct error *error) {
    struct omp_engine *omp = regions_begin(engine);
    omp->phases->boundary(engine_step_mesh(&omp->base), of_step(omp, omp->U), of_step(omp, omp->AU),
                          omp->scratch);
    return kernel_ran(omp, error);
}

static void omp_accept(struct engine *engine) {
    struct omp_engine *omp = (struct omp_engine *)engine;
    double *next = omp->U_next;
    omp->U_next = omp->U;
    omp->U = next;
}

static enum status omp_update(struct engine *engine, struct error *error) {
    struct omp_engine *omp = regions_begin(engine);
    const struct mesh *mesh = engine_step_mesh(&omp->base);
    const enum colour colour = engine->step.colour;
    double *const RHS = of_step(omp, omp->RHS), *const AU = of_step(omp, omp->AU);
    double *const RES = of_step(omp, omp->RES), *const U = of_step(omp, omp->U);
    if (engine->spec.run.method == METHOD_CHEBYSHEV) {
        omp->methods->chebyshev_update(mesh, engine->weight, RHS, AU, RES, U, omp->U_next,
                                       omp->scratch);
        omp_accept(engine);
    } else if (colour == COLOUR_ALL) {
        omp->phases->update(mesh, RHS, AU, RES, U, omp->scratch);
    } else {
        omp->methods->colour_update(mesh, (int)colour, RHS, AU, RES, U, omp->scratch);
    }
    return kernel_ran(omp, error);
}

static enum status omp_sweep(struct engine *engine, struct error *error) {
    struct omp_engine *omp = regions_begin(engine);
    omp->methods->sweep(engine_step_mesh(&omp->base), (int)engine->step.colour,
                        of_step(omp, omp->RHS), of_step(omp, omp->U), omp->scratch);
    return kernel_ran(omp, error);
}

static enum status omp_restriction(struct engine *engine, struct error *error) {
    struct omp_engine *omp = regions_begin(engine);
    const int coarser = engine->step.level + 1;
    const size_t begin = engine->levels.begin[coarser];
    omp->methods->restriction(engine_step_mesh(&omp->base), &engine->levels.mesh[coarser],
                              of_step(omp, omp->RHS), of_step(omp, omp->AU), omp->RHS + begin,
                              omp->U + begin);
    return kernel_ran(omp, error);
}

static enum status omp_prolongation(struct engine *engine, struct error *error) {
    struct omp_engine *omp = regions_begin(engine);
    const int coarser = engine->step.level + 1;
    omp->methods->prolongation(engine_step_mesh(&omp->base), &engine->levels.mesh[coarser],
                               omp->U + engine->levels.begin[coarser], of_step(omp, omp->U));
    return kernel_ran(omp, error);
}

static enum status omp_norm(struct engine *engine, double *sum, struct error *error) {
    struct omp_engine *omp = regions_begin(engine);
    const struct row_range rows = engine_own_rows(&engine->spec);
    struct mesh own = engine->spec.mesh;
    own.Ny = rows.end - rows.begin;
    *sum = omp->phases->norm(&own, omp->RES + (size_t)rows.begin * (size_t)own.Nx, omp->scratch);
    step_ends(omp);
    return kernel_ran(omp, error);
}

/* A blocked pass leaves its sums in omp->norms: the tracer knows that array, not the caller's. */
static enum status omp_pass(struct engine *engine, int depth, double *sums, struct error *error) {
    struct omp_engine *omp = regions_begin(engine);
    const struct mesh *mesh = &engine->spec.mesh;
    step_begins(omp);
    omp->scratch->backwards = !omp->scratch->backwards;
    if (engine->spec.run.method == METHOD_CHEBYSHEV)
        omp->norms[0] = omp->methods->chebyshev_fused(mesh, engine->weight, omp->RHS, omp->U,
                                                      omp->U_next, omp->scratch);
    else if (engine->spec.run.schedule.kind == SCHEDULE_FUSED)
        omp->norms[0] = omp->phases->fused(mesh, engine_own_rows(&engine->spec), omp->RHS, omp->U,
                                           omp->U_next, omp->scratch);
    else
        omp->phases->blocked(mesh, engine_own_rows(&engine->spec), depth, omp->RHS, omp->U,
                             omp->U_next, omp->norms, omp->scratch, omp->window);
    memcpy(sums, omp->norms, (size_t)depth * sizeof *sums);
    step_ends(omp);
    return kernel_ran(omp, error);
}

/* Under `structured` U is in the host's memory between kernels, so it is reduced there. */
static enum status omp_downsample(struct engine *engine, const struct downsample *downsample,
                                  double *sums, struct error *error) {
    const struct mesh *mesh = engine_step_mesh(engine);
    struct omp_engine *omp = (struct omp_engine *)engine;
    double *const U = of_step(omp, omp->U);
    enum status status = STATUS_OK;
    event_log_enter(engine->events, PHASE_DOWNSAMPLE);
    if (omp->on_device) {
        regions_begin(engine);
        omp->module->downsample(mesh, engine->spec.slab.first, engine_own_rows(&engine->spec),
                                downsample, U, sums);
        status = kernel_ran(omp, error);
    } else {
        const int64_t start = clock_now_ns();
        for (int row = 0; row < downsample->rows; row++)
            cpu_downsample_row(&engine->spec, mesh->Nx, downsample, row, U,
                               sums + row * downsample->cols);
        if (!engine->spec.without_events)
            event_log_add(engine->events, EVENT_KERNEL, ARRAY_NONE, CLOCK_HOST, start,
                          clock_now_ns() - start, phase_minimum_bytes(PHASE_DOWNSAMPLE, mesh));
    }
    event_log_enter(engine->events, PHASE_SETUP);
    return status;
}

/* ---- the arrays --------------------------------------------------------------------------- */

/* All levels' unknowns. */
static size_t array_length(const struct engine *engine) {
    return engine->levels.begin[engine->levels.count];
}

static double *allocate_array(struct omp_engine *omp, enum array name) {
    const struct engine_spec *spec = &omp->base.spec;
    const size_t bytes = array_length(&omp->base) * sizeof(double);
    double *array = NULL;
    if (spec->run.mapping == MAPPING_UNIFIED)
        array = omp->module->alloc_unified(bytes);
    else if (spec->run.host_memory == HOST_PINNED)
        array = omp->module->alloc_pinned(bytes);
    else if (spec->run.mapping == MAPPING_UNSTRUCTURED)
        array = calloc(1, bytes); /* the host never touches some of them */
    else if ((array = alloc_pages(bytes)))
        memset(array, 0, bytes);
    tracer_name(&omp->tracer, name, array, bytes);
    return array;
}

static void free_array(const struct omp_engine *omp, double *array) {
    if (array && omp->base.spec.run.mapping == MAPPING_UNIFIED)
        omp->module->free_unified(array);
    else if (array && omp->base.spec.run.host_memory == HOST_PINNED)
        omp->module->free_pinned(array);
    else
        free(array);
}

/* Allocates arrays, sums and window. False if there is no memory; close it then too. */
static bool arrays_open(struct omp_engine *omp) {
    const struct schedule schedule = omp->base.spec.run.schedule;
    tracer_name(&omp->tracer, ARRAY_NORM, omp->norms, sizeof omp->norms);
    regions_begin(&omp->base);
    bool all =
        (omp->U = allocate_array(omp, ARRAY_U)) && (omp->RHS = allocate_array(omp, ARRAY_RHS));
    if (schedule_has_four_kernels(schedule))
        all = all && (omp->AU = allocate_array(omp, ARRAY_AU)) &&
              (omp->RES = allocate_array(omp, ARRAY_RES));
    if (!schedule_has_four_kernels(schedule) || omp->base.spec.run.method == METHOD_CHEBYSHEV)
        all = all && (omp->U_next = allocate_array(omp, ARRAY_U));
    if (omp->base.spec.slab.problem_Ny > 0)
        all = all && (omp->checkpoint = allocate_array(omp, ARRAY_U)) && batch_open(&omp->batch);
    all = all && (omp->scratch = omp->module->open_scratch());
    tracer_name(&omp->tracer, ARRAY_NORM, omp->scratch, sizeof *omp->scratch);
    if (schedule.kind == SCHEDULE_BLOCKED)
        all = all && (omp->window = omp->module->open_window(&omp->base.spec.mesh, schedule.depth));
    tracer_set(NULL);
    return all;
}

/* Maps the filled arrays for the run, as the mapping asks. */
static enum status arrays_enter(struct omp_engine *omp, struct error *error) {
    const struct engine_spec *spec = &omp->base.spec;
    double *const arrays[ARRAY_COUNT] = {
        [ARRAY_U] = omp->U, [ARRAY_AU] = omp->AU, [ARRAY_RES] = omp->RES, [ARRAY_RHS] = omp->RHS};
    const char *missing = NULL;
    omp->on_device = spec->run.mapping != MAPPING_STRUCTURED;
    omp->keeps_freed = !omp->on_device && !omp->module->is_gpu;
    if (omp->keeps_freed)
        memory_keep_freed();
    if (spec->run.mapping != MAPPING_UNSTRUCTURED)
        return STATUS_OK;
    const size_t N = array_length(&omp->base);
    const bool four = schedule_has_four_kernels(spec->run.schedule);
    regions_begin(&omp->base);
    if (spec->run.user_kernels && four && user_kernels_enter(&spec->mesh, arrays, &missing))
        omp->entered_by_user = true;
    else if (four)
        omp->module->enter_classic(N, omp->U, omp->AU, omp->RES, omp->RHS);
    else if (spec->run.method == METHOD_JACOBI)
        omp->module->enter_fused(N, omp->U, omp->U_next, omp->RHS);
    if (spec->run.method == METHOD_CHEBYSHEV)
        omp->module->enter_array(N, omp->U_next);
    if (omp->checkpoint)
        omp->module->enter_array(N, omp->checkpoint);
    if (spec->run.method == METHOD_CHEBYSHEV && !schedule_has_four_kernels(spec->run.schedule)) {
        omp->module->enter_array(N, omp->U);
        omp->module->enter_array(N, omp->RHS);
    }
    tracer_set(NULL);
    return missing ? error_set(error, STATUS_DEVICE_FAILED,
                               "enter leaves %s on the host: no target enter data maps it", missing)
                   : STATUS_OK;
}

static enum status omp_read(struct engine *engine, double *U, struct error *error) {
    const size_t N = mesh_unknowns(&engine->spec.mesh);
    struct omp_engine *omp = (struct omp_engine *)engine;
    if (engine->spec.run.mapping == MAPPING_UNSTRUCTURED) {
        regions_begin(engine);
        omp->module->update_from(N, omp->U);
        tracer_set(NULL);
    }
    memcpy(U, omp->U, N * sizeof *U);
    return STATUS_OK;
}

/* Also closes an engine that was opened only in part. */
static void omp_close(struct engine *engine) {
    const size_t N = array_length(engine);
    struct omp_engine *omp = regions_begin(engine);
    const bool unified = engine->spec.run.mapping == MAPPING_UNIFIED;
    double *const mapped[ARRAY_COUNT] = {
        [ARRAY_U] = omp->U, [ARRAY_AU] = omp->AU, [ARRAY_RES] = omp->RES, [ARRAY_RHS] = omp->RHS};
    if (!unified && omp->on_device &&
        !(omp->entered_by_user && user_kernels_leave(&engine->spec.mesh, mapped))) {
        if (schedule_has_four_kernels(engine->spec.run.schedule))
            omp->module->exit_classic(N, omp->U, omp->AU, omp->RES, omp->RHS);
        else /* one array after the other, or together: it comes to the same */
            omp->module->exit_fused(N, omp->U, omp->U_next, omp->RHS);
        if (engine->spec.run.method == METHOD_CHEBYSHEV &&
            schedule_has_four_kernels(engine->spec.run.schedule))
            omp->module->exit_array(N, omp->U_next);
        if (omp->checkpoint)
            omp->module->exit_array(N, omp->checkpoint);
    }
    if (omp->scratch)
        omp->module->close_scratch(omp->scratch);
    if (omp->window)
        omp->module->close_window(omp->window);
    double *const arrays[] = {omp->U, omp->RHS, omp->AU, omp->RES, omp->U_next, omp->checkpoint};
    for (size_t a = 0; a < sizeof arrays / sizeof *arrays; a++)
        free_array(omp, arrays[a]);
    tracer_set(NULL);
    batch_close(&omp->batch);
    if (omp->keeps_freed)
        memory_release_freed();
    free(omp);
}

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

/* A GPU alone has teams to choose; the host device's regions leave them to the runtime. */
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

static const struct engine_ops omp_ops = {
    .retune = omp_retune,
    .laplacian = omp_laplacian,
    .boundary = omp_boundary,
    .update = omp_update,
    .sweep = omp_sweep,
    .restriction = omp_restriction,
    .prolongation = omp_prolongation,
    .norm = omp_norm,
    .pass = omp_pass,
    .accept = omp_accept,
    .downsample = omp_downsample,
    .read = omp_read,
    .close = omp_close,
};

/* ---- a slab ------------------------------------------------------------------------------- */

static double *row_at(const struct omp_engine *omp, int row) {
    return omp->U + (size_t)row * (size_t)omp->base.spec.mesh.Nx;
}

static size_t row_length(const struct engine *engine, int rows) {
    return (size_t)rows * (size_t)engine->spec.mesh.Nx;
}

static enum status check_copy(bool copied, const struct engine *engine, struct error *error) {
    return copied ? STATUS_OK
                  : error_set(error, STATUS_DEVICE_FAILED, "device %d: rows can't be copied",
                              engine->spec.run.device);
}

static enum status save_checkpoint(struct engine *engine, struct error *error) {
    struct omp_engine *omp = (struct omp_engine *)engine;
    const int device = engine->spec.run.device;
    double *begun = omp->U_next;
    if (engine->spec.run.schedule.kind == SCHEDULE_CLASSIC)
        return check_copy(omp->module->copy(mesh_unknowns(&engine->spec.mesh), omp->checkpoint,
                                            device, omp->U, device),
                          engine, error);
    omp->U_next = omp->checkpoint;
    omp->checkpoint = begun;
    return STATUS_OK;
}

static void omp_restore(struct engine *engine) {
    struct omp_engine *omp = (struct omp_engine *)engine;
    double *begun = omp->checkpoint;
    omp->checkpoint = omp->U;
    omp->U = begun;
}

static enum status omp_get(struct engine *engine, int row, int count, double *to,
                           struct error *error) {
    struct omp_engine *omp = regions_begin(engine);
    omp->module->update_from(row_length(engine, count), row_at(omp, row));
    tracer_set(NULL);
    memcpy(to, row_at(omp, row), row_length(engine, count) * sizeof *to);
    return STATUS_OK;
}

static enum status omp_put(struct engine *engine, int row, int count, const double *from,
                           struct error *error) {
    struct omp_engine *omp = regions_begin(engine);
    memcpy(row_at(omp, row), from, row_length(engine, count) * sizeof *from);
    omp->module->update_to(row_length(engine, count), row_at(omp, row));
    tracer_set(NULL);
    return STATUS_OK;
}

static enum status omp_pull(struct engine *engine, int row, int count, const struct engine *from,
                            int from_row, struct error *error) {
    struct omp_engine *omp = (struct omp_engine *)engine;
    const struct omp_engine *other = (const struct omp_engine *)from;
    const size_t length = row_length(engine, count);
    const int64_t start = clock_now_ns();
    const bool copied = omp->module->copy(length, row_at(omp, row), engine->spec.run.device,
                                          row_at(other, from_row), from->spec.run.device);
    if (!engine->spec.without_events)
        event_log_add(engine->events, EVENT_HALO, ARRAY_U, CLOCK_HOST, start,
                      clock_now_ns() - start, length * sizeof(double));
    return check_copy(copied, engine, error);
}

/* Classic changes U in place. */
static const struct slab_ops slab_ops[] = {
    {batch_begin, true, batch_boundary_rows, batch_interior_rows, batch_end, omp_restore, omp_get,
     omp_put, omp_pull, NULL},
    {batch_begin, false, batch_boundary_rows, batch_interior_rows, batch_end, omp_restore, omp_get,
     omp_put, omp_pull, NULL},
};

/* ---- opening ------------------------------------------------------------------------------ */

enum status omp_engine_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error) {
    struct offload offload;
    struct engine_spec chosen = *spec;
    const struct mesh *mesh = &chosen.mesh;
    const struct mesh problem = engine_spec_problem_mesh(spec);
    enum status status = offload_load(&offload, error);
    if (status)
        return status;
    struct omp_engine *omp = calloc(1, sizeof *omp);
    if (chosen.run.mapping != MAPPING_STRUCTURED || !offload.module->alloc_pinned)
        chosen.run.host_memory = HOST_PAGEABLE;
    if (omp) {
        omp->base = (struct engine){.ops = &omp_ops, .spec = chosen, .events = events};
        engine_set_method(&omp->base);
        omp->module = offload.module;
        omp->phases = chosen.run.schedule.kind == SCHEDULE_PLAIN
                          ? &offload.module->plain[chosen.run.mapping]
                          : &offload.module->phases[chosen.run.mapping];
        if (chosen.run.user_kernels) {
            omp->user = *omp->phases;
            user_kernels_replace(&omp->user);
            omp->phases = &omp->user;
        }
        omp->methods = offload.module->methods[chosen.run.mapping];
        omp->base.slab = &slab_ops[!schedule_has_four_kernels(chosen.run.schedule)];
        omp->base.batch = &omp->batch;
        omp->batch.checkpoint = save_checkpoint;
        omp->tracer =
            (struct ompt_tracer){.log = chosen.without_events ? NULL : events,
                                 .engine = &omp->base,
                                 .is_gpu = offload.module->is_gpu,
                                 .waits = chosen.run.user_kernels && offload.module->is_gpu};
    }
    if (!omp || !arrays_open(omp)) {
        if (omp)
            omp_close(&omp->base);
        return error_set(error, STATUS_INTERNAL, "out of memory for a grid of %d×%d unknowns",
                         mesh->Nx, mesh->Ny);
    }

    omp_retune(&omp->base, &(struct tuning){0}, NULL);

    /* As much as the largest kernel, or the whole run, holds on the device at a time. */
    const size_t checkpoint = chosen.slab.problem_Ny > 0 ? mesh_unknowns(mesh) : 0;
    const size_t bytes = sizeof(double) * (engine_numbers(&chosen) + checkpoint);
    omp->module->choose(chosen.run.device);
    if (chosen.run.mapping != MAPPING_UNIFIED && !omp->module->has_free_memory(bytes)) {
        char size[32];
        omp_close(&omp->base);
        return error_set(error, STATUS_DEVICE_FAILED,
                         "device %d: not enough free memory (a grid of %d×%d unknowns needs %s)",
                         chosen.run.device, mesh->Nx, mesh->Ny,
                         format_bytes(size, sizeof size, (double)bytes));
    }

    for (int j = 0; j < mesh->Ny; j++) {
        const size_t row = (size_t)j * (size_t)mesh->Nx;
        chosen.problem->fill_row(&problem, chosen.slab.first + j, omp->U + row, omp->RHS + row);
    }
    status = arrays_enter(omp, error);
    if (status) {
        omp_close(&omp->base);
        return status;
    }
    if (omp->module->measure_clock && !chosen.without_events && !chosen.run.user_kernels) {
        omp->module->measure_clock(&omp->clock);
        events->clock_step_ns = omp->clock.step_ns;
    }
    *engine = &omp->base;
    return STATUS_OK;
}
