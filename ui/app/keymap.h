/* The keys: one table, from which keyboard, footer and help screen are made. */
#ifndef JACOBI_UI_APP_KEYMAP_H
#define JACOBI_UI_APP_KEYMAP_H

#include "ui/panels/screen.h"

struct app;

/* Keys that are not text; text keys are their Unicode scalar. */
enum {
    KEYMAP_UP = 0x110000,
    KEYMAP_DOWN,
    KEYMAP_LEFT,
    KEYMAP_RIGHT,
    KEYMAP_HOME,
    KEYMAP_END,
    KEYMAP_PAGE_UP,
    KEYMAP_PAGE_DOWN,
    KEYMAP_F1,
    KEYMAP_ENTER,
    KEYMAP_ESCAPE,
    KEYMAP_BACKSPACE,
};

struct binding {
    int key, alternative; /* the second is 0 where there is none */
    const char *label;    /* as shown: "space" */
    const char *word;     /* in the footer: "pause" */
    const char *help;     /* on the help screen */
    void (*act)(struct app *app, int key);

    /* Its place in the footer: the greatest are kept when there is little room; 0: only the help
     * screen tells. */
    int importance;

    /* Whether it does something now; where not, the key goes on to the next row that has it.
     * NULL: always. */
    bool (*applies)(const struct screen *screen);

    /* Writes the footer's words where they depend on the moment; NULL: `word`. */
    void (*describe)(const struct screen *screen, char *text, size_t size);
};

/* Ended by a row whose label is NULL. Rows of one key stand in the order in which they are asked.
 */
extern const struct binding keymap[];

/* The binding that this key has now, or NULL. */
const struct binding *keymap_find(int key, const struct screen *screen);

#endif
