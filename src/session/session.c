#include "session/session.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "probe/probe.h"
#include "session/snapshot.h"
#include "session/turns.h"

/* A turn of the solver lasts about this long; then commands are looked at. */
static const double turn_seconds = 0.02;

/* Reducing U for the picture may take this share of the solver's time. */
static const double look_share = 0.02;

enum { COMMANDS_MAX = 64 };

/* A turn that takes longer than this is shown phase by phase. */
static const int64_t slow_turn_ns = 60000000;

struct session;

struct watcher {
    struct session *session;
    int lane;
};

struct session {
    struct source base;
    pthread_t thread;
    int wake; /* eventfd: a newer sample is there */

    pthread_mutex_t mutex; /* guards from here … */
    pthread_cond_t changed;
    struct command commands[COMMANDS_MAX];
    int command_count;
    struct plan new_plan;
    bool quit;
    struct sample *ready; /* the newest published, not yet taken; NULL */
    struct sample *spare; /* free to be filled */
    /* … to here */

    atomic_bool stop;     /* asks the running phase to end early */
    struct sample *front; /* the reader's */

    /* The solver thread's own. */
    struct plan plan;
    struct view view;
    struct lane *lanes[LANES_MAX];
    struct snapshot_mark marks[LANES_MAX];
    int64_t began_ns, next_sample_ns, next_look_ns, next_iteration_ns;
    struct watcher watchers[LANES_MAX];
    int64_t turn_began_ns, next_phase_ns;
    long steps; /* single steps still to be made while paused */
    enum session_state state;
    struct error error;
    struct sample *sample; /* the one being filled */
    uint64_t sequence;
};

/* ---- how it goes -------------------------------------------------------------------------- */

static void fail(struct session *session, const struct error *error) {
    session->state = SESSION_FAILED;
    session->error = *error;
}

static void settle(struct session *session) {
    bool any_runs = false;
    for (int l = 0; l < session->plan.lane_count; l++) {
        const struct lane *lane = session->lanes[l];
        if (lane->state == LANE_FAILED)
            fail(session, &lane->error);
        any_runs |= lane->state == LANE_RUNNING;
    }
    if (!any_runs && session->state != SESSION_FAILED)
        session->state = SESSION_FINISHED;
}

/* ---- publishing --------------------------------------------------------------------------- */

static void look(struct session *session) {
    const int64_t start = clock_now_ns();
    for (int l = 0; l < session->plan.lane_count; l++) {
        struct lane *lane = session->lanes[l];
        struct field *field = &session->sample->lanes[l].field;
        if (!lane)
            continue;
        const struct reduction reduction = view_reduction(&session->view, &lane->spec.engine.mesh);
        if (lane_look(lane, &reduction, field->cells))
            continue;
        field->reduction = reduction;
        field->iteration = lane->iterations;
        field_measure(field);
    }
    settle(session);
    const int64_t end = clock_now_ns();
    session->next_look_ns = end + (int64_t)((double)(end - start) / look_share);
}

static void describe(struct session *session) {
    struct sample *sample = session->sample;
    sample->sequence = ++session->sequence;
    sample->time_ns = clock_now_ns() - session->began_ns;
    sample->state = session->state;
    sample->error = session->error;
    snapshot_describe(&session->plan, sample);
    sample->lane_count = session->lanes[0] ? session->plan.lane_count : 0;
    for (int l = 0; l < sample->lane_count; l++)
        snapshot_take(session->lanes[l], &session->marks[l], &sample->lanes[l]);
}

