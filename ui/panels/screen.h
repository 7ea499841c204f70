/* What a screen is drawn from: all that ui/panels draws is a pure function of struct screen. */
#ifndef JACOBI_UI_PANELS_SCREEN_H
#define JACOBI_UI_PANELS_SCREEN_H

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
struct residual_theory;

/* What is over the panels. */
enum overlay { OVERLAY_NONE, OVERLAY_HELP, OVERLAY_MENU, OVERLAY_TITLE };

/* The part of the timeline that is shown, and what is selected in it. */
struct timeline_view {
    double zoom;     /* 1: the whole iteration fills the width */
    double position; /* left edge, as a fraction of the iteration */
    int selected;    /* event under the cursor, counted from the oldest shown; -1: none */
};

/* The axis of residuals: lattice updates per unknown (method_work; all methods but multigrid make
 * one per iteration), iterations, or seconds at the run's mean pace. */
enum residual_axis { AXIS_WORK, AXIS_ITERATIONS, AXIS_SECONDS, AXIS_COUNT };

/* The user's choices about the screen; those about the run are in struct plan. Only ui/app writes
 * it. */
struct app_state {
    const char *layout;       /* "standard", or a panel's name (ui/panels/layout.h) */
    const struct panel *full; /* the panel that has the screen to itself, or NULL */
    enum overlay overlay;
    int overlay_row, overlay_top; /* the menu's chosen row; the help screen's first visible row */
    double overlay_seconds;       /* since it opened; only the title counts them */
    bool is_demo;                 /* the run began with the title */
    enum field_scale scale;
    enum field_kind kind;    /* what the field shows, if it is known of the problem */
    enum measure measure;    /* of the residuals drawn, */
    enum residual_axis axis; /* and over what */
    enum colormap colormap;
    bool own_source;    /* the source shown is this program's, not the blog's */
    bool contours;      /* lines of equal value on the field */
    bool other_view;    /* the panel of costs instead of the pictures, or the other way round */
    struct view view;   /* the part of the field shown; cols and rows as the layout gives them */
    double cell_aspect; /* height of the terminal's cells over their width; 0: not known, about 2 */
    struct timeline_view timeline;
    int chosen_lane; /* of many, compared with the fastest by panel costs, from 1, modulo their
                        number; 0: the slowest */
    char message[ERROR_MESSAGE_SIZE]; /* the line under the header, "" for none */
    bool message_is_bad;
    int64_t message_ends_ns; /* when it goes by itself (clock_now_ns); 0: it stays */
    bool recording;
    bool run_waits; /* a recording is shown in its place: Esc goes back */
    bool compares;  /* a comparison was begun here, from a run alone: Esc goes back to that */
};

/* The help screen's headings. */
enum key_group {
    KEYS_RUN,
    KEYS_CHOOSE,
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
    const char *help;  /* on the help screen; NULL: not there */
    enum key_group group;
    int importance; /* in the footer the greatest are kept if there is little room; 0: not there */
};

struct menu_item {
    char label[80];          /* "": the note is all there is */
    char note[TEACHES_SIZE]; /* what it is */
    struct error error;      /* why it can't be had; STATUS_OK if it can */
    bool is_current;
    bool is_checking;  /* whether it can be had is not known yet */
    bool is_looked_up; /* whether `instead` is known */
    char instead[128]; /* recordings of it that Enter shows: "a, b"; "": none */
};

enum { MENU_ROWS_MAX = 32 };

/* A list to choose from; an item that can't be had says why. */
struct menu {
    const char *title;
    int count;
    bool has_head; /* the first row stays in sight */
    bool is_read;  /* rows are lines of a text: there is nothing to take */
    struct menu_item items[MENU_ROWS_MAX];
};

/* The scene of a guided tour that is shown. */
struct scene_view {
    char title[128]; /* "5 of 12  Structured mapping" */
    const struct lesson *lesson;
    char way[240]; /* how the scene is shown: "live", "recorded: …" */
};

/* Kernels of the user's own, and the exercise that they solve. */
struct exercise_view {
    char title[192];                          /* "02-needless  Copies that nobody needs" */
    const char *text;                         /* NULL: there is no exercise */
    const char *hint, *afterword;             /* shown instead; NULL: not now */
    const char *code;                         /* the file as it was last compiled; NULL: none */
    int top;                                  /* the first row of the text that is shown */
    bool solved;                              /* now, or earlier */
    const struct kernel_builder_status *news; /* of the last attempt */
    char failure[ERROR_MESSAGE_SIZE];         /* why what was right did not run on; "" if it does */
};

/* What theory says of a run's residual (solver/residual_theory.h). */
enum theory {
    THEORY_BOUND,   /* that each iteration shrinks it by the spectral radius at least */
    THEORY_PENDING, /* its whole course, which is still being computed */
    THEORY_EXACT,
};

struct forecast {
    enum theory theory;
    const struct residual_theory *residual_theory; /* if it is exact */
    double iterations; /* to the tolerance, as the program counts them; NaN if not known */
};

enum { FORECASTS_MAX = LANES_MAX + STUDY_MAX, ERRORS_MAX = 1024 };

/* The true errors, sqrt(sum((U - u)² dx dy)), of the iterates at which the field showed the error,
 * ascending; of one lane alone. */
struct error_curve {
    int count;
    long iterations[ERRORS_MAX];
    double errors[ERRORS_MAX];
};

/* Adds the error of the sample's field. Restarts at an earlier iterate or a comparison; once full
 * it drops every second point. */
void error_curve_add(struct error_curve *curve, const struct sample *sample);

struct screen {
    const struct sample *sample; /* never NULL; before the first one, state is SESSION_OPENING */
    const struct config *config;
    const struct plan *plan; /* what was asked for; the sample says what runs */
    const struct app_state *state;
    const struct key_hint *hints; /* every row of the keymap, in its order */
    int hint_count;
    const struct scene_view *scene;       /* NULL: none */
    const struct exercise_view *exercise; /* NULL: none */
    const struct menu *menu;              /* what OVERLAY_MENU shows */
    const struct forecast *forecasts; /* of the lanes, then of the grid study; NULL: bounds only */
    const struct error_curve *errors; /* of lane A; NULL: none */
    const struct heatmap *heatmaps;   /* one per lane: levels as last shown; NULL: made afresh */
    const struct motion *motion;      /* what panel motion shows; NULL: nothing yet */
    int lane;                         /* the lane that this slot of the layout shows */
    bool no_color; /* the terminal can't show levels: the field is drawn in shades */
    bool ascii;    /* only ASCII gets through: screen_draw replaces all other glyphs at its end */
};

/* The lane that the slot shows, or NULL before there are lanes. */
static inline const struct lane_sample *screen_lane(const struct screen *screen) {
    return screen->lane < screen->sample->lane_count ? &screen->sample->lanes[screen->lane] : NULL;
}

/* Whose source of that lane the panel of the source shows. */
static inline enum source_kind screen_source(const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    return lane && explain_has_blog(lane) && !screen->state->own_source ? SOURCE_BLOG : SOURCE_OWN;
}

/* Whether a screen reader is used: all in words, over one another, no frames. */
static inline bool for_screen_reader(const struct screen *screen) {
    const struct view_settings *view = &screen->config->view;
    return view->terminal.ascii && view->terminal.colors == COLORS_MONO;
}

/* How many columns are as wide as a row is high. */
static inline double screen_cell_aspect(const struct app_state *state) {
    return state->cell_aspect > 0 ? state->cell_aspect : 2;
}

#endif
