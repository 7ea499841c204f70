/* What an engine that holds a slab has in addition (slab.c), for its transport (peer.c).
 *
 * There are two streams: the engine's own computes, and `halo`, whose work has priority, copies. A
 * pass of Fused or Blocked is one kernel, which begins with the rows that the neighbours wait for.
 * The kernel Await ends on `halo` when they are there (device/common.h), so their copies go while
 * the pass goes on. Classic's copies wait for Update. The next pass waits for the neighbours'
 * copies, which by then have long arrived, and so for its own.
 *
 * A pass, classic's too, reads U and writes U_next. A neighbour's rows arrive in U_next, whose last
 * readers were the blocks that made the rows it waited for in the pass before.
 *
 * Await takes one thread, and waits only for a kernel that was enqueued before it: nothing can
 * wait for it in vain, however many streams share a queue of the device. */
#ifndef JACOBI_HIP_SLAB_H
#define JACOBI_HIP_SLAB_H

#include "kernels/hip/engine.h"

enum { SLAB_FIELDS = 3 };

enum slab_event {
    PASS_DONE, /* of the engine's stream */
    ARRIVED,   /* the neighbours' rows, from another process */
    SENT,      /* of even passes, and behind it of odd ones: the copies to the neighbours */
    SLAB_EVENTS = SENT + 2
};

struct hip_slab {
    struct hip_stream halo;       /* the engine's but for its handle */
    struct hip_timer halo_timer;  /* of what runs there */
    struct hip_vector checkpoint; /* what the batch began with */
    void *fields[SLAB_FIELDS];    /* U, U_next and checkpoint, whichever is which at the moment: the
                                     same  in all slabs, pass for pass */
    unsigned awaited;             /* blocks, of all passes so far: struct pass_state's `ready` */
    hipEvent_t events[SLAB_EVENTS];
    long in_batch;              /* passes of the batch so far */
    int depths[SLAB_BATCH_MAX]; /* of each */
    bool fresh, checkpoints;    /* the next pass is the batch's first; it leaves U alone */
    int64_t began_ns;
};

/* Which of `fields` is the newest iterate. */
int hip_slab_newest(const struct hip_engine *hip);

#endif
