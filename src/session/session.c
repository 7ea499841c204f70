#include "session/session.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "core/system.h"
#include "session/pace.h"

/* Commands wait as long as the solver's turn lasts, or opening a plan; whoever sends more than
 * COMMANDS_MAX meanwhile is no user. */
enum { COMMANDS_ROOM = 64, COMMANDS_MAX = 1 << 14 };

struct command_queue {
    struct command *commands;
    int count, room;
};

/* A turn of the solver lasts about this long; then commands are taken. */
static const double turn_seconds = 0.02;

/* A turn that takes longer than this is shown phase by phase. */
static const int64_t slow_turn_ns = 60000000;

/* Downsampling U may take this share of the solver's time. */
static const double downsample_share = 0.02;

/* Showing may take this share of the time, unless that made fewer than ten samples per second. */
static const double show_share = 0.004;
static const int64_t slowest_sample_ns = 100000000;

struct session {
    struct source base;
    pthread_t thread;
    int wake; /* eventfd: a newer sample is there */

    pthread_mutex_t mutex; /* guards from here … */
    pthread_cond_t changed;
    struct command_queue waiting;
    const char *overrun; /* why a command could not wait; NULL: all could */
    struct plan new_plan;
    bool quit;
    struct sample *ready;                 /* the newest published, not yet taken; NULL */
    struct sample *spare;                 /* free to be filled */
    struct solution solutions[LANES_MAX]; /* by COMMAND_FINISH, … */
    uint64_t finished;                    /* … that go with this sample; 0: not yet */
    /* … to here */

    atomic_bool stop;     /* asks the running phase to end early */
    struct sample *front; /* the reader's */

    /* The solver thread's own. */
    struct runner runner;
    struct pace pace;
    struct command_queue taken;
    struct plan taken_plan; /* of the COMMAND_PLAN that was taken and is still to be obeyed */
    struct view view;
    int64_t turn_began_ns, next_phase_ns;
    long steps;            /* single steps still to be made while paused */
    struct sample *sample; /* the one being filled */
};

/* ---- samples: the solver's thread ------------------------------------------------------------ */

/* Hands a copy of the sample being filled to the reader; a copy not yet taken is replaced. */
static void session_hand_over(struct session *session) {
    pthread_mutex_lock(&session->mutex);
    struct sample *copy = session->ready ? session->ready : session->spare;
    session->ready = session->spare = NULL;
    pthread_mutex_unlock(&session->mutex);

    sample_copy(copy, session->sample);

    pthread_mutex_lock(&session->mutex);
    session->ready = copy;
    pthread_mutex_unlock(&session->mutex);
    eventfd_write(session->wake, 1);
}

static void session_publish(struct session *session, bool downsample) {
    pace_snapshot(&session->pace, &session->runner, &session->view, downsample, session->sample);
    session_hand_over(session);
}

/* Within a slow iteration only the phase is news: everything else is told when it is complete. */
static void session_phase_entered(void *context, enum phase phase) {
    struct session *session = context;
    const int64_t now = clock_now_ns();
    if (phase >= PHASE_DOWNSAMPLE || now - session->turn_began_ns < slow_turn_ns ||
        now < session->next_phase_ns)
        return;
    for (int l = 0; l < session->sample->lane_count; l++)
        if (session->runner.lanes[l]->log)
            session->sample->lanes[l].phase = session->runner.lanes[l]->log->phase;
    session->sample->sequence++;
    session->sample->time_ns = now - session->runner.began_ns;
    session_hand_over(session);
    session->next_phase_ns = now + INT64_C(1000000000) / session->runner.plan.fps;
}

/* The last sample has the newest fields, and what ending the runs costs in its totals. */
static void session_finish(struct session *session) {
    struct runner *runner = &session->runner;
    struct solution solutions[LANES_MAX];
    runner->plan.paused = runner->state == SESSION_RUNNING;
    pace_snapshot(&session->pace, runner, &session->view, runner->count > 0, session->sample);
    runner_finish(runner, session->sample, solutions);
    pthread_mutex_lock(&session->mutex);
    memcpy(session->solutions, solutions, sizeof solutions);
    session->finished = session->sample->sequence;
    pthread_mutex_unlock(&session->mutex);
    session_hand_over(session);
}

/* Opens the lanes of the runner's plan anew, and publishes that this has begun and how it went. */
static void session_open(struct session *session) {
    struct runner *runner = &session->runner;
    runner_close(runner, NULL);
    session->pace.samples_per_second = runner->plan.fps;
    session->steps = 0;
    session_publish(session, false);
    runner_open(runner);
    for (int l = 0; l < runner->count && l < runner->plan.lane_count; l++)
        if (runner->lanes[l]->log) {
            runner->lanes[l]->log->on_phase_context = session;
            runner->lanes[l]->log->on_phase = session_phase_entered;
        }
    session->pace.next_iteration_ns = clock_now_ns();
    session_publish(session, true);
}

