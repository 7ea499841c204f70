/* Where an iteration's time goes: figures for bars and tables. Pure. */
#ifndef JACOBI_METRICS_TIMING_H
#define JACOBI_METRICS_TIMING_H

#include "config/config.h"
#include "run/sample.h"
#include "ui/draw/grid.h"

enum { TIMING_ROWS_MAX = 8 };

/* One sort of work, for one iteration. Figures that nobody measured are NaN. */
struct timing_row {
    const char *name; /* "to device", "Update" */
    enum ink ink;
    enum event_kind kind;
    enum phase phase; /* of a kernel; PHASE_COUNT: the sum over all phases */
    double count;     /* calls or copies an iteration */
    double ms, percent, bytes, gbs;
    double reference_ms;
    enum clock_source clock;
};

struct timing {
    int count;
    struct timing_row rows[TIMING_ROWS_MAX]; /* copies and allocation first, then the kernels */
    double total_ms;                         /* wall time of an iteration; NaN before the first */
    double moving_ms;  /* copies and allocation; NaN where not all of it was timed */
    double kernels_ms; /* computing */
    double rest_ms;    /* neither: launches, waiting, the loop itself; never negative */
    enum clock_source kernel_clock, copy_clock; /* CLOCK_NONE where nothing was timed */
    double downsample_percent;    /* of the solver's time, spent on reducing U for the picture */
    double measuring_percent;     /* and, about, on reporting events; NaN where not known */
    double setup_bytes, setup_ms; /* moved outside the loop, to and from the device, in all */
};

/* Over the sample's window of iterations. */
struct timing timing_make(const struct lane_sample *lane, const struct reference *reference);

/* A part of the whole in per cent; NaN where either is not known. */
double timing_percent(const struct timing *timing, double ms);

#endif
