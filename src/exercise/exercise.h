/* Exercises: folders with a text, C files with a gap, a hint and an afterword (docs/exercises.md).
 * The user's copies are in USER_DATA (core/paths.h). */
#pragma once

#include <stdio.h>

#include "exercise/kernel_builder.h"

enum { EXERCISES_MAX = 64, EXERCISE_TEXT_MAX = 1 << 14 };

struct exercise {
    char name[64];          /* "02-needless" */
    char folder[PATH_SIZE]; /* the original */
    char work[PATH_SIZE];   /* the user's copy */
    char title[96];         /* the first line of its text */
    bool begun, solved;
};

/* Finds an exercise. A `name` with '/' is a folder. Otherwise it is a name, an unambiguous end of
 * one ("needless"), or a number; "": the first unsolved one. STATUS_BAD_INPUT, with the available
 * names, if there is none. */
enum status exercise_find(const char *name, struct exercise *exercise, struct error *error);

/* The exercise that follows a name in the list; false if there is none. */
bool exercise_after(const char *name, struct exercise *next);

/* Copies the exercise's C or .hip files to the user's folder, without overwriting. Makes the
 * configuration run them as its run.ini requests. STATUS_INTERNAL if the folder can't be
 * written. */
enum status exercise_begin(struct exercise *exercise, struct config *config, struct error *error);

/* Without a screen: compiles and checks the user's kernels (those of a requested exercise) until an
 * interrupt, and makes the configuration run them next to the program's. The caller closes the
 * builder, which holds the library. STATUS_BAD_INPUT, with the reason, if the kernels fail the
 * check; STATUS_DEVICE_FAILED if they end its process. */
enum status exercise_build(struct config *config, struct kernel_builder **builder,
                           struct error *error);

enum status exercise_solve(struct exercise *exercise, struct error *error);

/* Returns one text: "text", "hint" or "afterword"; NULL if there is none. The caller frees it. */
char *exercise_text(const struct exercise *exercise, const char *which);

void exercise_list(FILE *out);

/* For authors: tests that the exercise config->exercise_name is complete, that its original file
 * fails the check, and that the file in its folder `solution` passes. Writes the results to `out`.
 * STATUS_BAD_INPUT if a test fails. */
enum status exercise_self_test(struct config *config, FILE *out, struct error *error);
