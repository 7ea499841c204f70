#include "session/computed_lane.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "kernels/backends.h"
#include "mpi/world.h"
#include "session/ranks.h"
#include "solver/tuner.h"

enum { RESIDUALS_AT_ONCE = 1024 };

/* Whether there is memory for a copy of `bytes`, and for U's rows that other ranks, perhaps on this
 * host, read into arrays of their own. */
static bool has_room(const struct mesh *mesh, size_t bytes) {
    return bytes + (ranks_are_led() ? mesh_unknowns(mesh) * sizeof(double) : 0) < memory_usable();
}

/* Finds the first value of U that is not finite, for the error message. */
static void locate_divergence(struct computed_lane *lane) {
    const struct mesh *mesh = &lane->base.mesh;
    const size_t N = mesh_unknowns(mesh);
    struct error *error = &lane->base.error;
    double *U = has_room(mesh, N * sizeof *U) ? malloc(N * sizeof *U) : NULL;
    error_set(error, STATUS_DIVERGED, "the solution diverged in iteration %ld",
              lane->base.iterations);
    if (U && lane->engine->ops->read(lane->engine, U, NULL) == STATUS_OK)
        for (size_t id = 0; id < N; id++)
            if (!isfinite(U[id])) {
                error_set(error, STATUS_DIVERGED,
                          "the solution diverged in iteration %ld: U(%zu, %zu) is %f",
                          lane->base.iterations, id % (size_t)mesh->Nx, id / (size_t)mesh->Nx,
                          U[id]);
                break;
            }
    free(U);
}

static enum status computed_lane_advance(struct lane *base, long count) {
    struct computed_lane *lane = (struct computed_lane *)base;
    const struct lane_spec *spec = &lane->spec;
    double residuals[RESIDUALS_AT_ONCE];
    const long at_once = RESIDUALS_AT_ONCE - RESIDUALS_AT_ONCE % base->pass;
    while (count > 0 && base->state == LANE_RUNNING) {
        long batch = spec->iterations - base->iterations, done = 0;
        batch = batch < count ? batch : count;
        batch = batch < at_once ? batch : at_once;
        const int64_t start = clock_now_ns();
        const enum status status =
            engine_advance(lane->engine, batch, lane->limit, residuals, &done, &base->error);
        base->seconds += lane_awake_seconds(base, done, 1e-9 * (double)(clock_now_ns() - start));
        for (long k = 0; k < done; k++)
            history_add(&lane->known.history, base->iterations + k, residuals[k]);
        base->iterations += done;
        if (done > 0)
            lane->known.residual = residuals[done - 1];
        if (!isfinite(lane->known.residual)) {
            base->state = LANE_FAILED;
            locate_divergence(lane);
        } else if (!(lane->known.residual > lane->limit)) {
            base->state = LANE_CONVERGED;
        } else if (base->iterations >= spec->iterations) {
            base->state = LANE_LIMIT_REACHED;
        }
        if (status)
            base->state = LANE_FAILED;
        if (done == 0)
            break;
        count -= done;
    }
    return base->state == LANE_FAILED ? base->error.status : STATUS_OK;
}

/* Ends the lane if `status` is a failure; returns it. */
static enum status end_by(struct lane *base, enum status status) {
    if (status)
        base->state = LANE_FAILED;
    return status;
}

enum status computed_lane_downsample(struct computed_lane *lane, int level,
                                     const struct downsample *downsample, float *cells,
                                     struct error *error) {
    const int64_t start = clock_now_ns();
    const enum status status = engine_downsample(lane->engine, level, downsample, cells, error);
    lane->known.downsample_seconds += 1e-9 * (double)(clock_now_ns() - start);
    return status;
}

/* Computes the cells of a quantity other than U, from a copy of U followed by RHS. The copy is kept
 * while such fields are requested. STATUS_INTERNAL if out of memory: not the lane's failure. */
static enum status measure_field(struct computed_lane *lane, enum field_kind kind,
                                 const struct downsample *downsample, struct field *field,
                                 struct error *error) {
    const struct problem *problem = lane->spec.engine.problem;
    const struct mesh *mesh = &lane->base.mesh;
    const size_t N = mesh_unknowns(mesh), bytes = 2 * N * sizeof *lane->copy;
    const int64_t start = clock_now_ns();
    if (!lane->copy) {
        if (!has_room(mesh, bytes) || !(lane->copy = malloc(bytes)))
            return STATUS_INTERNAL;
        double *const U = lane->copy, *const RHS = lane->copy + N;
        for (int j = 0; j < mesh->Ny; j++)
            problem_fill_row(problem, mesh, j, U + (size_t)j * (size_t)mesh->Nx,
                             RHS + (size_t)j * (size_t)mesh->Nx);
    }
    event_log_enter(&lane->log, PHASE_DOWNSAMPLE);
    enum status status = lane->engine->ops->read(lane->engine, lane->copy, error);
    if (!status)
        status = field_compute(problem, mesh, lane->copy, lane->copy + N, kind, downsample,
                               field->cells, &field->stats, error);
    lane->known.downsample_seconds += 1e-9 * (double)(clock_now_ns() - start);
    return status;
}

