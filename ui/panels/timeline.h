/* The timeline: an iteration of each lane, or several, to scale, as segments in rows.
 * timeline_model.c makes the segments, timeline.c draws them. Pure. */
#pragma once

#include "ui/draw/grid.h"
#include "ui/panels/screen.h"

enum timeline_row {
    TIMELINE_HOST,
    TIMELINE_TO_DEVICE,
    TIMELINE_KERNELS,
    TIMELINE_FROM_DEVICE,
    TIMELINE_HALOS, /* for several devices */
    TIMELINE_ROWS
};

struct timeline_segment {
    enum timeline_row row;
    double start, end;         /* as drawn, seconds since the first displayed iteration began */
    double at;                 /* actual start; differs from `start` only beside other lanes */
    const struct event *event; /* owned by the sample */
};

struct timeline {
    const struct lane_sample *lane; /* owned by the sample */
    long first, last;               /* iterations shown, counted from 0; last < first: none */
    int iterations;       /* their number, or that of passes; may be fewer than asked for */
    int depth;            /* iterations per kernel; more than 1 with temporal blocking */
    int of;               /* number of spans that it was chosen from */
    bool is_cut;          /* none shown: of each one, events may have been lost */
    bool is_shared;       /* a pass is drawn at the length of one of its iterations */
    double seconds;       /* from the start of the first to the end of the last, as drawn */
    double median;        /* the same of iterations of median length; 0 or NaN: not known */
    const char *unusual;  /* the part that took more than twice its typical time; NULL: none */
    double unusual_times; /* by what factor */
    int count;
    struct timeline_segment segments[SAMPLE_EVENTS]; /* in order of their start */
};

/* Selects `iterations` consecutive iterations (or passes of several each), or as many as the sample
 * holds in a row: of all such spans, the one nearest to the run's median in length and to its
 * typical iterations in its parts; if they are unknown, the one of median length among them. Omits
 * events outside the loop, and those without a known duration. */
void timeline_make(const struct lane_sample *lane, int iterations, struct timeline *timeline);

/* The same beside other lanes, as many of each. A pass of several iterations is scaled to the time
 * of one. Of several devices the first is shown. */
void timeline_make_beside(const struct sample *sample, int lane, int iterations,
                          struct timeline *timeline);

/* Whether an iteration's length differs from a known median by more than 10 %. */
bool timeline_is_apart(double seconds, double median);

/* The number of iterations for a zoom: 1 for a zoom of 1 or more, 1/zoom for less. */
int timeline_iterations(double zoom);

/* The displayed part of `whole` seconds, inside [0, whole]. */
struct timeline_window {
    double start, length;
};
struct timeline_window timeline_window(const struct timeline_view *view, double whole);

/* The half columns [*from, *to) of `cols` whole ones that a segment covers, at least one. Returns
 * false if it is outside the window. */
bool timeline_columns(const struct timeline_window *window, const struct timeline_segment *segment,
                      int cols, int *from, int *to);

/* "Update copy to device of RHS · 23.1 ms · 134 MB · 5.81 GB/s · at 401 ms (OMPT)"; for a kernel of
 * a V-cycle also the level: "Update 127² kernel · …". */
char *timeline_describe(char *buffer, size_t size, const struct timeline *timeline,
                        const struct timeline_segment *segment);

/* Of kernels: "Lap"; NULL: none. */
extern const char *const timeline_short_names[PHASE_COUNT];

/* A segment's label: "RHS" for a copy, "Update" or "Blocked, 8 iterations" for a kernel, "" for an
 * allocation. Kernels have shorter names ("Lap", "8 it.") if `cols` is too small. */
char *timeline_label(char *buffer, size_t size, const struct timeline *timeline,
                     const struct timeline_segment *segment, int cols);

/* The segment at a cell of the panel in `area`, counted as in timeline_view; -1: none. */
int timeline_panel_hit(struct area area, const struct screen *screen, int x, int y);
