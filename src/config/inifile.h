/* INI files: presets, saved settings, tours. Reads one, with the line in every error message;
 * finds and lists the files that can be named. */
#ifndef JACOBI_CONFIG_INIFILE_H
#define JACOBI_CONFIG_INIFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Takes the file's contents. Both functions return STATUS_OK, or an error whose message says
 * what is wrong and what is allowed; "file:line: " is put before it. */
struct inifile_reader {
    /* A section begins; may be NULL. */
    enum status (*section)(void *user, const char *section, struct error *error);
    /* A key; `section` is "" before the first. */
    enum status (*key)(void *user, const char *section, const char *name, const char *value,
                       struct error *error);
    void *user;
    int *line; /* set to the number of the line before each call; may be NULL */

    /* Where the file's opening comment goes, one paragraph on one line; may be NULL. */
    char *opening;
    size_t opening_size;
};

/* Reads the file to its end or first error. A line may have 196 bytes, a comment 4095; there is
 * no continuation; a file may have 10000 lines and 4 MiB. STATUS_BAD_INPUT with "file:line: …",
 * the file being called `path`. */
enum status inifile_read(const char *path, const struct inifile_reader *reader,
                         struct error *error);

/* The same for a file's contents in memory; `name` is what messages call it. */
enum status inifile_parse(const void *bytes, size_t size, const char *name,
                          const struct inifile_reader *reader, struct error *error);

/* Where the files of one kind lie: folders below the user's configuration (config_path) and
 * below the program's data (data_path). A user's file is found before the program's own. */
struct inifile_folders {
    const char *config, *data;
};

struct inifile_name {
    char text[64]; /* "mi250" of mi250.ini */
};

/* The path of the file: `name` itself if it has a '/' or ends in ".ini", else that of NAME.ini.
 * False if no folder has that, or if the path is too long. */
bool inifile_find(const struct inifile_folders *folders, const char *name, char *path, size_t size);

/* The names of the files there are, each once, in alphabetical order. Returns their number, at most
 * `most`; `names` has room for so many. */
int inifile_list(const struct inifile_folders *folders, struct inifile_name *names, int most);

/* STATUS_BAD_INPUT: there is no `kind` ("preset") of that name, which there are, and which was
 * probably meant. */
enum status inifile_refuse(const struct inifile_folders *folders, const char *kind,
                           const char *name, struct error *error);

#endif
