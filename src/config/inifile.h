/* Reads INI files (presets, saved settings, tours), with the line in every error message, and finds
 * them by name. */
#ifndef JACOBI_CONFIG_INIFILE_H
#define JACOBI_CONFIG_INIFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Receives the file's contents. Both functions return STATUS_OK or an error: what is wrong, and
 * what is allowed; "file:line: " is put before it. */
struct inifile_reader {
    /* A section begins; may be NULL. */
    enum status (*section)(void *user, const char *section, struct error *error);
    /* A key; `section` is "" before the first. */
    enum status (*key)(void *user, const char *section, const char *name, const char *value,
                       struct error *error);
    void *user;

    /* Where the file's opening comment goes, one paragraph on one line; may be NULL. */
    char *opening;
    size_t opening_size;
};

/* Reads the file, or with `bytes` not NULL its contents in memory, to its end or first error. A
 * line may have 4095 bytes, without continuation, and a file 4 MiB. STATUS_BAD_INPUT: "path:line:
 * …". */
enum status inifile_read(const char *path, const void *bytes, size_t size,
                         const struct inifile_reader *reader, struct error *error);

/* The folders of one kind of files, below USER_CONFIG (NULL: none) and data_path. The user's files
 * are found first. */
struct inifile_folders {
    const char *config, *data;
    const char *ending; /* to inifile_list; NULL: ".ini"; "": folders, whose names have no dot */
};

struct inifile_name {
    char text[64]; /* "mi250" of mi250.ini */
};

/* The file's path: `name` if it has a '/' or ends in ".ini", else NAME.ini's. False if there is
 * none.
 */
bool inifile_find(const struct inifile_folders *folders, const char *name, char *path, size_t size);

/* The names of the files there are, each once, in alphabetical order. Returns their number, at most
 * `most`; `names` has room for so many. */
int inifile_list(const struct inifile_folders *folders, struct inifile_name *names, int most);

/* STATUS_BAD_INPUT: there is no `kind` ("preset") of that name; lists the names and a likely match.
 */
enum status inifile_refuse(const struct inifile_folders *folders, const char *kind,
                           const char *name, struct error *error);

#endif
