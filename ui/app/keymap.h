/* The keys: one table, from which keyboard, footer and help screen are made. */
#ifndef JACOBI_UI_APP_KEYMAP_H
#define JACOBI_UI_APP_KEYMAP_H

#include "ui/panels/screen.h"

struct app;

/* Keys are Unicode scalars, or the TERMINAL_ constants of ui/terminal/terminal.h. */
struct binding {
    int key, alternative; /* the second is 0 if there is none */
    const char *label;    /* as shown: "space" */
    const char *word;     /* in the footer: "pause" */
    const char *help;     /* on the help screen; NULL: not there */
    void (*act)(struct app *app, int key);

    /* In the footer the greatest are shown if there is little room; 0: only on the help screen. */
    int importance;
    enum key_group group; /* its heading on the help screen */

    /* Whether it does something now; if not, the key goes on to the next row that has it. NULL:
     * always. */
    bool (*applies)(const struct screen *screen);

    /* Writes the footer's words if they depend on the moment; NULL: `word`. */
    void (*describe)(const struct screen *screen, char *text, size_t size);
};

/* Ended by a row whose label is NULL. Of several rows with one key, the first that applies has it.
 */
extern const struct binding keymap[];

/* The binding that this key has now, or NULL. */
const struct binding *keymap_find(int key, const struct screen *screen);

/* Why a key of the table does nothing now: "grid: not in a replay …". False if it is none of its
 * keys. */
bool keymap_reason(int key, const struct screen *screen, char *text, size_t size);

enum { KEY_HINTS_MAX = 96 };

/* What footer and help say of the keys now: one hint per row of the table, of importance 0 if the
 * row does not apply; before them those of an overlay, which takes every key. Returns how many. */
int keymap_hints(const struct screen *screen, struct key_hint hints[KEY_HINTS_MAX]);

#endif
