/* A sample: what is known of a run at one moment.
 *
 * It is made by the runner (or read from a recording) and never changed afterwards. The screen, the
 * recorder and the reports are made from samples alone, so it holds copies, not pointers into the
 * solver.
 */
#ifndef JACOBI_RUN_SAMPLE_H
#define JACOBI_RUN_SAMPLE_H

#include "run/plan.h"
#include "solver/engine.h"
#include "solver/field_stats.h"

enum { FIELD_MAX_CELLS = 1 << 17, SAMPLE_EVENTS = 512 };

/* U downsampled to cells, or another quantity. */
struct field {
    enum field_kind kind;
    struct downsample downsample; /* cols and rows are 0 until U was downsampled */
    long iteration;               /* of the iterate it shows */
    float *cells;                 /* room for FIELD_MAX_CELLS; owned by the sample */
    float min, max;               /* of the finite cells */
    float smallest_nonzero;       /* smallest |cell| > 0, 0 if all are 0: a log scale's foot */
    struct field_stats stats;     /* of the whole grid at that iteration */
};

/* Of multigrid's coarser levels: the correction that the last cycle has made there, reduced as a
 * field is. Level 1 is the first, with up to LEVEL_SIDE cells per side; each has half as many as
 * the one before. They are there as often as a field of U is. */
enum { LEVEL_FIELDS = 7, LEVEL_SIDE = 64, LEVEL_CELLS = 5461 };

struct level_fields {
    int count;      /* of the levels beside the finest, the first; 0: none, or no cycle yet */
    long iteration; /* that made them */
    struct downsample downsample[LEVEL_FIELDS];
    float *cells; /* of all, LEVEL_SIDE² for the first, then a quarter of it, …: LEVEL_CELLS, owned
                     by the sample; NULL in a grid study's lanes, which have none */
};

/* Figures of U at the end of a run, each NaN if it was not read. */
struct solution {
    double min, max;
    double middle;    /* of the unknown (Nx/2, Ny/2) */
    double l2;        /* sqrt(sum(U²)*dx*dy) */
    double error;     /* sqrt(sum((U - exact)²)*dx*dy), if the problem's solution is known, */
    double error_max; /* and max |U - exact| */
};

/* The title of a lane of the user's own kernels: "your kernels". */
extern const char title_of_own[];

/* One that was not read. */
extern const struct solution solution_unknown;

/* What an iteration takes by the host's clock, in ms, over those after warm-up that found the
 * device as a run alone does (event_log_begin_turn). `count` is 0 in recordings without it. */
struct iteration_times {
    long count;
    double p05, p25, median, p75, p95;
};

/* Durations of one kernel in ns over the iterations after warm-up; NaN if not known. */
struct kernel_durations {
    double p05, median, p95;
    double warm_up_mean;
};

enum { TUNING_SCAN_MAX = 6 };

/* What an iteration takes with one launch geometry and another, measured in turn in the run. */
struct tuning_scan {
    int count; /* 0: none was made, or there is nothing to choose */
    enum tuning_field field;
    int value[TUNING_SCAN_MAX];
    double ms[TUNING_SCAN_MAX]; /* of the loop per iteration, by the host's clock */
};

/* The part of the field to show, as fractions of the grid, how many cells it gets, and of what. */
struct view {
    int cols, rows;
    double x0, x1, y0, y1;
    enum field_kind kind;
};

struct lane_sample {
    int nx, ny; /* its grid */
    struct run_id run;
    char title[32], device[96], architecture[48], driver[64];
    char recorded[32];    /* the day when it was recorded, "2026-11-21"; "" if it runs live */
    bool recording_ended; /* in a comparison of recordings: this one holds no later moment */
    char fallback_from[16], fallback_reason[ERROR_MESSAGE_SIZE]; /* "" if it is the first choice */
    uint64_t cache_bytes;       /* of the device's last cache; 0: not known */
    struct roof roof;           /* of the device; unknown until COMMAND_PROBE has measured it */
    uint64_t depths_tried;      /* bit k: depth k was, to choose that one; 0: it was asked for */
    struct tuning tuning_tried; /* to choose that one; see tuning_tried */
    struct device_stats_list device_stats; /* empty if the run has one device */
    struct tuning_scan tuning_scan;        /* the last that COMMAND_TUNING_SCAN made */
    enum lane_state state;
    struct error error;

    long iterations;
    long iteration_limit; /* it stops there, */
    double tolerance;     /* or when its residual is not above this; as it was asked for */
    enum measure measure; /* of the residual that is compared with it */
    double initial_residual, residual; /* the blog's */
    double seconds;            /* in the loop, as AMD's program counts: without setting up */
    double downsample_seconds; /* spent on fields */
    double clock_step_ns; /* the least step of the device clock that kernels time themselves by; 0:
                             they don't */
    bool middle_known;    /* of a live run that has converged: `middle` is set */
    bool has_solution;    /* in the last sample of a live run, unless U could not be read */
    double middle;        /* U of the unknown (Nx/2, Ny/2) then */
    struct solution solution;
    double event_seconds; /* the part of `seconds` that reporting events took; 0: not known */

    struct event_totals totals;                     /* since the start */
    struct event_totals window;                     /* over the last window_iterations alone */
    long window_iterations;                         /* 0 before the first iteration is complete */
    double window_seconds;                          /* of the loop, for those */
    struct kernel_durations durations[PHASE_COUNT]; /* since the start */
    struct iteration_times times;                   /* since the start */
    enum phase phase;                               /* what was running */

