#include "config/settings.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/format.h"
#include "kernels/backends.h"

/* ---- into the configuration ----------------------------------------------------------------- */

static void *member_of(struct config *config, const struct setting *setting) {
    return (char *)config + setting->offset;
}

bool set_whole(struct config *config, const struct setting *setting, const char *value) {
    long number;
    if (!value_whole(value, (long)setting->min, (long)setting->max, &number))
        return false;
    if (setting->size == sizeof number)
        *(long *)member_of(config, setting) = number;
    else
        *(int *)member_of(config, setting) = (int)number;
    return true;
}

bool set_real(struct config *config, const struct setting *setting, const char *value) {
    return value_real(value, setting->min, setting->max, member_of(config, setting));
}

bool set_choice(struct config *config, const struct setting *setting, const char *value) {
    return value_choice(value, setting->names, member_of(config, setting));
}

bool set_name(struct config *config, const struct setting *setting, const char *value) {
    int ignored;
    return value_choice(value, setting->names, &ignored) && set_text(config, setting, value);
}

bool set_text(struct config *config, const struct setting *setting, const char *value) {
    return value_text(value, setting->size, member_of(config, setting));
}

bool set_path(struct config *config, const struct setting *setting, const char *value) {
    if (!*value || strlen(value) >= setting->size)
        return false;
    strcpy(member_of(config, setting), value);
    return true;
}

bool set_yes_no(struct config *config, const struct setting *setting, const char *value) {
    int yes;
    if (!value_choice(value, setting->names, &yes))
        return false;
    *(bool *)member_of(config, setting) = yes;
    return true;
}

bool set_flag(struct config *config, const struct setting *setting, const char *value) {
    *(bool *)member_of(config, setting) = setting->min > 0;
    return true;
}

static struct lane_spec *base_lane(struct config *config) {
    return &config->plan.lanes[0];
}

bool set_devices(struct config *config, const struct setting *setting, const char *value) {
    struct device_choice choice = {.listed = true};
    char text[256], *rest = text;
    if (strcmp(value, "all") == 0) {
        base_lane(config)->engine.run.devices = (struct device_choice){.count = DEVICES_ALL};
        return true;
    }
    if (!value_text(value, sizeof text, text))
        return false;
    for (char *piece = value_next(&rest, ','); piece; piece = value_next(&rest, ',')) {
        long index;
        if (choice.count == SLABS_MAX || !value_whole(piece, 0, 255, &index))
            return false;
        choice.index[choice.count++] = (int)index;
    }
    base_lane(config)->engine.run.devices = choice;
    return true;
}

bool set_problem(struct config *config, const struct setting *setting, const char *value) {
    const struct problem *problem = problem_find(value);
    if (problem)
        base_lane(config)->engine.problem = problem;
    return problem != NULL;
}

bool set_grid(struct config *config, const struct setting *setting, const char *value) {
    int nx, ny;
    if (!value_pair(value, (long)setting->min, (long)setting->max, true, &nx, &ny))
        return false;
    base_lane(config)->engine.mesh = mesh_make(nx, ny);
    return true;
}

/* As an option it cancels a preset's comparison. */
bool set_backend(struct config *config, const struct setting *setting, const char *value) {
    if (!lane_spec_set_backend(base_lane(config), value))
        return false;
    if (!setting->section && !config_is_set(config, "compare"))
        config->compare[0] = '\0';
    return true;
}

bool set_backend_list(struct config *config, const struct setting *setting, const char *value) {
    char text[256];
    struct lane_spec spec = *base_lane(config);
    if (strcmp(value, "auto") == 0)
        return set_backend(config, setting, value);
    if (!value_text(value, sizeof text, text))
        return false;
    spec.choice_count = 0;
    spec.any_backend = false;
    char *rest = text;
    for (char *name = value_next(&rest, ','); name; name = value_next(&rest, ',')) {
        const struct backend *backend = backend_find(name);
        for (int c = 0; c < spec.choice_count; c++)
            if (spec.choices[c] == backend)
                return false;
        if (!backend || spec.choice_count == LANE_CHOICES_MAX)
            return false;
        spec.choices[spec.choice_count++] = backend;
    }
    *base_lane(config) = spec;
    return true;
}

bool set_schedule(struct config *config, const struct setting *setting, const char *value) {
    return schedule_parse(value, &base_lane(config)->engine.run.schedule);
}

bool set_cycle(struct config *config, const struct setting *setting, const char *value) {
    return cycle_parse(value, &base_lane(config)->engine.run.cycle);
}

bool set_compare(struct config *config, const struct setting *setting, const char *value) {
    struct config trial = *config;
    if (!set_path(&trial, setting, value) || config_make_lanes(&trial, NULL))
        return false;
    return set_path(config, setting, value);
}

bool set_power_of_two(struct config *config, const struct setting *setting, const char *value) {
    long number;
    return value_whole(value, 1, LONG_MAX, &number) && !(number & (number - 1)) &&
           set_whole(config, setting, value);
}

