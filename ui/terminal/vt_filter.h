/* Plainer bytes: what ncurses writes, for terminals that understand less than their TERM says. */
#ifndef JACOBI_UI_TERMINAL_VT_FILTER_H
#define JACOBI_UI_TERMINAL_VT_FILTER_H

#include <stddef.h>

typedef void plainer_sink(void *user, const char *bytes, size_t count);

/* Hands `bytes` on to `sink`, with two things said in another way:
 * "x ESC [ n b", which repeats x, is written out, as many emulators don't repeat;
 * "ESC [ 38:2::r:g:b m" becomes "ESC [ 38;2;r;g;b m", which all that know RGB understand. */
void plainer(const char *bytes, size_t count, plainer_sink *sink, void *user);

/* Appends a capability of terminfo to a string in `size` bytes without its padding, "$<2>", which
 * only ncurses would wait for instead of writing it. */
void plainer_capability(char *bytes, size_t size, const char *capability);

#endif