/* Hands a copy of the sample being filled to the reader; a copy not yet taken is replaced. */
static void hand_over(struct session *session) {
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

static void publish(struct session *session) {
    describe(session);
    hand_over(session);
    session->next_sample_ns = clock_now_ns() + INT64_C(1000000000) / session->plan.fps;
}

static void look_and_publish(struct session *session) {
    look(session);
    publish(session);
}

/* Within a slow iteration only the phase is news: everything else is told when it is complete. */
static void phase_entered(void *context, enum phase phase) {
    const struct watcher *watcher = context;
    struct session *session = watcher->session;
    const int64_t now = clock_now_ns();
    if (phase >= PHASE_DOWNSAMPLE || now - session->turn_began_ns < slow_turn_ns ||
        now < session->next_phase_ns)
        return;
    session->sample->lanes[watcher->lane].phase = phase;
    session->sample->sequence = ++session->sequence;
    session->sample->time_ns = now - session->began_ns;
    hand_over(session);
    session->next_phase_ns = now + INT64_C(1000000000) / session->plan.fps;
}

static void watch_phases(struct session *session, int lane) {
    session->watchers[lane] = (struct watcher){session, lane};
    session->lanes[lane]->log.watch_context = &session->watchers[lane];
    session->lanes[lane]->log.watch = phase_entered;
}

/* ---- opening and closing ------------------------------------------------------------------ */

static void close_lanes(struct session *session) {
    for (int l = 0; l < LANES_MAX; l++) {
        lane_close(session->lanes[l]);
        session->lanes[l] = NULL;
    }
}

static void open_lanes(struct session *session) {
    close_lanes(session);
    memset(session->marks, 0, sizeof session->marks);
    session->error = (struct error){0};
    session->state = SESSION_OPENING;
    session->steps = 0;
    publish(session);
    for (int l = 0; l < session->plan.lane_count; l++) {
        struct lane_spec *spec = &session->plan.lanes[l];
        spec->engine.stop = &session->stop;
        struct error error = {0};
        if (lane_open(spec, &session->lanes[l], &error)) {
            close_lanes(session);
            fail(session, &error);
            publish(session);
            return;
        }
        session->sample->lanes[l].window_iterations = 0;
        watch_phases(session, l);
        session->sample->lanes[l].roof = roof_recall(session->lanes[l]);
    }
    session->state = session->plan.paused ? SESSION_PAUSED : SESSION_RUNNING;
    session->next_iteration_ns = clock_now_ns();
    look_and_publish(session);
}

/* ---- commands ----------------------------------------------------------------------------- */

static bool is_open(const struct session *session) {
    return session->state != SESSION_FAILED && session->state != SESSION_OPENING;
}

static void pause_or_go_on(struct session *session, bool paused) {
    session->plan.paused = paused;
    if (session->state == SESSION_RUNNING || session->state == SESSION_PAUSED)
        session->state = paused ? SESSION_PAUSED : SESSION_RUNNING;
    session->next_iteration_ns = clock_now_ns();
}

/* Nothing else runs on the devices meanwhile, so neither the roof nor the lanes' times suffer. */
static void probe_roofs(struct session *session) {
    for (int l = 0; l < session->plan.lane_count && session->lanes[l]; l++) {
        struct roof *roof = &session->sample->lanes[l].roof;
        if (roof->origin == ROOF_UNKNOWN)
            *roof = roof_recall(session->lanes[l]); /* another lane's, on the same device */
        if (roof->origin == ROOF_UNKNOWN || roof->disturbed)
            roof_measure(session->lanes[l], roof, NULL);
    }
}

static void obey(struct session *session, const struct command *command) {
    switch (command->kind) {
    case COMMAND_PAUSE:
        pause_or_go_on(session, command->value);
        break;
    case COMMAND_STEP:
        pause_or_go_on(session, true);
        session->steps += command->value;
        break;
    case COMMAND_SPEED:
        session->plan.speed = (int)command->value;
        session->next_iteration_ns = clock_now_ns();
        break;
    case COMMAND_RACE:
        session->plan.race = (enum race)command->value;
        break;
    case COMMAND_VIEW:
        session->view = command->view;
        break;
    case COMMAND_PLAN:
    case COMMAND_RESTART:
        open_lanes(session);
        return;
    case COMMAND_PROBE:
        probe_roofs(session);
        break;
    case COMMAND_SEEK:
    case COMMAND_CHAPTER:
    case COMMAND_RATE:
        return;
    }
    if (is_open(session))
        look_and_publish(session);
}

static bool idle(const struct session *session) {
    return !(session->state == SESSION_RUNNING ||
             (session->state == SESSION_PAUSED && session->steps > 0));
}

/* Nanoseconds until the next iteration is due at the chosen speed; 0 when flat out. */
static int64_t until_due(const struct session *session) {
    if (session->plan.speed == 0 || session->steps > 0)
        return 0;
    const int64_t left = session->next_iteration_ns - clock_now_ns();
    return left > 0 ? left : 0;
}

static struct timespec after(int64_t ns) {
    struct timespec when;
    clock_gettime(CLOCK_MONOTONIC, &when);
    const int64_t nsec = when.tv_nsec + ns;
    when.tv_sec += nsec / 1000000000;
    when.tv_nsec = nsec % 1000000000;
    return when;
}

/* Takes the waiting commands; waits for one while there is nothing else to do. False: quit. */
static bool take_commands(struct session *session, struct command *commands, int *count) {
    pthread_mutex_lock(&session->mutex);
    const int64_t due = until_due(session);
    if (due > 0 && session->command_count == 0 && !session->quit) {
        const struct timespec when = after(due);
        pthread_cond_timedwait(&session->changed, &session->mutex, &when);
    }
    while (idle(session) && session->command_count == 0 && !session->quit)
        pthread_cond_wait(&session->changed, &session->mutex);
    *count = session->command_count;
    memcpy(commands, session->commands, (size_t)*count * sizeof *commands);
    session->command_count = 0;
    for (int c = 0; c < *count; c++)
        if (commands[c].kind == COMMAND_PLAN)
            session->plan = session->new_plan;
    atomic_store(&session->stop, session->quit);
    const bool go_on = !session->quit;
    pthread_mutex_unlock(&session->mutex);
    return go_on;
}

/* ---- the loop ----------------------------------------------------------------------------- */

/* At a chosen speed all lanes make the iterations that are due; a late solver does not catch up. */
static long paced_count(struct session *session) {
    const int64_t period = INT64_C(1000000000) / session->plan.speed;
    const int64_t now = clock_now_ns();
    long count = 1;
    while (session->next_iteration_ns + count * period < now && count * period < 50000000)
        count++;
    session->next_iteration_ns += count * period;
    if (session->next_iteration_ns < now - 100000000)
        session->next_iteration_ns = now;
    return count;
}

static void advance_all(struct session *session, long count) {
    for (int l = 0; l < session->plan.lane_count; l++)
        lane_advance(session->lanes[l], count);
}

static void make_turn(struct session *session) {
    session->turn_began_ns = clock_now_ns();
    if (session->steps > 0) {
        session->steps--;
        advance_all(session, 1);
    } else if (session->plan.speed > 0) {
        advance_all(session, paced_count(session));
    } else {
        const struct turn turn =
            turn_next(session->lanes, session->plan.lane_count, session->plan.race, turn_seconds);
        if (turn.lane >= 0)
            lane_advance(session->lanes[turn.lane], turn.count);
    }
    settle(session);
}

static bool lanes_level(const struct session *session) {
    for (int l = 1; l < session->plan.lane_count; l++)
        if (session->lanes[l]->iterations != session->lanes[0]->iterations)
            return session->plan.race != RACE_SAME_ITERATIONS;
    return true;
}

static void show(struct session *session) {
    const int64_t now = clock_now_ns();
    const bool must = idle(session);
    if (!must && (now < session->next_sample_ns || !lanes_level(session)))
        return;
    if (must || now >= session->next_look_ns)
        look(session);
    publish(session);
}

static void *run(void *argument) {
    struct session *session = argument;
    struct command commands[COMMANDS_MAX];
    int count;
    open_lanes(session);
    while (take_commands(session, commands, &count)) {
        for (int c = 0; c < count; c++)
            obey(session, &commands[c]);
        if (idle(session) || until_due(session) > 0)
            continue;
        make_turn(session);
        show(session);
    }
    close_lanes(session);
    return NULL;
}

/* ---- the reader's side -------------------------------------------------------------------- */

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

static void session_command(struct source *source, const struct command *command) {
    struct session *session = of(source);
    pthread_mutex_lock(&session->mutex);
    if (session->command_count == COMMANDS_MAX)
        session->command_count--; /* the newest counts */
    if (command->kind == COMMAND_PLAN)
        session->new_plan = *command->plan;
    session->commands[session->command_count] = *command;
    session->commands[session->command_count++].plan = NULL;
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

/* Signals belong to the thread that owns the terminal. */
static int start_thread(struct session *session) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&session->thread, NULL, run, session);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

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
    const int reason = start_thread(session);
    if (reason) {
        release(session);
        return error_set(error, STATUS_INTERNAL, "no thread for the solver: %s", strerror(reason));
    }
    *source = &session->base;
    return STATUS_OK;
}
