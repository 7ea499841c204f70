/* A source whose runs happen in another process, here or at the other end of a command: the near
 * end of the wire (remote/wire.h). The far end is remote/server.h.
 *
 * If the other process ends, its last sample stays, with the state SESSION_FAILED. The error
 * (STATUS_DEVICE_FAILED) contains its exit status or signal and its last output. COMMAND_PLAN and
 * COMMAND_RESTART then start a new process. Only `check` may be called by other threads. */
#pragma once

#include <stdio.h>

#include "run/source.h"

struct client_settings {
    const char *command; /* see remote/connection.h; NULL: this program, on this machine */
    const char *kernels; /* the user's library, which this program loads; or NULL */
    bool check;          /* fail unless the plan can run there */
    FILE *echo;          /* gets the other side's output except samples; NULL: nothing does */
    bool echoes_start;   /* only until client_start returns */
};

/* Starts the other process and waits for its answer. STATUS_INTERNAL if no process can be started,
 * STATUS_UNAVAILABLE if it ends, is a different version, or interrupt_flag is set. With `check`,
 * also plan_check's status there. */
enum status client_start(const struct client_settings *settings, const struct plan *plan,
                         const struct view *view, struct source **source, struct error *error);

/* Restarts the run with that plan in a new process, which loads the library, as later ones do. Only
 * for a source without a command. */
void client_load(struct source *source, const char *kernels, const struct plan *plan);
