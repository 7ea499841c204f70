#include "config/saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/preset.h"
#include "config/setters.h"

static bool saved_path(char *path, size_t size) {
    return path_of_config(path, size, "settings.ini");
}

/* STATUS_OK where there is no such file, or a good one. */
static enum status read_saved(struct config *config, struct error *error) {
    char path[PATH_SIZE];
    struct config trial = *config;
    if (!saved_path(path, sizeof path) || access(path, F_OK) != 0)
        return STATUS_OK;
    const enum status status = preset_read_section(path, "view", &trial, error);
    if (status)
        return status;
    config->view = trial.view;
    config->plan.fps = trial.plan.fps;
    return STATUS_OK;
}

void saved_load(struct config *config) {
    struct error error = {0};
    if (read_saved(config, &error))
        snprintf(config->notice, sizeof config->notice, "your settings are ignored: %.400s",
                 error.message);
}

/* A line of the file, for the settings whose value can be read back. */
static void write_setting(FILE *file, const struct config *config, const struct setting *setting) {
    const void *place = (const char *)config + setting->offset;
    if (setting->set == set_choice)
        fprintf(file, "%s = %s\n", setting->name, setting->names[*(const int *)place]);
    else if (setting->set == set_name || setting->set == set_text)
        fprintf(file, "%s = %s\n", setting->name, (const char *)place);
    else if (setting->set == set_yes_no)
        fprintf(file, "%s = %s\n", setting->name, *(const bool *)place ? "yes" : "no");
    else if (setting->set == set_int)
        fprintf(file, "%s = %d\n", setting->name, *(const int *)place);
}

static bool write_all(FILE *file, const struct config *config) {
    fputs("; Saved by jacobi-tui; a preset's [view] and the options win over it.\n[view]\n", file);
    for (const struct setting *setting = settings; setting->name; setting++)
        if (setting->section && strcmp(setting->section, "view") == 0)
            write_setting(file, config, setting);
    return fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0;
}

/* Writes beside the file, then puts the new one in its place. */
static enum status replace(const char *path, const struct config *config, struct error *error) {
    char temporary[PATH_SIZE + 8];
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    const int descriptor = mkstemp(temporary);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file) {
        if (descriptor >= 0)
            close(descriptor);
        return error_set(error, STATUS_INTERNAL, "%s: %s", path, strerror(errno));
    }
    bool good = write_all(file, config);
    good = fclose(file) == 0 && good;
    if (good && rename(temporary, path) == 0)
        return STATUS_OK;
    error_set(error, STATUS_INTERNAL, "%s: %s", path, strerror(errno));
    unlink(temporary);
    return STATUS_INTERNAL;
}

enum status saved_save(const struct config *config, struct error *error) {
    char path[PATH_SIZE];
    struct config trial = *config;
    if (!saved_path(path, sizeof path))
        return error_set(error, STATUS_INTERNAL, "there is no home folder to save settings in");
    if (read_saved(&trial, error))
        return error_prefix(error, "not overwritten");
    if (!path_make_folders(path))
        return error_set(error, STATUS_INTERNAL, "%s: %s", path, strerror(errno));
    return replace(path, config, error);
}
