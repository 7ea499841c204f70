/* The program at the other end of COMMAND, or this program as a solver. */
#ifndef JACOBI_REMOTE_COMMAND_H
#define JACOBI_REMOTE_COMMAND_H

#include "core/child.h"

/* Starts "COMMAND jacobi-tui --serve" by /bin/sh, or "COMMAND --serve" if COMMAND ends in a path of
 * a jacobi-tui. NULL: this program itself, which with `kernels` loads that library of the user's.
 * STATUS_INTERNAL if no process can be made. */
enum status command_start(struct child *child, const char *command, const char *kernels,
                          struct error *error);

/* Runs "COMMAND jacobi-tui OPTIONS" to its end, with nothing to read; what it prints goes to `out`
 * and to standard error, made visible. STATUS_UNAVAILABLE if it ends with another status than 0,
 * STATUS_INTERNAL if no process can be made. */
enum status command_run(const char *command, const char *options, FILE *out, struct error *error);

#endif
