#include "mpi/transport.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/limits.h"
#include "core/process.h"
#include "core/system.h"
#include "mpi/world.h"

/* The names of messages between devices' memories: not those of staged ones, which must not get
 * what a trial has left. */
enum { DIRECT_WAYS = 2 };

struct mpi_side {
    struct mpi_halo *staged;               /* NULL: there is no neighbour */
    struct mpi_halo *directs[SLAB_FIELDS]; /* between the devices' memories, of each field */
    int own, ghosts, rows;                 /* as transport_rows has them */
    double *out, *in;                      /* of `staged` */
};

struct mpi_transport {
    struct transport base;
    struct engine *engine; /* of the slab here */
    struct mpi_group *group;
    int rank, total;
    bool queues;              /* the slab's copies are enqueued, and the device waits for them */
    bool is_direct;           /* rows travel between the devices' memories */
    struct mpi_side sides[2]; /* towards lower rows, and towards higher ones */
    double *all;              /* of `add`: every rank's sums */
    size_t room;
};

/* ---- agreement ------------------------------------------------------------------------------ */

enum status mpi_agree(struct mpi_group *group, struct error *error) {
    struct {
        struct error error;
        char host[MPI_HOST_SIZE];
    } first = {.error = *error};
    int rank = -1;
    memcpy(first.host, world_place()->mpi.host, sizeof first.host);
    const int code = world_mpi()->take_first(group, error->status != STATUS_OK, &first,
                                             (int)sizeof first, &rank);
    if (code || rank < 0)
        return world_error(code, "MPI, agreeing on a status", error);
    return error_set(error, first.error.status, "rank %d on %s: %.400s", rank, first.host,
                     first.error.message);
}

void mpi_give_up(struct mpi_group *group, const struct error *why) {
    struct error error = *why;
    mpi_agree(group, &error);
}

/* ---- halos ---------------------------------------------------------------------------------- */

static void note_event(const struct engine *engine, enum event_kind kind, int64_t start,
                       uint64_t bytes) {
    if (!engine->spec.without_events)
        event_log_add(engine->events, kind, ARRAY_U, CLOCK_HOST, start, clock_now_ns() - start,
                      bytes);
}

/* That of the newest iterate; NULL if there is no neighbour. */
static struct mpi_halo *halo_of(const struct mpi_transport *mpi, int s) {
    const struct mpi_side *side = &mpi->sides[s];
    return mpi->is_direct ? side->directs[mpi->engine->slab->stage->newest(mpi->engine)]
                          : side->staged;
}

static enum status mpi_begin(struct transport *transport, int slab, struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    struct engine *engine = mpi->engine;
    enum status status = STATUS_OK;
    for (int s = 0; s < 2 && !status && !mpi->is_direct; s++) {
        struct mpi_side *side = &mpi->sides[s];
        if (!side->staged)
            continue;
        const int64_t start = clock_now_ns();
        if (mpi->queues) {
            status =
                engine->slab->stage->stage_out(engine, side->own, side->rows, side->out, error);
            continue;
        }
        status = engine->slab->get(engine, side->own, side->rows, side->out, error);
        if (!status)
            status = world_error(world_mpi()->halo_start(side->staged), "MPI, sending rows", error);
        note_event(engine, EVENT_HALO, start, 0); /* bytes count where they come */
    }
    return status;
}

/* The rows that were made, or fetched to the host's memory, are sent at once, while the device
 * computes the others. What comes for the device's memory is there before the next pass is
 * enqueued. */
static enum status finish_queued(struct mpi_transport *mpi, struct error *error) {
    struct engine *engine = mpi->engine;
    enum status status = engine->slab->stage->stage_wait(engine, error);
    const int64_t start = clock_now_ns();
    for (int s = 0; s < 2 && !status; s++)
        if (mpi->sides[s].staged)
            status =
                world_error(world_mpi()->halo_start(halo_of(mpi, s)), "MPI, sending rows", error);
    uint64_t bytes = 0;
    for (int s = 0; s < 2 && !status; s++) {
        const struct mpi_side *side = &mpi->sides[s];
        if (!side->staged)
            continue;
        status =
            world_error(world_mpi()->halo_wait(halo_of(mpi, s)), "MPI, waiting for rows", error);
        if (!status && !mpi->is_direct)
            status =
                engine->slab->stage->stage_in(engine, side->ghosts, side->rows, side->in, error);
        bytes += (uint64_t)side->rows * (uint64_t)engine->spec.mesh.Nx * sizeof(double);
    }
    note_event(engine, EVENT_HALO, start, bytes);
    return status;
}

