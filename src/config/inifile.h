/* INI files with line numbers: presets, saved settings, lessons. */
#ifndef JACOBI_CONFIG_INIFILE_H
#define JACOBI_CONFIG_INIFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Who takes the file's contents. Both functions return STATUS_OK, or an error whose message says
 * what is wrong and what is allowed; "file:line: " is put before it. */
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

/* Reads the file to its end or first error. A line may have 196 bytes, a comment any number; there
 * is no continuation. STATUS_BAD_INPUT with "file:line: …", the file being called `path`. */
enum status inifile_read(const char *path, const struct inifile_reader *reader,
                         struct error *error);

/* The same for a file's contents in memory; `name` is what messages call it. */
enum status inifile_parse(const void *bytes, size_t size, const char *name,
                          const struct inifile_reader *reader, struct error *error);

#endif
