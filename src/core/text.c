#include "core/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int text_decode(const char *text, uint32_t *point) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    const int length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    uint32_t found = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        found = found << 6 | (s[i] & 0x3f);
    }
    if (length == 0 || s[0] > 0xf4 || found < least[length] || found > 0x10ffff ||
        found >> 11 == 0x1b /* half of a UTF-16 surrogate pair */)
        return 0;
    *point = found;
    return length;
}

bool text_is_visible(uint32_t point) {
    static const struct {
        uint32_t first, last;
    } hidden[] = {{0, 0x1f},          {0x7f, 0x9f},      {0xad, 0xad},     {0x34f, 0x34f},
                  {0x61c, 0x61c},     {0x115f, 0x1160},  {0x17b4, 0x17b5}, {0x180b, 0x180f},
                  {0x200b, 0x200f},   {0x2028, 0x202e},  {0x2060, 0x206f}, {0x3164, 0x3164},
                  {0xfeff, 0xfeff},   {0xffa0, 0xffa0},  {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3},
                  {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
    for (size_t h = 0; h < sizeof hidden / sizeof *hidden; h++)
        if (point >= hidden[h].first && point <= hidden[h].last)
            return false;
    return true;
}

void text_sanitize(char *text) {
    for (uint32_t point; *text;) {
        const int length = text_decode(text, &point), step = length ? length : 1;
        if (length == 0 || !text_is_visible(point))
            memset(text, '?', (size_t)step);
        text += step;
    }
}

bool text_ends_in(const char *text, const char *ending) {
    const size_t length = strlen(text), size = strlen(ending);
    return length > size && strcmp(text + length - size, ending) == 0;
}

bool text_has_words(const char *text, const char *words) {
    char copy[64], *rest = copy, *word;
    snprintf(copy, sizeof copy, "%s", words);
    while ((word = value_next(&rest, ' ')))
        if (!strcasestr(text, word))
            return false;
    return true;
}

bool text_needs_quotes(const char *text) {
    for (const char *at = text; *at; at++)
        if ((unsigned char)*at < 0x80 && !isalnum((unsigned char)*at) && !strchr("_-+=./,:@%", *at))
            return true;
    return !*text;
}

char *text_quote(char *buffer, size_t size, const char *text) {
    const char *const mark = text_needs_quotes(text) ? "'" : "";
    size_t used = (size_t)snprintf(buffer, size, "%s", mark);
    for (; *text && used < size; text++)
        used += (size_t)snprintf(buffer + used, size - used, *text == '\'' ? "'\\''" : "%c", *text);
    if (used < size)
        snprintf(buffer + used, size - used, "%s", mark);
    return buffer;
}

char *text_clause(char *buffer, size_t size, const char *reason) {
    const size_t word = strcspn(reason, " :");
    if (reason[word] == ':' && reason[word + 1] == ' ')
        reason += word + 2;
    size_t length = strcspn(reason, ":;(");
    while (length > 0 && reason[length - 1] == ' ')
        length--;
    snprintf(buffer, size, "%.*s", (int)length, reason);
    return buffer;
}

struct closest_match closest_match_init(const char *word) {
    const int most = (int)strlen(word) < 4 ? 1 : 2;
    return (struct closest_match){.word = word, .distance = most + 1};
}

/* Levenshtein distance: insertions, deletions and substitutions. A cut-off end counts as one. */
void closest_match_try(struct closest_match *nearest, const char *candidate) {
    enum { LONGEST = 40 };
    int row[LONGEST + 1];
    const char *word = nearest->word;
    const int size = (int)strlen(candidate);
    if (size > LONGEST || strlen(word) < 2)
        return;
    for (int k = 0; k <= size; k++)
        row[k] = k;
    for (size_t l = 0; word[l]; l++) {
        int diagonal = row[0]++;
        for (int k = 1; k <= size; k++) {
            const int changed = diagonal + (candidate[k - 1] != word[l]);
            const int least = row[k] < row[k - 1] ? row[k] + 1 : row[k - 1] + 1;
            diagonal = row[k];
            row[k] = changed < least ? changed : least;
        }
    }
    const bool begins = strlen(word) > 3 && strncmp(candidate, word, strlen(word)) == 0;
    const int distance = begins && row[size] > 1 ? 1 : row[size];
    if (distance >= nearest->distance)
        return;
    nearest->distance = distance;
    snprintf(nearest->question, sizeof nearest->question, ": did you mean '%s'?", candidate);
}

/* ---- values as typed ------------------------------------------------------------------------- */

/* Parses the digits at *text as a number, and moves *text past them. */
static bool parse_digits(const char **text, long min, long max, long *value) {
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
    if (!parse_digits(&text, min, max, &number) || *text)
        return false;
    *value = number;
    return true;
}

bool value_real(const char *text, double min, double max, double *value) {
    /* strtod would also accept blanks, hexadecimal, "nan" and "inf". */
    if (strspn(text, "0123456789.+-eE") != strlen(text))
        return false;
    char *end;
    errno = 0;
    const double number = strtod(text, &end);
    const bool is_representable = isfinite(number) && (number != 0 || !errno); /* not 1e-400 */
    if (end == text || *end || !is_representable || number < min || number > max)
        return false;
    *value = number;
    return true;
}

bool value_pair(const char *text, long min, long max, bool one_is_enough, int *first, int *second) {
    long one, other;
    if (!parse_digits(&text, min, max, &one))
        return false;
    if (*text == '\0' && one_is_enough)
        other = one;
    else if ((*text != 'x' && *text != 'X') || !value_whole(text + 1, min, max, &other))
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
    if (!*text || strlen(text) >= size)
        return false;
    for (const char *at = text; *at;) {
        uint32_t point;
        const int length = text_decode(at, &point);
        if (length == 0 || !text_is_visible(point))
            return false;
        at += length;
    }
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

void text_item(FILE *out, int indent, const char *format, ...) {
    struct winsize size = {0};
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    const bool is_terminal = isatty(fileno(out)) && !ioctl(fileno(out), TIOCGWINSZ, &size);
    int room = is_terminal && size.ws_col > indent + 20 ? size.ws_col - 1 : INT_MAX;
    for (const char *rest = line; *rest;) {
        const char *end = rest, *blank = NULL;
        for (int cols = 0; *end && cols <= room; end++) {
            blank = *end == ' ' && cols > 0 ? end : blank;
            cols += (*end & 0xc0) != 0x80; /* not a UTF-8 continuation byte */
        }
        end = *end && blank ? blank : end;
        fprintf(out, "%*s%.*s\n", rest == line ? 0 : indent, "", (int)(end - rest), rest);
        room -= rest == line && room < INT_MAX ? indent : 0;
        rest = end + (*end == ' ');
    }
}
