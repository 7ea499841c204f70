#include "solver/slabs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"

enum { COPIED_BATCH_MIN = 8 };

static const double batch_seconds = 0.02;

struct slabs_engine;

struct slab_worker {
    struct slabs_engine *slabs;
    int index; /* among the slabs here */
    pthread_t thread;
    struct sequence_counter done;
    struct engine_spec spec;
    struct engine *engine;
    struct event_log *log;
    struct event_totals totals; /* since the start */
    double *sums;               /* its part of the sums of a batch, or of a field */
    struct error error;
};

typedef enum status (*slab_task)(struct slab_worker *worker);

struct slabs_engine {
    struct engine base;
    struct slabs_spec spec;
    struct transport *transport;
    struct device_stats_list device_stats;
    struct slab_worker workers[SLABS_MAX];
    struct sequence_counter jobs;
    long job; /* number of the current job */
    slab_task task;
    atomic_int culprit; /* the first worker that failed, from 1; 0: none */

    int depth;
    double loop_ms; /* time in batches since the start */
    long batch_passes;
    long passes;          /* since the start */
    long iterations;      /* of the batch */
    long first_iteration; /* of the batch */
    bool checkpoint;
    double *sums; /* of the batch, slab by slab */

    const struct downsample *downsample;
    double *U; /* destination of slabs_read */
};

/* ---- the threads ---------------------------------------------------------------------------- */

static void run_task(struct slab_worker *worker) {
    struct slabs_engine *slabs = worker->slabs;
    int nobody = 0;
    worker->error = (struct error){0};
    if (!slabs->task(worker))
        return;
    atomic_compare_exchange_strong(&slabs->culprit, &nobody, worker->index + 1);
    if (slabs->transport && slabs->transport->ops->abort)
        slabs->transport->ops->abort(slabs->transport);
}

static void *work(void *argument) {
    struct slab_worker *worker = argument;
    for (long job = 1;; job++) {
        sequence_counter_wait(&worker->slabs->jobs, job);
        if (!worker->slabs->task)
            return NULL;
        run_task(worker);
        sequence_counter_raise(&worker->done, job);
    }
}

/* Runs the task for every slab here at the same time, the first in the calling thread. Reports the
 * failure of the slab that failed first. */
static enum status run_on_all(struct slabs_engine *slabs, slab_task task, struct error *error) {
    slabs->task = task;
    atomic_store(&slabs->culprit, 0);
    sequence_counter_raise(&slabs->jobs, ++slabs->job);
    run_task(&slabs->workers[0]);
    for (int w = 1; w < slabs->spec.count; w++)
        sequence_counter_wait(&slabs->workers[w].done, slabs->job);
    const int culprit = atomic_load(&slabs->culprit);
    if (!culprit)
        return STATUS_OK;
    const struct slab_worker *worker = &slabs->workers[culprit - 1];
    if (slabs->spec.total == 1)
        return error_set(error, worker->error.status, "%s", worker->error.message);
    return error_set(error, worker->error.status, "slab %d, device %d: %s",
                     slabs->spec.first + worker->index, worker->spec.run.device,
                     worker->error.message);
}

/* ---- a batch -------------------------------------------------------------------------------- */

static enum status run_slab_batch(struct slab_worker *worker) {
    struct slabs_engine *slabs = worker->slabs;
    struct engine *engine = worker->engine;
    const struct slab_ops *ops = engine->slab;
    const struct transport_ops *transport = slabs->transport->ops;
    struct error *error = &worker->error;
    TRY(ops->begin(engine, slabs->checkpoint, error));
    for (long made = 0; made < slabs->iterations; made += slabs->depth) {
        const long left = slabs->iterations - made;
        const int depth = (int)(left < slabs->depth ? left : slabs->depth);
        worker->log->iteration = slabs->first_iteration + made;
        worker->log->is_shallow = depth < slabs->depth;
        TRY(ops->boundary_rows(engine, depth, error));
        TRY(transport->begin(slabs->transport, worker->index, error));
        TRY(ops->interior_rows(engine, depth, error));
        TRY(transport->finish(slabs->transport, worker->index, error));
    }
    worker->log->is_shallow = false;
    return ops->end(engine, worker->sums, error);
}

