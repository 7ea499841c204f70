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

/* For any row: it says where the value lies. */
bool set_whole(struct config *config, const struct setting *setting, const char *value);
bool set_real(struct config *config, const struct setting *setting, const char *value);
bool set_choice(struct config *config, const struct setting *setting, const char *value);
bool set_name(struct config *config, const struct setting *setting, const char *value);
bool set_text(struct config *config, const struct setting *setting, const char *value);
bool set_path(struct config *config, const struct setting *setting, const char *value);
bool set_yes_no(struct config *config, const struct setting *setting, const char *value);
bool set_true(struct config *config, const struct setting *setting, const char *value);
bool set_false(struct config *config, const struct setting *setting, const char *value);

/* For one row each. */
bool set_problem(struct config *config, const struct setting *setting, const char *value);
bool set_grid(struct config *config, const struct setting *setting, const char *value);
bool set_devices(struct config *config, const struct setting *setting, const char *value);
bool set_backend(struct config *config, const struct setting *setting, const char *value);
bool set_backend_list(struct config *config, const struct setting *setting, const char *value);
bool set_mapping(struct config *config, const struct setting *setting, const char *value);
bool set_schedule(struct config *config, const struct setting *setting, const char *value);
bool set_cycle(struct config *config, const struct setting *setting, const char *value);
bool set_compare(struct config *config, const struct setting *setting, const char *value);
bool set_power_of_two(struct config *config, const struct setting *setting, const char *value);
bool set_zoom(struct config *config, const struct setting *setting, const char *value);
bool set_format(struct config *config, const struct setting *setting, const char *value);
bool set_picture_path(struct config *config, const struct setting *setting, const char *value);
bool set_at(struct config *config, const struct setting *setting, const char *value);
bool set_size(struct config *config, const struct setting *setting, const char *value);
bool set_tour(struct config *config, const struct setting *setting, const char *value);
bool set_exercise(struct config *config, const struct setting *setting, const char *value);
bool set_action(struct config *config, const struct setting *setting, const char *value);

/* ---- Words that a value can be: the `list` of struct setting. */

void list_problems(struct words *words);
void list_backends(struct words *words); /* and "auto" */
void list_mappings(struct words *words);
void list_schedules(struct words *words);

#endif
