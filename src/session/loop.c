#include "session/parts.h"

#include <string.h>
#include <time.h>

#include "core/system.h"
#include "session/turns.h"
#include "session/turnstile.h"

/* A turn of the solver lasts about this long; then commands are looked at. */
static const double turn_seconds = 0.02;

/* Showing may take this share of the time, unless that made fewer than ten samples a second. */
static const double show_share = 0.004;
static const int64_t slowest_sample_ns = 100000000;

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
        session->plan = session->taken_plan;
        session_open_lanes(session);
        return;
    case COMMAND_RESTART:
        session_open_lanes(session);
        return;
    case COMMAND_PROBE:
        session_probe_roofs(session);
        break;
    case COMMAND_SEEK:
    case COMMAND_CHAPTER:
    case COMMAND_RATE:
        return;
    }
    if (is_open(session))
        session_downsample_and_publish(session);
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
            session->taken_plan = session->new_plan;
    atomic_store(&session->stop, session->quit);
    const bool go_on = !session->quit;
    pthread_mutex_unlock(&session->mutex);
    return go_on;
}

/* ---- the loop ----------------------------------------------------------------------------- */

/* As many iterations at once as cut no pass short, unless the picture would move in jerks. */
static long paced_stride(const struct session *session, int64_t period) {
    const long pass = turn_common_pass(session->lanes, session->plan.lane_count);
    return pass * period <= slowest_sample_ns ? pass : 1;
}

/* At a chosen speed all lanes make the iterations that are due; a late solver does not catch up. */
static long paced_count(struct session *session) {
    const int64_t period = INT64_C(1000000000) / session->plan.speed;
    const int64_t now = clock_now_ns();
    const long stride = paced_stride(session, period);
    long count = stride;
    while (session->next_iteration_ns + count * period < now && count * period < 50000000)
        count += stride;
    session->next_iteration_ns += count * period;
    if (session->next_iteration_ns < now - 100000000)
        session->next_iteration_ns = now;
    return count;
}

static void advance_all(struct session *session, long count) {
    for (int l = 0; l < session->plan.lane_count; l++)
        lane_advance(session->lanes[l], count);
}

static bool lanes_level(const struct session *session) {
    return turn_lanes_level(session->lanes, session->plan.lane_count, session->plan.race);
}

static void make_turn(struct session *session) {
    session->turn_began_ns = clock_now_ns();
    if (session->steps > 0) {
        session->steps--;
        advance_all(session, 1);
    } else if (session->plan.speed > 0 && lanes_level(session)) {
        advance_all(session, paced_count(session));
    } else {
        const struct turn turn =
            turn_next(session->lanes, session->plan.lane_count, session->plan.race, turn_seconds);
        if (turn.lane >= 0)
            lane_advance(session->lanes[turn.lane], turn.count);
    }
    session_settle(session);
}

/* After samples that cost something the next one waits longer than the frame rate asks for. */
static void space_out(struct session *session, int64_t start) {
    const int64_t now = clock_now_ns();
    const int64_t wanted = (int64_t)((double)(now - start) / show_share);
    const int64_t least = now + (wanted < slowest_sample_ns ? wanted : slowest_sample_ns);
    if (session->next_sample_ns < least)
        session->next_sample_ns = least;
}

static void show(struct session *session) {
    const int64_t now = clock_now_ns();
    const bool must = idle(session);
    if (!must && (now < session->next_sample_ns || !lanes_level(session)))
        return;
    if (must || now >= session->next_downsample_ns)
        session_downsample(session);
    session_publish(session);
    space_out(session, now);
}

static void obey_and_go_on(struct session *session, const struct command *commands, int count) {
    for (int c = 0; c < count; c++)
        obey(session, &commands[c]);
    if (idle(session) || until_due(session) > 0)
        return;
    make_turn(session);
    show(session);
}

void *session_run(void *argument) {
    struct session *session = argument;
    struct command commands[COMMANDS_MAX];
    int count;
    turnstile_enter();
    session_open_lanes(session);
    turnstile_leave();
    while (take_commands(session, commands, &count)) {
        turnstile_enter();
        obey_and_go_on(session, commands, count);
        turnstile_leave();
    }
    turnstile_enter();
    session_close_lanes(session);
    turnstile_leave();
    return NULL;
}
