#include "ui/terminal/vt_filter.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SEQUENCE_MAX = 64 };

/* The length of the control sequence "ESC [ … letter" at `at`; 0: there is none, or no end. */
static size_t sequence_length(const char *at, const char *end) {
    if (end - at < 3 || at[1] != '[')
        return 0;
    for (const char *c = at + 2; c < end && c - at < SEQUENCE_MAX; c++)
        if (*c >= 0x40 && *c <= 0x7e)
            return (size_t)(c - at) + 1;
    return 0;
}

void vt_filter(const char *bytes, size_t count, vt_filter_sink *sink, void *user) {
    const char *end = bytes + count, *begin = bytes, *at = bytes;
    while ((at = memchr(at, 0x1b, (size_t)(end - at)))) {
        const size_t length = sequence_length(at, end);
        const char last = length ? at[length - 1] : 0;
        const bool repeats = last == 'b' && at > bytes;
        const bool colors = last == 'm' && memchr(at, ':', length);
        if (repeats || colors) {
            sink(user, begin, (size_t)(at - begin));
            begin = at + length;
        }
        if (repeats)
            for (long n = strtol(at + 2, NULL, 10); n > 0 && n < 10000; n--)
                sink(user, at - 1, 1);
        if (colors) {
            char semicolons[SEQUENCE_MAX];
            size_t used = 0;
            for (size_t c = 0; c < length; c++)
                if (at[c] != ':' || at[c - 1] != ':')
                    semicolons[used++] = at[c] == ':' ? ';' : at[c];
            sink(user, semicolons, used);
        }
        at += length ? length : 1;
    }
    sink(user, begin, (size_t)(end - begin));
}

void vt_filter_capability(char *bytes, size_t size, const char *capability) {
    size_t used = strlen(bytes);
    while (*capability && used + 1 < size) {
        const char *padding = strncmp(capability, "$<", 2) == 0 ? strchr(capability, '>') : NULL;
        if (!padding)
            bytes[used++] = *capability;
        capability = (padding ? padding : capability) + 1;
    }
    bytes[used] = '\0';
}