static enum status restore_slab(struct slab_worker *worker) {
    event_log_discard(worker->log);
    worker->engine->slab->restore(worker->engine);
    return STATUS_OK;
}

/* Beyond DEVICE_STATS_MAX slabs, the last entry is shared. */
static struct device_stats *stats_of(struct slabs_engine *slabs, int w) {
    const int rank = slabs->spec.first + w;
    return &slabs->device_stats.device[rank < DEVICE_STATS_MAX ? rank : DEVICE_STATS_MAX - 1];
}

static double ms_in_loop(const struct event_totals *totals, enum event_kind kind) {
    const struct event_stats stats = event_totals_loop(totals, kind);
    return 1e-6 * event_stats_total_ns(&stats);
}

/* Collects the measurements since the last call. */
static void gather_events(struct slabs_engine *slabs) {
    struct event_log *logs[SLABS_MAX];
    for (int w = 0; w < slabs->spec.count; w++) {
        struct slab_worker *worker = &slabs->workers[w];
        struct device_stats *stats = stats_of(slabs, w);
        logs[w] = worker->log;
        event_totals_add(&worker->totals, &worker->log->totals);
        stats->kernel_ms = ms_in_loop(&worker->totals, EVENT_KERNEL);
        stats->halo_ms = ms_in_loop(&worker->totals, EVENT_HALO);
        const double left = slabs->loop_ms - stats->kernel_ms; /* may be NaN */
        stats->wait_ms = !slabs->transport || !slabs->transport->waits_on_device
                             ? ms_in_loop(&worker->totals, EVENT_WAIT)
                         : left < 0 ? 0
                                    : left;
        slabs->device_stats.halo_bytes += event_totals_loop(&worker->log->totals, EVENT_HALO).bytes;
    }
    event_log_gather(slabs->base.events, logs, slabs->spec.count);
}

/* Sets sums[k] to the sum over all slabs. */
static enum status add_sums(struct slabs_engine *slabs, long count, double *sums,
                            struct error *error) {
    if (slabs->transport->ops->add)
        return slabs->transport->ops->add(slabs->transport, count, sums, error);
    for (int s = 1; s < slabs->spec.count; s++)
        for (long k = 0; k < count; k++)
            sums[k] += sums[s * count + k];
    return STATUS_OK;
}

static enum status run_iterations(struct slabs_engine *slabs, long iterations,
                                  struct error *error) {
    slabs->iterations = iterations;
    for (int w = 0; w < slabs->spec.count; w++)
        slabs->workers[w].sums = slabs->sums + w * iterations;
    TRY(run_on_all(slabs, run_slab_batch, error));
    return add_sums(slabs, iterations, slabs->sums, error);
}

/* Makes `iterations` iterations, or fewer if one of them reaches the tolerance. */
static enum status make_batch(struct slabs_engine *slabs, long iterations, double tolerance,
                              double *residuals, long *made, struct error *error) {
    slabs->first_iteration = slabs->base.events->iteration;
    slabs->checkpoint = iterations > 1;
    TRY(run_iterations(slabs, iterations, error));
    for (*made = 0; *made < iterations;) {
        residuals[*made] = mesh_residual(&slabs->base.spec.mesh, slabs->sums[*made]);
        if (!(residuals[(*made)++] > tolerance))
            break;
    }
    if (*made == iterations)
        return STATUS_OK;
    TRY(run_on_all(slabs, restore_slab, error));
    return run_iterations(slabs, *made, error);
}

/* Returns the number of passes that fit into a batch's time. */
static long passes_for(const struct slabs_engine *slabs, double seconds) {
    const double fit = batch_seconds / seconds;
    const bool copies = slabs->workers[0].engine->slab->checkpoints_by_copy;
    if (fit < (copies ? COPIED_BATCH_MIN : 1))
        return 1;
    return fit < SLAB_BATCH_MAX ? (long)fit : SLAB_BATCH_MAX;
}

