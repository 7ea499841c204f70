/* Values as people type them, and how the rows of the settings table put them into the
 * configuration; values.c also answers the questions to the table that settings.h declares. Every
 * function here returns false, and leaves its result alone, if the text is not
 * wholly such a value inside its bounds. */
#ifndef JACOBI_CONFIG_VALUES_H
#define JACOBI_CONFIG_VALUES_H

#include "config/settings.h"

/* ---- Reading text. */

/* Decimal digits only. */
bool value_whole(const char *text, long min, long max, long *value);

/* A finite number. */
bool value_real(const char *text, double min, double max, double *value);

/* "N" or "NxNY"; each min … max. */
bool value_pair(const char *text, long min, long max, bool one_is_enough, int *first, int *second);

/* The index of `text` in a list ended by NULL. */
bool value_choice(const char *text, const char *const names[], int *index);

/* Copies a text that fits, is not empty, and is valid UTF-8 without control characters. */
bool value_text(const char *text, size_t size, char *value);

/* Cuts the next piece up to `separator` off *rest, without the blanks around it; NULL at the end.
 * Changes the text. */
char *value_next(char **rest, char separator);

/* ---- Into the configuration: the `set` of struct setting. */

/* For any row. */
setter set_whole, set_real, set_choice, set_name, set_text, set_path, set_yes_no, set_flag,
    set_power_of_two;

/* For one row each. */
setter set_problem, set_grid, set_devices, set_backend, set_backend_list, set_schedule, set_cycle,
    set_compare, set_zoom, set_format, set_picture_path, set_at, set_size, set_tour, set_exercise,
    set_action;

/* ---- Words that a value can be: the `list` of struct setting. */

void list_problems(struct words *words);
void list_backends(struct words *words); /* and "auto" */
void list_schedules(struct words *words);

#endif
