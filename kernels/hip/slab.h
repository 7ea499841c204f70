/* The additional data of an engine that holds a slab (slab.c), for its transport (peer.c).
 *
 * There are two streams: the engine's own computes, and `halo`, whose work has priority, copies. A
 * pass of Fused or Blocked is one kernel, which begins with the rows that the neighbours wait for.
 * The kernel Await ends on `halo` when these rows are complete (device/common.h), so their copies
 * run during the rest of the pass. Classic's copies wait for Update. The next pass waits for the
 * neighbours' copies, which have usually arrived by then.
 *
 * A pass, classic's too, reads U and writes U_next. A neighbour's rows arrive in U_next. Their last
 * readers were this slab's blocks that computed rows for that neighbour in the previous pass.
 *
 * Await takes one thread, and waits only for a kernel enqueued before it. So it can't wait forever,
 * however many streams share a queue of the device. */
#pragma once

#include "kernels/hip/engine.h"

enum { SLAB_FIELDS = 3 };

enum slab_event {
    PASS_DONE, /* on the engine's stream */
    ARRIVED,   /* the neighbours' rows from another process */
    SENT,      /* the copies to the neighbours: of even passes; the next event is for odd ones */
    SLAB_EVENTS = SENT + 2
};

struct hip_slab {
    struct hip_stream halo;       /* as the engine's, with another handle */
    struct hip_timer halo_timer;  /* for the work on `halo` */
    struct hip_vector checkpoint; /* the start of the batch */
    void *fields[SLAB_FIELDS];    /* the arrays of U, U_next and checkpoint; their roles change
                                     from pass to pass, in the same way in all slabs */
    unsigned awaited;             /* blocks in all passes so far: struct pass_state's `ready` */
    hipEvent_t events[SLAB_EVENTS];
    long in_batch;              /* passes of the batch so far */
    int depths[SLAB_BATCH_MAX]; /* of each pass */
    bool fresh, checkpoints;    /* the next pass is the batch's first; it must keep U */
    int64_t began_ns;
};

/* The index in `fields` of the newest iterate. */
int hip_slab_newest(const struct hip_engine *hip);