static void fill_field(struct computed_lane *lane, const struct view *view, struct field *field) {
    struct lane *base = &lane->base;
    struct view shown = *view;
    enum status status = STATUS_INTERNAL;
    if (shown.kind == FIELD_ERROR && !lane->spec.engine.problem->exact)
        shown.kind = FIELD_U;
    struct downsample downsample = view_downsample(&shown, &base->mesh);
    if (shown.kind != FIELD_U)
        status = measure_field(lane, shown.kind, &downsample, field, &base->error);
    if (status == STATUS_INTERNAL) { /* U was requested, or is the fallback */
        free(lane->copy);
        lane->copy = NULL;
        shown.kind = FIELD_U;
        downsample = view_downsample(&shown, &base->mesh);
        field->stats = field_stats_none;
        status = computed_lane_downsample(lane, 0, &downsample, field->cells, &base->error);
    }
    if (end_by(base, status))
        return;
    field->kind = shown.kind;
    field->downsample = downsample;
    field->iteration = base->iterations;
    field_measure(field);
}

/* Fills in the corrections of multigrid's coarser levels. */
static void fill_levels(struct computed_lane *lane, struct level_fields *fields) {
    struct lane *base = &lane->base;
    const struct levels *levels = &lane->engine->levels;
    const int coarser = base->iterations > 0 ? levels->count - 1 : 0;
    fields->count = 0;
    fields->iteration = base->iterations;
    for (int k = 0; k < coarser && k < LEVEL_FIELDS && base->state != LANE_FAILED; k++) {
        const struct view whole = {.cols = level_side(k), .rows = level_side(k), .x1 = 1, .y1 = 1};
        const struct downsample downsample = view_downsample(&whole, &levels->mesh[k + 1]);
        struct field *field = &fields->of[k];
        if (end_by(base,
                   computed_lane_downsample(lane, k + 1, &downsample, field->cells, &base->error)))
            return;
        field->downsample = downsample;
        field->iteration = base->iterations;
        field_measure(field);
        fields->count = k + 1;
    }
}

/* Fills in the durations and the last events. */
static void fill_events(const struct event_log *log, struct lane_sample *sample) {
    const struct duration_histogram *iterations = &log->iterations;
    sample->times = (struct iteration_times){
        .count = (long)iterations->count,
        .p05 = 1e-6 * duration_quantile(iterations, 0.05),
        .p25 = 1e-6 * duration_quantile(iterations, 0.25),
        .median = 1e-6 * duration_quantile(iterations, 0.5),
        .p75 = 1e-6 * duration_quantile(iterations, 0.75),
        .p95 = 1e-6 * duration_quantile(iterations, 0.95),
    };
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        const struct duration_histogram *durations = &log->durations[phase];
        sample->durations[phase] = (struct kernel_durations){
            .p05 = duration_quantile(durations, 0.05),
            .median = duration_quantile(durations, 0.5),
            .p95 = duration_quantile(durations, 0.95),
            .warm_up_mean = durations->warm_up_count
                                ? (double)durations->warm_up_ns / durations->warm_up_count
                                : NAN,
        };
    }
    const uint64_t kept = log->count < EVENT_RING ? log->count : EVENT_RING;
    const uint64_t count = kept < SAMPLE_EVENTS ? kept : SAMPLE_EVENTS;
    for (uint64_t k = 0; k < count; k++)
        sample->events[k] = log->ring[(log->count - count + k) % EVENT_RING];
    sample->event_count = (int)count;
    memcpy(sample->usage, log->usage, sizeof sample->usage);
    sample->totals = log->totals;
    sample->typical = log->typical;
    sample->phase = log->phase;
}

/* Reads U in the middle of the grid once the lane has converged. */
static void find_middle(struct computed_lane *lane) {
    struct lane *base = &lane->base;
    const int i = base->mesh.Nx / 2, j = base->mesh.Ny / 2;
    const struct downsample middle = {i, i + 1, j, j + 1, 1, 1};
    float cell = 0;
    if (base->state != LANE_CONVERGED || lane->known.middle_known)
        return;
    lane->known.middle_known =
        !end_by(base, computed_lane_downsample(lane, 0, &middle, &cell, &base->error));
    lane->known.middle = (double)cell;
}

