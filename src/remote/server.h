/* The far end of the wire (--serve): a worker that obeys commands from standard input, and sends
 * its samples on standard output. A sample is sent when it is due and the reader has received all
 * but a few of the earlier ones. Samples for which the reader or the line is too slow are therefore
 * never encoded. Other input is skipped. Runtimes print to standard error. */
#pragma once

#include "run/plan.h"

/* Serves until standard input ends, which it does when the other side goes away. A run is then
 * ended within a second, if necessary by SIGALRM. `plan` runs if the first command is not a plan.
 * `kernels`, if not "", is a library of user kernels, which run in a sandbox (core/sandbox.h).
 * STATUS_UNAVAILABLE if the other side is a different version. STATUS_INTERNAL if standard input
 * can't be read, standard output can't be written, or memory runs out. */
enum status server_run(const struct plan *plan, const char *kernels, struct error *error);
