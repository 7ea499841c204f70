/* A sample: the state of a run at one moment.
 *
 * The runner makes it, or a recording contains it, and it never changes afterwards. The screen, the
 * recorder and the reports use samples alone, so a sample holds copies, not pointers into the
 * solver. */
#pragma once

#include "run/plan.h"
#include "solver/engine.h"
#include "solver/field_stats.h"

/* A sample has the last SAMPLE_EVENTS events, in a recording possibly only RECORD_EVENTS of them.
 */
enum { FIELD_MAX_CELLS = 1 << 17, SAMPLE_EVENTS = 512, RECORD_EVENTS = 192 };

/* U or another quantity, downsampled to cells. */
struct field {
    enum field_kind kind;
    struct downsample downsample; /* cols and rows are 0 before the first downsample */
    long iteration;               /* number of the iterate that it shows */
    float *cells;                 /* room for FIELD_MAX_CELLS; owned by the sample */
    float min, max;               /* of the finite cells */
    float smallest_nonzero;       /* smallest |cell| > 0, or 0: lower end of a log scale */
    struct field_stats stats;     /* of the whole grid at that iteration */
};

/* Multigrid's coarser levels: the last cycle's correction on each level, reduced like a field.
 * Level 1 is the first, with up to LEVEL_SIDE cells per side; each level has half as many as the
 * one before. They are updated as often as a field of U. */
enum { LEVEL_FIELDS = 7, LEVEL_SIDE = 64, LEVEL_CELLS = 5461 };

struct level_fields {
    int count;                     /* number of levels, from level 1 on; 0: none, or no cycle yet */
    long iteration;                /* the iteration that made them */
    struct field of[LEVEL_FIELDS]; /* room for LEVEL_SIDE² cells, then a quarter of that, …:
                                      LEVEL_CELLS for all; none in a grid study's lanes */
};

/* Figures of U at the end of a run; NaN: not read. */
struct solution {
    double min, max;
    double middle;    /* at the unknown (Nx/2, Ny/2) */
    double l2;        /* sqrt(sum(U²)*dx*dy) */
    double error;     /* sqrt(sum((U - exact)²)*dx*dy), if the solution is known */
    double error_max; /* largest |U - exact|, if the solution is known */
};

extern const struct solution solution_unknown;

/* Quantiles of the time per iteration by the host's clock, in ms, after warm-up and without the
 * effects of other runs on the device (event_log_begin_turn). `count` is 0 in recordings without
 * them; beside other runs, `median` is then the mean of the whole recording. */
struct iteration_times {
    long count;
    double p05, p25, median, p75, p95;
};

/* Durations of one kernel in ns over the iterations after warm-up; NaN: not known. */
struct kernel_durations {
    double p05, median, p95;
    double warm_up_mean;
};

enum { TUNING_SCAN_MAX = 6 };

/* Times per iteration with several launch geometries, measured in turn during the run. */
struct tuning_scan {
    int count; /* 0: not measured, or nothing to choose */
    enum tuning_field field;
    int value[TUNING_SCAN_MAX];
    double ms[TUNING_SCAN_MAX]; /* of the loop per iteration, by the host's clock */
};

/* The visible part of the field, as fractions of the grid, its cells and its quantity. */
struct view {
    int cols, rows;
    double x0, x1, y0, y1;
    enum field_kind kind;
};

struct lane_sample {
    int nx, ny; /* the lane's grid */
    struct run_id run;
    char title[32], device[96], architecture[48], driver[64];
    char recorded[32];    /* date of the recording, "2026-11-21"; "": live */
    bool recording_ended; /* in a comparison of recordings: this one has no later sample */
    char fallback_from[16], fallback_reason[ERROR_MESSAGE_SIZE]; /* "": the first choice */
    uint64_t cache_bytes;       /* of the device's last-level cache; 0: unknown */
    struct roof roof;           /* the device's; unknown until COMMAND_PROBE has measured it */
    uint64_t depths_tried;      /* bit k: depth k was tried; 0: the depth was given */
    struct tuning tuning_tried; /* the same for launch parameters; see tuning_tried */
    struct device_stats_list device_stats; /* empty in a single-device run */
    struct tuning_scan tuning_scan;        /* the last one made by COMMAND_TUNING_SCAN */
    enum lane_state state;
    struct error error;

    long iterations;
    long iteration_limit;              /* the run stops there, */
    double tolerance;                  /* or once its residual is not above this; as given */
    enum measure measure;              /* the residual's measure for `tolerance` */
    double initial_residual, residual; /* the blog's */
    double seconds;                    /* time in the loop, as in AMD's program: without setup */
    double downsample_seconds;         /* time spent on fields */
    double clock_step_ns; /* resolution of the device clock with which kernels time themselves; 0:
                             they don't */
    bool middle_known;    /* in a live run that has converged: `middle` is set */
    bool has_solution;    /* in a live run's last sample, unless U could not be read */
    double middle;        /* U at the unknown (Nx/2, Ny/2) */
    struct solution solution;
    double event_seconds; /* the part of `seconds` spent on reporting events; 0: unknown */

