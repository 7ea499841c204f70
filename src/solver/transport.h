/* A transport: how the slabs of a run, in this process and others, exchange boundary rows and add
 * up their sums.
 *
 * Next to each neighbour a slab has as many halo rows as a pass is deep: copies of the neighbour's
 * rows. They are exchanged once per pass. Each slab's own thread calls `begin` when its boundary
 * rows are computed, and `finish` before the next pass, in the same order of passes. One thread
 * calls the other functions between batches, while no slab computes. Sums are added in slab order,
 * so the run's numbers are the same on every transport. */
#pragma once

#include "solver/engine.h"

struct transport;

/* All set `error` on failure. */
struct transport_ops {
    /* Starts to send the boundary rows of the slab's newest iterate, which are computed now or by
     * enqueued work. Does not wait for a neighbour. `slab` is the index among the slabs here. */
    enum status (*begin)(struct transport *transport, int slab, struct error *error);

    /* Completes the exchange. The halo rows of the slab's newest iterate are then valid for work
     * enqueued from now on, and the boundary rows may be overwritten. May block until each
     * neighbour has called `begin` for the same pass. Adds an EVENT_HALO per copy, and an
     * EVENT_WAIT for the time in which its thread only waited, to the slab's log. */
    enum status (*finish)(struct transport *transport, int slab, struct error *error);

    /* Broadcasts rank 0's *passes for the next batch; 0 ends the call of `advance`. Blocks until
     * all ranks have called it. NULL if all slabs are here. */
    enum status (*broadcast)(struct transport *transport, long *passes, struct error *error);

    /* On entry sums[s*count + k] belongs to the s-th slab here, on return sums[k] to all slabs,
     * added in slab order. Blocks until all ranks have called it. NULL if all slabs are here. */
    enum status (*add)(struct transport *transport, long count, double *sums, struct error *error);

    /* Completes U, Nx*Ny values, with the rows of other processes; the rows here are already in it.
     * U need be complete only on rank 0. NULL if all slabs are here. */
    enum status (*gather)(struct transport *transport, double *U, struct error *error);

    /* Reports that a slab has failed: all threads that wait for it, here or elsewhere, now or
     * later, fail as well. Any thread may call it. NULL: it can't be reported. */
    void (*abort)(struct transport *transport);

    void (*close)(struct transport *transport);
};

/* The part that all transports have in common; each kind's own struct begins with it. */
struct transport {
    const struct transport_ops *ops;
    char name[64];        /* for display: "host copies", "mpi, host-staged (Open MPI 4.1.4)" */
    bool waits_on_device; /* slabs wait on the device: wait time = loop − kernels */
};

struct slabs_spec;

/* Connects the slabs here, whose engines are open. Everything pointed to must outlive the
 * transport. On failure *transport is untouched. */
typedef enum status (*transport_opener)(const struct slabs_spec *slabs,
                                        struct engine *const *engines, struct transport **transport,
                                        struct error *error);

/* The rows of a slab's mesh to exchange on its lower (0) or upper (1) side: the first own row, the
 * first halo row, and the number of each, 0 if there is no neighbour on that side. */
struct halo_rows {
    int own, ghosts, count;
};

struct halo_rows transport_rows(const struct engine_spec *spec, int side);

/* Connects slabs within one process: each slab waits for its neighbours and pulls their rows
 * (slab_ops.pull). All slabs must be here. */
enum status transport_open_shared(const struct slabs_spec *slabs, struct engine *const *engines,
                                  struct transport **transport, struct error *error);
