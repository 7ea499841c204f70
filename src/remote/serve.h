/* The served side of a run (--serve): a session whose samples leave as lines on standard output and
 * whose commands come as lines on standard input. The other side is remote/remote.h.
 *
 * A sample is sent when it is due and the reader has seen all but a few of those before: those that
 * a slow reader or line can't take are never made. What comes from elsewhere on standard input is
 * passed over; what the runtimes print goes to standard error. */
#ifndef JACOBI_REMOTE_SERVE_H
#define JACOBI_REMOTE_SERVE_H

#include "run/plan.h"

/* Serves until standard input ends, as it does when the other side goes away; then a run is ended
 * within a second, if need be by SIGALRM. `plan` runs if the first command is not a plan.
 * STATUS_UNAVAILABLE if the other side is of another version, STATUS_INTERNAL if standard output
 * can't be written. */
enum status serve_run(const struct plan *plan, struct error *error);

#endif
