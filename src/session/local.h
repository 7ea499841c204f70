/* A source whose runs happen in the caller's thread: each call of `latest` makes the next turn of
 * the runner, until interrupt_flag is set. For runs without a screen. */
#pragma once

#include "run/source.h"

struct local_settings {
    double slice;           /* duration of a turn, in seconds; INFINITY: until a lane has ended */
    bool every_turn;        /* make a sample after each turn, not only at the end */
    int samples_per_second; /* the most samples with fields; 0: no fields */
};

/* STATUS_INTERNAL if memory ran out. A plan that can't run is not an error here: the first sample
 * reports it. */
enum status local_start(const struct local_settings *settings, const struct plan *plan,
                        const struct view *view, struct source **source, struct error *error);
