/* The far end of the wire (--serve): a worker that obeys what comes on standard input, and sends
 * its samples on standard output. A sample is sent when it is due and the reader has seen all but a
 * few of the earlier ones. So samples for which a reader or line is too slow are never encoded.
 * Other input is skipped, and the runtimes print to standard error. */
#ifndef JACOBI_REMOTE_SERVER_H
#define JACOBI_REMOTE_SERVER_H

#include "run/plan.h"

/* Serves until standard input ends, as it does when the other side goes away. Then a run is ended
 * within a second, if need be by SIGALRM. `plan` runs if the first command is not a plan.
 * STATUS_UNAVAILABLE if the other side has another version. STATUS_INTERNAL if standard input can't
 * be read, standard output can't be written, or memory runs out. `kernels`, if not "", is a library
 * of the user's that runs may use, under guard (core/sandbox.h). */
enum status server_run(const struct plan *plan, const char *kernels, struct error *error);

#endif