/* ---- commands: the solver's thread ----------------------------------------------------------- */

static void session_pause(struct session *session, bool paused) {
    session->runner.plan.paused = paused;
    session->pace.next_iteration_ns = clock_now_ns();
}

/* *stale: whether a sample is to tell of it. */
static void session_obey(struct session *session, const struct command *command, bool *stale) {
    switch (command->kind) {
    case COMMAND_PAUSE:
        session_pause(session, command->value);
        break;
    case COMMAND_STEP:
        session_pause(session, true);
        session->steps += command->value;
        break;
    case COMMAND_SPEED:
        session->runner.plan.iterations_per_second = (int)command->value;
        session->pace.next_iteration_ns = clock_now_ns();
        break;
    case COMMAND_RACE:
        session->runner.plan.race = (enum race)command->value;
        break;
    case COMMAND_VIEW:
        session->view = command->view;
        break;
    case COMMAND_PLAN:
        session->runner.plan = session->taken_plan;
        session_open(session);
        *stale = false;
        return;
    case COMMAND_RESTART:
        session_open(session);
        *stale = false;
        return;
    case COMMAND_PROBE:
        /* Nothing else runs on the devices now: neither the roof nor the lanes' times suffer. */
        runner_probe(&session->runner);
        break;
    case COMMAND_SWEEP:
        runner_sweep(&session->runner);
        break;
    case COMMAND_FINISH:
        session_finish(session);
        *stale = false;
        return;
    case COMMAND_SEEK:
    case COMMAND_CHAPTER:
    case COMMAND_RATE:
        return;
    }
    *stale = true;
}

/* Whether nothing is to be done until a command comes. */
static bool session_is_idle(const struct session *session) {
    return session->runner.state != SESSION_RUNNING ||
           (session->runner.plan.paused && session->steps == 0);
}

static int64_t session_until_due(const struct session *session) {
    return session->steps > 0 ? 0 : pace_until_due(&session->pace, &session->runner);
}

/* Takes the waiting commands; waits for one while there is nothing else to do. False: quit. */
static bool session_take_commands(struct session *session) {
    const struct command_queue obeyed = session->taken;
    pthread_mutex_lock(&session->mutex);
    const int64_t due = session_until_due(session);
    if (due > 0 && session->waiting.count == 0 && !session->overrun && !session->quit) {
        struct timespec when;
        clock_gettime(CLOCK_MONOTONIC, &when);
        const int64_t nsec = when.tv_nsec + due;
        when.tv_sec += nsec / 1000000000;
        when.tv_nsec = nsec % 1000000000;
        pthread_cond_timedwait(&session->changed, &session->mutex, &when);
    }
    while (session_is_idle(session) && session->waiting.count == 0 && !session->overrun &&
           !session->quit)
        pthread_cond_wait(&session->changed, &session->mutex);
    session->taken = session->waiting;
    session->waiting = obeyed;
    session->waiting.count = 0;
    for (int c = 0; c < session->taken.count; c++)
        if (session->taken.commands[c].kind == COMMAND_PLAN)
            session->taken_plan = session->new_plan;
    const char *const overrun = session->overrun;
    session->overrun = NULL;
    atomic_store(&session->stop, session->quit);
    const bool go_on = !session->quit;
    pthread_mutex_unlock(&session->mutex);
    if (overrun && go_on) {
        runner_close(&session->runner, NULL);
        session->runner.state = SESSION_FAILED;
        error_set(&session->runner.error, STATUS_INTERNAL, "%s: the run has ended", overrun);
        session_publish(session, false);
    }
    return go_on;
}

static void *session_run(void *argument) {
    struct session *session = argument;
    session_open(session);
    while (session_take_commands(session)) {
        bool stale = false;
        for (int c = 0; c < session->taken.count; c++)
            session_obey(session, &session->taken.commands[c], &stale);
        if (stale && session->runner.state != SESSION_FAILED)
            session_publish(session, true);
        if (session_is_idle(session) || session_until_due(session) > 0)
            continue;
        session->turn_began_ns = clock_now_ns();
        if (session->steps > 0) {
            session->steps--;
            runner_step(&session->runner, 1);
        } else {
            pace_turn(&session->pace, &session->runner, turn_seconds);
        }
        const bool idle = session_is_idle(session);
        if (!idle && !pace_sample_is_due(&session->pace, &session->runner))
            continue;
        /* After samples that cost something the next one waits longer than the frame rate asks. */
        const int64_t start = clock_now_ns();
        session_publish(session, idle);
        const int64_t end = clock_now_ns();
        const int64_t wanted = (int64_t)((double)(end - start) / show_share);
        const int64_t least = end + (wanted < slowest_sample_ns ? wanted : slowest_sample_ns);
        if (session->pace.next_sample_ns < least)
            session->pace.next_sample_ns = least;
    }
    runner_close(&session->runner, NULL);
    return NULL;
}