bool set_zoom(struct config *config, const struct setting *setting, const char *value) {
    char text[128];
    double edge[4];
    if (!value_text(value, sizeof text, text))
        return false;
    char *rest = text;
    for (int e = 0; e < 4; e++) {
        const char *piece = value_next(&rest, ',');
        if (!piece || !value_real(piece, 0, 1, &edge[e]))
            return false;
    }
    if (rest || edge[0] >= edge[1] || edge[2] >= edge[3])
        return false;
    config->view.x0 = edge[0], config->view.x1 = edge[1];
    config->view.y0 = edge[2], config->view.y1 = edge[3];
    return true;
}

bool set_format(struct config *config, const struct setting *setting, const char *value) {
    config->headless = true;
    return set_choice(config, setting, value);
}

bool set_picture_path(struct config *config, const struct setting *setting, const char *value) {
    static const char *const suffixes[] = {".svg", ".png", ".txt", ".ans", NULL};
    const char *suffix = strrchr(value, '.');
    int ignored;
    return suffix && value_choice(suffix, suffixes, &ignored) && set_path(config, setting, value);
}

bool set_size(struct config *config, const struct setting *setting, const char *value) {
    return value_pair(value, (long)setting->min, (long)setting->max, false,
                      &config->screenshot_cols, &config->screenshot_rows);
}

/* "12.5" seconds or "40%". */
bool set_at(struct config *config, const struct setting *setting, const char *value) {
    char text[32];
    if (!value_text(value, sizeof text, text))
        return false;
    config->at_seconds = config->at_percent = NAN;
    char *last = text + strlen(text) - 1;
    if (*last != '%')
        return value_real(text, 0, 1e9, &config->at_seconds);
    *last = '\0';
    return value_real(text, 0, 100, &config->at_percent);
}

bool set_tour(struct config *config, const struct setting *setting, const char *value) {
    config->tour = true;
    return !value || set_path(config, setting, value);
}

bool set_exercise(struct config *config, const struct setting *setting, const char *value) {
    config->exercise = true;
    return !value || set_path(config, setting, value);
}

/* The row's `min` is the action. */
bool set_action(struct config *config, const struct setting *setting, const char *value) {
    config->action = (enum action)setting->min;
    return !value || set_name(config, setting, value);
}

/* ---- words ---------------------------------------------------------------------------------- */

static void add_word(struct words *words, const char *word) {
    if (words->count < WORDS_MAX)
        words->word[words->count++] = word;
}

void list_problems(struct words *words) {
    for (const struct problem *problem = problems; problem->name; problem++)
        add_word(words, problem->name);
}

void list_backends(struct words *words) {
    add_word(words, "auto");
    for (const struct backend *const *backend = backends; *backend; backend++)
        add_word(words, (*backend)->name);
}

void list_schedules(struct words *words) {
    for (int k = 0; k < SCHEDULE_COUNT; k++)
        if (k != SCHEDULE_BLOCKED)
            add_word(words, schedule_names[k]);
    add_word(words, schedule_names[SCHEDULE_BLOCKED]); /* last, because --help appends [:DEPTH] */
}

/* ---- the table ------------------------------------------------------------------------------ */

bool setting_is_option(const struct setting *setting) {
    return setting->group != SETTING_KEY_ONLY;
}

bool setting_is_shown(const struct setting *setting) {
    return setting->group < SETTING_INTERNAL;
}

bool setting_argument_optional(const struct setting *setting) {
    return setting->argument && setting->argument[0] == '[';
}

/* Returns whether both names are equal, with '-' equal to '_'. */
static bool same_name(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if ((*a == '_' ? '-' : *a) != (*b == '_' ? '-' : *b))
            return false;
    return *a == *b;
}

const struct setting *setting_find_key(const char *section, const char *name) {
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting->section && same_name(setting->section, section) &&
            (!name || same_name(setting->name, name)))
            return setting;
    return NULL;
}

void setting_words(const struct setting *setting, struct words *words) {
    words->count = 0;
    if (setting->list)
        setting->list(words);
    for (int n = 0; setting->names && setting->names[n]; n++)
        words->word[words->count++] = setting->names[n];
}

char *setting_allowed(const struct setting *setting, char *buffer, size_t size) {
    struct words words;
    buffer[0] = '\0';
    if (setting->allowed)
        return format_list(buffer, size, setting->allowed);
    if (setting->set == set_whole || setting->set == set_power_of_two)
        return format_text(buffer, size, "a %s, %ld to %ld",
                           setting->set == set_whole ? "whole number" : "power of two",
                           (long)setting->min, (long)setting->max);
    setting_words(setting, &words);
    for (int w = 0; w < words.count; w++)
        format_list(buffer, size, words.word[w]);
    return buffer;
}

char *setting_keys(const char *section, char *buffer, size_t size) {
    buffer[0] = '\0';
    for (const struct setting *setting = settings; setting->name; setting++) {
        if (!setting->section)
            continue;
        if (section && same_name(setting->section, section))
            format_list(buffer, size, setting->name);
        else if (!section && setting == setting_find_key(setting->section, NULL))
            format_list(buffer, size, setting->section);
    }
    for (char *c = buffer; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return buffer;
}
