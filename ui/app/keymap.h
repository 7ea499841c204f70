/* The keys: one table, from which keyboard, footer and help screen are made. */
#ifndef JACOBI_UI_APP_KEYMAP_H
#define JACOBI_UI_APP_KEYMAP_H

#include "ui/panels/screen.h"

struct app;

/* Does what the key does now, or shows why it does nothing. */
void keymap_press(struct app *app, int key);

enum { KEY_HINTS_MAX = 96 };

/* Makes the hints for footer and help: one per row of the table, of importance 0 if the row does
 * not apply, after those of an overlay. Returns their number. */
int keymap_hints(const struct screen *screen, struct key_hint hints[KEY_HINTS_MAX]);

/* What keys, and what they do, depend on. */
enum condition {
    ALWAYS,
    IS_LIVE,
    IS_REPLAY,
    IS_PLAYED, /* the replay of a whole recording, at its end */
    IS_COMPARISON,
    HAS_ENDED, /* live, and finished or failed */
    GOES_ON,
    IN_TOUR,
    OUT_OF_TOUR,
    CAN_PAUSE,
    TAKES_DIGITS, /* a question */
    TAKES_NO_DIGITS,
    IS_TYPED, /* an answer, in part */
    IN_EXERCISE,
    HAS_HINT,
    MAPPING_MATTERS,
    HAS_RECORDED_MAPPING,
    CAN_DAMP,
    HAS_LEVELS,
    CAN_RACE,
    SHOWS_MOTION,
    IS_FULL, /* a panel has the screen */
    IS_ZOOMED,
    IS_TIMELINE_FULL,
    CAN_CHOOSE_LANE,
    HAS_MESSAGE,
    LEAVES_RECORDING, /* Esc goes back to the run that waits */
    LEAVES_COMPARISON,
    CONDITIONS
};

bool app_is(const struct app *app, enum condition condition);

#endif
