#include "core/text.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Length of the well-formed UTF-8 sequence at `s`, 0 if there is none. */
static int sequence_length(const unsigned char *s) {
    int length = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

void text_make_visible(char *text) {
    for (unsigned char *s = (unsigned char *)text; *s;) {
        const int length = sequence_length(s), step = length ? length : 1;
        if (length == 0 || (length == 1 && (s[0] < 0x20 || s[0] == 0x7f)) ||
            (length == 2 && s[0] == 0xc2 && s[1] < 0xa0))
            memset(s, '?', (size_t)step);
        s += step;
    }
}

bool text_ends_in(const char *text, const char *ending) {
    const size_t length = strlen(text), size = strlen(ending);
    return length > size && strcmp(text + length - size, ending) == 0;
}

char *text_list(char *buffer, size_t size, const char *item) {
    const size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s%s", used ? ", " : "", item);
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

struct text_nearest text_nearest_to(const char *word) {
    const int most = (int)strlen(word) < 4 ? 1 : 2;
    return (struct text_nearest){.word = word, .distance = most + 1};
}

/* The distance is Levenshtein's: characters put in, left out or changed; what is only cut off
 * counts as one. */
void text_nearest_try(struct text_nearest *nearest, const char *candidate) {
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

size_t text_base64(char *to, const uint8_t *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *begin = to;
    for (size_t k = 0; k < size; k += 3) {
        const size_t left = size - k;
        const unsigned triple = (unsigned)bytes[k] << 16 |
                                (left > 1 ? (unsigned)bytes[k + 1] << 8 : 0) |
                                (left > 2 ? (unsigned)bytes[k + 2] : 0);
        *to++ = digits[triple >> 18];
        *to++ = digits[triple >> 12 & 63];
        *to++ = left > 1 ? digits[triple >> 6 & 63] : '=';
        *to++ = left > 2 ? digits[triple & 63] : '=';
    }
    return (size_t)(to - begin);
}

struct unit {
    double size;
    const char *name;
};

/* About three significant digits in the first unit that is not too large for the value. The last
 * one, of negative size, takes what is left. */
static char *print_with_unit(char *buffer, size_t size, double value, const struct unit *units) {
    while (units->size > 0 && fabs(value) < 0.9995 * units->size)
        units++;
    const double figure = value / fabs(units->size), magnitude = fabs(figure);
    if (magnitude >= 999.5 && magnitude < 99999.5) {
        const long whole = lround(magnitude);
        snprintf(buffer, size, "%s%ld %03ld%s", figure < 0 ? "-" : "", whole / 1000, whole % 1000,
                 units->name);
    } else {
        const int decimals = magnitude >= 99.95 || magnitude == 0 ? 0 : magnitude >= 9.995 ? 1 : 2;
        snprintf(buffer, size, "%.*f%s", decimals, figure, units->name);
    }
    return buffer;
}

char *text_bytes(char *buffer, size_t size, double bytes) {
    static const struct unit units[] = {
        {1e12, " TB"}, {1e9, " GB"}, {1e6, " MB"}, {1e3, " kB"}, {-1, " B"}};
    if (isnan(bytes))
        snprintf(buffer, size, "–");
    else if (fabs(bytes) < 999.5) /* a mean need not be whole */
        snprintf(buffer, size, fabs(bytes) < 9.95 ? "%.2g B" : "%.0f B", bytes);
    else
        print_with_unit(buffer, size, bytes, units);
    return buffer;
}

char *text_duration(char *buffer, size_t size, double seconds) {
    static const struct unit units[] = {{1e-3, " ms"}, {1e-6, " µs"}, {-1e-9, " ns"}};
    if (seconds >= 10 || seconds == 0) {
        snprintf(buffer, size, "%.*f s", seconds < 99.95 && seconds > 0, seconds);
        return buffer;
    }
    return print_with_unit(buffer, size, seconds, units);
}

char *text_count(char *buffer, size_t size, double count) {
    static const struct unit units[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {-1, ""}},
                             thousands[] = {{1e3, " k"}, {-1, ""}};
    /* Up to five digits stand whole: "65 536". */
    const bool long_one = fabs(count) >= 99999.5 && fabs(count) < 999500;
    return print_with_unit(buffer, size, count, long_one ? thousands : units);
}

char *text_grid(char *buffer, size_t size, int nx, int ny) {
    if (nx == ny)
        snprintf(buffer, size, "%d²", nx);
    else
        snprintf(buffer, size, "%d×%d", nx, ny);
    return buffer;
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
            cols += (*end & 0xc0) != 0x80; /* not the continuation of a character */
        }
        end = *end && blank ? blank : end;
        fprintf(out, "%*s%.*s\n", rest == line ? 0 : indent, "", (int)(end - rest), rest);
        room -= rest == line && room < INT_MAX ? indent : 0;
        rest = end + (*end == ' ');
    }
}
