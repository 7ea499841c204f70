/* A transport: how the slabs of a run, here and elsewhere, exchange boundary rows and add up their
 * sums.
 *
 * Next to each neighbour a slab has halo rows, as many as a pass is deep: copies of the
 * neighbour's. After each pass they are exchanged once: `begin` when the slab's boundary rows are
 * computed, `finish` before the next pass. Each slab's own thread calls both, in the same order of
 * passes. One thread calls the other functions between batches, while no slab computes. The run's
 * numbers are the same on every transport, because sums are added in slab order.
 */
#ifndef JACOBI_SOLVER_TRANSPORT_H
#define JACOBI_SOLVER_TRANSPORT_H

#include "solver/engine.h"

struct transport;

/* All write `error` if they fail. */
struct transport_ops {
    /* Starts to send the boundary rows of the slab's newest iterate, which are computed, or will be
     * by enqueued work. Does not wait for a neighbour. `slab` counts those here, from 0. */
    enum status (*begin)(struct transport *transport, int slab, struct error *error);

    /* Afterwards the halo rows of the slab's newest iterate are there, or will be for what is
     * enqueued from now on; and the boundary rows may be written again. May block until each
     * neighbour has called `begin` for the same pass. Adds an EVENT_HALO per copy, and an
     * EVENT_WAIT for the time in which its thread only waited, to the slab's log. */
    enum status (*finish)(struct transport *transport, int slab, struct error *error);

    /* Broadcasts rank 0's *passes, of the next batch; 0 ends the call of advance. Blocks until
     * all have asked. NULL if all slabs are here. */
    enum status (*broadcast)(struct transport *transport, long *passes, struct error *error);

    /* On entry sums[s*count + k] is of the s-th slab here; afterwards sums[k] is the sum over all
     * slabs, in slab order. Blocks until all have asked. NULL if all slabs are here. */
    enum status (*add)(struct transport *transport, long count, double *sums, struct error *error);

    /* The rows of U that are elsewhere, Nx*Ny values in all of which those here are there already;
     * they need only be complete on rank 0. NULL if all slabs are here. */
    enum status (*gather)(struct transport *transport, double *U, struct error *error);

    /* A slab has failed: whoever waits for it, here or elsewhere, now or later, fails as well. May
     * be called by any thread. */
    void (*abort)(struct transport *transport);

    void (*close)(struct transport *transport);
};

/* The part of a transport that every kind has; theirs begin with it. */
struct transport {
    const struct transport_ops *ops;
    char name[64];        /* as shown: "host copies", "mpi, host-staged (Open MPI 4.1.4)" */
    bool waits_on_device; /* slabs wait on the device: wait time = loop − kernels */
};

struct slabs_spec;

/* Connects the slabs here, whose engines are open. Everything pointed to outlives the transport. On
 * failure *transport is untouched. */
typedef enum status (*transport_opener)(const struct slabs_spec *slabs,
                                        struct engine *const *engines, struct transport **transport,
                                        struct error *error);

/* The rows of a slab's mesh that travel, `depth` each: towards lower rows (side 0) and higher ones
 * (side 1). False if there is no neighbour on that side. */
bool transport_rows(const struct slab *slab, int Ny, int side, int *own, int *ghosts, int *count);

/* Between the memories of one process: each slab waits for its neighbours and pulls their rows
 * (slab_ops.pull). All slabs must be here. */
enum status transport_open_shared(const struct slabs_spec *slabs, struct engine *const *engines,
                                  struct transport **transport, struct error *error);

#endif
