#include "config/preset.h"

#include <stdio.h>
#include <string.h>

#include "config/inifile.h"
#include "config/settings.h"
#include "core/text.h"

static const struct inifile_folders folders = {.config = "presets", .data = "presets"};

/* ---- reading -------------------------------------------------------------------------------- */

struct preset_reading {
    struct config *config;
    const char *only; /* the section allowed; NULL: all */
    bool seen[512];   /* by row of the settings table */
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

enum status preset_parse(const void *bytes, size_t size, const char *path, const char *section,
                         struct config *config, struct error *error) {
    struct config trial = *config;
    struct preset_reading reading = {.config = &trial, .only = section};
    const struct inifile_reader reader = {
        .section = read_preset_section,
        .key = read_preset_key,
        .user = &reading,
        .opening = trial.teaches,
        .opening_size = sizeof trial.teaches,
    };
    const enum status status = inifile_read(path, bytes, size, &reader, error);
    if (status)
        return status;
    trial.reference.nx = trial.plan.lanes[0].engine.mesh.Nx;
    trial.reference.ny = trial.plan.lanes[0].engine.mesh.Ny;
    *config = trial;
    return STATUS_OK;
}

enum status preset_read(const char *path, const char *section, struct config *config,
                        struct error *error) {
    return preset_parse(NULL, 0, path, section, config, error);
}

/* ---- by name -------------------------------------------------------------------------------- */

enum status preset_load(const char *name, struct config *config, struct error *error) {
    char path[PATH_SIZE], second_path[PATH_SIZE];
    if (!inifile_find(&folders, name, path, sizeof path))
        return inifile_refuse(&folders, "preset", name, error);
    struct config trial = *config, other;
    config_init(&other);
    trial.reference.second_reference[0] = '\0';
    memset(trial.given, 0, sizeof trial.given); /* what is asked for by name replaces options */
    enum status status = preset_read(path, NULL, &trial, error);
    const char *second = trial.reference.second_reference;
    if (!status && *second)
        status = inifile_find(&folders, second, second_path, sizeof second_path)
                     ? preset_read(second_path, NULL, &other, error)
                     : inifile_refuse(&folders, "preset", second, error);
    if (status)
        return status;
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
        snprintf(presets[p].name, sizeof presets[p].name, "%.63s", names[p].text);
        if (inifile_find(&folders, names[p].text, path, sizeof path))
            preset_read(path, NULL, &config, &presets[p].error);
        memcpy(presets[p].teaches, config.teaches, sizeof config.teaches);
    }
    return count;
}
