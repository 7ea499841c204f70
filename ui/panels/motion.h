/* Data movement: one iteration of each lane in slow motion, both on one clock. Arrays fill in the
 * memories of host and device, packets as wide as their bytes cross the link, kernels run.
 * motion_model.c knows what is where at any time, motion.c draws it. Pure. */
#ifndef JACOBI_UI_PANELS_MOTION_H
#define JACOBI_UI_PANELS_MOTION_H

#include "run/sample.h"

/* An event of the iteration shown; seconds since that began. */
struct motion_step {
    enum event_kind kind;
    enum phase phase;
    enum array array; /* of copies */
    double start, end;
    uint64_t bytes;
};

/* The iteration of median length of those that the sample holds. */
struct motion_lane {
    long iteration;              /* its number, from 0 */
    int of;                      /* iterations of which it is the median */
    double seconds, least, most; /* its length; 5 and 95 of 100 of them are shorter */
    bool is_copied;              /* each kernel has its arrays copied: structured mapping */
    bool has_device; /* the device has a memory of its own, or the run maps as if it had */
    int array_count;
    enum array arrays[4];
    int count;
    struct motion_step steps[SAMPLE_EVENTS];
};

struct motion {
    int lane_count; /* 0: no iteration is known yet */
    struct motion_lane lanes[LANES_MAX];
    double seconds;  /* of the longest lane */
    double slowness; /* seconds of the host's clock per second of the run */
    double at;       /* what is shown: seconds of the run since the iteration began; grows past
                        `seconds` while the finished picture is held */
    double waited_s; /* for more iterations, before the first is shown */
};

/* How long more iterations are waited for, so that a median is known. */
extern const double motion_wait_s;

/* Takes each lane's median iteration from the sample, and begins it. */
void motion_take(struct motion *motion, const struct sample *sample);

/* Goes on by so many seconds of the host's clock. Takes another iteration at the end, and as soon
 * as one is known if there was none, or if the sample has other lanes. */
void motion_advance(struct motion *motion, const struct sample *sample, double seconds);

/* To where the next step of any lane begins, or the one before. */
void motion_jump(struct motion *motion, int direction);

/* An array in one memory. */
struct motion_array {
    bool is_there;
    double valid;             /* the part that holds the newest values; the rest is old */
    bool is_written, is_read; /* by the kernel that runs */
};

/* A lane at one time. */
struct motion_state {
    struct motion_array host[ARRAY_COUNT], device[ARRAY_COUNT];
    const struct motion_step *copy, *kernel; /* under way, or NULL */
    double done;                             /* of that one, 0 … 1 */
    const struct motion_step *last;          /* begun last; NULL before the first */
    int copies_begun, copies;                /* so far, and of the whole iteration */
    double bytes_moved, bytes;               /* likewise */
    bool has_ended;
};

void motion_state_at(const struct motion_lane *lane, double at, struct motion_state *state);

#endif
