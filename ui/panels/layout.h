/* Layout: which panel stands where. Pure.
 *
 * Small screens get fewer panels, never a refusal. For every size from 1×1 up all areas lie inside
 * the screen and none overlaps another; areas without cells are left out.
 */
#ifndef JACOBI_UI_PANELS_LAYOUT_H
#define JACOBI_UI_PANELS_LAYOUT_H

#include "ui/panels/panel.h"

enum { SLOTS_MAX = 16 };

/* One panel on the screen; the same panel may stand there once per lane. */
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

    /* What the panels need beside the sample (see screen_layout). */
    struct view view;       /* of the field, with the cells that are shown; cols is 0 if none are */
    bool wants_roof;        /* a panel shows what the devices can do */
    bool wants_tuning_scan; /* a panel shows what each launch geometry takes */
};

/* What is to be shown. */
struct layout_wish {
    const char
        *name; /* of a panel that has the screen; else, as "standard", all have their share */
    const struct panel *full; /* the panel that has it by the user's key; NULL: none */
    int lane_count;           /* ≥ 1 */
    int device_count;         /* of a lone lane; 0 and 1: one device */
    bool race;                /* for the same time, not to the same iteration */
    int scene_rows;           /* wanted above the footer for a tour's text; 0: none */
    int message_rows;         /* wanted under the header; 0: none */
    bool linear; /* all over one another, figures first, to be read from top to bottom */
};

struct layout layout_make(const struct layout_wish *wish, int cols, int rows);

/* The slot of that panel and lane, or NULL. */
const struct slot *layout_find(const struct layout *layout, const char *name, int lane);

#endif
