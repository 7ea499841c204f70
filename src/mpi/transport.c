/* The transport between processes (mpi/world.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/system.h"
#include "mpi/world.h"
#include "solver/slabs.h"

struct mpi_side {
    struct mpi_halo *halo;
    struct halo_rows rows;
    double *pinned[4]; /* the halo's buffers; NULL: none yet */
};

struct mpi_transport {
    struct transport base;
    struct engine *engine;          /* of this process's slab */
    const struct slabs_spec *slabs; /* `first` is the rank, `context` the group */
    const struct slab_stage *stage; /* copies rows while it computes; NULL: `get`, `put` */
    struct mpi_side sides[2];       /* one per neighbour, the lower first */
    int side_count;
    int turn;    /* the halo buffer of the next exchange */
    double *all; /* values gathered from all ranks */
    size_t room;
};

/* ---- halos ---------------------------------------------------------------------------------- */

static enum status send_rows(const struct mpi_side *side, struct error *error) {
    return world_error(world_mpi()->halo_start(side->halo), "MPI, sending rows", error);
}

static enum status mpi_begin(struct transport *transport, int slab, struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    struct engine *engine = mpi->engine;
    for (int s = 0; s < mpi->side_count; s++) {
        const struct mpi_side *side = &mpi->sides[s];
        double *out = side->halo->out[mpi->turn];
        const int64_t start = clock_now_ns();
        if (mpi->stage) {
            TRY(mpi->stage->stage_out(engine, side->rows.own, side->rows.count, out, error));
            continue;
        }
        TRY(engine->slab->get(engine, side->rows.own, side->rows.count, out, error));
        TRY(send_rows(side, error));
        engine_note(engine, EVENT_HALO, ARRAY_U, start, 0); /* the receiver counts the bytes */
    }
    return STATUS_OK;
}

/* The number of doubles that the rows fill. A stage passes rows in the iteration's precision. */
static size_t values_of(const struct mpi_transport *mpi, int rows) {
    const struct engine_spec *spec = &mpi->engine->spec;
    const size_t numbers = (size_t)rows * (size_t)spec->mesh.Nx;
    const size_t bytes = mpi->stage ? (size_t)precision_bytes(spec->run.precision) : sizeof(double);
    return (numbers * bytes + sizeof(double) - 1) / sizeof(double);
}

/* With a stage, rows are sent once they are on the host, while the device computes the others.
 * Received rows are enqueued on the device before the next pass. */
static enum status mpi_finish(struct transport *transport, int slab, struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    struct engine *engine = mpi->engine;
    const struct slab_stage *stage = mpi->stage;
    if (stage)
        TRY(stage->stage_wait(engine, error));
    int64_t start = clock_now_ns();
    for (int s = 0; s < mpi->side_count && stage; s++)
        TRY(send_rows(&mpi->sides[s], error));
    uint64_t bytes = 0;
    for (int s = 0; s < mpi->side_count; s++) {
        const struct mpi_side *side = &mpi->sides[s];
        TRY(world_error(world_mpi()->halo_wait(side->halo), "MPI, waiting for rows", error));
        if (!stage) {
            engine_note(engine, EVENT_WAIT, ARRAY_U, start, 0);
            start = clock_now_ns();
        }
        TRY((stage ? stage->stage_in : engine->slab->put)(
            engine, side->rows.ghosts, side->rows.count, side->halo->in[mpi->turn], error));
        bytes += values_of(mpi, side->rows.count) * sizeof(double);
        if (!stage || s + 1 == mpi->side_count) {
            engine_note(engine, EVENT_HALO, ARRAY_U, start, bytes);
            start = clock_now_ns();
            bytes = 0;
        }
    }
    mpi->turn = !mpi->turn;
    return STATUS_OK;
}

/* ---- between batches ------------------------------------------------------------------------ */

/* Collects `bytes` of every rank in mpi->all. */
static enum status gather_all(struct mpi_transport *mpi, const void *mine, size_t bytes,
                              const char *what, struct error *error) {
    const size_t needed = bytes * (size_t)mpi->slabs->total;
    if (needed > mpi->room) {
        double *more = realloc(mpi->all, needed);
        if (!more)
            return error_set(error, STATUS_INTERNAL, "out of memory");
        mpi->all = more;
        mpi->room = needed;
    }
    return world_error(world_mpi()->all_gather(mpi->slabs->context, mine, (int)bytes, mpi->all),
                       what, error);
}

