#include "ui/terminal/answers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *answers_question(struct answers *answers) {
    answers->expected = true;
    return "\x1b]11;?\x1b\\";
}

static enum theme theme_of(double r, double g, double b) {
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.5 ? THEME_LIGHT : THEME_DARK;
}

/* "11;rgb:RRRR/GGGG/BBBB", each of one to four hexadecimal digits. */
static void understand(struct answers *answers) {
    unsigned r, g, b;
    int r0, r1, g0, g1, b0, b1;
    answers->text[answers->count] = 0;
    if (sscanf(answers->text, "11;rgb:%n%4x%n/%n%4x%n/%n%4x%n", &r0, &r, &r1, &g0, &g, &g1, &b0, &b,
               &b1) != 3)
        return;
    const double most_r = (1 << 4 * (r1 - r0)) - 1, most_g = (1 << 4 * (g1 - g0)) - 1,
                 most_b = (1 << 4 * (b1 - b0)) - 1;
    answers->theme = theme_of(r / most_r, g / most_g, b / most_b);
    answers->expected = false;
}

/* A byte inside an answer: BEL or ESC \ end it. */
static void take_byte(struct answers *answers, char byte) {
    const bool ends = byte == '\a' || byte == '\\';
    if (ends) {
        answers->inside = false;
        understand(answers);
    } else if (answers->count + 1 < sizeof answers->text) {
        answers->text[answers->count++] = byte;
    } else {
        answers->inside = false; /* too long for an answer */
    }
}

size_t answers_take(struct answers *answers, char *bytes, size_t count) {
    if (!answers->expected)
        return count;
    size_t left = 0;
    for (size_t b = 0; b < count; b++) {
        if (answers->inside) {
            take_byte(answers, bytes[b]);
        } else if (bytes[b] == '\x1b' && b + 1 < count && bytes[b + 1] == ']') {
            answers->inside = true;
            answers->count = 0;
            b++;
        } else {
            bytes[left++] = bytes[b];
        }
    }
    return left;
}

/* "foreground;background" in the sixteen colours; 7 and 9 … 15 are light. */
static enum theme theme_of_variable(const char *value) {
    const char *background = value ? strrchr(value, ';') : NULL;
    if (!background)
        return THEME_AUTO;
    const int color = atoi(background + 1);
    return color == 7 || color > 8 ? THEME_LIGHT : THEME_DARK;
}

enum theme answers_theme(const struct answers *answers) {
    return answers->theme ? answers->theme : theme_of_variable(getenv("COLORFGBG"));
}
