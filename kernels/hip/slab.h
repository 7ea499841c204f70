/* What an engine that holds a slab has in addition (slab.c), for its transport (peer.c).
 *
 * There are two streams: the engine's own, and `halo`, whose work has priority. Fused and blocked
 * compute the boundary rows on `halo`, which then sends them while the engine's stream computes the
 * interior rows. The interior rows read no halo rows, so they may follow the last pass at once. The
 * boundary rows follow when the neighbours' rows have arrived. Classic, and slabs of few rows,
 * compute on their own stream, and only the copies are on `halo`. A pass, classic's too, reads U
 * and writes U_next, so a neighbour may fill the halo rows of U_next while U's are still read.
 *
 * Both launches of a pass become ready at about the same time. On a wide grid they may not fit the
 * device together. Then the boundary rows run after the first blocks of the interior rows, which is
 * early enough for copies between GPUs. Rows for another process take longer: then the interior
 * rows wait until the boundary rows have begun. */
#ifndef JACOBI_HIP_SLAB_H
#define JACOBI_HIP_SLAB_H

#include "kernels/hip/engine.h"

enum { SLAB_FIELDS = 3 };

enum slab_event {
    BOUNDARY_READY, /* computed, of the last pass, */
    INTERIOR_READY,
    BOUNDARY_BEGUN, /* begins to be computed */
    SENT,           /* of even passes, and behind it of odd ones: the copies to the neighbours */
    SLAB_EVENTS = SENT + 2
};

struct hip_slab {
    struct hip_stream halo;       /* the engine's but for its handle */
    struct hip_timer halo_timer;  /* of what runs there */
    struct hip_vector checkpoint; /* what the batch began with */
    struct launch_range interior; /* of the present pass; all rows if it is not split */
    void *fields[SLAB_FIELDS];    /* U, U_next and checkpoint, whichever is which at the moment: the
                                     same  in all slabs, pass for pass */
    unsigned ends;                /* hip_boundary_ends */
    bool is_awaited;              /* the host sends rows when they are made */
    void *partials, *state;       /* of the boundary rows, as the engine's */
    hipEvent_t events[SLAB_EVENTS];
    long in_batch;              /* passes of the batch so far */
    int depths[SLAB_BATCH_MAX]; /* of each */
    bool fresh, checkpoints;    /* the next pass is the batch's first; it leaves U alone */
    int64_t began_ns;
};

/* Which of `fields` is the newest iterate. */
int hip_slab_newest(const struct hip_engine *hip);

#endif
