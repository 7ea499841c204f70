#include "config/preset.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/inifile.h"
#include "config/setting.h"

static const char suffix[] = ".ini";

struct reading {
    struct config *config;
    const char *only; /* the section allowed; NULL: all */
    bool seen[512];   /* by row of the settings table */
};

static enum status take_section(void *user, const char *section, struct error *error) {
    char sections[256];
    const char *only = ((struct reading *)user)->only;
    if (only ? strcmp(section, only) == 0 : setting_section_exists(section))
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT, "there is no section [%s]: allowed are %s", section,
                     only ? only : setting_keys(NULL, sections, sizeof sections));
}

static enum status unknown_key(const char *section, const char *name, struct error *error) {
    char keys[ERROR_MESSAGE_SIZE];
    if (!*section)
        return error_set(error, STATUS_BAD_INPUT,
                         "'%s' stands before the first section: allowed are [%s]", name,
                         setting_keys(NULL, keys, sizeof keys));
    return error_set(error, STATUS_BAD_INPUT, "[%s] has no key '%s': allowed are %s", section, name,
                     setting_keys(section, keys, sizeof keys));
}

static enum status take_key(void *user, const char *section, const char *name, const char *value,
                            struct error *error) {
    struct reading *reading = user;
    char allowed[ERROR_MESSAGE_SIZE];
    const struct setting *setting = setting_find_key(section, name);
    if (!setting)
        return unknown_key(section, name, error);
    bool *seen = &reading->seen[setting - settings];
    if (*seen)
        return error_set(error, STATUS_BAD_INPUT,
                         "'%s' stands twice in [%s]: allowed is once a file", name, section);
    *seen = true;
    if (!setting->set(reading->config, setting, value))
        return error_set(error, STATUS_BAD_INPUT, "%s = %.80s: allowed is %s", name, value,
                         setting_allowed(setting, allowed, sizeof allowed));
    return STATUS_OK;
}

struct text {
    const char *path;  /* or the name that messages call it */
    const void *bytes; /* NULL: in the file */
    size_t size;
};

static enum status read_text(const struct text *text, const char *section, struct config *config,
                             struct error *error) {
    struct config trial = *config;
    struct reading reading = {.config = &trial, .only = section};
    const struct inifile_reader reader = {
        .section = take_section,
        .key = take_key,
        .user = &reading,
        .opening = trial.teaches,
        .opening_size = sizeof trial.teaches,
    };
    const enum status status =
        text->bytes ? inifile_parse(text->bytes, text->size, text->path, &reader, error)
                    : inifile_read(text->path, &reader, error);
    if (status)
        return status;
    trial.reference.nx = trial.plan.lanes[0].engine.mesh.Nx;
    trial.reference.ny = trial.plan.lanes[0].engine.mesh.Ny;
    *config = trial;
    return STATUS_OK;
}

enum status preset_read_section(const char *path, const char *section, struct config *config,
                                struct error *error) {
    return read_text(&(struct text){.path = path}, section, config, error);
}

enum status preset_parse(const void *bytes, size_t size, const char *name, const char *section,
                         struct config *config, struct error *error) {
    return read_text(&(struct text){name, bytes, size}, section, config, error);
}

enum status preset_read(const char *path, struct config *config, struct error *error) {
    return preset_read_section(path, NULL, config, error);
}

static bool is_file_name(const char *name) {
    const size_t length = strlen(name), end = sizeof suffix - 1;
    return strchr(name, '/') || (length > end && strcmp(name + length - end, suffix) == 0);
}

/* The folders where presets can be named, the user's first. */
static bool preset_folder(int index, char *folder, size_t size) {
    return index == 0 ? path_of_config(folder, size, "presets")
                      : path_of_data(folder, size, "presets");
}

enum { FOLDERS = 2 };

static int compare_names(const void *a, const void *b) {
    return strcmp(((const struct preset *)a)->name, ((const struct preset *)b)->name);
}

static bool listed(const struct preset *presets, int count, const char *name) {
    for (int p = 0; p < count; p++)
        if (strcmp(presets[p].name, name) == 0)
            return true;
    return false;
}

/* Adds the folder's file, where it is a preset that no folder before has had. */
static int add_file(struct preset *presets, int count, const char *folder, const char *file) {
    struct preset *preset = &presets[count];
    const size_t length = strlen(file), end = sizeof suffix - 1;
    if (count == PRESETS_MAX || length <= end || strcmp(file + length - end, suffix) != 0)
        return count;
    *preset = (struct preset){0};
    snprintf(preset->name, sizeof preset->name, "%.*s", (int)(length - end), file);
    if (file[0] == '.' || listed(presets, count, preset->name))
        return count;
    snprintf(preset->path, sizeof preset->path, "%.700s/%.255s", folder, file);
    return count + 1;
}

static int find_all(struct preset *presets) {
    int count = 0;
    for (int f = 0; f < FOLDERS; f++) {
        char folder[PATH_SIZE];
        DIR *entries = preset_folder(f, folder, sizeof folder) ? opendir(folder) : NULL;
        if (!entries)
            continue;
        for (struct dirent *entry = readdir(entries); entry; entry = readdir(entries))
            count = add_file(presets, count, folder, entry->d_name);
        closedir(entries);
    }
    qsort(presets, (size_t)count, sizeof *presets, compare_names);
    return count;
}

int preset_list(struct preset *presets) {
    const int count = find_all(presets);
    for (int p = 0; p < count; p++) {
        struct config config;
        config_init(&config);
        preset_read(presets[p].path, &config, &presets[p].error);
        memcpy(presets[p].teaches, config.teaches, sizeof config.teaches);
    }
    return count;
}

static enum status not_found(const char *name, struct error *error) {
    char names[ERROR_MESSAGE_SIZE] = "";
    struct preset *presets = malloc(PRESETS_MAX * sizeof *presets);
    const int count = presets ? find_all(presets) : 0;
    for (int p = 0; p < count; p++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", presets[p].name);
    }
    free(presets);
    return error_set(error, STATUS_BAD_INPUT,
                     "there is no preset '%.64s': allowed are %.300s, or a file's name", name,
                     *names ? names : "none here");
}

enum status preset_find(const char *name, char *path, size_t size, struct error *error) {
    if (is_file_name(name)) {
        if (strlen(name) >= size)
            return error_set(error, STATUS_BAD_INPUT, "the file name is too long");
        strcpy(path, name);
        return STATUS_OK;
    }
    for (int f = 0; f < FOLDERS; f++) {
        char folder[PATH_SIZE];
        if (!*name || !preset_folder(f, folder, sizeof folder))
            continue;
        const int length = snprintf(path, size, "%s/%s%s", folder, name, suffix);
        if (length > 0 && (size_t)length < size && access(path, F_OK) == 0)
            return STATUS_OK;
    }
    return not_found(name, error);
}

/* "mi250" of ".../mi250.ini". */
static void name_of_file(const char *path, char *name, size_t size) {
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *dot = strrchr(file, '.');
    const int length = dot && dot > file ? (int)(dot - file) : (int)strlen(file);
    snprintf(name, size, "%.*s", length, file);
}

enum status preset_load(const char *name, struct config *config, struct error *error) {
    char path[PATH_SIZE];
    const enum status found = preset_find(name, path, sizeof path, error);
    const enum status status = found ? found : preset_read(path, config, error);
    if (!status)
        name_of_file(path, config->plan.preset, sizeof config->plan.preset);
    return status;
}
