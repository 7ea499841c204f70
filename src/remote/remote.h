/* Runs in another process, here or wherever a command takes it: a session (session/session.h) at
 * the far end of two pipes, and the source by which its samples are read here. What passes between
 * the two is in remote/line.h and remote/message.h. */
#ifndef JACOBI_REMOTE_REMOTE_H
#define JACOBI_REMOTE_REMOTE_H

#include <stdatomic.h>
#include <stdio.h>

#include "run/source.h"

/* ---- This end: a source.
 *
 * If the other process ends, its last sample stays, with the state SESSION_FAILED and an error that
 * says how it ended and what it said last (STATUS_DEVICE_FAILED). COMMAND_PLAN and COMMAND_RESTART
 * then start another. All calls but `check` are for the thread that started it. */

struct remote_settings {
    const char *command;     /* see remote/command.h; NULL: this program, on this machine */
    const char *kernels;     /* a library of the user's that this program is to load there */
    bool check;              /* the plan must be one that can run there */
    FILE *echo;              /* until remote_quiet: what the other side says besides samples */
    const atomic_bool *stop; /* once it is true, remote_start returns; may be NULL */
};

/* Starts the other process and waits until it has answered. STATUS_INTERNAL if no process can be
 * made, STATUS_UNAVAILABLE if it ends or is of another version; if the plan was to be checked, what
 * plan_check says there. */
enum status remote_start(const struct remote_settings *settings, const struct plan *plan,
                         const struct view *view, struct source **source, struct error *error);

/* From now on runs are with that library; the run begins anew, with that plan, in a process of its
 * own. Only for a source without a command. */
void remote_load(struct source *source, const char *kernels, const struct plan *plan);

/* Keeps to itself what the other side says. */
void remote_quiet(struct source *source);

/* ---- The other end (--serve).
 *
 * Samples leave as lines on standard output, and commands come as lines on standard input. A sample
 * is sent when it is due and the reader has seen all but a few of those before: those that a slow
 * reader or line can't take are never made. What comes from elsewhere on standard input is passed
 * over; what the runtimes print goes to standard error. */

/* Serves until standard input ends, as it does when the other side goes away; then a run is ended
 * within a second, if need be by SIGALRM. `plan` runs if the first command is not a plan.
 * STATUS_UNAVAILABLE if the other side is of another version, STATUS_INTERNAL if standard input
 * can't be read or standard output not be written, and if memory runs out. `kernels`, if not "", is
 * a library of the user's that runs may use, under guard (core/sandbox.h). */
enum status serve_run(const struct plan *plan, const char *kernels, struct error *error);

#endif