/* Updates the fields that may have changed since the last sample. */
static void update_known(struct computed_lane *lane) {
    const struct event_log *log = &lane->log;
    struct lane_sample *known = &lane->known;
    if (lane->engine->device_stats)
        known->device_stats = *lane->engine->device_stats;
    known->run.tuning = lane->engine->spec.run.tuning;
    known->state = lane->base.state;
    known->error = lane->base.error;
    known->iterations = lane->base.iterations;
    known->seconds = lane->base.seconds;
    known->event_seconds = 1e-9 * ((double)log->count * event_cost_ns() + log->further_cost_ns);
    known->clock_step_ns = log->clock_step_ns;
}

/* Fills in the work since the last sample; unchanged unless an iteration has ended. */
static void fill_window(struct computed_lane *lane, struct lane_sample *sample) {
    const struct lane *base = &lane->base;
    if (base->iterations == 0)
        sample->window_iterations = 0;
    if (base->iterations == lane->window_begins.iterations || base->state == LANE_FAILED)
        return;
    sample->window = event_totals_since(&lane->log.totals, &lane->window_begins.totals);
    sample->window_iterations = base->iterations - lane->window_begins.iterations;
    sample->window_seconds = base->seconds - lane->window_begins.seconds;
    lane->window_begins.totals = lane->log.totals;
    lane->window_begins.iterations = base->iterations;
    lane->window_begins.seconds = base->seconds;
}

static void computed_lane_fill(struct lane *base, const struct view *view,
                               struct lane_sample *sample) {
    struct computed_lane *lane = (struct computed_lane *)base;
    if (view && base->state != LANE_FAILED)
        fill_field(lane, view, &sample->field);
    if (view)
        fill_levels(lane, &sample->levels);
    find_middle(lane);
    update_known(lane);
    memcpy(sample, &lane->known, offsetof(struct lane_sample, totals));
    sample->history = lane->known.history;
    fill_events(&lane->log, sample);
    fill_window(lane, sample);
}

static void computed_lane_measure_solution(struct lane *base) {
    struct computed_lane *lane = (struct computed_lane *)base;
    const struct mesh *mesh = &base->mesh;
    const struct problem *problem = lane->spec.engine.problem;
    const size_t N = mesh_unknowns(mesh), bytes = N * sizeof(double);
    struct solution *solution = &lane->known.solution;
    double *U = base->state != LANE_FAILED && has_room(mesh, bytes) ? alloc_pages(bytes) : NULL;
    if (!U)
        return;
    event_log_enter(&lane->log, PHASE_SETUP);
    if (!end_by(base, lane->engine->ops->read(lane->engine, U, &base->error))) {
        const double middle = U[mesh->Nx / 2 + (size_t)(mesh->Ny / 2) * (size_t)mesh->Nx];
        double min = U[0], max = U[0], sum = 0;
        for (size_t id = 0; id < N; id++) {
            min = U[id] < min ? U[id] : min;
            max = U[id] > max ? U[id] : max;
            sum += U[id] * U[id];
        }
        lane->known.has_solution = isfinite(sum);
        if (lane->known.has_solution)
            *solution =
                (struct solution){min, max, middle, sqrt(sum * mesh->dx * mesh->dy), NAN, NAN};
        if (lane->known.has_solution && problem->exact)
            solution->error = problem_error(problem, mesh, U, &solution->error_max);
    }
    free(U);
}

static struct roof find_roof(const struct computed_lane *lane) {
    return tuner_find_roof(lane->backend, &lane->device, &lane->spec.engine.run);
}

static void computed_lane_probe(struct lane *base) {
    struct computed_lane *lane = (struct computed_lane *)base;
    if (lane->known.roof.origin == ROOF_UNKNOWN)
        lane->known.roof = find_roof(lane); /* another lane may have measured it on this device */
    if (!roof_is_known(&lane->known.roof))
        tuner_measure_roof(lane->backend, &lane->device, &lane->spec.engine.run, &lane->known.roof,
                           NULL);
}

static void computed_lane_close(struct lane *base, struct lane_sample *last) {
    struct computed_lane *lane = (struct computed_lane *)base;
    engine_close(lane->engine);
    free(lane->copy);
    if (last)
        last->totals = lane->log.totals;
    free(lane);
}

