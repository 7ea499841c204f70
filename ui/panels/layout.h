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
    struct rect area;
};

struct layout {
    struct rect header, message, scene, footer; /* of 0 rows if there is none */
    struct rect body;                           /* what the panels share */
    int count;
    struct slot slots[SLOTS_MAX];

    /* What the panels need beside the sample (see screen_layout). */
    struct view view; /* of the field, with the cells that are shown; cols is 0 if none are */
    bool wants_roof;  /* a panel shows what the devices can do */
};

/* What is to be shown. */
struct layout_wish {
    const char *name; /* of an arrangement; an unknown one is taken as `standard` */
    const struct panel *full;
    int lane_count; /* ≥ 1 */
    bool race;      /* they run for the same time, not to the same iteration */
    int scene_rows; /* wanted above the footer for a tour's text; 0: none */
    bool message;
};

/* An arrangement fills layout->slots with the help of layout_add, inside layout->body. */
struct arrangement {
    const char *name;
    void (*arrange)(struct layout *layout, const struct layout_wish *wish);
};

/* Ended by a row whose name is NULL. */
extern const struct arrangement arrangements[];

struct layout layout_make(const struct layout_wish *wish, int cols, int rows);

/* Adds a slot, if the area has cells and there is a panel of that name. */
void layout_add(struct layout *layout, const char *name, int lane, struct rect area);

/* The slot of that panel and lane, or NULL. */
const struct slot *layout_find(const struct layout *layout, const char *name, int lane);

#endif
