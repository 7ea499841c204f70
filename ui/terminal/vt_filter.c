#include "ui/terminal/vt_filter.h"

#include <stdbool.h>
#include <stdio.h>
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

/* Writes "ESC [ … m" with RGB in the place of numbers; returns its length. */
static size_t write_colors(char *rgb, size_t size, const char *at, size_t length,
                           const struct vt_colors *colors) {
    size_t used = 0;
    for (size_t c = 0; c < length && used + 1 < size;) {
        const bool starts = c > 0 && (at[c - 1] == '[' || at[c - 1] == ';') && length - c > 5;
        const bool indexed =
            starts && (memcmp(at + c + 1, "8;5;", 4) == 0 || memcmp(at + c + 1, "8:5:", 4) == 0);
        const bool text = indexed && at[c] == '3', background = indexed && at[c] == '4';
        if (!text && !background) {
            rgb[used++] = at[c++];
            continue;
        }
        char *end;
        const long number = strtol(at + c + 5, &end, 10) & 0xff;
        const uint32_t color = text ? colors->text[number] : colors->background[number];
        const int room = (int)(size - used);
        const int taken = snprintf(rgb + used, (size_t)room, "%d;2;%u;%u;%u", text ? 38 : 48,
                                   color >> 16 & 0xff, color >> 8 & 0xff, color & 0xff);
        used += (size_t)(taken < room ? taken : room - 1);
        c = (size_t)(end - at);
    }
    return used;
}

void vt_filter(const char *bytes, size_t count, const struct vt_colors *colors,
               vt_filter_sink *sink, void *user) {
    const char *end = bytes + count, *begin = bytes, *at = bytes;
    while ((at = memchr(at, 0x1b, (size_t)(end - at)))) {
        const size_t length = sequence_length(at, end);
        const char last = length ? at[length - 1] : 0;
        const bool repeats = last == 'b' && at > bytes;
        const bool colored = last == 'm' && colors && length > 6;
        if (repeats || colored) {
            sink(user, begin, (size_t)(at - begin));
            begin = at + length;
        }
        if (repeats)
            for (long n = strtol(at + 2, NULL, 10); n > 0 && n < 10000; n--)
                sink(user, at - 1, 1);
        if (colored) {
            char rgb[4 * SEQUENCE_MAX];
            sink(user, rgb, write_colors(rgb, sizeof rgb, at, length, colors));
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
