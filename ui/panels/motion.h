/* Data movement: one iteration of each lane in slow motion, all on one clock. Arrays fill in the
 * memories of host and device, packets as wide as their bytes cross the link, kernels run.
 * motion_model.c computes the state at any time, motion.c draws it. Pure. */
#pragma once

#include "run/sample.h"

/* An event of the displayed iteration; seconds since the iteration began. */
struct motion_step {
    enum event_kind kind;
    enum phase phase;
    enum array array; /* for copies */
    double start, end;
    uint64_t bytes;
};

/* The timeline's iteration: timeline_make. */
struct motion_lane {
    struct run_id run;
    long reached;    /* the lane's iterations at the last look: fewer now mean a new run */
    double seconds;  /* its length */
    int iterations;  /* more than 1: a pass of several */
    bool is_cut;     /* as in struct timeline */
    bool is_copied;  /* structured mapping: copies around each kernel */
    bool has_device; /* the device has separate memory, or the run maps as if it had */
    int array_count;
    enum array arrays[4];
    int count; /* 0: the lane has ended, and its last events are lost */
    struct motion_step steps[SAMPLE_EVENTS];
};

struct motion {
    int lane_count; /* 0: no iteration is known yet, or a lane has none that is whole: */
    bool is_cut;
    struct motion_lane lanes[LANES_MAX];
    double seconds;  /* the longest lane's */
    double slowness; /* seconds of the host's clock per second of the run */
    double at;       /* time in the run; exceeds `seconds` while the finished picture is held */
    double waited_s; /* waiting time so far, see motion_wait_s */
};

/* The time to wait for further iterations, so that a median is known. */
extern const double motion_wait_s;

/* Takes each lane's iteration from the sample, and starts at its beginning. Waits for every lane
 * that runs. */
void motion_take(struct motion *motion, const struct sample *sample);

/* Advances by `seconds` of the host's clock. At the end takes another iteration. Also takes one as
 * soon as possible if there was none, or if the number of lanes has changed. */
void motion_advance(struct motion *motion, const struct sample *sample, double seconds);

/* Jumps to the middle of the next or previous step of any lane. */
void motion_jump(struct motion *motion, int direction);

/* An array in one memory. */
struct motion_array {
    bool is_there;
    double valid;             /* the fraction that has the newest values; the rest is stale */
    bool is_written, is_read; /* by the running kernel */
};

/* The state of a lane at one time. */
struct motion_state {
    struct motion_array host[ARRAY_COUNT], device[ARRAY_COUNT];
    const struct motion_step *copy, *kernel; /* in progress, or NULL */
    double done;                             /* progress of copy or kernel, 0 … 1 */
    const struct motion_step *now;           /* one of them, or an allocation */
    const struct motion_step *last;          /* the last one begun; NULL before the first */
    int copies_begun, copies;                /* begun so far; total of the iteration */
    double bytes_moved, bytes;               /* likewise */
    bool has_ended;
};

void motion_state_at(const struct motion_lane *lane, double at, struct motion_state *state);

/* The arrays that a kernel reads (r), writes (w) or both (b), in the order U, AU, RHS, RES. Those
 * written in part (p) are mapped both ways. */
extern const char motion_uses[PHASE_COUNT][5];

/* "Laplacian", or "Lap" if that needs more than `cols` columns. */
const char *motion_kernel_name(enum phase phase, int cols);