static const struct lane_ops computed_lane_ops = {
    .advance = computed_lane_advance,
    .fill = computed_lane_fill,
    .measure_solution = computed_lane_measure_solution,
    .probe = computed_lane_probe,
    .scan_tuning = scan_tuning,
    .close = computed_lane_close,
};

/* Chooses the first back end that can run, and determines its device. */
static enum status choose_backend(struct computed_lane *lane, struct error *error) {
    const struct lane_spec *spec = &lane->spec;
    struct lane_sample *known = &lane->known;
    struct engine_spec mine; /* this process's part */
    struct device_list devices = {0};
    int choice = 0, used[SLABS_MAX], count = 0;
    TRY(lane_spec_choose(spec, &choice, known->fallback_reason, error));
    lane->backend = spec->choices[choice];
    if (choice > 0 && !spec->any_backend)
        snprintf(known->fallback_from, sizeof known->fallback_from, "%s", spec->choices[0]->name);
    else
        known->fallback_reason[0] = '\0';
    if (lane->backend->probe(&devices, error))
        return error_prefix(error, "%s", lane->backend->name);
    TRY(world_cut(lane->backend, &spec->engine, &mine, error));
    TRY(backend_devices(lane->backend, &mine, used, &count, error));
    const struct device *device = device_find(&devices, used[0]);
    if (device)
        lane->device = *device;
    return STATUS_OK;
}

/* Sets the fields that are constant once the engine is open. */
static void describe_run(struct computed_lane *lane) {
    const struct engine *engine = lane->engine;
    const struct lane_spec *spec = &lane->spec;
    const int devices = engine->device_stats ? engine->device_stats->count : 0;
    struct lane_sample *known = &lane->known;
    char several[16] = "", team[32] = "";
    known->nx = lane->base.mesh.Nx;
    known->ny = lane->base.mesh.Ny;
    known->run = engine->spec.run;
    known->run.omega = engine->spec.mesh.omega;
    known->run.devices.count = devices;
    snprintf(known->run.backend, sizeof known->run.backend, "%s", lane->backend->name);
    snprintf(known->title, sizeof known->title, "%s",
             spec->engine.run.user_kernels ? "your kernels" : lane->backend->title);
    if (devices > 1)
        snprintf(several, sizeof several, "%d × ", devices);
    const int threads = engine->spec.run.tuning.threads;
    if (lane->backend->model == MODEL_HOST_LOOPS && spec->engine.run.tuning.threads > 0)
        snprintf(team, sizeof team, ", %d thread%s", threads, threads == 1 ? "" : "s");
    snprintf(known->device, sizeof known->device, "%s%.80s%s", several, lane->device.name, team);
    snprintf(known->architecture, sizeof known->architecture, "%s", lane->device.architecture);
    snprintf(known->driver, sizeof known->driver, "%s", lane->device.driver);
    known->cache_bytes = lane->device.cache_bytes;
    known->roof = find_roof(lane);
    known->depths_tried = engine->depths_tried;
    known->tuning_tried = engine->tuning_tried;
    known->iteration_limit = spec->iterations;
    known->tolerance = spec->tolerance;
    known->measure = spec->measure;
    known->residual = known->initial_residual;
}

enum status computed_lane_open(const struct lane_spec *spec, struct lane **opened,
                               struct error *error) {
    struct computed_lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    struct engine_spec *asked = &lane->spec.engine;
    lane->spec = *spec;
    asked->mesh = run_mesh(&asked->run, asked->mesh.Nx, asked->mesh.Ny);
    asked->run.omega = asked->mesh.omega;
    lane->base = (struct lane){.ops = &computed_lane_ops, .mesh = asked->mesh, .log = &lane->log};
    event_log_reset(&lane->log);
    history_reset(&lane->known.history);
    double *const initial = &lane->known.initial_residual;
    if (choose_backend(lane, error) ||
        problem_initial_residual(asked->problem, &asked->mesh, initial, error) ||
        (ranks_are_led() ? ranks_open : backend_open)(lane->backend, asked, &lane->log,
                                                      &lane->engine, error)) {
        free(lane);
        return error->status;
    }
    const struct schedule *schedule = &lane->engine->spec.run.schedule;
    lane->base.pass =
        schedule->kind == SCHEDULE_BLOCKED && schedule->depth > 0 ? schedule->depth : 1;
    describe_run(lane);
    lane->limit = spec->tolerance > 0
                      ? spec->tolerance / measure_scale(spec->measure, &asked->mesh, *initial)
                      : -1; /* even a residual of 0 doesn't end the run */
    if (!(lane->known.initial_residual > lane->limit))
        lane->base.state = LANE_CONVERGED;
    *opened = &lane->base;
    return STATUS_OK;
}
