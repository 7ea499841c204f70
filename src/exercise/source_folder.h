/* A folder of source files that is watched for changes. */
#ifndef JACOBI_EXERCISE_SOURCE_FOLDER_H
#define JACOBI_EXERCISE_SOURCE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "core/paths.h"

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

#endif
