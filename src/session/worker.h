/* A worker: a runner in a thread of its own, which obeys commands and makes samples.
 *
 * Everything that takes time happens there, opening a 16384² grid too: no call below blocks for
 * longer than a lock, and the thread never waits for whoever takes the samples. Commands change
 * what is wanted, so however many come, none waits in a queue. A new plan or a restart cuts the
 * running iteration short.
 */
#ifndef JACOBI_SESSION_WORKER_H
#define JACOBI_SESSION_WORKER_H

#include "run/source.h"

struct worker;

/* Starts the thread. `wake` is an eventfd that it writes to when there is a newer sample. A plan
 * that can't run is not an error here: the first sample reports it. */
enum status worker_start(const struct plan *plan, const struct view *view, int wake,
                         struct worker **worker, struct error *error);

/* May be called by any thread. */
void worker_command(struct worker *worker, const struct command *command);

/* Exchanges *sample for the newest one. False if there is none since the last call. */
bool worker_take(struct worker *worker, struct sample **sample);

/* Ends the run and frees the worker. Blocks until the running phase has ended. */
void worker_stop(struct worker *worker);

#endif
