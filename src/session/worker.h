/* A worker: a runner in its own thread, which executes commands and makes samples.
 *
 * All slow work happens in the thread, even opening a 16384² grid. No call below blocks for longer
 * than a lock, except worker_stop, and the thread never waits for the reader of the samples.
 * Commands change the requested state, so they never queue up. A new plan or a restart interrupts
 * the running iteration. */
#pragma once

#include "run/source.h"

struct worker;

/* Starts the thread. It writes to the eventfd `wake` when there is a newer sample. A plan that
 * can't run is not an error here: the first sample reports it. */
enum status worker_start(const struct plan *plan, const struct view *view, int wake,
                         struct worker **worker, struct error *error);

/* Any thread may call it. */
void worker_command(struct worker *worker, const struct command *command);

/* Exchanges *sample for the newest one. False if there is no new one since the last call. */
bool worker_take(struct worker *worker, struct sample **sample);

/* Ends the run and frees the worker. Blocks until the running phase has ended. */
void worker_stop(struct worker *worker);
