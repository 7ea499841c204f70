/* What lies over the panels and takes the keys while it is there: help, menus. */
#ifndef JACOBI_UI_PANELS_OVERLAY_H
#define JACOBI_UI_PANELS_OVERLAY_H

#include "ui/draw/grid.h"
#include "ui/panels/screen.h"

struct app;

struct overlay {
    void (*draw)(struct grid *grid, struct rect area, const struct screen *screen);

    /* Takes a key; false: it means nothing here, and the keymap is asked. */
    bool (*key)(struct app *app, int key);
};

/* The help screen, made from the keymap. */
extern const struct overlay help_overlay;

#endif
