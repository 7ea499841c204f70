/* A run on several devices: an engine made of engines.
 *
 * The problem's rows are cut into slabs, one per device and contiguous, so that nothing has to be
 * packed. Each is computed by an ordinary engine of the back end, in a thread of its own, on a mesh
 * that has the slab's rows and, next to its neighbours, halo rows: as many as a pass is deep. Each
 * iteration of a pass makes one more of them invalid. When all are, the transport replaces them. So
 * there is one exchange per pass. A slab's own rows have the same bits as on one device, except in
 * hip's blocked, whose blocks at a cut may walk and add the other way, and in mixed precision,
 * which is refined between batches.
 *
 * Passes come in batches of some milliseconds. The sums of all slabs are added when a batch is
 * over, in slab order. If one of them is small enough, the batch is repeated from its first
 * iterate, exactly up to the stopping iteration. The events of the first try are discarded.
 */
#ifndef JACOBI_SOLVER_SLABS_H
#define JACOBI_SOLVER_SLABS_H

#include "solver/backend.h"
#include "solver/transport.h"

/* Which slabs are here, and how they are connected. */
struct slabs_spec {
    const struct backend *backend;
    int first, total; /* the first here in slab order, and how many there are */
    int count;        /* how many are here: 1 … SLABS_MAX */
    struct engine_spec
        slabs[SLABS_MAX];     /* those here, as slab_cut makes them, each on its device */
    transport_opener connect; /* NULL: as the back end does */
    void *context;            /* what `connect` wants to know */
};

/* The rows of slab `rank` of `total` (while the depth of passes is open, as for 1) on a device, as
 * an engine is asked for them. STATUS_UNAVAILABLE if several devices can't do together what is
 * asked for, STATUS_BAD_INPUT if a slab has fewer rows than its neighbour has halo rows. */
enum status slab_cut(const struct backend *backend, const struct engine_spec *spec, int rank,
                     int total, int device, struct engine_spec *slab, struct error *error);

/* The depth of a spec's passes; 0: still open. */
static inline int slab_depth(const struct engine_spec *spec) {
    return spec->run.schedule.kind == SCHEDULE_BLOCKED ? spec->run.schedule.depth : 1;
}

/* Sets the depth of the problem's passes, if it is open, as the back end chooses it for that slab.
 * *tried as struct engine has it; it stays if nothing is chosen. */
enum status slabs_choose_depth(const struct backend *backend, const struct engine_spec *slab,
                               struct engine_spec *problem, uint64_t *tried, struct error *error);

/* As struct backend's open, for the whole problem, whose depth is chosen. */
enum status slabs_open(const struct slabs_spec *spec, const struct engine_spec *problem,
                       struct event_log *events, struct engine **engine, struct error *error);

#endif
