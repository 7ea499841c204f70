/* Asking the terminal for its background without waiting for the answer.
 *
 * The answer comes in between the keys, at once, late or never; it is taken out of what was typed.
 */
#ifndef JACOBI_UI_TERMINAL_REPLIES_H
#define JACOBI_UI_TERMINAL_REPLIES_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"

struct answers {
    bool expected;
    bool inside; /* of an answer whose end has not come yet */
    char text[64];
    size_t count;
    enum theme theme; /* THEME_AUTO before the answer */
};

/* What to write to ask. */
const char *answers_question(struct answers *answers);

/* Takes the answers out of what was read; returns the bytes that are left, moved together. */
size_t answers_take(struct answers *answers, char *bytes, size_t count);

/* As the answer has it, else as COLORFGBG has it, else THEME_AUTO. */
enum theme answers_theme(const struct answers *answers);

#endif
