/* Paths in the build tree, the installed tree and the user's XDG folders, written to `buffer`. */
#ifndef JACOBI_CORE_PATHS_H
#define JACOBI_CORE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

enum { PATH_SIZE = 1024 };

/* The program's own file, links resolved; without /proc, as it was called. False if unknown. */
bool program_path(char *buffer, size_t size);

/* The program's data, "presets" or "recordings/x.rec": next to the program in a build tree, else in
 * share/jacobi-tui relative to the program, so that an installation can be moved. False if in
 * neither.
 */
bool data_path(char *buffer, size_t size, const char *relative);

/* A module "jacobi-….so" that the program opens itself: in the build tree, else in the installed
 * library folder. False if in neither. */
bool module_path(char *buffer, size_t size, const char *name);

/* The XDG base directories, each with its default. */
enum user_folder {
    USER_CONFIG, /* $XDG_CONFIG_HOME, ~/.config */
    USER_CACHE,  /* $XDG_CACHE_HOME, ~/.cache */
    USER_DATA,   /* $XDG_DATA_HOME, ~/.local/share: the user's own files */
};

/* FOLDER/jacobi-tui/NAME; it need not exist. False without a home. */
bool user_path(char *buffer, size_t size, enum user_folder folder, const char *name);

/* Makes the folders above the last '/' of `path`, mode 0700; true if they exist in the end. */
bool path_make_folders(const char *path);

#endif
