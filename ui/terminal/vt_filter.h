/* The VT filter: rewrites sequences of ncurses for terminals that understand less than their TERM
 * says. */
#ifndef JACOBI_UI_TERMINAL_VT_FILTER_H
#define JACOBI_UI_TERMINAL_VT_FILTER_H

#include <stddef.h>

typedef void vt_filter_sink(void *user, const char *bytes, size_t count);

/* Hands `bytes` on to `sink`, with two sequences rewritten:
 * "x ESC [ n b", which repeats x, is written out, as many emulators don't repeat;
 * "ESC [ 38:2::r:g:b m" becomes "ESC [ 38;2;r;g;b m", which all that know RGB understand. */
void vt_filter(const char *bytes, size_t count, vt_filter_sink *sink, void *user);

/* Appends a capability of terminfo to a string in `size` bytes without its padding, "$<2>", which
 * only ncurses would wait for instead of writing it. */
void vt_filter_capability(char *bytes, size_t size, const char *capability);

#endif
