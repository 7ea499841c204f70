/* Presets, and the saved settings, which are a preset's [view] (config/config.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/inifile.h"
#include "config/settings.h"
#include "core/file.h"
#include "core/text.h"

static const struct inifile_folders folders = {.config = "presets", .data = "presets"};

/* ---- reading -------------------------------------------------------------------------------- */

struct preset_reading {
    struct config *config;
    const char *only;        /* the section allowed; NULL: all */
    bool seen[SETTINGS_MAX]; /* by row of the settings table */
};

static enum status read_preset_section(void *user, const char *section, struct error *error) {
    char sections[256];
    const char *only = ((struct preset_reading *)user)->only;
    if (only ? strcmp(section, only) == 0 : setting_find_key(section, NULL) != NULL)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "unknown section [%s]: expected %s", section,
                     only ? only : setting_keys(NULL, sections, sizeof sections));
}

static enum status read_preset_key(void *user, const char *section, const char *name,
                                   const char *value, struct error *error) {
    struct preset_reading *reading = user;
    char allowed[ERROR_MESSAGE_SIZE];
    if (!*section)
        return error_set(error, STATUS_BAD_INPUT,
                         "'%s' comes before the first section: expected one of [%s]", name,
                         setting_keys(NULL, allowed, sizeof allowed));
    const struct setting *setting = setting_find_key(section, name);
    if (!setting)
        return error_set(error, STATUS_BAD_INPUT, "[%s] has no key '%s': expected one of %s",
                         section, name, setting_keys(section, allowed, sizeof allowed));
    bool *seen = &reading->seen[setting - settings];
    if (*seen)
        return error_set(error, STATUS_BAD_INPUT,
                         "'%s' is given twice in [%s]: expected once per file", name, section);
    *seen = true;
    if (config_is_set(reading->config, setting->name))
        return STATUS_OK;
    if (!setting->set(reading->config, setting, value))
        return error_set(error, STATUS_BAD_INPUT, "%s = %.80s: expected %s", name, value,
                         setting_allowed(setting, allowed, sizeof allowed));
    return STATUS_OK;
}

enum status preset_read(const char *path, const char *section, struct config *config,
                        struct error *error) {
    struct config trial = *config;
    struct preset_reading reading = {.config = &trial, .only = section};
    const struct inifile_reader reader = {
        .section = read_preset_section,
        .key = read_preset_key,
        .user = &reading,
        .opening = trial.teaches,
        .opening_size = sizeof trial.teaches,
    };
    TRY(inifile_read(path, &reader, error));
    trial.reference.nx = trial.plan.lanes[0].engine.mesh.Nx;
    trial.reference.ny = trial.plan.lanes[0].engine.mesh.Ny;
    *config = trial;
    return STATUS_OK;
}

/* ---- by name -------------------------------------------------------------------------------- */

enum status preset_load(const char *name, struct config *config, struct error *error) {
    char path[PATH_SIZE], second_path[PATH_SIZE];
    if (!inifile_find(&folders, name, path, sizeof path))
        return inifile_refuse(&folders, "preset", name, error);
    static struct config trial, other; /* too large for a small stack */
    trial = *config;
    config_init(&other);
    trial.reference.second_reference[0] = '\0';
    memset(trial.given, 0, sizeof trial.given); /* a preset loaded by name overrides options */
    TRY(preset_read(path, NULL, &trial, error));
    const char *second = trial.reference.second_reference;
    if (*second)
        TRY(inifile_find(&folders, second, second_path, sizeof second_path)
                ? preset_read(second_path, NULL, &other, error)
                : inifile_refuse(&folders, "preset", second, error));
    trial.second_reference = other.reference;
    memcpy(trial.given, config->given, sizeof trial.given);
    *config = trial;
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    const int length = dot && dot > file ? (int)(dot - file) : (int)strlen(file);
    snprintf(config->plan.preset, sizeof config->plan.preset, "%.*s", length, file);
    text_sanitize(config->plan.preset);
    return STATUS_OK;
}

int preset_list(struct preset *presets) {
    static struct inifile_name names[PRESETS_MAX]; /* too large for a small stack */
    static struct config config;
    const int count = inifile_list(&folders, names, PRESETS_MAX);
    for (int p = 0; p < count; p++) {
        char path[PATH_SIZE];
        config_init(&config);
        presets[p] = (struct preset){0};
        memcpy(presets[p].name, names[p].text, sizeof presets[p].name);
        if (inifile_find(&folders, names[p].text, path, sizeof path))
            preset_read(path, NULL, &config, &presets[p].error);
        memcpy(presets[p].teaches, config.teaches, sizeof config.teaches);
    }
    return count;
}

/* ---- saved settings ------------------------------------------------------------------------- */

static const char settings_file[] = "settings.ini";

/* Returns STATUS_OK if the file is missing or valid. */
static enum status read_saved(struct config *config, struct error *error) {
    char path[PATH_SIZE];
    struct config trial = *config;
    if (!user_path(path, sizeof path, USER_CONFIG, settings_file) || access(path, F_OK) != 0)
        return STATUS_OK;
    TRY(preset_read(path, "view", &trial, error));
    config->view = trial.view;
    config->plan.fps = trial.plan.fps;
    return STATUS_OK;
}

void user_settings_load(struct config *config) {
    struct error error = {0};
    if (read_saved(config, &error))
        snprintf(config->warning, sizeof config->warning, "your saved settings are ignored: %.400s",
                 error.message);
}

/* Returns the file's text: a line for each setting of [view] whose value can be read back. NULL if
 * memory runs out. */
static char *print_saved(const struct config *config) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    fputs("; Saved by jacobi-tui; a preset's [view] and the options override it.\n[view]\n", file);
    for (const struct setting *setting = settings; setting->name; setting++) {
        if (!setting->section || strcmp(setting->section, "view") != 0)
            continue;
        const void *value = (const char *)config + setting->offset;
        if (setting->set == set_choice)
            fprintf(file, "%s = %s\n", setting->name, setting->names[*(const int *)value]);
        else if (setting->set == set_name || setting->set == set_text)
            fprintf(file, "%s = %s\n", setting->name, (const char *)value);
        else if (setting->set == set_yes_no)
            fprintf(file, "%s = %s\n", setting->name, *(const bool *)value ? "yes" : "no");
        else if (setting->set == set_whole)
            fprintf(file, "%s = %d\n", setting->name, *(const int *)value);
    }
    const bool failed = ferror(file);
    if (fclose(file) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}

enum status user_settings_save(const struct config *config, struct error *error) {
    char path[PATH_SIZE];
    struct config trial = *config;
    if (!user_path(path, sizeof path, USER_CONFIG, settings_file))
        return error_set(error, STATUS_INTERNAL, "no home folder to save settings in");
    if (read_saved(&trial, error))
        return error_prefix(error, "settings not saved");
    char *text = print_saved(config);
    if (!text)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    path_make_folders(path); /* on failure the file can't be written either */
    const enum status status = file_write(path, true, text, strlen(text), error);
    free(text);
    return status ? error_prefix(error, "settings not saved") : STATUS_OK;
}