static enum status mpi_finish(struct transport *transport, int slab, struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    struct engine *engine = mpi->engine;
    const size_t row_bytes = (size_t)engine->spec.mesh.Nx * sizeof(double);
    enum status status = STATUS_OK;
    if (mpi->queues)
        return finish_queued(mpi, error);
    for (int s = 0; s < 2 && !status; s++) {
        struct mpi_side *side = &mpi->sides[s];
        if (!side->staged)
            continue;
        int64_t start = clock_now_ns();
        status = world_error(world_mpi()->halo_wait(side->staged), "MPI, waiting for rows", error);
        note_event(engine, EVENT_WAIT, start, 0);
        start = clock_now_ns();
        if (!status)
            status = engine->slab->put(engine, side->ghosts, side->rows, side->in, error);
        note_event(engine, EVENT_HALO, start, (size_t)side->rows * row_bytes);
    }
    return status;
}

/* ---- between batches ------------------------------------------------------------------------ */

/* Room for so many bytes of every rank. */
static enum status provide_room(struct mpi_transport *mpi, size_t bytes, struct error *error) {
    const size_t needed = bytes * (size_t)mpi->total;
    if (needed <= mpi->room)
        return STATUS_OK;
    double *more = realloc(mpi->all, needed);
    if (!more)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    mpi->all = more;
    mpi->room = needed;
    return STATUS_OK;
}

static enum status mpi_broadcast(struct transport *transport, long *passes, struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    enum status status = provide_room(mpi, sizeof *passes, error);
    if (status)
        return status;
    status = world_error(world_mpi()->all_gather(mpi->group, passes, sizeof *passes, mpi->all),
                         "MPI, beginning a batch", error);
    memcpy(passes, mpi->all, sizeof *passes);
    return status;
}

static enum status mpi_add(struct transport *transport, long count, double *sums,
                           struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    const size_t bytes = (size_t)count * sizeof *sums;
    enum status status = provide_room(mpi, bytes, error);
    if (status)
        return status;
    status = world_error(world_mpi()->all_gather(mpi->group, sums, (int)bytes, mpi->all),
                         "MPI, adding sums", error);
    for (long k = 0; k < count && !status; k++) {
        sums[k] = mpi->all[k];
        for (int rank = 1; rank < mpi->total; rank++)
            sums[k] += mpi->all[rank * count + k];
    }
    return status;
}

static enum status mpi_gather(struct transport *transport, double *U, struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    const struct engine_spec *spec = &mpi->engine->spec;
    const size_t Nx = (size_t)spec->mesh.Nx;
    /* Whose rows are whose is the same rule everywhere. */
    const long Ny = spec->slab.problem_Ny;
    enum status status = STATUS_OK;
    for (int rank = 1; rank < mpi->total && !status; rank++) {
        const size_t from = (size_t)(Ny * rank / mpi->total);
        const size_t to = (size_t)(Ny * (rank + 1) / mpi->total);
        const size_t bytes = (to - from) * Nx * sizeof *U;
        int code = 0;
        if (mpi->rank == 0)
            code = world_mpi()->receive(rank, U + from * Nx, bytes);
        else if (mpi->rank == rank)
            code = world_mpi()->send(0, U + from * Nx, bytes);
        status = world_error(code, "MPI, collecting U", error);
    }
    return status;
}

/* Who waits for this rank's rows can't be told by MPI: the failure ends all processes
 * (session/ranks.h). */
static void mpi_abort(struct transport *transport) {
}

static double *open_rows(const struct mpi_transport *mpi, size_t values) {
    return mpi->queues ? mpi->engine->slab->stage->open(mpi->engine, values)
                       : calloc(values, sizeof(double));
}

static void close_rows(const struct mpi_transport *mpi, double *rows) {
    if (mpi->queues)
        mpi->engine->slab->stage->close(mpi->engine, rows);
    else
        free(rows);
}

static void close_directs(struct mpi_side *side) {
    for (int f = 0; f < SLAB_FIELDS; f++) {
        if (side->directs[f])
            world_mpi()->halo_close(side->directs[f]);
        side->directs[f] = NULL;
    }
}

static void mpi_close(struct transport *transport) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    for (int s = 0; s < 2; s++) {
        close_directs(&mpi->sides[s]);
        if (mpi->sides[s].staged)
            world_mpi()->halo_close(mpi->sides[s].staged);
        close_rows(mpi, mpi->sides[s].out);
        close_rows(mpi, mpi->sides[s].in);
    }
    free(mpi->all);
    free(mpi);
}

