#include "solver/transport.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/system.h"
#include "solver/slabs.h"

struct halo_rows transport_rows(const struct engine_spec *spec, int side) {
    const int below = spec->slab.below, above = spec->slab.above, Ny = spec->mesh.Ny;
    return side == 0 ? (struct halo_rows){below, 0, below}
                     : (struct halo_rows){Ny - 2 * above, Ny - above, above};
}

/* ---- one process ---------------------------------------------------------------------------- */

struct shared_slab {
    struct engine *engine;
    struct sequence_counter made;   /* the pass whose boundary rows are computed */
    struct sequence_counter pulled; /* the pass whose halo rows were pulled from the neighbours */
    long passes;
};

struct shared_transport {
    struct transport base;
    int count;
    atomic_bool aborted;
    struct shared_slab slabs[SLABS_MAX];
};

static enum status shared_begin(struct transport *transport, int s, struct error *error) {
    struct shared_slab *slab = &((struct shared_transport *)transport)->slabs[s];
    sequence_counter_raise(&slab->made, ++slab->passes);
    return STATUS_OK;
}

/* Waits, and logs the waiting time. */
static enum status wait_for(const struct shared_transport *shared, const struct shared_slab *slab,
                            struct sequence_counter *gate, struct error *error) {
    const int64_t start = clock_now_ns();
    sequence_counter_wait(gate, slab->passes);
    engine_note(slab->engine, EVENT_WAIT, ARRAY_NONE, start, 0);
    if (atomic_load(&shared->aborted))
        return error_set(error, STATUS_INTERNAL, "another slab has failed");
    return STATUS_OK;
}

static enum status shared_finish(struct transport *transport, int s, struct error *error) {
    struct shared_transport *shared = (struct shared_transport *)transport;
    struct shared_slab *slab = &shared->slabs[s];
    struct engine *engine = slab->engine;
    enum status status = STATUS_OK;
    for (int side = 0; side < 2 && !status; side++) {
        const struct halo_rows rows = transport_rows(&engine->spec, side);
        if (rows.count == 0)
            continue;
        struct shared_slab *other = &shared->slabs[side == 0 ? s - 1 : s + 1];
        const int from = transport_rows(&other->engine->spec, !side).own;
        status = wait_for(shared, slab, &other->made, error);
        if (!status)
            status =
                engine->slab->pull(engine, rows.ghosts, rows.count, other->engine, from, error);
    }
    sequence_counter_raise(&slab->pulled, slab->passes);
    for (int side = 0; side < 2 && !status; side++)
        if (transport_rows(&engine->spec, side).count > 0)
            status =
                wait_for(shared, slab, &shared->slabs[side == 0 ? s - 1 : s + 1].pulled, error);
    return status;
}

static void shared_abort(struct transport *transport) {
    struct shared_transport *shared = (struct shared_transport *)transport;
    atomic_store(&shared->aborted, true);
    for (int s = 0; s < shared->count; s++) {
        sequence_counter_raise(&shared->slabs[s].made, LONG_MAX);
        sequence_counter_raise(&shared->slabs[s].pulled, LONG_MAX);
    }
}

static void shared_close(struct transport *transport) {
    struct shared_transport *shared = (struct shared_transport *)transport;
    for (int s = 0; s < shared->count; s++) {
        sequence_counter_finish(&shared->slabs[s].made);
        sequence_counter_finish(&shared->slabs[s].pulled);
    }
    free(shared);
}

static const struct transport_ops shared_ops = {
    .begin = shared_begin,
    .finish = shared_finish,
    .abort = shared_abort,
    .close = shared_close,
};

enum status transport_open_shared(const struct slabs_spec *slabs, struct engine *const *engines,
                                  struct transport **transport, struct error *error) {
    struct shared_transport *shared = calloc(1, sizeof *shared);
    if (!shared)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    shared->base.ops = &shared_ops;
    snprintf(shared->base.name, sizeof shared->base.name, "%s", slabs->backend->transport);
    shared->count = slabs->count;
    for (int s = 0; s < slabs->count; s++) {
        shared->slabs[s].engine = engines[s];
        sequence_counter_init(&shared->slabs[s].made);
        sequence_counter_init(&shared->slabs[s].pulled);
    }
    *transport = &shared->base;
    return STATUS_OK;
}
