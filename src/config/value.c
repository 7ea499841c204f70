#include "config/value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/paths.h"
#include "core/text.h"

/* The digits at *text as a number, *text moved behind them. */
static bool take_whole(const char **text, long min, long max, long *value) {
    if (!isdigit((unsigned char)**text))
        return false;
    char *end;
    errno = 0;
    const long number = strtol(*text, &end, 10);
    if (errno || number < min || number > max)
        return false;
    *text = end;
    *value = number;
    return true;
}

bool value_whole(const char *text, long min, long max, long *value) {
    long number;
    if (!take_whole(&text, min, max, &number) || *text)
        return false;
    *value = number;
    return true;
}

bool value_real(const char *text, double min, double max, double *value) {
    /* strtod would also take blanks, hexadecimal, "nan" and "inf". */
    if (strspn(text, "0123456789.+-eE") != strlen(text))
        return false;
    char *end;
    const double number = strtod(text, &end);
    if (end == text || *end || !isfinite(number) || number < min || number > max)
        return false;
    *value = number;
    return true;
}

bool value_pair(const char *text, long min, long max, bool one_is_enough, int *first, int *second) {
    long one, other;
    if (!take_whole(&text, min, max, &one))
        return false;
    if (*text == '\0' && one_is_enough) {
        *first = *second = (int)one;
        return true;
    }
    if ((*text != 'x' && *text != 'X') || !value_whole(text + 1, min, max, &other))
        return false;
    *first = (int)one;
    *second = (int)other;
    return true;
}

bool value_choice(const char *text, const char *const names[], int *index) {
    for (int n = 0; names[n]; n++)
        if (strcmp(text, names[n]) == 0) {
            *index = n;
            return true;
        }
    return false;
}

bool value_text(const char *text, size_t size, char *value) {
    char visible[PATH_SIZE];
    if (!*text || strlen(text) >= size || strlen(text) >= sizeof visible)
        return false;
    strcpy(visible, text);
    text_make_visible(visible);
    if (strcmp(visible, text) != 0)
        return false;
    strcpy(value, text);
    return true;
}

char *value_next(char **rest, char separator) {
    char *piece = *rest;
    if (!piece)
        return NULL;
    char *end = strchr(piece, separator);
    *rest = end ? end + 1 : NULL;
    end = end ? end : piece + strlen(piece);
    while (piece < end && isspace((unsigned char)*piece))
        piece++;
    while (end > piece && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return piece;
}
