/* A run on several devices: an engine made of engines.
 *
 * The problem's rows are cut into contiguous slabs, one per device, so rows need no packing. An
 * ordinary engine of the back end computes each slab, in its own thread. The slab's mesh has the
 * slab's rows and, next to each neighbour, as many halo rows as a pass is deep. Each iteration of a
 * pass invalidates one more of them; after the pass the transport replaces them. So there is one
 * exchange per pass. A slab's own rows are bit-identical to a single device's, with two exceptions:
 * hip's blocked kernel may traverse rows and add in the opposite direction at a cut, and mixed
 * precision is refined between batches.
 *
 * Passes come in batches of some milliseconds. The sums of all slabs are added when a batch is
 * over, in slab order. If one sum is small enough, the batch is repeated from its first iterate,
 * exactly up to the stopping iteration. The events of the first attempt are discarded. */
#pragma once

#include "solver/backend.h"
#include "solver/transport.h"

/* The slabs in this process, and their connection. */
struct slabs_spec {
    const struct backend *backend;
    int first, total; /* number of the first slab here, in slab order, and of all slabs */
    int count;        /* number of slabs here: 1 … SLABS_MAX */
    struct engine_spec slabs[SLABS_MAX]; /* the slabs here, from slab_cut, each on its device */
    transport_opener connect;            /* NULL: the back end's own */
    void *context;                       /* argument for `connect` */
};

/* Makes the spec of slab `rank` of `total` on a device; an open depth of passes counts as 1.
 * STATUS_UNAVAILABLE if several devices can't run the spec. STATUS_BAD_INPUT if its method runs on
 * one device, or a slab has fewer rows than its neighbour's halo. */
enum status slab_cut(const struct backend *backend, const struct engine_spec *spec, int rank,
                     int total, int device, struct engine_spec *slab, struct error *error);

/* Returns the depth of a spec's passes; 0: not chosen yet. */
static inline int slab_depth(const struct engine_spec *spec) {
    return spec->run.schedule.kind == SCHEDULE_BLOCKED ? spec->run.schedule.depth : 1;
}

/* Sets the depth of the problem's passes, if it is 0, to the back end's choice for that slab. Sets
 * *tried as depths_tried of struct engine, but only if a depth was chosen. */
enum status slabs_choose_depth(const struct backend *backend, const struct engine_spec *slab,
                               struct engine_spec *problem, uint64_t *tried, struct error *error);

/* Opens the whole problem, whose depth must be chosen, as `open` of struct backend does. */
enum status slabs_open(const struct slabs_spec *spec, const struct engine_spec *problem,
                       struct event_log *events, struct engine **engine, struct error *error);
