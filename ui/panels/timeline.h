/* The timeline: an iteration of each lane, or several, to true scale, as segments in rows.
 * timeline_model.c makes the segments, timeline.c draws them. Pure. */
#ifndef JACOBI_UI_PANELS_TIMELINE_H
#define JACOBI_UI_PANELS_TIMELINE_H

#include "ui/draw/grid.h"
#include "ui/panels/screen.h"

enum timeline_row {
    TIMELINE_HOST,
    TIMELINE_TO_DEVICE,
    TIMELINE_KERNELS,
    TIMELINE_FROM_DEVICE,
    TIMELINE_HALOS, /* of several devices */
    TIMELINE_ROWS
};

struct timeline_segment {
    enum timeline_row row;
    double start, end;         /* seconds since the first iteration shown began, as drawn */
    double at;                 /* when it really began; `start` but beside other lanes */
    const struct event *event; /* of the sample */
};

struct timeline {
    const struct lane_sample *lane; /* the sample's */
    long first, last;               /* iterations shown, counted from 0; last < first: none */
    int depth;          /* iterations that one kernel makes; more than 1 if time is blocked */
    int of;             /* spans of so many iterations of which the median is shown */
    bool is_shared;     /* a pass is drawn as long as one of its iterations takes */
    double seconds;     /* from the start of the first to the end of the last, as drawn */
    double least, most; /* the same of the spans that 5 and 95 of 100 are shorter than */
    int count;
    struct timeline_segment segments[SAMPLE_EVENTS]; /* by their start */
};

/* `iterations` iterations (or passes, if one pass makes several), one after the other. Of all such
 * spans whose events the sample holds in full it is the one of median length: a hiccup of the
 * machine is not what is shown. Events without a known duration and those outside the loop are left
 * out. */
void timeline_make(const struct lane_sample *lane, int iterations, struct timeline *timeline);

/* The same beside the sample's other lanes: a pass of several iterations is drawn shortened to the
 * time of one of them, so that all lanes show equal numbers of iterations; of a run on several
 * devices the first is shown. */
void timeline_make_beside(const struct sample *sample, int lane, int iterations,
                          struct timeline *timeline);

/* How many iterations a zoom asks for: 1 for a zoom of 1 or more, 1/zoom for less. */
int timeline_iterations(double zoom);

/* The part of the time that is shown, in seconds, when `whole` seconds are there. The window never
 * leaves [0, whole]. */
struct timeline_window {
    double start, length;
};
struct timeline_window timeline_window(const struct timeline_view *view, double whole);

/* Sets the half columns [*from, *to), of `cols` whole ones, that a segment covers: at least one.
 * False if it lies outside the window. */
bool timeline_columns(const struct timeline_window *window, const struct timeline_segment *segment,
                      int cols, int *from, int *to);

/* "Update copy to device of RHS · 23.1 ms · 134 MB · 5.81 GB/s · at 401 ms (OMPT)"; of a V-cycle's
 * kernel the level, too: "Update 127² kernel · …". */
char *timeline_describe(char *buffer, size_t size, const struct timeline *timeline,
                        const struct timeline_segment *segment);

/* What is written on a segment: "RHS" on a copy, "Update" on a kernel, "Blocked, 8 iterations" on
 * one of several, "" on an allocation; a shorter name of the kernel ("Lap", "8 it.") if `cols`
 * would not hold the whole. */
char *timeline_label(char *buffer, size_t size, const struct timeline *timeline,
                     const struct timeline_segment *segment, int cols);

/* The segment at a cell when the panel is drawn into `area`, as timeline_view counts them; -1 if
 * there is none. */
int timeline_panel_hit(struct area area, const struct screen *screen, int x, int y);

#endif
