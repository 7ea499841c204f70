/* Exercises: folders with a text, C files with a gap, a hint and an afterword (docs/exercises.md).
 * The user's copy is in USER_DATA (core/paths.h). */
#ifndef JACOBI_EXERCISE_EXERCISE_H
#define JACOBI_EXERCISE_EXERCISE_H

#include <stdio.h>

#include "exercise/kernel_builder.h"

enum { EXERCISES_MAX = 64, EXERCISE_TEXT_MAX = 1 << 14 };

struct exercise {
    char name[64];          /* "02-needless" */
    char folder[PATH_SIZE]; /* where it comes from */
    char work[PATH_SIZE];   /* the user's copy */
    char title[96];         /* the first line of its text */
    bool begun, solved;
};

/* Finds one: a folder, if `name` has a '/'; else by its name, or the end of its name that no other
 * has ("needless"), or its number; "": the first that is not solved. STATUS_BAD_INPUT, with those
 * there are, if there is none. */
enum status exercise_find(const char *name, struct exercise *exercise, struct error *error);

/* Copies its C or .hip files to the user's folder, but never over an existing file. Makes the
 * configuration run them as its run.ini requests. STATUS_INTERNAL if the folder can't be written.
 */
enum status exercise_begin(struct exercise *exercise, struct config *config, struct error *error);

/* Without a screen: compiles and checks the user's kernels, those of the exercise if one is asked
 * for, until an interrupt, and makes the configuration run them next to the program's. The builder,
 * to be closed, holds their library. STATUS_BAD_INPUT, with what is wrong, if they fail the check,
 * STATUS_DEVICE_FAILED if that ended their process. */
enum status exercise_build(struct config *config, struct kernel_builder **builder,
                           struct error *error);

/* Remembers that it is solved. */
enum status exercise_solve(struct exercise *exercise, struct error *error);

/* One of its texts: "text", "hint" or "afterword"; to be freed, NULL if there is none. */
char *exercise_text(const struct exercise *exercise, const char *which);

/* The exercises, and how far the user has come. */
void exercise_list(FILE *out);

/* For authors: tests that the exercise of config->exercise_name is complete, that its file as given
 * fails the check, and that the one in its folder `solution` passes it. Writes the results to
 * `out`. STATUS_BAD_INPUT if not. */
enum status exercise_self_test(struct config *config, FILE *out, struct error *error);

#endif
