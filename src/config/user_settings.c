/* Loads and saves the user's settings.ini (config/config.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/preset.h"
#include "config/values.h"
#include "core/file.h"

static bool user_settings_path(char *path, size_t size) {
    return config_path(path, size, "settings.ini");
}

/* STATUS_OK if there is no such file, or a good one. */
static enum status read_saved(struct config *config, struct error *error) {
    char path[PATH_SIZE];
    struct config trial = *config;
    if (!user_settings_path(path, sizeof path) || access(path, F_OK) != 0)
        return STATUS_OK;
    const enum status status = preset_read(path, "view", &trial, error);
    if (status)
        return status;
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

/* The file's text: a line for each setting of [view] whose value can be read back. NULL if memory
 * ran out. */
static char *print_saved(const struct config *config) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    fputs("; Saved by jacobi-tui; a preset's [view] and the options win over it.\n[view]\n", file);
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
    if (!user_settings_path(path, sizeof path))
        return error_set(error, STATUS_INTERNAL, "no home folder to save settings in");
    if (read_saved(&trial, error))
        return error_prefix(error, "settings not saved");
    char *text = print_saved(config);
    if (!text)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    path_make_folders(path); /* if it can't, the file can't be written */
    const enum status status = file_write(path, true, text, strlen(text), error);
    free(text);
    return status ? error_prefix(error, "settings not saved") : STATUS_OK;
}