static const struct transport_ops mpi_ops = {
    .begin = mpi_begin,
    .finish = mpi_finish,
    .broadcast = mpi_broadcast,
    .add = mpi_add,
    .gather = mpi_gather,
    .abort = mpi_abort,
    .close = mpi_close,
};

/* ---- the devices' memories ------------------------------------------------------------------ */

static const char blame[] =
    "this MPI says that it takes GPU memory, but crashed on it: forbid it by "
    "OMPI_MCA_opal_cuda_support=0 (Open MPI 4), OMPI_MCA_accelerator=null (Open MPI 5) or "
    "MPIR_CVAR_ENABLE_GPU=0 (MPICH)";

/* What is exchanged for a trial: each unknown of the problem has a value of its own. */
static double trial_value(const struct engine_spec *spec, int row, size_t k) {
    return 0.5 + (double)(spec->slab.first + row) * (double)spec->mesh.Nx + (double)k;
}

static size_t row_values(const struct mpi_transport *mpi, const struct mpi_side *side) {
    return (size_t)side->rows * (size_t)mpi->engine->spec.mesh.Nx;
}

/* Takes the newest iterate's rows at both ends to the staged way's memory, or, to `restore`, puts
 * them back. */
static enum status keep_rows(struct mpi_transport *mpi, bool restore, struct error *error) {
    struct engine *engine = mpi->engine;
    const struct slab_ops *ops = engine->slab;
    enum status status = STATUS_OK;
    for (int s = 0; s < 2 && !status; s++) {
        const struct mpi_side *side = &mpi->sides[s];
        if (!side->staged)
            continue;
        status = restore ? ops->put(engine, side->own, side->rows, side->out, error)
                         : ops->get(engine, side->own, side->rows, side->out, error);
        if (!status)
            status = restore ? ops->put(engine, side->ghosts, side->rows, side->in, error)
                             : ops->get(engine, side->ghosts, side->rows, side->in, error);
    }
    return status;
}

/* The trial's values in all rows that are to leave, and none of them in those that are to come. */
static enum status put_trial(struct mpi_transport *mpi, double *rows, struct error *error) {
    struct engine *engine = mpi->engine;
    enum status status = STATUS_OK;
    for (int s = 0; s < 2 && !status; s++) {
        const struct mpi_side *side = &mpi->sides[s];
        const size_t values = row_values(mpi, side);
        if (!side->staged)
            continue;
        for (size_t k = 0; k < values; k++)
            rows[k] = trial_value(&engine->spec, side->own, k);
        status = engine->slab->put(engine, side->own, side->rows, rows, error);
        for (size_t k = 0; k < values; k++)
            rows[k] = -1;
        if (!status)
            status = engine->slab->put(engine, side->ghosts, side->rows, rows, error);
    }
    return status;
}

/* Exchanges the trial's rows as in a run, but not for ever: whether all have come as they were
 * sent.
 */
static bool exchange_trial(struct mpi_transport *mpi, double *rows) {
    const struct mpi_module *module = world_mpi();
    struct engine *engine = mpi->engine;
    const int newest = engine->slab->stage->newest(engine);
    const int64_t until_ns = clock_now_ns() + limit_ns(LIMIT_TRIAL);
    struct slab_memory memory;
    int code = 0;
    engine->slab->stage->locate(engine, &memory);
    for (int s = 0; s < 2; s++) {
        struct mpi_side *side = &mpi->sides[s];
        for (int f = 0; f < SLAB_FIELDS && side->staged && !code; f++)
            code =
                module->halo_open(mpi->rank + (s == 0 ? -1 : 1), DIRECT_WAYS + s, DIRECT_WAYS + !s,
                                  memory.fields[f] + (size_t)side->own * memory.stride,
                                  memory.fields[f] + (size_t)side->ghosts * memory.stride,
                                  (size_t)side->rows * memory.stride, &side->directs[f]);
        if (side->staged && !code)
            code = module->halo_start(side->directs[newest]);
    }
    for (int s = 0; s < 2 && !code; s++) {
        const struct mpi_side *side = &mpi->sides[s];
        bool done = !side->staged;
        while (!done && !code && clock_now_ns() < until_ns) {
            code = module->halo_test(side->directs[newest], &done);
            poll(NULL, 0, !done); /* ms */
        }
        if (!done ||
            (side->staged && engine->slab->get(engine, side->ghosts, side->rows, rows, NULL)))
            return false;
        for (size_t k = 0; side->staged && k < row_values(mpi, side); k++)
            if (rows[k] != trial_value(&engine->spec, side->ghosts, k))
                return false;
    }
    return code == 0;
}