static enum status slabs_advance(struct engine *engine, long count, double tolerance,
                                 double *residuals, long *done, struct error *error) {
    struct slabs_engine *slabs = (struct slabs_engine *)engine;
    event_log_enter(engine->events, schedule_first_phase(engine->spec.run.schedule));
    enum status status = STATUS_OK;
    while (*done < count && !status) {
        const int64_t start = clock_now_ns();
        const long left = count - *done, needed = (left + slabs->depth - 1) / slabs->depth;
        long passes = needed < slabs->batch_passes ? needed : slabs->batch_passes, made = 0;
        if (engine->spec.run.precision == PRECISION_MIXED) { /* refined between batches */
            const long every =
                (refine_every(engine->spec.run.schedule) + slabs->depth - 1) / slabs->depth;
            const long until = every - slabs->passes % every;
            passes = passes < until ? passes : until;
        }
        passes = engine_spec_stops(&engine->spec) ? 0 : passes;
        if (slabs->transport->ops->broadcast)
            status = slabs->transport->ops->broadcast(slabs->transport, &passes, error);
        if (status || passes == 0)
            break;
        const long whole = passes * slabs->depth;
        status = make_batch(slabs, whole < left ? whole : left, tolerance, residuals + *done, &made,
                            error);
        const double seconds = 1e-9 * (double)(clock_now_ns() - start);
        slabs->loop_ms += 1e3 * seconds;
        gather_events(slabs);
        if (status)
            break;
        slabs->batch_passes = passes_for(slabs, seconds / (double)passes);
        *done += made;
        slabs->passes += (made + slabs->depth - 1) / slabs->depth;
        event_log_add_iterations(engine->events, made, (int64_t)(1e9 * seconds));
        if (!(residuals[*done - 1] > tolerance))
            break;
    }
    return status;
}

/* ---- U's cells ------------------------------------------------------------------------------ */

static enum status reduce_slab(struct slab_worker *worker) {
    return worker->engine->ops->downsample(worker->engine, worker->slabs->downsample, worker->sums,
                                           &worker->error);
}

/* The sum of a cell in several slabs is the sum of their contributions. */
static enum status slabs_downsample(struct engine *engine, const struct downsample *downsample,
                                    double *sums, struct error *error) {
    struct slabs_engine *slabs = (struct slabs_engine *)engine;
    const long count = (long)downsample->cols * downsample->rows;
    double *all = calloc((size_t)(count * slabs->spec.count), sizeof *all);
    if (!all)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    slabs->downsample = downsample;
    for (int w = 0; w < slabs->spec.count; w++)
        slabs->workers[w].sums = all + w * count;
    enum status status = run_on_all(slabs, reduce_slab, error);
    if (!status)
        status = add_sums(slabs, count, all, error);
    if (!status)
        memcpy(sums, all, (size_t)count * sizeof *sums);
    free(all);
    gather_events(slabs);
    return status;
}

static enum status read_slab(struct slab_worker *worker) {
    const struct engine_spec *spec = &worker->spec;
    const struct slab_ops *ops = worker->engine->slab;
    const int rows = spec->mesh.Ny - spec->slab.below - spec->slab.above;
    const size_t first = (size_t)(spec->slab.first + spec->slab.below) * (size_t)spec->mesh.Nx;
    worker->log->phase = worker->slabs->base.events->phase;
    return (ops->read ? ops->read : ops->get)(worker->engine, spec->slab.below, rows,
                                              worker->slabs->U + first, &worker->error);
}

static enum status slabs_read(struct engine *engine, double *U, struct error *error) {
    struct slabs_engine *slabs = (struct slabs_engine *)engine;
    slabs->U = U;
    const enum status status = run_on_all(slabs, read_slab, error);
    gather_events(slabs);
    if (status || !slabs->transport->ops->gather)
        return status;
    return slabs->transport->ops->gather(slabs->transport, U, error);
}

/* ---- opening and closing -------------------------------------------------------------------- */

static enum status close_slab(struct slab_worker *worker) {
    event_log_enter(worker->log, PHASE_SETUP);
    engine_close(worker->engine);
    worker->engine = NULL;
    return STATUS_OK;
}

