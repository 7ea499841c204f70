/* What a screen is drawn from, and nothing else: panels are pure functions of this. */
#ifndef JACOBI_UI_PANELS_SCREEN_H
#define JACOBI_UI_PANELS_SCREEN_H

#include "config/config.h"
#include "run/sample.h"
#include "run/source.h"
#include "ui/draw/theme.h"
#include "ui/panels/heatmap.h"

struct lesson;
struct menu;
struct overlay;
struct panel;

/* Where the reader of the timeline is looking. */
struct timeline_view {
    double zoom;     /* 1: the whole iteration fills the width */
    double position; /* left edge, as a fraction of the iteration */
    int selected;    /* event under the cursor, counted from the oldest shown; -1: none */
};

/* What the user has chosen about looking, as against computing (that is struct plan). Changed by
 * the actions in ui/app/actions.c alone. */
struct app_state {
    const char *layout;            /* a name of ui/panels/layout.h */
    const struct panel *full;      /* the panel that has the screen to itself, or NULL */
    const struct overlay *overlay; /* the menu or help that lies over the panels, or NULL */
    int overlay_row, overlay_top;  /* its chosen and its first visible row */
    enum field_scale scale;
    enum colormap colormap;
    struct view view; /* the part of the field shown; cols and rows as the layout gives them */
    struct timeline_view timeline;
    int note_rows; /* rows kept free above the footer for a lesson's text, 0: none */
    char message[ERROR_MESSAGE_SIZE]; /* a loud line, "" for none */
    bool message_is_bad;
    int64_t message_ends_ns; /* when it goes by itself (clock_now_ns); 0: it stays */
    bool recording;
};

struct screen {
    const struct sample *sample; /* never NULL; before the first one, state is SESSION_OPENING */
    const struct config *config;
    const struct plan *plan; /* what was asked for; the sample says what runs */
    const struct app_state *state;
    const struct lesson *lesson;    /* the guided lesson; NULL: none */
    const struct menu *menu;        /* what the menu overlay shows */
    const struct heatmap *heatmaps; /* one a lane: levels as last shown; NULL: made afresh */
    int lane;                       /* the lane that this slot of the layout shows */
    bool no_color; /* the terminal can't show levels: the field is drawn in shades */
    bool ascii;    /* only ASCII gets through: glyphs are replaced after drawing */
};

/* The lane that the slot shows, or NULL before there are lanes. */
static inline const struct lane_sample *screen_lane(const struct screen *screen) {
    return screen->lane < screen->sample->lane_count ? &screen->sample->lanes[screen->lane] : NULL;
}

#endif