static enum status mpi_broadcast(struct transport *transport, long *passes, struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    TRY(gather_all(mpi, passes, sizeof *passes, "MPI, beginning a batch", error));
    memcpy(passes, mpi->all, sizeof *passes);
    return STATUS_OK;
}

static enum status mpi_add(struct transport *transport, long count, double *sums,
                           struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    TRY(gather_all(mpi, sums, (size_t)count * sizeof *sums, "MPI, adding sums", error));
    for (long k = 0; k < count; k++) {
        sums[k] = mpi->all[k];
        for (int rank = 1; rank < mpi->slabs->total; rank++)
            sums[k] += mpi->all[rank * count + k];
    }
    return STATUS_OK;
}

static enum status mpi_gather(struct transport *transport, double *U, struct error *error) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    const struct engine_spec *spec = &mpi->engine->spec;
    const size_t Nx = (size_t)spec->mesh.Nx;
    /* All ranks compute the same distribution of rows. */
    const long Ny = spec->slab.problem_Ny;
    enum status status = STATUS_OK;
    for (int rank = 1; rank < mpi->slabs->total && !status; rank++) {
        const size_t from = (size_t)(Ny * rank / mpi->slabs->total);
        const size_t to = (size_t)(Ny * (rank + 1) / mpi->slabs->total);
        const size_t bytes = (to - from) * Nx * sizeof *U;
        int code = 0;
        if (mpi->slabs->first == 0)
            code = world_mpi()->receive(rank, U + from * Nx, bytes);
        else if (mpi->slabs->first == rank)
            code = world_mpi()->send(0, U + from * Nx, bytes);
        status = world_error(code, "MPI, collecting U", error);
    }
    return status;
}

static void mpi_close(struct transport *transport) {
    struct mpi_transport *mpi = (struct mpi_transport *)transport;
    for (int s = 0; s < mpi->side_count; s++) {
        const struct mpi_side *side = &mpi->sides[s];
        for (int p = 0; p < 4 && side->pinned[p]; p++)
            mpi->stage->unpin(mpi->engine, side->pinned[p]);
        world_mpi()->halo_close(side->halo);
    }
    free(mpi->all);
    free(mpi);
}

/* No `abort`: MPI can't notify a waiting rank of a failure, which therefore ends all processes
 * (session/ranks.h). */
static const struct transport_ops mpi_ops = {
    .begin = mpi_begin,
    .finish = mpi_finish,
    .broadcast = mpi_broadcast,
    .add = mpi_add,
    .gather = mpi_gather,
    .close = mpi_close,
};

/* ---- opening -------------------------------------------------------------------------------- */

/* Opens the side towards lower (0) or higher rows (1), if there is a neighbour. */
static enum status open_side(struct mpi_transport *mpi, int towards, struct error *error) {
    struct mpi_side *side = &mpi->sides[mpi->side_count];
    side->rows = transport_rows(&mpi->engine->spec, towards);
    if (side->rows.count == 0)
        return STATUS_OK;
    const size_t values = values_of(mpi, side->rows.count);
    mpi->side_count++;
    enum status status =
        world_error(world_mpi()->halo_open(mpi->slabs->context, towards, values, &side->halo),
                    "MPI, opening a halo", error);
    for (int p = 0; p < 4 && !status && mpi->stage; p++) {
        double *rows = p < 2 ? side->halo->out[p] : side->halo->in[p - 2];
        status = mpi->stage->pin(mpi->engine, rows, side->halo->bytes, error);
        side->pinned[p] = status ? NULL : rows;
    }
    return status;
}

enum status world_open_transport(const struct slabs_spec *slabs, struct engine *const *engines,
                                 struct transport **transport, struct error *error) {
    struct mpi_transport *mpi = calloc(1, sizeof *mpi);
    if (!mpi)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    mpi->base.ops = &mpi_ops;
    mpi->engine = engines[0];
    mpi->stage = mpi->engine->slab->stage;
    mpi->base.waits_on_device = mpi->stage != NULL;
    mpi->slabs = slabs;
    if (open_side(mpi, 0, error) || open_side(mpi, 1, error)) {
        mpi_close(&mpi->base);
        return error->status;
    }
    snprintf(mpi->base.name, sizeof mpi->base.name, "mpi, host-staged (%.40s)",
             world_place()->library);
    *transport = &mpi->base;
    return STATUS_OK;
}