/* ---- the reader's side ----------------------------------------------------------------------- */

static const struct sample *session_latest(struct source *source) {
    struct session *session = (struct session *)source;
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

/* A place at the queue's end; NULL if there is none. */
static struct command *queue_append(struct command_queue *queue) {
    if (queue->count == queue->room) {
        const int room = queue->room > 0 ? 2 * queue->room : COMMANDS_ROOM;
        struct command *commands =
            room <= COMMANDS_MAX ? realloc(queue->commands, (size_t)room * sizeof *queue->commands)
                                 : NULL;
        if (!commands)
            return NULL;
        queue->commands = commands;
        queue->room = room;
    }
    return &queue->commands[queue->count++];
}

static void session_command(struct source *source, const struct command *command) {
    struct session *session = (struct session *)source;
    pthread_mutex_lock(&session->mutex);
    const int count = session->waiting.count;
    struct command *place = count > 0 ? &session->waiting.commands[count - 1] : NULL;
    if (command->kind == COMMAND_PLAN)
        session->new_plan = *command->plan;
    /* Of several views, plans or restarts in a row the newest counts. */
    const bool replaces = place && place->kind == command->kind &&
                          (command->kind == COMMAND_VIEW || command->kind == COMMAND_PLAN ||
                           command->kind == COMMAND_RESTART);
    if (!replaces)
        place = queue_append(&session->waiting);
    const bool lost = !place;
    if (lost) {
        session->overrun = session->waiting.room < COMMANDS_MAX
                               ? "out of memory for the commands that wait"
                               : "more commands came than can wait";
        session->waiting.count = 0;
        if (command->kind == COMMAND_FINISH)
            place = queue_append(&session->waiting);
    }
    if (place) {
        *place = *command;
        place->plan = NULL;
    }
    /* A 2 s iteration is not waited for. */
    if (command->kind == COMMAND_PLAN || command->kind == COMMAND_RESTART ||
        command->kind == COMMAND_FINISH || lost)
        atomic_store(&session->stop, true);
    pthread_cond_signal(&session->changed);
    pthread_mutex_unlock(&session->mutex);
}

static bool session_solutions(struct source *source, struct solution solutions[LANES_MAX]) {
    struct session *session = (struct session *)source;
    pthread_mutex_lock(&session->mutex);
    const bool known = session->finished && session->front->sequence == session->finished;
    if (known)
        memcpy(solutions, session->solutions, sizeof session->solutions);
    pthread_mutex_unlock(&session->mutex);
    return known;
}

static int session_descriptor(const struct source *source) {
    return ((const struct session *)source)->wake;
}

static void session_release(struct session *session) {
    sample_destroy(session->sample);
    sample_destroy(session->front);
    sample_destroy(session->ready);
    sample_destroy(session->spare);
    if (session->wake >= 0)
        close(session->wake);
    free(session->waiting.commands);
    free(session->taken.commands);
    pthread_mutex_destroy(&session->mutex);
    pthread_cond_destroy(&session->changed);
    free(session);
}

static void session_close(struct source *source) {
    struct session *session = (struct session *)source;
    pthread_mutex_lock(&session->mutex);
    session->quit = true;
    atomic_store(&session->stop, true);
    pthread_cond_signal(&session->changed);
    pthread_mutex_unlock(&session->mutex);
    pthread_join(session->thread, NULL);
    session_release(session);
}

static const struct source_ops session_ops = {
    .latest = session_latest,
    .command = session_command,
    .descriptor = session_descriptor,
    .solutions = session_solutions,
    .close = session_close,
};

enum status session_start(const struct plan *plan, const struct view *view, struct source **source,
                          struct error *error) {
    struct session *session = calloc(1, sizeof *session);
    if (!session)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    session->base.ops = &session_ops;
    session->runner.plan = *plan;
    session->runner.stop = &session->stop;
    session->runner.began_ns = clock_now_ns();
    session->pace.downsample_share = downsample_share;
    session->view = *view;
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
    /* As many as those find room without memory: the command to finish is waited for. */
    struct command_queue *const queues[] = {&session->waiting, &session->taken};
    bool all = true;
    for (int q = 0; q < 2; q++) {
        queues[q]->room = COMMANDS_ROOM;
        queues[q]->commands = calloc(COMMANDS_ROOM, sizeof *queues[q]->commands);
        all = all && queues[q]->commands;
    }
    if (session->wake < 0 || !session->sample || !session->front || !session->spare || !all) {
        session_release(session);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    const int reason = thread_start(&session->thread, session_run, session);
    if (reason) {
        session_release(session);
        return error_set(error, STATUS_INTERNAL, "no thread for the solver: %s", strerror(reason));
    }
    *source = &session->base;
    return STATUS_OK;
}
