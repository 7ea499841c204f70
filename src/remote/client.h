/* A source whose runs happen in another process, here or at the other end of a command: the near
 * end of the wire (remote/wire.h; remote/server.h is the far one).
 *
 * If the other process ends, its last sample stays, with the state SESSION_FAILED. The error
 * (STATUS_DEVICE_FAILED) has its exit status or signal and its last output. COMMAND_PLAN and
 * COMMAND_RESTART then start another. All calls but `check` are for the thread that started it. */
#ifndef JACOBI_REMOTE_CLIENT_H
#define JACOBI_REMOTE_CLIENT_H

#include <stdatomic.h>
#include <stdio.h>

#include "run/source.h"

struct client_settings {
    const char *command;     /* see remote/command.h; NULL: this program, on this machine */
    const char *kernels;     /* a library of the user's that this program is to load there */
    bool check;              /* the plan must be one that can run there */
    FILE *echo;              /* until client_quiet: what the other side prints apart from samples */
    const atomic_bool *stop; /* once it is true, client_start returns; may be NULL */
};

/* Starts the other process and waits until it has answered. STATUS_INTERNAL if no process can be
 * started, STATUS_UNAVAILABLE if it ends or has another version. If `check` is set, plan_check's
 * status there. */
enum status client_start(const struct client_settings *settings, const struct plan *plan,
                         const struct view *view, struct source **source, struct error *error);

/* From now on runs are with that library; the run restarts, with that plan, in a process of its
 * own. Only for a source without a command. */
void client_load(struct source *source, const char *kernels, const struct plan *plan);

/* Echoes no more of what the other side prints. */
void client_quiet(struct source *source);

#endif