    struct event_totals totals; /* since the start */
    struct event_totals window; /* over the last window_iterations alone */
    long window_iterations;     /* 0 before the first iteration is complete */
    double window_seconds;      /* time in the loop for these iterations */
    struct loop_totals typical; /* since the start, over the iterations whose length is between the
                                   quartiles: their parts add up. None: not known */
    struct kernel_durations durations[PHASE_COUNT]; /* since the start */
    struct kernel_usage usage[PHASE_COUNT];         /* of the last launch */
    struct iteration_times times;                   /* since the start */
    double recorded_mean_ms; /* per iteration, in a comparison of recordings: of the whole one; 0:
                                that of `seconds` */
    enum phase phase;        /* the current phase */

    struct history history;

    int event_count; /* the last events, oldest first */
    struct event events[SAMPLE_EVENTS];

    struct field field;
    struct level_fields levels;
};

enum session_state {
    SESSION_OPENING, /* allocating and filling arrays; no lanes yet */
    SESSION_RUNNING,
    SESSION_PAUSED,
    SESSION_FINISHED, /* every lane has converged or reached its limit */
    SESSION_FAILED,   /* `error` holds the reason; lanes keep their last known state */
};

/* The position of a replay; empty in a live session. Code that draws a sample with a label must
 * show the label: a replay must never be mistaken for a live run. */
enum { PLAYBACK_CHAPTERS_MAX = 32 };

struct playback {
    char label[160]; /* "replay: NVIDIA H200, 2026-11-21"; "": live */
    double position_s, length_s;
    double rate; /* 1: as recorded */
    bool paused;
    bool races;                 /* COMMAND_RACE is obeyed: the lanes were recorded separately */
    int chapter, chapter_count; /* from 0; -1 before the first */
    char chapter_title[64];
    float chapters_s[PLAYBACK_CHAPTERS_MAX]; /* where the first of them begin */
};

struct sample {
    uint64_t sequence; /* counts up */
    int64_t time_ns;   /* since the session began */
    enum session_state state;
    struct error error;

    char preset[64], problem[32];
    int nx, ny;
    long iteration_limit; /* of the computed lanes, or the largest of several recorded ones */
    double tolerance;
    enum measure measure;
    enum race race;
    int iterations_per_second; /* as in struct plan */

    struct playback playback;
    char remote_command[80]; /* the command that reaches the run's machine; "": this machine */
    char warning[120];       /* a problem of the connection or the file that does not end the run */

    bool is_last;  /* after COMMAND_FINISH: the final sample, with the lanes' solutions */
    double filled; /* while opening: the fraction of all runs' arrays that is filled */
    int lane_count, study_count;
    struct lane_sample lanes[LANES_MAX]; /* side by side */
    struct lane_sample study[STUDY_MAX]; /* a grid study: the first lane's run on other grids,
                                            without cells. A recording keeps nx (0: not begun), ny,
                                            iterations, residual, state, history and seconds */
};

/* NULL if memory runs out; sample_destroy allows NULL. */
struct sample *sample_create(void);
void sample_destroy(struct sample *sample);

/* Copies everything, including the cells, between samples from sample_create; one lane; or a lane's
 * field and levels. Space beyond the last residual, event or cell is not written. */
void sample_copy(struct sample *to, const struct sample *from);
void lane_sample_copy(struct lane_sample *to, const struct lane_sample *from);
void lane_fields_copy(struct lane_sample *to, const struct lane_sample *from);

/* Returns solution_unknown if the lane has none. */
const struct solution *lane_solution(const struct lane_sample *lane);

bool sample_is_paused(const struct sample *sample);
int sample_recorded_count(const struct sample *sample);

/* Lists the phases of an iteration of the lane: method_phases. Returns their number. */
int lane_phases(const struct lane_sample *lane, enum phase phases[PHASE_COUNT]);

/* Returns whether both make the same iterates (same grid, method, ω, cycle and precision). */
bool lane_same_iterates(const struct lane_sample *a, const struct lane_sample *b);

/* Returns whether the lanes' methods differ, or the parameters of a method other than Jacobi. */
bool sample_methods_differ(const struct sample *sample);

bool sample_iterates_differ(const struct sample *sample);

/* Returns whether each lane has a field and a residual of its own: the lanes' iterates differ, or
 * the lanes run for the same time. */
bool sample_lanes_differ(const struct sample *sample);

bool sample_grids_differ(const struct sample *sample);

/* Returns the index of the first lane of that method; -1 if there is none. */
int sample_first_of(const struct sample *sample, enum method method);

/* Finds the cell of U that covers the middle of a grid of nx × ny; false if none does. */
bool field_middle(const struct field *field, int nx, int ny, double *value);

/* Sets min, max and smallest_nonzero from the cells. */
void field_measure(struct field *field);

/* Returns the largest number of cells per side of a level, `index` 0 for level 1. */
int level_side(int index);

bool view_same(const struct view *a, const struct view *b);

/* Returns the cells that `view` selects on a mesh, at most FIELD_MAX_CELLS and one per unknown. A
 * cell of FIELD_SIGN never holds more than one unknown: if the part of the grid has more, only its
 * middle is shown. */
struct downsample view_downsample(const struct view *view, const struct mesh *mesh);

/* Resamples the recorded cells to those that `view` selects on a grid of nx × ny: by means if there
 * are more recorded cells, and never to more. Nothing is shown beyond the recorded part of the
 * grid. Changes nothing if the view is the recorded one. */
void field_resample(struct field *field, const struct view *view, int nx, int ny);

/* Returns whether the lane's device is a GPU, judging by its architecture. */
bool lane_is_on_gpu(const struct lane_sample *lane);