/* Lets rows travel between the devices' memories if that works on all ranks, all of which call;
 * else says why not. */
static enum status try_devices(struct mpi_transport *mpi, const char **why, struct error *error) {
    static const char wrong[] = "GPU memory arrives wrong";
    static bool was_wrong; /* what was lost then may still come */
    const size_t below = row_values(mpi, &mpi->sides[0]), above = row_values(mpi, &mpi->sides[1]);
    struct slab_memory memory;
    struct error failure = {0}, refusal = {0};
    mpi->engine->slab->stage->locate(mpi->engine, &memory);
    *why = was_wrong ? wrong : "MPI takes no GPU memory";
    if (was_wrong ||
        !world_mpi()->says_it_takes_memory_of(memory.is_amd ? MPI_GPU_AMD : MPI_GPU_NVIDIA))
        error_set(&refusal, STATUS_UNAVAILABLE, "%s", *why);
    enum status status = mpi_agree(mpi->group, &refusal);
    if (status)
        return status == STATUS_UNAVAILABLE ? STATUS_OK
                                            : error_set(error, status, "%s", refusal.message);
    double *rows = malloc((below > above ? below : above) * sizeof *rows);
    if (!rows)
        error_set(&failure, STATUS_INTERNAL, "out of memory for the halos");
    else if (!keep_rows(mpi, false, &failure))
        put_trial(mpi, rows, &failure);
    if (!mpi_agree(mpi->group, &failure) && rows) {
        crash_blame(blame);
        mpi->is_direct = exchange_trial(mpi, rows);
        crash_blame(NULL);
        if (!mpi->is_direct)
            error_set(&refusal, STATUS_UNAVAILABLE, "%s", wrong);
        if (mpi_agree(mpi->group, &refusal)) {
            mpi->is_direct = false;
            was_wrong = true;
            *why = wrong;
            close_directs(&mpi->sides[0]);
            close_directs(&mpi->sides[1]);
        }
        keep_rows(mpi, true, &failure);
        mpi_agree(mpi->group, &failure);
    }
    free(rows);
    return failure.status ? error_set(error, failure.status, "%s", failure.message) : STATUS_OK;
}

/* ---- opening -------------------------------------------------------------------------------- */

static enum status open_side(struct mpi_transport *mpi, int s, struct error *error) {
    const struct engine_spec *spec = &mpi->engine->spec;
    struct mpi_side *side = &mpi->sides[s];
    if (!transport_rows(&spec->slab, spec->mesh.Ny, s, &side->own, &side->ghosts, &side->rows))
        return STATUS_OK;
    const size_t values = row_values(mpi, side);
    side->out = open_rows(mpi, values);
    side->in = open_rows(mpi, values);
    if (!side->out || !side->in)
        return error_set(error, STATUS_INTERNAL, "out of memory for the halos");
    return world_error(world_mpi()->halo_open(mpi->rank + (s == 0 ? -1 : 1), s, !s, side->out,
                                              side->in, values, &side->staged),
                       "MPI, opening a halo", error);
}

enum status mpi_transport_open(const struct transport_spec *spec, struct transport **transport,
                               struct error *error) {
    struct mpi_connection *connection = spec->context;
    struct mpi_transport *mpi = calloc(1, sizeof *mpi);
    struct error failure = {0};
    const char *why = NULL;
    connection->was_asked = true;
    if (!mpi) {
        error_set(&failure, STATUS_INTERNAL, "out of memory");
    } else {
        mpi->base.ops = &mpi_ops;
        mpi->engine = spec->engines[0];
        mpi->queues = mpi->base.waits_on_device = mpi->engine->slab->stage != NULL;
        mpi->group = connection->group;
        mpi->rank = spec->first;
        mpi->total = spec->total;
        for (int s = 0; s < 2 && !failure.status; s++)
            open_side(mpi, s, &failure);
    }
    enum status status = mpi_agree(connection->group, &failure);
    if (!status && mpi && mpi->queues && mpi->total > 1)
        status = try_devices(mpi, &why, &failure);
    if (status || !mpi) {
        if (mpi)
            mpi_close(&mpi->base);
        return error_set(error, failure.status, "%s", failure.message);
    }
    const char *library = world_place()->mpi.library;
    if (mpi->is_direct)
        snprintf(mpi->base.name, sizeof mpi->base.name, "mpi, device memory (%.40s)", library);
    else
        snprintf(mpi->base.name, sizeof mpi->base.name, "mpi, staged%s%s (%.20s)", why ? ": " : "",
                 why ? why : "", library);
    *transport = &mpi->base;
    return STATUS_OK;
}
