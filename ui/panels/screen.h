/* The input of drawing: every ui/panels drawing is a pure function of struct screen. */
#pragma once

#include "config/config.h"
#include "exercise/kernel_builder.h"
#include "explain/explain.h"
#include "run/sample.h"
#include "run/source.h"
#include "ui/draw/theme.h"
#include "ui/panels/heatmap.h"

struct lesson;
struct motion;
struct panel;
struct rates;
struct residual_theory;

/* The overlay above the panels. */
enum overlay { OVERLAY_NONE, OVERLAY_HELP, OVERLAY_MENU, OVERLAY_TITLE };

/* The displayed part of the timeline, and the selection in it. */
struct timeline_view {
    double zoom;     /* 1: the whole iteration fills the width */
    double position; /* left edge, as a fraction of the iteration */
    int selected;    /* event under the cursor, counted from the oldest shown; -1: none */
};

/* The axis of residuals: lattice updates per unknown (method_work; all methods but multigrid make
 * one per iteration), iterations, or seconds at the run's mean pace. */
enum residual_axis { AXIS_WORK, AXIS_ITERATIONS, AXIS_SECONDS, AXIS_COUNT };

/* The user's choices about the screen; those about the run are in struct plan. Written only by
 * ui/app. */
struct app_state {
    const char *layout;       /* "standard", or a panel's name (ui/panels/layout.h) */
    const struct panel *full; /* the panel that fills the screen, or NULL */
    enum overlay overlay;
    int overlay_row, overlay_top; /* the menu's chosen row; the help screen's first visible row */
    double overlay_seconds;       /* since it opened; counted only for the title */
    bool is_demo;                 /* the run began with the title */
    enum field_scale scale;
    enum field_kind kind;    /* the field's quantity, if known for the problem */
    enum measure measure;    /* of the residuals drawn */
    enum residual_axis axis; /* the residuals' horizontal axis */
    enum colormap colormap;
    bool own_source;    /* the source shown is this program's, not the blog's */
    bool contours;      /* lines of equal value on the field */
    bool other_view;    /* the panel of costs instead of the pictures, or vice versa */
    struct view view;   /* the part of the field shown; cols and rows from the layout */
    double cell_aspect; /* cell height divided by cell width; 0: unknown, about 2 */
    struct timeline_view timeline;
    int chosen_lane; /* 1 + the lane compared with the fastest, modulo lanes + 1; 0: the slowest */
    char message[ERROR_MESSAGE_SIZE]; /* the line under the header, "" for none */
    bool message_is_bad;
    int64_t message_ends_ns; /* time of its expiry (clock_now_ns); 0: it stays */
    bool recording;
    bool run_waits; /* a recording replaces it: Esc returns */
    bool compares;  /* a single run started a comparison: Esc returns to that run */
};

/* The help screen's headings. */
enum key_group {
    KEYS_FIRST, /* the twenty that a class needs */
    KEYS_RUN,
    KEYS_PANELS,
    KEYS_PICTURE,
    KEYS_REPLAY,
    KEYS_LESSON,
    KEYS_EXERCISE,
    KEYS_PROGRAM, /* the screen and the program */
    KEY_GROUPS
};

/* A key, for the footer and the help screen. */
struct key_hint {
    int key;
    const char *label; /* as shown: "space" */
    char words[64];    /* in the footer: "pause" */
    const char *help;  /* on the help screen; NULL: omitted */
    enum key_group group;
    int importance; /* the footer shows the greatest if there is little room; 0: omitted */
};

struct menu_item {
    char label[80];          /* "": only the note is shown */
    char note[TEACHES_SIZE]; /* a description */
    struct error error;      /* why it is unavailable; STATUS_OK if it is available */
    bool is_current;
    bool is_checking;  /* its availability is not known yet */
    char instead[128]; /* its recordings, which Enter shows: "a, b"; "": none */
    int key;           /* in the palette: the key that does the same */
    char key_label[8]; /* as shown: "space" */
};

enum { MENU_ROWS_MAX = 96 };

/* A list to choose from; an unavailable item shows the reason. */
struct menu {
    const char *title;
    int count;
    bool has_head;    /* the first row doesn't scroll */
    bool is_read;     /* rows are lines of a text: nothing can be chosen */
    bool is_searched; /* rows have the typed words; place and columns stay */
    struct menu_item items[MENU_ROWS_MAX];
};