static void slabs_close(struct engine *engine) {
    struct slabs_engine *slabs = (struct slabs_engine *)engine;
    if (slabs->transport)
        slabs->transport->ops->close(slabs->transport);
    slabs->transport = NULL;
    if (slabs->spec.count > 0) {
        run_on_all(slabs, close_slab, NULL);
        gather_events(slabs);
    }
    slabs->task = NULL;
    sequence_counter_raise(&slabs->jobs, ++slabs->job);
    for (int w = 0; w < slabs->spec.count; w++) {
        if (w > 0)
            pthread_join(slabs->workers[w].thread, NULL);
        sequence_counter_finish(&slabs->workers[w].done);
        free(slabs->workers[w].log);
    }
    sequence_counter_finish(&slabs->jobs);
    free(slabs->sums);
    free(slabs);
}

static const struct engine_ops slabs_ops = {
    .advance = slabs_advance,
    .downsample = slabs_downsample,
    .read = slabs_read,
    .close = slabs_close,
};

enum status slab_cut(const struct backend *backend, const struct engine_spec *spec, int rank,
                     int total, int device, struct engine_spec *slab, struct error *error) {
    const int Ny = spec->mesh.Ny, depth = slab_depth(spec) > 0 ? slab_depth(spec) : 1;
    const int from = (int)((long)Ny * rank / total), to = (int)((long)Ny * (rank + 1) / total);
    if (!backend->transport)
        return error_set(error, STATUS_UNAVAILABLE, "%s can't run on several devices",
                         backend->name);
    if (spec->run.method != METHOD_JACOBI)
        return error_set(error, STATUS_BAD_INPUT, "%s runs on one device only",
                         method_names[spec->run.method]);
    if (spec->run.user_kernels)
        return error_set(error, STATUS_UNAVAILABLE, "kernels of your own run on one device");
    if (backend_has_mappings(backend) && spec->run.mapping != MAPPING_UNSTRUCTURED)
        return error_set(error, STATUS_UNAVAILABLE, "several devices need --mapping unstructured");
    if (spec->run.schedule.kind == SCHEDULE_PLAIN)
        return error_set(
            error, STATUS_UNAVAILABLE,
            "schedule 'plain' runs on one device: several need classic, fused or blocked");
    if (total > 1 && Ny / total < depth)
        return error_set(error, STATUS_BAD_INPUT,
                         "%d rows are too few for %d slabs: each needs %d, as many as its "
                         "neighbours' halo rows; at most %d slabs",
                         Ny, total, depth, Ny / depth > 1 ? Ny / depth : 1);
    *slab = *spec;
    slab->run.device = device;
    slab->run.devices = (struct device_choice){0};
    slab->on_filling = NULL; /* each slab fills only a part */
    slab->slab = (struct slab){
        .problem_Ny = Ny,
        .below = rank > 0 ? depth : 0,
        .above = rank + 1 < total ? depth : 0,
        .local_rank = rank,
        .local_size = total,
    };
    slab->slab.first = from - slab->slab.below;
    slab->mesh.Ny = to - from + slab->slab.below + slab->slab.above;
    return STATUS_OK;
}

enum status slabs_choose_depth(const struct backend *backend, const struct engine_spec *slab,
                               struct engine_spec *problem, uint64_t *tried, struct error *error) {
    struct engine *engine = NULL;
    if (slab_depth(problem) > 0)
        return STATUS_OK;
    struct event_log *log = calloc(1, sizeof *log);
    if (!log)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = backend->open(slab, log, &engine, error);
    if (!status) {
        problem->run.schedule.depth = engine->spec.run.schedule.depth;
        *tried = engine->depths_tried;
    }
    engine_close(engine);
    free(log);
    return status;
}

static enum status open_slab(struct slab_worker *worker) {
    return worker->slabs->spec.backend->open(&worker->spec, worker->log, &worker->engine,
                                             &worker->error);
}

static void forward_phase(void *context, enum phase phase) {
    event_log_enter(context, phase);
}

