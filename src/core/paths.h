/* Paths in the build tree, the installed tree and the user's XDG folders, written to `buffer`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { PATH_SIZE = 1024 };

/* The path of this program's file, links resolved; without /proc, the path passed to exec. False if
 * unknown. */
bool program_path(char *buffer, size_t size);

/* A data file of the program, such as "presets" or "recordings/x.rec": next to the program in a
 * build tree, otherwise in share/jacobi-tui relative to the program, so that an installation can be
 * moved. False if it exists in neither, or belongs to someone else: not to root, this user, or the
 * owner of the program or its folder. */
bool data_path(char *buffer, size_t size, const char *relative);

/* The path of a recording: the file of that name, or a recording of the program, such as
 * "h200-hip-classic". False if there is neither; `buffer` is then the name. */
bool recording_path(char *buffer, size_t size, const char *name);

/* A module "jacobi-….so", which the program opens with dlopen: in the build tree, otherwise in the
 * installed library folder. False if it exists in neither, or belongs to someone else. */
bool module_path(char *buffer, size_t size, const char *name);

/* The XDG base directories, each with its default. */
enum user_folder {
    USER_CONFIG, /* $XDG_CONFIG_HOME, ~/.config */
    USER_CACHE,  /* $XDG_CACHE_HOME, ~/.cache */
    USER_DATA,   /* $XDG_DATA_HOME, ~/.local/share: the user's files */
};

/* FOLDER/jacobi-tui/NAME; it need not exist. False if there is no home folder. */
bool user_path(char *buffer, size_t size, enum user_folder folder, const char *name);

/* Whether FOLDER/jacobi-tui belongs to this user. Otherwise its owner could replace libraries that
 * this program loads, and put links where it writes. */
bool user_folder_is_own(enum user_folder folder);

/* Creates the folders above the last '/' of `path`, mode 0700. True if they then exist. */
bool path_make_folders(const char *path);
