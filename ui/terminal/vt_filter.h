/* The VT filter: rewrites sequences of ncurses for terminals that understand less than their TERM
 * says. */
#ifndef JACOBI_UI_TERMINAL_VT_FILTER_H
#define JACOBI_UI_TERMINAL_VT_FILTER_H

#include <stddef.h>
#include <stdint.h>

typedef void vt_filter_sink(void *user, const char *bytes, size_t count);

/* What the numbers of colours mean, 0xRRGGBB: ncurses, which knows RGB only if terminfo describes a
 * terminal that has nothing else, is told of a palette of 256 instead. */
struct vt_colors {
    uint32_t text[256], background[256];
};

/* Hands `bytes` on to `sink`, with two sequences rewritten:
 * "x ESC [ n b", which repeats x, is written out, as many emulators don't repeat;
 * "ESC [ 38;5;n m" and "48;5;n", or with colons as foot's terminfo has them, become "38;2;r;g;b"
 * and "48;2;r;g;b", unless `colors` is NULL. */
void vt_filter(const char *bytes, size_t count, const struct vt_colors *colors,
               vt_filter_sink *sink, void *user);

/* Appends a capability of terminfo to a string in `size` bytes without its padding, "$<2>", which
 * only ncurses would wait for instead of writing it. */
void vt_filter_capability(char *bytes, size_t size, const char *capability);

#endif
