/* Ghost rows from GPU to GPU. As soon as a slab's boundary rows are computed, a copy engine copies
 * them into its neighbours' next iterate, on a stream of their own. Events order the streams. The
 * host never waits for a GPU meanwhile. A slab's thread waits only until its neighbours' threads
 * have enqueued as much. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/system.h"
#include "kernels/hip/slab.h"

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

static enum status copy_rows(const struct hip_engine *from, int from_row,
                             const struct hip_engine *to, int to_row, int count,
                             struct error *error) {
    const struct hip_stream *here = &from->slab->halo, *there = &to->slab->halo;
    const struct hip_driver *driver = here->driver;
    const size_t stride = (size_t)from->stride;
    const size_t bytes = (size_t)count * stride * sizeof(double);
    double *source = from->U.device + (size_t)from_row * stride;
    double *target = to->slab->fields[hip_slab_newest(from)] + (size_t)to_row * stride;
    struct hip_timer *timer = &from->slab->halo_timer;
    const enum phase phase = atomic_load(&from->base.events->phase);
    enum status status = hip_timer_before(timer, error);
    if (status)
        return status;
    const hipError_t code =
        driver->peer_copy ? driver->peer_copy(target, there->gpu->ordinal, source,
                                              here->gpu->ordinal, bytes, here->handle)
                          : driver->context_peer_copy(target, there->cuda_context, source,
                                                      here->cuda_context, bytes, here->handle);
    status = hip_check(driver, code, "copying rows to another GPU", error);
    return status ? status : hip_timer_after(timer, EVENT_HALO, phase, ARRAY_U, bytes, error);
}

static enum status peer_begin(struct transport *transport, int s, struct error *error) {
    struct peer_transport *peer = (struct peer_transport *)transport;
    struct peer_slab *slab = &peer->slabs[s];
    const struct hip_engine *hip = slab->hip;
    const struct engine_spec *spec = &hip->base.spec;
    const struct hip_stream *halo = &hip->slab->halo;
    enum status status = STATUS_OK;
    int own, ghosts, count, ignored;
    for (int side = 0; side < 2 && !status; side++) {
        if (!transport_rows(&spec->slab, spec->mesh.Ny, side, &own, &ignored, &count))
            continue;
        const struct hip_engine *other = peer->slabs[side == 0 ? s - 1 : s + 1].hip;
        transport_rows(&other->base.spec.slab, other->base.spec.mesh.Ny, !side, &ignored, &ghosts,
                       &count);
        status = copy_rows(hip, own, other, ghosts, count, error);
    }
    if (!status)
        status = hip_stream_record(halo, hip->slab->sent[slab->passes % 2], error);
    sequence_counter_raise(&slab->sent, ++slab->passes);
    return status;
}

/* The stream that reads ghost rows waits for them. One that computes whole passes also overwrites
 * what is on its way: it waits for its own copies as well. */
static enum status peer_finish(struct transport *transport, int s, struct error *error) {
    struct peer_transport *peer = (struct peer_transport *)transport;
    struct peer_slab *slab = &peer->slabs[s];
    const struct hip_slab *here = slab->hip->slab;
    const struct slab *spec = &slab->hip->base.spec.slab;
    const struct hip_stream *reader = here->ends ? &here->halo : &slab->hip->context.stream;
    const long parity = (slab->passes - 1) % 2;
    enum status status = STATUS_OK;
    for (int side = 0; side < 2 && !status; side++) {
        if ((side == 0 ? spec->below : spec->above) == 0)
            continue;
        struct peer_slab *other = &peer->slabs[side == 0 ? s - 1 : s + 1];
        sequence_counter_wait(&other->sent, slab->passes);
        if (atomic_load(&peer->aborted))
            return error_set(error, STATUS_INTERNAL, "another slab has failed");
        status = hip_stream_wait_for(reader, other->hip->slab->sent[parity], error);
    }
    if (!status && !here->ends)
        status = hip_stream_wait_for(reader, here->sent[parity], error);
    return status;
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

/* Lets `from` reach the memory of `to` without the host, if it can. */
static enum status open_way(const struct hip_stream *from, const struct hip_stream *to,
                            bool *direct, struct error *error) {
    enum { ALREADY_ENABLED = 704 };
    const struct hip_driver *driver = from->driver;
    const bool amd = driver->vendor == VENDOR_AMD;
    int possible = 0;
    if (from->gpu == to->gpu)
        return STATUS_OK;
    const hipError_t asked = driver->peer_possible(
        &possible, amd ? from->gpu->ordinal : from->device, amd ? to->gpu->ordinal : to->device);
    if (asked != hipSuccess || !possible) {
        *direct = false;
        return STATUS_OK;
    }
    const enum status status = hip_stream_make_current(from, error);
    if (status)
        return status;
    const hipError_t code = amd ? driver->peer_enable(to->gpu->ordinal, 0)
                                : driver->context_peer_enable(to->cuda_context, 0);
    if ((int)code == ALREADY_ENABLED)
        return STATUS_OK;
    return hip_check(driver, code, "peer access to another GPU can't be enabled", error);
}

enum status hip_peer_connect(const struct transport_spec *spec, struct transport **transport,
                             struct error *error) {
    struct peer_transport *peer = calloc(1, sizeof *peer);
    if (!peer)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    bool direct = true;
    enum status status = STATUS_OK;
    peer->base.ops = &peer_ops;
    peer->base.waits_on_device = true;
    peer->count = spec->count;
    for (int s = 0; s < spec->count; s++) {
        peer->slabs[s].hip = hip_engine_of(spec->engines[s]);
        sequence_counter_init(&peer->slabs[s].sent);
    }
    for (int s = 1; s < spec->count && !status; s++) {
        const struct hip_stream *low = &peer->slabs[s - 1].hip->context.stream;
        const struct hip_stream *high = &peer->slabs[s].hip->context.stream;
        if (low->driver != high->driver)
            status = error_set(error, STATUS_UNAVAILABLE, "%s and %s have different drivers",
                               low->gpu->device.name, high->gpu->device.name);
        if (!status)
            status = open_way(low, high, &direct, error);
        if (!status)
            status = open_way(high, low, &direct, error);
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
