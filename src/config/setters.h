/* How the rows of the settings table put their values into the configuration. */
#ifndef JACOBI_CONFIG_SETTERS_H
#define JACOBI_CONFIG_SETTERS_H

#include "config/setting.h"

/* General: the row says where the value lies. */
bool set_int(struct config *config, const struct setting *setting, const char *value);
bool set_long(struct config *config, const struct setting *setting, const char *value);
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
bool set_backend(struct config *config, const struct setting *setting, const char *value);
bool set_backend_list(struct config *config, const struct setting *setting, const char *value);
bool set_mapping(struct config *config, const struct setting *setting, const char *value);
bool set_schedule(struct config *config, const struct setting *setting, const char *value);
bool set_compare(struct config *config, const struct setting *setting, const char *value);
bool set_power_of_two(struct config *config, const struct setting *setting, const char *value);
bool set_zoom(struct config *config, const struct setting *setting, const char *value);
bool set_format(struct config *config, const struct setting *setting, const char *value);
bool set_picture_path(struct config *config, const struct setting *setting, const char *value);
bool set_at(struct config *config, const struct setting *setting, const char *value);
bool set_size(struct config *config, const struct setting *setting, const char *value);
bool set_tour(struct config *config, const struct setting *setting, const char *value);
bool set_action(struct config *config, const struct setting *setting, const char *value);

/* Words. */
void list_problems(struct words *words);
void list_backends(struct words *words); /* and "auto" */
void list_mappings(struct words *words);
void list_schedules(struct words *words);

#endif
