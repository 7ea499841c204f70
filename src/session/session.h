/* A session: a runner in a thread of its own, with a queue of commands and a clock.
 *
 * The thread opens the plan's lanes, lets them take turns, and publishes samples; it never waits
 * for the reader of the samples. All of its work, the opening of a 16384² grid too, is done there,
 * so that no call below blocks for longer than a lock. A new plan or a restart cuts the running
 * iteration short.
 */
#ifndef JACOBI_SESSION_SESSION_H
#define JACOBI_SESSION_SESSION_H

#include "run/source.h"

/* Starts the thread. A plan that can't run is not an error here: the first sample will say so. */
enum status session_start(const struct plan *plan, const struct view *view, struct source **source,
                          struct error *error);

#endif
