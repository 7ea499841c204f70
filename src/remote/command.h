/* Runs the program at the other end of COMMAND, or this program as a solver. */
#ifndef JACOBI_REMOTE_COMMAND_H
#define JACOBI_REMOTE_COMMAND_H

#include "core/child.h"

/* Starts "COMMAND jacobi-tui --serve" with /bin/sh, or "COMMAND --serve" if COMMAND ends in a path
 * of a jacobi-tui. NULL: this program, which loads the user's library `kernels` if not NULL.
 * STATUS_INTERNAL if no process can be created. */
enum status command_start(struct child *child, const char *command, const char *kernels,
                          struct error *error);

/* Runs "COMMAND jacobi-tui OPTIONS" to its end, without input. Its sanitised output goes to `out`
 * and to standard error. STATUS_UNAVAILABLE if its exit status is not 0, STATUS_INTERNAL if no
 * process can be created. */
enum status command_run(const char *command, const char *options, FILE *out, struct error *error);

#endif
