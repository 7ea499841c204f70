/* Layout: the area of each panel on the screen. Pure.
 *
 * Small screens get fewer panels, but never an error. For every size from 1×1 up, all areas are
 * inside the screen and none overlaps another; areas without cells are omitted. */
#pragma once

#include "ui/panels/panel.h"

enum { SLOTS_MAX = 16 };

/* One panel on the screen; the same panel may have a slot per lane. */
struct slot {
    const struct panel *panel;
    int lane;
    struct area area;
};

struct layout {
    struct area header, message, scene, progress, footer; /* without rows: absent */
    struct area body;                                     /* the area of the panels */
    int count;
    struct slot slots[SLOTS_MAX];
    struct view view; /* of the field, with the cells shown; cols is 0 if none are */
};

/* What a comparison is about. */
enum subject {
    SUBJECT_FIELDS, /* each lane's field */
    SUBJECT_FIELD,  /* one field: the lanes' iterates are equal */
    SUBJECT_CURVES, /* the residuals: the methods differ */
};

/* The requested contents of the screen. */
struct layout_wish {
    const struct panel *full; /* fills the screen; NULL: all share it */
    int full_rows;            /* of `full`; the others share the rows below. 0: all rows */
    int lane_count;           /* ≥ 1 */
    int device_count;         /* if there is one lane; 0 and 1: one device */
    enum subject subject;     /* if there are several lanes */
    int lane_rows;            /* of a lane's bars, see there */
    bool race;                /* for the same time, not to the same iteration */
    bool maps;                /* arrays, in a comparison at each kernel: a large screen shows it */
    bool no_times;            /* a question hides them: no timeline or race, and a small verdict */
    int scene_rows;           /* for a tour's text above the footer; 0: none */
    int message_rows;         /* below the header; 0: none */
    bool message_beside;      /* they may be beside the picture instead */
    bool progress;            /* a row above the footer for the place in a replay */
    int code_cols, code_rows; /* for all of the user's source; 0: it is not shown */
    bool code_is_right;       /* the run comes first if there is no room for both */
    bool screen_reader;       /* all panels one above the other, to be read from top to bottom */
};

/* The first slot of that panel, or NULL. */
const struct slot *layout_find(const struct layout *layout, const struct panel *panel);

struct layout layout_make(const struct layout_wish *wish, int cols, int rows);
