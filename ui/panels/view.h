/* A whole screen, drawn into a grid: what the terminal, the tests and the pictures show. */
#ifndef JACOBI_UI_PANELS_VIEW_H
#define JACOBI_UI_PANELS_VIEW_H

#include "ui/panels/layout.h"

/* What the state asks of the layout. */
struct layout screen_layout(const struct screen *screen, int cols, int rows);

/* Clears the grid and draws everything: header, message, panels, footer, overlay. */
void screen_draw(struct grid *grid, const struct screen *screen);

void header_draw(struct grid *grid, struct rect area, const struct screen *screen);
void footer_draw(struct grid *grid, struct rect area, const struct screen *screen);

/* The key under column x of the footer, 0 where there is none. */
int footer_key_at(struct rect area, const struct screen *screen, int x);

#endif
