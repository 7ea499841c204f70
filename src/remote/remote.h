/* A remote: a source whose runs happen in another process, here or wherever a command takes it. It
 * is a session (session/session.h) at the far end of two pipes: see remote/serve.h for that end,
 * remote/line.h for what passes between them.
 *
 * If the other process ends, its last sample stays, with the state SESSION_FAILED and an error that
 * says how it ended and what it said last (STATUS_DEVICE_FAILED). COMMAND_PLAN and COMMAND_RESTART
 * then start another. All calls but `check` are for the thread that started it. */
#ifndef JACOBI_REMOTE_REMOTE_H
#define JACOBI_REMOTE_REMOTE_H

#include <stdatomic.h>
#include <stdio.h>

#include "run/source.h"

struct remote_settings {
    const char *command;     /* see process.h; NULL: this program, on this machine */
    bool check;              /* the plan must be one that can run there */
    FILE *echo;              /* until remote_quiet: what the other side says besides samples */
    const atomic_bool *stop; /* once it is true, remote_start returns; may be NULL */
};

/* Starts the other process and waits until it has answered. STATUS_INTERNAL if no process can be
 * made, STATUS_UNAVAILABLE if it ends or is of another version; if the plan was to be checked, what
 * plan_check says there. */
enum status remote_start(const struct remote_settings *settings, const struct plan *plan,
                         const struct view *view, struct source **source, struct error *error);

/* Keeps to itself what the other side says. */
void remote_quiet(struct source *source);

#endif
