/* Presets: files of settings, each opening with what it teaches. */
#ifndef JACOBI_CONFIG_PRESET_H
#define JACOBI_CONFIG_PRESET_H

#include "config/config.h"

struct preset {
    char name[64];
    char path[PATH_SIZE];
    char teaches[TEACHES_SIZE]; /* its opening comment */
    struct error error;         /* why it can't be used; status STATUS_OK where it can */
};

enum { PRESETS_MAX = 64 };

/* Reads a file of settings into `config`. On failure `config` is as it was. */
enum status preset_read(const char *path, struct config *config, struct error *error);

/* The same for a file that may hold nothing but one section. */
enum status preset_read_section(const char *path, const char *section, struct config *config,
                                struct error *error);

/* The same from memory; `name` is what messages call it, `section` NULL where all may stand. */
enum status preset_parse(const void *bytes, size_t size, const char *name, const char *section,
                         struct config *config, struct error *error);

/* The file of the preset: `name` itself where it has a '/' or ends in ".ini", else NAME.ini in the
 * user's configuration folder, then in the program's own presets. STATUS_BAD_INPUT, with the names
 * there are, where there is no such file. */
enum status preset_find(const char *name, char *path, size_t size, struct error *error);

/* Finds and reads it; the plan then carries its name. On failure `config` is as it was. */
enum status preset_load(const char *name, struct config *config, struct error *error);

/* All presets that can be named, in alphabetical order, each read to see whether it can be used.
 * Returns their number, at most PRESETS_MAX; `presets` has room for so many. */
int preset_list(struct preset *presets);

#endif
