/* Layout: the place of each panel on the screen. Pure.
 *
 * Small screens get fewer panels, never a refusal. For every size from 1×1 up all areas are inside
 * the screen and none overlaps another; areas without cells are left out.
 */
#ifndef JACOBI_UI_PANELS_LAYOUT_H
#define JACOBI_UI_PANELS_LAYOUT_H

#include "ui/panels/panel.h"

enum { SLOTS_MAX = 16 };

/* One panel on the screen; the same panel may have a slot per lane. */
struct slot {
    const struct panel *panel;
    int lane;
    struct area area;
};

struct layout {
    struct area header, message, scene, footer; /* of 0 rows if there is none */
    struct area body;                           /* what the panels share */
    int count;
    struct slot slots[SLOTS_MAX];

    /* What the panels need beside the sample. */
    struct view view;       /* of the field, with the cells that are shown; cols is 0 if none are */
    bool wants_roof;        /* a panel shows what the devices can do */
    bool wants_tuning_scan; /* a panel shows the time of each launch geometry */
};

/* What is to be shown. */
struct layout_wish {
    const struct panel *full; /* has the screen to itself; NULL: all have their share */
    int lane_count;           /* ≥ 1 */
    int device_count;         /* of a lone lane; 0 and 1: one device */
    bool race;                /* for the same time, not to the same iteration */
    int scene_rows;           /* wanted above the footer for a tour's text; 0: none */
    int message_rows;         /* wanted under the header; 0: none */
    bool code;                /* the user's source has room: half of it, or all if it is narrow */
    bool screen_reader;       /* all over one another, to be read from top to bottom */
};

/* The first slot of that panel, or NULL. */
const struct slot *layout_find(const struct layout *layout, const struct panel *panel);

struct layout layout_make(const struct layout_wish *wish, int cols, int rows);

#endif
