/* A source whose runs happen in the caller's own thread: each call of `latest` makes the next turn
 * of the runner. For runs without a screen. */
#ifndef JACOBI_SESSION_LOCAL_H
#define JACOBI_SESSION_LOCAL_H

#include <stdatomic.h>

#include "run/source.h"

struct local_settings {
    double slice;            /* of a turn, in seconds; INFINITY: until a lane has ended */
    bool every_turn;         /* a sample is wanted after each turn, not only of the end */
    int samples_per_second;  /* 0: no fields are wanted; else so many samples have them, at most */
    const atomic_bool *stop; /* once it is true, turns end early */
};

/* STATUS_INTERNAL if memory ran out. A plan that can't run is no error here: the first sample
 * reports it. */
enum status local_start(const struct local_settings *settings, const struct plan *plan,
                        const struct view *view, struct source **source, struct error *error);

#endif
