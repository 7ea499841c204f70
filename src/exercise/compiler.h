/* The user's kernels: a folder of source files that is watched for changes, and the command line of
 * their compiler. */
#pragma once

#include <sys/types.h>
#include <time.h>

#include "core/paths.h"
#include "solver/backend.h"

enum { FILES_MAX = 16 };

/* A file, with the attributes that reveal a change. */
struct source_file {
    char path[PATH_SIZE];
    ino_t inode;
    off_t size;
    struct timespec changed;
};

struct source_files {
    int count;
    bool has_more;                       /* files beyond FILES_MAX */
    struct source_file files[FILES_MAX]; /* in alphabetical order */
};

struct source_folder {
    char path[PATH_SIZE];
    const char *suffix; /* of the source files */
    struct source_files current;
    struct source_files seen; /* at the last look */
    int64_t looked_ns;        /* the time of that look */
};

/* Lists the files of the folder that end in its suffix. Returns their number. */
int source_folder_list(struct source_folder *folder);

/* Whether the files differ from folder->current and have stopped changing: editors save in steps,
 * and may remove a file for a moment. If so, updates folder->current. Polls every 50 ms, which also
 * works on network file systems. */
bool source_folder_changed(struct source_folder *folder);

void remove_tree(const char *path);

/* Removes the folders PID-… next to `own` that a killed program has left, if no process has that
 * pid. Other machines may share the folder: only folders older than a day are removed. */
void remove_leftovers(const char *own);

/* ---- The compiler */

enum { COMPILER_ARGUMENTS_MAX = 80 };

struct compiler {
    const char *program; /* its path */
    const struct language *language;
    char header_folder[PATH_SIZE]; /* contains kernels.h and hip.h */
    char device_folder[PATH_SIZE]; /* HIP: contains vendor.h and the emulator for the CPU */

    /* The command line, and the storage of its composed arguments. */
    char *arguments[COMPILER_ARGUMENTS_MAX];
    int count;
    char architecture[96], include[PATH_SIZE + 16], temporary[PATH_SIZE + 16],
        device_include[PATH_SIZE + 32];
    char sources[4][PATH_SIZE + 32];
};

/* Fills in path and folders. STATUS_UNAVAILABLE, with the package to install, if the compiler is
 * missing or the back end was not built. */
enum status compiler_find(struct compiler *compiler, const struct backend *backend,
                          struct error *error);

/* Composes the arguments of env(1) that build `library` from these files, at most FILES_MAX, for
 * `architecture` ("": this CPU). The first argument is the name, the last is NULL. Temporary files
 * go into the folder `temporary`. The compiler owns the arguments. They are valid until the next
 * call, and only while `files` and `library` are. */
char *const *compiler_arguments(struct compiler *compiler, const char *architecture,
                                const char *const *files, int file_count, const char *library,
                                const char *temporary);

/* The first error line of the compiler's log, without `folder`; otherwise the last line. If a part
 * of the compiler is missing, the packages to install follow. Returns `buffer`. */
char *compiler_first_error(const struct compiler *compiler, const char *log, const char *folder,
                           char *buffer, size_t size);
