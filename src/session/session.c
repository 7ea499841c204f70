#include "session/session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/system.h"
#include "session/parts.h"

static struct session *of(struct source *source) {
    return (struct session *)source;
}

static const struct sample *session_latest(struct source *source) {
    struct session *session = of(source);
    eventfd_t ignored;
    eventfd_read(session->wake, &ignored);
    pthread_mutex_lock(&session->mutex);
    if (session->ready) {
        struct sample *old = session->front;
        session->front = session->ready;
        session->ready = NULL;
        session->spare = old;
    }
    pthread_mutex_unlock(&session->mutex);
    return session->front->sequence ? session->front : NULL;
}

/* Of several views in a row the newest counts; so does the newest of too many, but for a plan. */
static void enqueue(struct session *session, const struct command *command) {
    struct command *last =
        session->command_count > 0 ? &session->commands[session->command_count - 1] : NULL;
    const bool full = session->command_count == COMMANDS_MAX;
    const bool replaces = last && last->kind == COMMAND_VIEW && command->kind == COMMAND_VIEW;
    if (full && last->kind == COMMAND_PLAN)
        return;
    if (!full && !replaces)
        last = &session->commands[session->command_count++];
    *last = *command;
    last->plan = NULL;
}

static void session_command(struct source *source, const struct command *command) {
    struct session *session = of(source);
    pthread_mutex_lock(&session->mutex);
    if (command->kind == COMMAND_PLAN)
        session->new_plan = *command->plan;
    enqueue(session, command);
    /* A 2 s iteration is not waited for. */
    if (command->kind == COMMAND_PLAN || command->kind == COMMAND_RESTART)
        atomic_store(&session->stop, true);
    pthread_cond_signal(&session->changed);
    pthread_mutex_unlock(&session->mutex);
}

static int session_descriptor(const struct source *source) {
    return ((const struct session *)source)->wake;
}

static void release(struct session *session) {
    sample_destroy(session->sample);
    sample_destroy(session->front);
    sample_destroy(session->ready);
    sample_destroy(session->spare);
    if (session->wake >= 0)
        close(session->wake);
    pthread_mutex_destroy(&session->mutex);
    pthread_cond_destroy(&session->changed);
    free(session);
}

static void session_close(struct source *source) {
    struct session *session = of(source);
    pthread_mutex_lock(&session->mutex);
    session->quit = true;
    atomic_store(&session->stop, true);
    pthread_cond_signal(&session->changed);
    pthread_mutex_unlock(&session->mutex);
    pthread_join(session->thread, NULL);
    release(session);
}

static const struct source_ops ops = {
    .latest = session_latest,
    .command = session_command,
    .descriptor = session_descriptor,
    .close = session_close,
};

enum status session_start(const struct plan *plan, const struct view *view, struct source **source,
                          struct error *error) {
    struct session *session = calloc(1, sizeof *session);
    if (!session)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    session->base.ops = &ops;
    session->plan = *plan;
    session->view = *view;
    session->began_ns = clock_now_ns();
    pthread_mutex_init(&session->mutex, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&session->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    session->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    session->sample = sample_create();
    session->front = sample_create();
    session->spare = sample_create();
    if (session->wake < 0 || !session->sample || !session->front || !session->spare) {
        release(session);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    const int reason = thread_start(&session->thread, session_run, session);
    if (reason) {
        release(session);
        return error_set(error, STATUS_INTERNAL, "no thread for the solver: %s", strerror(reason));
    }
    *source = &session->base;
    return STATUS_OK;
}
