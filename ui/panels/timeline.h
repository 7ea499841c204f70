/* The timeline: an iteration of each lane, or several, to scale, as segments in rows.
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

/* So many iterations (or passes of several each) in sequence: of all such spans whose events the
 * sample holds, the one of median length. Leaves out events outside the loop, and those without a
 * known duration. */
void timeline_make(const struct lane_sample *lane, int iterations, struct timeline *timeline);

/* The same beside other lanes: a pass of several iterations is shortened to the time of one, and of
 * several devices the first is shown. */
void timeline_make_beside(const struct sample *sample, int lane, int iterations,
                          struct timeline *timeline);

/* How many iterations a zoom asks for: 1 for a zoom of 1 or more, 1/zoom for less. */
int timeline_iterations(double zoom);

/* The part that is shown of `whole` seconds, inside [0, whole]. */
struct timeline_window {
    double start, length;
};
struct timeline_window timeline_window(const struct timeline_view *view, double whole);

/* The half columns [*from, *to) of `cols` whole ones that a segment covers, at least one. False: it
 * is outside the window. */
bool timeline_columns(const struct timeline_window *window, const struct timeline_segment *segment,
                      int cols, int *from, int *to);

/* "Update copy to device of RHS · 23.1 ms · 134 MB · 5.81 GB/s · at 401 ms (OMPT)"; a V-cycle's
 * kernel names its level: "Update 127² kernel · …". */
char *timeline_describe(char *buffer, size_t size, const struct timeline *timeline,
                        const struct timeline_segment *segment);

/* A segment's label: "RHS" for a copy, "Update" or "Blocked, 8 iterations" for a kernel, "" for an
 * allocation. Kernels have shorter names ("Lap", "8 it.") if `cols` hold no longer one. */
char *timeline_label(char *buffer, size_t size, const struct timeline *timeline,
                     const struct timeline_segment *segment, int cols);

/* The segment at a cell of the panel in `area`, counted as in timeline_view; -1: none. */
int timeline_panel_hit(struct area area, const struct screen *screen, int x, int y);

#endif
