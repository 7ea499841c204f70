#include "mpi/transport.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "mpi/world.h"

struct mpi_side {
    struct mpi_halo *halo; /* NULL: there is no neighbour */
    int own, ghosts, rows; /* as transport_rows has them */
    double *out, *in;      /* what `halo` sends and receives */
};

struct mpi_transport {
    struct transport base;
    struct engine *engine; /* of the slab here */
    struct mpi_group *group;
    int rank, total;
    const struct slab_stage
        *stage;               /* the device copies rows while it computes; NULL: `get`, `put` */
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

static enum status mpi_begin(struct transport *transport, int slab, struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    struct engine *engine = mpi->engine;
    enum status status = STATUS_OK;
    for (int s = 0; s < 2 && !status; s++) {
        struct mpi_side *side = &mpi->sides[s];
        if (!side->halo)
            continue;
        const int64_t start = clock_now_ns();
        if (mpi->stage) {
            status = mpi->stage->stage_out(engine, side->own, side->rows, side->out, error);
            continue;
        }
        status = engine->slab->get(engine, side->own, side->rows, side->out, error);
        if (!status)
            status = world_error(world_mpi()->halo_start(side->halo), "MPI, sending rows", error);
        note_event(engine, EVENT_HALO, start, 0); /* bytes count where they come */
    }
    return status;
}

/* Sends the rows as soon as they have reached the host, while the device computes the others. The
 * received rows are enqueued for the device before the next pass is. */
static enum status finish_queued(struct mpi_transport *mpi, struct error *error) {
    struct engine *engine = mpi->engine;
    enum status status = mpi->stage->stage_wait(engine, error);
    const int64_t start = clock_now_ns();
    for (int s = 0; s < 2 && !status; s++)
        if (mpi->sides[s].halo)
            status = world_error(world_mpi()->halo_start(mpi->sides[s].halo), "MPI, sending rows",
                                 error);
    uint64_t bytes = 0;
    for (int s = 0; s < 2 && !status; s++) {
        const struct mpi_side *side = &mpi->sides[s];
        if (!side->halo)
            continue;
        status = world_error(world_mpi()->halo_wait(side->halo), "MPI, waiting for rows", error);
        if (!status)
            status = mpi->stage->stage_in(engine, side->ghosts, side->rows, side->in, error);
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
    if (mpi->stage)
        return finish_queued(mpi, error);
    for (int s = 0; s < 2 && !status; s++) {
        struct mpi_side *side = &mpi->sides[s];
        if (!side->halo)
            continue;
        int64_t start = clock_now_ns();
        status = world_error(world_mpi()->halo_wait(side->halo), "MPI, waiting for rows", error);
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

/* MPI can't tell a waiting rank of the failure, which therefore ends all processes
 * (session/ranks.h). */
static void mpi_abort(struct transport *transport) {
}

static double *open_rows(const struct mpi_transport *mpi, size_t values) {
    return mpi->stage ? mpi->stage->open(mpi->engine, values) : calloc(values, sizeof(double));
}

static void close_rows(const struct mpi_transport *mpi, double *rows) {
    if (mpi->stage)
        mpi->stage->close(mpi->engine, rows);
    else
        free(rows);
}

static void mpi_close(struct transport *transport) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    for (int s = 0; s < 2; s++) {
        if (mpi->sides[s].halo)
            world_mpi()->halo_close(mpi->sides[s].halo);
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

/* ---- opening -------------------------------------------------------------------------------- */

static enum status open_side(struct mpi_transport *mpi, int s, struct error *error) {
    const struct engine_spec *spec = &mpi->engine->spec;
    struct mpi_side *side = &mpi->sides[s];
    if (!transport_rows(&spec->slab, spec->mesh.Ny, s, &side->own, &side->ghosts, &side->rows))
        return STATUS_OK;
    const size_t values = (size_t)side->rows * (size_t)spec->mesh.Nx;
    side->out = open_rows(mpi, values);
    side->in = open_rows(mpi, values);
    if (!side->out || !side->in)
        return error_set(error, STATUS_INTERNAL, "out of memory for the halos");
    return world_error(world_mpi()->halo_open(mpi->rank + (s == 0 ? -1 : 1), s, !s, side->out,
                                              side->in, values, &side->halo),
                       "MPI, opening a halo", error);
}

enum status mpi_transport_open(const struct transport_spec *spec, struct transport **transport,
                               struct error *error) {
    struct mpi_connection *connection = spec->context;
    struct mpi_transport *mpi = calloc(1, sizeof *mpi);
    struct error failure = {0};
    connection->was_asked = true;
    if (mpi) {
        mpi->base.ops = &mpi_ops;
        mpi->engine = spec->engines[0];
        mpi->stage = mpi->engine->slab->stage;
        mpi->base.waits_on_device = mpi->stage != NULL;
        mpi->group = connection->group;
        mpi->rank = spec->first;
        mpi->total = spec->total;
        for (int s = 0; s < 2 && !failure.status; s++)
            open_side(mpi, s, &failure);
    } else {
        error_set(&failure, STATUS_INTERNAL, "out of memory");
    }
    const enum status status = mpi_agree(connection->group, &failure);
    if (status || !mpi) {
        if (mpi)
            mpi_close(&mpi->base);
        return error_set(error, failure.status, "%s", failure.message);
    }
    snprintf(mpi->base.name, sizeof mpi->base.name, "mpi, host-staged (%.40s)",
             world_place()->mpi.library);
    *transport = &mpi->base;
    return STATUS_OK;
}
