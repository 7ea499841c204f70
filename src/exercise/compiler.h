/* The compiler of the user's own kernels: whether it is there, and its command line. */
#ifndef JACOBI_EXERCISE_COMPILER_H
#define JACOBI_EXERCISE_COMPILER_H

#include "core/paths.h"
#include "solver/backend.h"

enum { COMPILER_ARGUMENTS_MAX = 80 };

struct compiler {
    const char *program; /* its path */
    const struct language *language;
    char header_folder[PATH_SIZE]; /* of kernels.h and hip.h */
    char device_folder[PATH_SIZE]; /* HIP: of vendor.h, and of what runs kernels on the CPU */

    /* The command line, and those of its arguments that are put together. */
    char *arguments[COMPILER_ARGUMENTS_MAX];
    int count;
    char architecture[96], include[PATH_SIZE + 16], temporary[PATH_SIZE + 16],
        device_include[PATH_SIZE + 32];
    char sources[3][PATH_SIZE + 32];
};

/* Fills in path and folders. STATUS_UNAVAILABLE, with the package that has it, if the compiler is
 * not there, or if the back end was not built. */
enum status compiler_find(struct compiler *compiler, const struct backend *backend,
                          struct error *error);

/* The arguments of env(1) that make `library` of these files, at most FILES_MAX, for that
 * architecture ("" is this CPU), its name first, NULL last; what the compiler makes on the way is
 * in the folder `temporary`. They belong to the compiler and are valid until the next call, as long
 * as `files` and `library` are. */
char *const *compiler_arguments(struct compiler *compiler, const char *architecture,
                                const char *const *files, int file_count, const char *library,
                                const char *temporary);

/* The first line of the compiler's log that reports an error, without `folder`; else the last line.
 * If a part of the compiler is missing, followed by the packages to install. Returns `buffer`. */
char *compiler_first_error(const struct compiler *compiler, const char *log, const char *folder,
                           char *buffer, size_t size);

#endif
