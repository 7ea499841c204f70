#include "ui/terminal/replies.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *answers_question(struct answers *answers) {
    answers->expected = true;
    return "\x1b]11;?\x1b\\";
}

static enum theme theme_of(double r, double g, double b) {
    return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.5 ? THEME_LIGHT : THEME_DARK;
}

/* One to four hexadecimal digits as a share of the most that so many can say; *text is moved behind
 * them. */
static bool take_share(const char **text, double *share) {
    unsigned value = 0, most = 0;
    for (; isxdigit((unsigned char)**text) && most < 0xffff; ++*text) {
        const char c = **text;
        value = 16 * value + (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
        most = 16 * most + 15;
    }
    *share = most ? (double)value / most : 0;
    return most;
}

/* "11;rgb:RRRR/GGGG/BBBB". */
static void understand(struct answers *answers) {
    static const char begins[] = "11;rgb:";
    const char *rest = answers->text + sizeof begins - 1;
    double share[3];
    answers->text[answers->count] = 0;
    if (strncmp(answers->text, begins, sizeof begins - 1) != 0)
        return;
    for (int c = 0; c < 3; c++) {
        if (c > 0 && *rest != '/')
            return;
        rest += c > 0;
        if (!take_share(&rest, &share[c]))
            return;
    }
    answers->theme = theme_of(share[0], share[1], share[2]);
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
