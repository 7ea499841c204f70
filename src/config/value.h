/* Values as people type them. Each returns false, and leaves the result alone, where the text is
 * not wholly such a value inside its bounds. */
#ifndef JACOBI_CONFIG_VALUE_H
#define JACOBI_CONFIG_VALUE_H

#include <stdbool.h>
#include <stddef.h>

/* Decimal digits only. */
bool value_whole(const char *text, long min, long max, long *value);

/* A finite number. */
bool value_real(const char *text, double min, double max, double *value);

/* "N" or "NxNY"; each min … max. */
bool value_pair(const char *text, long min, long max, bool one_is_enough, int *first, int *second);

/* The place of `text` in a list ended by NULL. */
bool value_choice(const char *text, const char *const names[], int *index);

/* Copies a text that fits, is not empty, and is valid UTF-8 without control characters. */
bool value_text(const char *text, size_t size, char *value);

/* Cuts the next piece up to `separator` off *rest, without the blanks around it; NULL at the end.
 * Changes the text. */
char *value_next(char **rest, char separator);

#endif
