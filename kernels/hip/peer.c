/* Exchanges halo rows between GPUs. As soon as a slab's boundary rows are computed, a copy engine
 * copies them into its neighbours' next iterate, on a separate stream. Events order the streams.
 * The host does not wait for a GPU meanwhile. A slab's thread waits only until its neighbours'
 * threads have enqueued the same number of copies. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/system.h"
#include "kernels/hip/slab.h"
#include "solver/slabs.h"

struct peer_slab {
    struct hip_engine *hip;
    struct sequence_counter sent; /* passes whose copies are enqueued */
    long passes;
};

struct peer_transport {
    struct transport base;
    int count;
    atomic_bool aborted;
    struct peer_slab slabs[SLABS_MAX];
};

static void copy_rows(const struct hip_engine *from, int from_row, const struct hip_engine *to,
                      int to_row, int count) {
    const struct hip_stream *here = &from->slab->halo, *there = &to->slab->halo;
    const struct hip_driver *driver = here->driver;
    const size_t row_bytes = (size_t)from->stride * hip_number_bytes(from);
    const size_t bytes = (size_t)count * row_bytes;
    char *source = (char *)from->U.device + (size_t)from_row * row_bytes;
    char *target = (char *)to->slab->fields[hip_slab_newest(from)] + (size_t)to_row * row_bytes;
    struct hip_timer *timer = &from->slab->halo_timer;
    hip_timer_before(timer);
    if (hip_failed(here))
        return;
    const hipError_t code =
        driver->peer_copy ? driver->peer_copy(target, there->gpu->ordinal, source,
                                              here->gpu->ordinal, bytes, here->handle)
                          : driver->context_peer_copy(target, there->cuda_context, source,
                                                      here->cuda_context, bytes, here->handle);
    hip_check(driver, code, "copying rows to another GPU", here->failure);
    hip_timer_after(timer, EVENT_HALO, atomic_load(&from->base.events->phase), ARRAY_U, bytes);
}

static enum status peer_begin(struct transport *transport, int s, struct error *error) {
    struct peer_transport *peer = (struct peer_transport *)transport;
    struct peer_slab *slab = &peer->slabs[s];
    struct hip_engine *hip = slab->hip;
    for (int side = 0; side < 2; side++) {
        const struct halo_rows rows = transport_rows(&hip->base.spec, side);
        if (rows.count == 0)
            continue;
        const struct hip_engine *other = peer->slabs[side == 0 ? s - 1 : s + 1].hip;
        copy_rows(hip, rows.own, other, transport_rows(&other->base.spec, !side).ghosts,
                  rows.count);
    }
    hip_stream_record(&hip->slab->halo, hip->slab->events[SENT + slab->passes % 2]);
    sequence_counter_raise(&slab->sent, ++slab->passes);
    return hip_engine_status(hip, error);
}

/* Makes the next pass wait for the neighbours' rows. A slab's own copies end before the neighbours
 * send the rows of the following pass, so nothing overwrites them. */
static enum status peer_finish(struct transport *transport, int s, struct error *error) {
    struct peer_transport *peer = (struct peer_transport *)transport;
    struct peer_slab *slab = &peer->slabs[s];
    const struct slab *spec = &slab->hip->base.spec.slab;
    const long parity = (slab->passes - 1) % 2;
    for (int side = 0; side < 2; side++) {
        if ((side == 0 ? spec->below : spec->above) == 0)
            continue;
        struct peer_slab *other = &peer->slabs[side == 0 ? s - 1 : s + 1];
        sequence_counter_wait(&other->sent, slab->passes);
        if (atomic_load(&peer->aborted))
            return error_set(error, STATUS_INTERNAL, "another slab has failed");
        hip_stream_wait_for(&slab->hip->context.stream, other->hip->slab->events[SENT + parity]);
    }
    return hip_engine_status(slab->hip, error);
}

static void peer_abort(struct transport *transport) {
    struct peer_transport *peer = (struct peer_transport *)transport;
    atomic_store(&peer->aborted, true);
    for (int s = 0; s < peer->count; s++)
        sequence_counter_raise(&peer->slabs[s].sent, LONG_MAX);
}

static void peer_close(struct transport *transport) {
    struct peer_transport *peer = (struct peer_transport *)transport;
    for (int s = 0; s < peer->count; s++)
        sequence_counter_finish(&peer->slabs[s].sent);
    free(peer);
}

static const struct transport_ops peer_ops = {
    .begin = peer_begin,
    .finish = peer_finish,
    .abort = peer_abort,
    .close = peer_close,
};

/* Enables direct access from `from` to the memory of `to`. Returns false if it is not possible. */
static bool open_way(const struct hip_stream *from, const struct hip_stream *to) {
    enum { ALREADY_ENABLED = 704 };
    const struct hip_driver *driver = from->driver;
    const bool amd = driver->vendor == VENDOR_AMD;
    int possible = 0;
    if (from->gpu == to->gpu)
        return true;
    const hipError_t asked = driver->peer_possible(
        &possible, amd ? from->gpu->ordinal : from->device, amd ? to->gpu->ordinal : to->device);
    if (asked != hipSuccess || !possible)
        return false;
    hip_stream_make_current(from);
    if (hip_failed(from))
        return false;
    const hipError_t code = amd ? driver->peer_enable(to->gpu->ordinal, 0)
                                : driver->context_peer_enable(to->cuda_context, 0);
    if ((int)code != ALREADY_ENABLED)
        hip_check(driver, code, "peer access to another GPU can't be enabled", from->failure);
    return true;
}

enum status hip_peer_connect(const struct slabs_spec *slabs, struct engine *const *engines,
                             struct transport **transport, struct error *error) {
    struct peer_transport *peer = calloc(1, sizeof *peer);
    if (!peer)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    bool direct = true;
    enum status status = STATUS_OK;
    peer->base.ops = &peer_ops;
    peer->base.waits_on_device = true;
    peer->count = slabs->count;
    for (int s = 0; s < slabs->count; s++) {
        peer->slabs[s].hip = hip_engine_of(engines[s]);
        sequence_counter_init(&peer->slabs[s].sent);
    }
    for (int s = 1; s < slabs->count && !status; s++) {
        struct hip_engine *low = peer->slabs[s - 1].hip, *high = peer->slabs[s].hip;
        const struct hip_stream *from = &low->context.stream, *to = &high->context.stream;
        if (from->driver != to->driver) {
            status = error_set(error, STATUS_UNAVAILABLE, "%s and %s have different drivers",
                               from->gpu->device.name, to->gpu->device.name);
            break;
        }
        direct &= open_way(from, to);
        direct &= open_way(to, from);
        status = hip_engine_status(low, error);
        if (!status)
            status = hip_engine_status(high, error);
    }
    if (status) {
        peer_close(&peer->base);
        return status;
    }
    snprintf(peer->base.name, sizeof peer->base.name, "%s",
             direct ? "peer copies" : "peer copies through the host");
    *transport = &peer->base;
    return STATUS_OK;
}
