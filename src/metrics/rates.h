/* Rates against time: bytes per second over the link and of memory, and the residual. Pure data.
 *
 * The axis counts only running: no pauses, and no time between runs. It is a quarter of a minute
 * long, after that a minute; or as long as a shorter recording. */
#pragma once

#include "run/sample.h"

enum { RATE_BINS = 240, RATE_MARK_SIZE = 16 };

enum quantity { QUANTITY_LINK, QUANTITY_MEMORY, QUANTITY_RESIDUAL, QUANTITIES };

/* A part of the axis, or a lane's totals. Rates are bytes over seconds of the loop, as in
 * metrics/costs.h. */
struct rate_bin {
    double seconds;  /* 0: no iteration ended here */
    double bytes[2]; /* copied in both directions, and the kernels' minimum traffic; NaN: unknown */
    double residual; /* the blog's, at the end; NaN: none */
    char begins[RATE_MARK_SIZE]; /* "structured": a run began that differs in this; "": none */
};

struct rates {
    double span_s;        /* the length of the axis; 0: no sample yet */
    double now_s, time_s; /* the axis's end; the last sample's time */
    bool grows;           /* a live run's */
    bool was_running;
    char task[64]; /* what all runs on the axis have in common */
    struct run_id runs[LANES_MAX];
    struct rate_bin totals[LANES_MAX];          /* of these runs, */
    long ends[LANES_MAX];                       /* to this bin */
    struct rate_bin bins[LANES_MAX][RATE_BINS]; /* bin b is at b % RATE_BINS */
};

/* Adds what has passed since the last sample. Another run of the same problem continues the axis;
 * another problem, or a step back in a recording, clears it. */
void rates_add(struct rates *rates, const struct sample *sample);

/* The sum over one of `columns` columns, from the left; the last one ends now. Two bins stay
 * together, or apart, while the axis scrolls. */
struct rate_bin rates_column(const struct rates *rates, int lane, int column, int columns);