    struct history history;

    int event_count; /* the last events, oldest first */
    struct event events[SAMPLE_EVENTS];

    struct field field;
    struct level_fields levels;
};

enum session_state {
    SESSION_OPENING, /* allocating and filling; there are no lanes yet */
    SESSION_RUNNING,
    SESSION_PAUSED,
    SESSION_FINISHED, /* every lane has converged or reached its limit */
    SESSION_FAILED,   /* `error` says why; lanes show the last that was known */
};

/* The position of a replay; all of it is empty in a live session. Whoever draws a sample whose
 * label is not "" must show the label: a replay must never be mistaken for a live run. */
struct playback {
    char label[160]; /* "replay: NVIDIA H200, 2026-11-21"; "" if it runs live */
    double position_s, length_s;
    double rate; /* 1: as recorded */
    bool paused;
    bool races;                 /* COMMAND_RACE is obeyed: the lanes were recorded one by one */
    int chapter, chapter_count; /* from 0; -1 before the first */
    char chapter_title[64];
};

struct sample {
    uint64_t sequence; /* counts up */
    int64_t time_ns;   /* since the session began */
    enum session_state state;
    struct error error;

    char preset[64], problem[32];
    int nx, ny;
    long iteration_limit; /* of the computed lanes, or the most of several recorded ones */
    double tolerance;
    enum measure measure;
    enum race race;
    int iterations_per_second; /* as in struct plan */

    struct playback playback;
    char remote_command[80]; /* the command that took the run elsewhere; "" if it is this machine's
                              */
    char warning[120]; /* what is wrong with the connection or the file, though the run goes on */

    bool is_last;  /* after COMMAND_FINISH: nothing follows, and lanes have their solutions */
    double filled; /* while opening: the part of the arrays that holds the problem's start */
    int lane_count, study_count;
    struct lane_sample lanes[LANES_MAX]; /* side by side */
    struct lane_sample study[STUDY_MAX]; /* a grid study: first lane's run on other grids, of which
                                            a recording keeps nx (0: not begun), ny, iterations,
                                            residual, state, history and seconds; there are no
                                            cells */
};

/* NULL if there is no memory. */
struct sample *sample_create(void);

/* NULL is allowed. */
void sample_destroy(struct sample *sample);

/* Copies everything, cells too; both were made by sample_create. Space beyond the last residual,
 * event or cell is not written. */
void sample_copy(struct sample *to, const struct sample *from);

/* The same of one lane, */
void lane_sample_copy(struct lane_sample *to, const struct lane_sample *from);

/* and of its field and levels alone. */
void lane_fields_copy(struct lane_sample *to, const struct lane_sample *from);

/* The lane's solution; solution_unknown if it has none. */
const struct solution *lane_solution(const struct lane_sample *lane);

/* Whether it shows a run or a replay that waits to go on. */
bool sample_is_paused(const struct sample *sample);

/* The phases of an iteration of the lane: method_phases. */
int lane_phases(const struct lane_sample *lane, enum phase phases[PHASE_COUNT]);

/* Whether both make the same iterates: grid, method, ω and multigrid's cycle are the same. */
bool lane_same_iterates(const struct lane_sample *a, const struct lane_sample *b);

/* Whether its lanes iterate by different methods, or by one other than Jacobi in different ways. */
bool sample_methods_differ(const struct sample *sample);

/* Whether its lanes' grids differ, as recorded ones' may, each of its own number of devices. */
bool sample_grids_differ(const struct sample *sample);

/* Its first lane of that method; -1 if there is none. */
int sample_first_of(const struct sample *sample, enum method method);

/* How many of its lanes were recorded. */
int sample_recorded_count(const struct sample *sample);

/* The cell of U that covers the middle of a grid of nx × ny; false if none does. */
bool field_middle(const struct field *field, int nx, int ny, double *value);

/* Sets min, max and smallest_nonzero from the cells. */
void field_measure(struct field *field);

/* The correction of a level, `index` 0 for level 1, as a field whose cells are those of `levels`;
 * measured if index < count. */
struct field level_field(const struct level_fields *levels, int index);

/* The most cells per side that a level has. */
int level_side(int index);

/* Whether both ask for the same. */
bool view_same(const struct view *a, const struct view *b);

/* The cells that `view` asks of a mesh, cut to FIELD_MAX_CELLS and to one per unknown. Of
 * FIELD_SIGN a cell never holds more than one unknown: if the part of the grid has more, its
 * middle is shown. */
struct downsample view_downsample(const struct view *view, const struct mesh *mesh);

/* Makes the cells that `view` asks of a grid of nx × ny out of those that are there: means if
 * there are more of them; no more cells than were recorded. Nothing is shown beyond the recorded
 * part of the grid. If the view is the recorded one nothing changes. */
void field_resample(struct field *field, const struct view *view, int nx, int ny);

/* Milliseconds per iteration of the loop, by the host's clock, over the window; NaN before the
 * first iteration. */
double lane_sample_ms_per_iteration(const struct lane_sample *lane);

/* Whether the lane's device is a GPU, by its architecture. */
bool lane_is_on_gpu(const struct lane_sample *lane);

#endif
