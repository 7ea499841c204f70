/* Where files are: beside the program in a build tree, in the installed tree, in the user's XDG
 * folders. The path_of_ functions write at most `size` bytes into `buffer`. */
#ifndef JACOBI_CORE_PATHS_H
#define JACOBI_CORE_PATHS_H

#include <stdbool.h>
#include <stddef.h>

enum { PATH_SIZE = 1024 };

/* The program's own file, with no link in it; without /proc, as it was called. False if it can't be
 * known. */
bool program_path(char *buffer, size_t size);

/* The program's data file or folder "presets", "recordings/x.rec"…: beside the program in a build
 * tree, else in the installed tree's share/jacobi-tui, found from where the program lies, so that
 * an installation can be moved. False if it is in neither. */
bool data_path(char *buffer, size_t size, const char *relative);

/* A module of the program, a library "jacobi-….so" that it opens itself: where the build tree has
 * it beside the program or a test, else in the installed tree's library folder. False if it is in
 * neither. */
bool module_path(char *buffer, size_t size, const char *name);

/* $XDG_CONFIG_HOME/jacobi-tui/NAME, or ~/.config/…; it need not exist. False without a home. */
bool config_path(char *buffer, size_t size, const char *name);

/* $XDG_CACHE_HOME/jacobi-tui/NAME, or ~/.cache/…; it need not exist. False without a home. */
bool cache_path(char *buffer, size_t size, const char *name);

/* $XDG_DATA_HOME/jacobi-tui/NAME, or ~/.local/share/…: what the user makes with the program; it
 * need not exist. False without a home. */
bool user_data_path(char *buffer, size_t size, const char *name);

/* Makes the folders above the last '/' of `path`, mode 0700; true if they exist in the end. */
bool path_make_folders(const char *path);

#endif