/* Starts a thread for each slab but the first; sets `spec.count` to the slabs that are ready. */
static enum status prepare_workers(struct slabs_engine *slabs, int count, struct error *error) {
    for (int w = 0; w < count; w++) {
        struct slab_worker *worker = &slabs->workers[w];
        *worker = (struct slab_worker){.slabs = slabs, .index = w, .spec = slabs->spec.slabs[w]};
        worker->log = calloc(1, sizeof *worker->log);
        if (!worker->log)
            return error_set(error, STATUS_INTERNAL, "out of memory");
        event_log_reset(worker->log);
        sequence_counter_init(&worker->done);
        if (w == 0) {
            worker->log->on_phase = forward_phase;
            worker->log->on_phase_context = slabs->base.events;
        } else if (thread_start(&worker->thread, work, worker) != 0) {
            sequence_counter_finish(&worker->done);
            free(worker->log);
            return error_set(error, STATUS_INTERNAL, "a thread for slab %d can't be started", w);
        }
        slabs->spec.count = w + 1;
    }
    return STATUS_OK;
}

static enum status connect_slabs(struct slabs_engine *slabs, struct error *error) {
    struct engine *engines[SLABS_MAX];
    struct device_list list = {0};
    const struct slabs_spec *spec = &slabs->spec;
    spec->backend->probe(&list, NULL);
    slabs->device_stats.count = spec->total < DEVICE_STATS_MAX ? spec->total : DEVICE_STATS_MAX;
    for (int w = 0; w < spec->count; w++) {
        struct slab_worker *worker = &slabs->workers[w];
        engines[w] = worker->engine;
        struct device_stats *stats = stats_of(slabs, w);
        *stats = (struct device_stats){.rank = spec->first + w,
                                       .device_index = worker->spec.run.device,
                                       .rows = worker->spec.mesh.Ny - worker->spec.slab.below -
                                               worker->spec.slab.above,
                                       .kernel_ms = NAN,
                                       .halo_ms = NAN,
                                       .wait_ms = NAN};
        const struct device *device = device_find(&list, worker->spec.run.device);
        if (device) {
            snprintf(stats->device, sizeof stats->device, "%s", device->name);
            snprintf(stats->bus_id, sizeof stats->bus_id, "%s", device->bus_id);
        }
    }
    const transport_opener connect = spec->connect            ? spec->connect
                                     : spec->backend->connect ? spec->backend->connect
                                                              : transport_open_shared;
    TRY(connect(spec, engines, &slabs->transport, error));
    snprintf(slabs->device_stats.transport, sizeof slabs->device_stats.transport, "%s",
             slabs->transport->name);
    return STATUS_OK;
}

enum status slabs_open(const struct slabs_spec *spec, const struct engine_spec *problem,
                       struct event_log *events, struct engine **engine, struct error *error) {
    struct slabs_engine *slabs = calloc(1, sizeof *slabs);
    if (!slabs)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    slabs->base = (struct engine){.ops = &slabs_ops, .spec = *problem, .events = events};
    slabs->spec = *spec;
    slabs->spec.count = 0;
    slabs->batch_passes = 1;
    sequence_counter_init(&slabs->jobs);
    slabs->sums =
        calloc((size_t)(SLAB_BATCH_MAX * spec->count) * SCHEDULE_MAX_DEPTH, sizeof *slabs->sums);
    enum status status = slabs->sums ? prepare_workers(slabs, spec->count, error)
                                     : error_set(error, STATUS_INTERNAL, "out of memory");
    if (!status)
        status = run_on_all(slabs, open_slab, error);
    if (!status)
        status = connect_slabs(slabs, error);
    if (status) {
        slabs_close(&slabs->base);
        return status;
    }
    const struct engine_spec *runs = &slabs->workers[0].engine->spec;
    slabs->base.spec.run.schedule = runs->run.schedule;
    slabs->base.spec.run.host_memory = runs->run.host_memory;
    slabs->base.spec.run.mapping = runs->run.mapping;
    slabs->base.spec.run.tuning = runs->run.tuning;
    slabs->base.tuning_tried = slabs->workers[0].engine->tuning_tried;
    slabs->depth = slab_depth(runs);
    slabs->base.device_stats = &slabs->device_stats;
    gather_events(slabs);
    *engine = &slabs->base;
    return STATUS_OK;
}
