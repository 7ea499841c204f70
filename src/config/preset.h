/* Presets: INI files of settings, each opening with what it teaches. */
#ifndef JACOBI_CONFIG_PRESET_H
#define JACOBI_CONFIG_PRESET_H

#include "config/config.h"

/* Reads a file of settings into `config`, but for those that were given as options; if `section` is
 * not NULL, the file may hold only that section. STATUS_BAD_INPUT: "file:line: what is wrong, what
 * is allowed"; `config` is then as it was. */
enum status preset_read(const char *path, const char *section, struct config *config,
                        struct error *error);

/* The same from memory, unless `bytes` is NULL. */
enum status preset_parse(const void *bytes, size_t size, const char *path, const char *section,
                         struct config *config, struct error *error);

/* Finds and reads the preset: the file `name` if it has a '/' or ends in ".ini", else NAME.ini in
 * the user's configuration folder, then in the program's own presets. The plan then carries its
 * name. STATUS_BAD_INPUT, with the names there are, if there is no such file. On failure `config`
 * is as it was. */
enum status preset_load(const char *name, struct config *config, struct error *error);

struct preset {
    char name[64];
    char teaches[TEACHES_SIZE]; /* its opening comment */
    struct error error;         /* why it can't be used; status STATUS_OK if it can */
};

enum { PRESETS_MAX = 64 };

/* All presets that can be named, in alphabetical order, each read to see whether it can be used.
 * Returns their number, at most PRESETS_MAX; `presets` has room for so many. */
int preset_list(struct preset *presets);

#endif
