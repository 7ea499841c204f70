/* Reads INI files (presets, saved settings, tours), with the line in every error message, and finds
 * them by name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Receives the file's contents. Both functions return STATUS_OK or an error: the problem and the
 * allowed values; "file:line: " is put before it. */
struct inifile_reader {
    /* Called at the beginning of a section. NULL: none. */
    enum status (*section)(void *user, const char *section, struct error *error);
    /* Called for a key; `section` is "" before the first section. */
    enum status (*key)(void *user, const char *section, const char *name, const char *value,
                       struct error *error);
    void *user;

    /* Buffer for the file's opening comment, joined into one line. NULL: none. */
    char *opening;
    size_t opening_size;
};

/* Reads the file to its end or first error. A line may have 4095 bytes, without continuation, and a
 * file 4 MiB. STATUS_BAD_INPUT: "path:line: …". */
enum status inifile_read(const char *path, const struct inifile_reader *reader,
                         struct error *error);

/* The folders of one kind of file, below USER_CONFIG (NULL: none) and data_path. The user's files
 * take precedence. */
struct inifile_folders {
    const char *config, *data;
    const char *ending; /* for inifile_list; NULL: ".ini"; "": folders, whose names have no dot */
};

struct inifile_name {
    char text[64]; /* "mi250" of mi250.ini */
};

/* Finds the file's path: `name` itself, unchecked, if it has a '/' or ends in ".ini", else
 * NAME.ini's. False if there is none or it is too long. */
bool inifile_find(const struct inifile_folders *folders, const char *name, char *path, size_t size);

/* Lists the available files' names, each once, in alphabetical order. Returns their number, at most
 * `most`, for which `names` must have room. */
int inifile_list(const struct inifile_folders *folders, struct inifile_name *names, int most);

/* Reports STATUS_BAD_INPUT: no `kind` ("preset") has that name. Lists names and a likely match. */
enum status inifile_refuse(const struct inifile_folders *folders, const char *kind,
                           const char *name, struct error *error);
