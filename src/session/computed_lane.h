/* A lane that a back end of this program computes: an engine, its events, and its residuals. */
#pragma once

#include "session/lane.h"

struct computed_lane {
    struct lane base;
    struct lane_spec spec;         /* as requested */
    const struct backend *backend; /* the chosen one */
    struct device device;
    struct engine *engine;
    struct event_log log;
    double limit; /* the tolerance, converted to the blog's residual */
    double *copy; /* U, followed by RHS, while a field other than U is shown; else NULL */

    /* The contents of the lane's samples: all fields before the totals, and the history. The
     * functions that change them keep them up to date. */
    struct lane_sample known;

    struct { /* the state at the last sample, where the next window begins */
        struct event_totals totals;
        long iterations;
        double seconds;
    } window_begins;
};

/* Chooses the back end and opens its engine. On failure *opened is unchanged. */
enum status computed_lane_open(const struct lane_spec *spec, struct lane **opened,
                               struct error *error);

/* Computes the cells of a level's current U (engine_downsample), as in struct downsample. */
enum status computed_lane_downsample(struct computed_lane *lane, int level,
                                     const struct downsample *downsample, float *cells,
                                     struct error *error);

/* See lane_ops.scan_tuning; `base` is a computed lane. */
void scan_tuning(struct lane *base);
