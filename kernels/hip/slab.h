/* What an engine of the HIP back end has besides if it holds a slab (slab.c), for its transport
 * (peer.c).
 *
 * Two streams: the engine's own, and `halo`, whose work goes first. Fused and blocked compute their
 * edges on `halo`, from where they travel while the engine's stream computes the inner rows. No
 * ghosts reach those, so they follow the last pass's at once; the edges follow when the neighbours'
 * rows are there. Classic, and slabs of few rows, compute on their own stream, and only the copies
 * are on `halo`. A pass reads U and writes U_next, classic's as well, so a neighbour may fill the
 * ghost rows of U_next while U's are still read.
 *
 * Both launches of a pass become ready at about the same time. If they don't run at once, as on a
 * wide grid, the edges would come when the first blocks of the inner rows are done: early enough
 * for copies between GPUs. Rows that travel to another process take longer: then the inner rows
 * wait until the edges have begun (`boundary_begun`). */
#ifndef JACOBI_HIP_SLAB_H
#define JACOBI_HIP_SLAB_H

#include "kernels/hip/engine.h"

enum { SLAB_FIELDS = 3 };

struct hip_slab {
    struct hip_stream halo;       /* the engine's but for its handle */
    struct hip_timer halo_timer;  /* of what runs there */
    struct hip_vector checkpoint; /* what the batch began with */
    struct hip_vector source;     /* what the present pass reads */
    double *fields[SLAB_FIELDS];  /* U, U_next and checkpoint, whichever is which at the moment: the
                                     same  in all slabs, pass for pass */
    unsigned ends;                /* hip_boundary_ends */
    bool is_awaited;              /* the host sends rows when they are made */
    void *partials, *state;       /* of the edges, as the engine's */
    hipEvent_t boundary_ready, interior_ready; /* of the last pass: computed */
    hipEvent_t boundary_begun;                 /* the edges begin */
    hipEvent_t sent[2];         /* of even and odd passes: the copies to the neighbours */
    long in_batch;              /* passes of the batch so far */
    int depths[SLAB_BATCH_MAX]; /* of each */
    bool fresh, checkpoints;    /* the next pass is the batch's first; it leaves U alone */
    int64_t began_ns;
};

/* Which of `fields` is the newest iterate. */
int hip_slab_newest(const struct hip_engine *hip);

#endif
