/* The user's own kernels: a folder of source files that is watched for changes, and the command
 * line of their compiler. */
#ifndef JACOBI_EXERCISE_COMPILER_H
#define JACOBI_EXERCISE_COMPILER_H

#include <sys/types.h>
#include <time.h>

#include "core/paths.h"
#include "solver/backend.h"

enum { FILES_MAX = 16 };

/* A file, and what shows that it has changed. */
struct source_file {
    char path[PATH_SIZE];
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct source_files {
    int count;
    bool has_more;                       /* that have no room */
    struct source_file files[FILES_MAX]; /* in alphabetical order */
};

struct source_folder {
    char path[PATH_SIZE];
    const char *suffix; /* of its source files */
    struct source_files current;
    struct source_files seen; /* at the last look */
    int64_t looked_ns;        /* the time of that look */
};

/* Lists the files of the folder that end in its suffix. Returns how many. */
int source_folder_list(struct source_folder *folder);

/* Whether the files differ from folder->current, and have stopped changing: editors save in steps,
 * and remove a file for a moment. Then folder->current are the new files. Looks every 50 ms, on
 * network file systems, too. */
bool source_folder_changed(struct source_folder *folder);

/* Removes a file, or a folder with everything in it. */
void remove_tree(const char *path);

/* Removes from the folder around `own` what a killed program has left, PID-…, if there is no such
 * process. Other machines may share the folder: only what is older than a day. */
void remove_leftovers(const char *own);

/* ---- The compiler. */

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