/* The displayed scene of a guided tour. */
struct scene_view {
    char title[128]; /* "5 of 12  Structured mapping, 21 min" */
    const struct lesson *lesson;
    char way[240]; /* the scene's mode: "live", "recorded: …" */
    bool goes_on;  /* scene_goes_on */
};

/* The user's own kernels, and the exercise that they solve. */
struct exercise_view {
    char title[192];              /* "02-needless  Copies that nobody needs" */
    const char *text;             /* NULL: no exercise */
    const char *hint, *afterword; /* replace the text; NULL: not shown */
    const char *code;             /* the file at the last compilation; NULL: none */
    int top;                      /* the first displayed row of the text */
    bool solved;                  /* now, or earlier */
    bool waits;                   /* checked kernels, for the end of a recording or tour */
    const struct kernel_builder_status *news; /* on the last attempt */
    char failure[ERROR_MESSAGE_SIZE];         /* why checked kernels failed in the run; "" if not */
};

/* The prediction of a run's residual (solver/residual_theory.h). */
enum theory {
    THEORY_BOUND,   /* only that the spectral radius bounds the factor per iteration */
    THEORY_PENDING, /* the whole curve, still being computed */
    THEORY_EXACT,
};

struct forecast {
    enum theory theory;
    const struct residual_theory *residual_theory; /* for THEORY_EXACT */
    double iterations; /* to the tolerance, as counted by the program; NaN if unknown */
};

enum { FORECASTS_MAX = LANES_MAX + STUDY_MAX, ERRORS_MAX = 1024 };

/* The true errors, sqrt(sum((U - u)² dx dy)), of the iterates for which the field showed the error,
 * ascending; for a single lane. */
struct error_curve {
    int count;
    long iterations[ERRORS_MAX];
    double errors[ERRORS_MAX];
};

/* Adds the error of the sample's field. Restarts at an earlier iterate or a comparison. When full,
 * drops every second point. */
void error_curve_add(struct error_curve *curve, const struct sample *sample);

struct screen {
    const struct sample *sample; /* never NULL; before the first one, state is SESSION_OPENING */
    const struct config *config;
    const struct plan *plan; /* as requested; the sample has the actual run */
    const struct app_state *state;
    const struct key_hint *hints; /* every row of the keymap, in its order */
    int hint_count;
    const struct scene_view *scene;       /* NULL: none */
    const struct exercise_view *exercise; /* NULL: none */
    const struct menu *menu;              /* the contents of OVERLAY_MENU */
    const struct forecast *forecasts; /* of the lanes, then of the grid study; NULL: bounds only */
    const struct error_curve *errors; /* of lane A; NULL: none */
    const struct rates *rates;        /* of the lanes, against time; NULL: none */
    const struct heatmap *heatmaps;   /* one per lane: levels as last shown; NULL: recomputed */
    const struct motion *motion;      /* the state of the motion panel; NULL: none yet */
    int lane;                         /* the lane of this slot of the layout */
    bool is_covered;                  /* this slot's times would reveal a question's answer */
    bool no_color; /* the terminal can't show levels: the field is drawn in shades */
    bool ascii;    /* only ASCII is supported: screen_draw finally replaces all other glyphs */
};

/* The slot's lane, or NULL before there are lanes. */
static inline const struct lane_sample *screen_lane(const struct screen *screen) {
    return screen->lane < screen->sample->lane_count ? &screen->sample->lanes[screen->lane] : NULL;
}

/* The source that the explain panel shows for that lane: the blog's or ours. */
enum source_kind screen_source(const struct screen *screen);

/* Whether a screen reader is used: only text, one panel above the other, no frames. */
static inline bool for_screen_reader(const struct screen *screen) {
    const struct view_settings *view = &screen->config->view;
    return view->terminal.ascii && view->terminal.colors == COLORS_MONO;
}

/* The field's pixels in the width of a cell: its height has two. */
static inline int screen_pixels(const struct screen *screen) {
    return screen->no_color || screen->ascii ? 1 : 2;
}

/* The number of columns as wide as a row is high. */
static inline double screen_cell_aspect(const struct app_state *state) {
    return state->cell_aspect > 0 ? state->cell_aspect : 2;
}
