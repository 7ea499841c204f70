#include "session/worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

#include "core/system.h"
#include "session/runner.h"

/* The approximate duration of a solver turn, after which commands are taken. */
static const double turn_seconds = 0.02;

/* Turns that take longer than this are shown phase by phase. */
static const int64_t slow_turn_ns = 60000000;

/* When opening takes longer than this, the filled fraction is shown. */
static const int64_t slow_filling_ns = 250000000;

/* The share of the solver's time that downsampling U may take, unless that lets the field stand
 * still for longer. */
static const double downsample_share = 0.02;
static const int64_t longest_still_ns = 2000000000;

/* The share of time for publishing, unless that allows fewer than ten samples per second. */
static const double show_share = 0.004;
static const int64_t slowest_sample_ns = 100000000;

/* The combined effect of all commands since the last turn. */
struct wanted {
    struct plan plan; /* with the pause, speed and race that are requested now */
    struct view view;
    long steps;     /* to make while paused */
    unsigned kinds; /* the set of command kinds since the last turn */
    bool shows;     /* publish a sample after them */
};

struct worker {
    pthread_t thread;
    int wake;
    atomic_bool stop; /* makes the running phase end early */

    pthread_mutex_t mutex; /* guards from here … */
    pthread_cond_t changed;
    struct wanted wanted;
    bool quit;
    struct sample *ready; /* the newest sample; is_new: not taken yet */
    bool is_new;
    /* … to here */

    /* Used only by the thread. */
    struct runner runner;
    struct view view;
    long steps;
    int64_t turn_began_ns, next_phase_ns;
    struct sample *sample; /* the sample being filled */
};

/* ---- samples -------------------------------------------------------------------------------- */

/* Stores a copy of the sample being filled; replaces a copy that was not taken. */
static void hand_over(struct worker *worker) {
    pthread_mutex_lock(&worker->mutex);
    sample_copy(worker->ready, worker->sample);
    worker->is_new = true;
    pthread_mutex_unlock(&worker->mutex);
    eventfd_write(worker->wake, 1);
}

static void publish(struct worker *worker, bool downsample) {
    runner_sample(&worker->runner, &worker->view, downsample, worker->sample);
    hand_over(worker);
}

/* During a slow iteration only the phase is published; other fields follow when it is complete. */
static void phase_entered(void *context, enum phase phase) {
    struct worker *worker = context;
    const int64_t now = clock_now_ns();
    if (phase >= PHASE_DOWNSAMPLE || now - worker->turn_began_ns < slow_turn_ns ||
        now < worker->next_phase_ns)
        return;
    for (int l = 0; l < worker->sample->lane_count; l++)
        if (worker->runner.lanes[l]->log)
            worker->sample->lanes[l].phase = worker->runner.lanes[l]->log->phase;
    worker->sample->sequence++;
    worker->sample->time_ns = now - worker->runner.began_ns;
    hand_over(worker);
    worker->next_phase_ns = now + INT64_C(1000000000) / worker->runner.plan.fps;
}

static void filling(void *context, double part) {
    struct worker *worker = context;
    if (clock_now_ns() - worker->turn_began_ns < slow_filling_ns)
        return;
    worker->sample->filled = (worker->runner.count + part) /
                             (worker->runner.plan.lane_count + worker->runner.plan.study_count);
    worker->sample->sequence++;
    hand_over(worker);
}

/* Opens the lanes of the runner's plan. Publishes a sample before and after. */
static void open_run(struct worker *worker) {
    struct runner *runner = &worker->runner;
    runner_close(runner, NULL);
    runner->samples_per_second = runner->plan.fps;
    runner->least_turn_ns = 1000000000 / runner->plan.fps; /* longer turns find warm caches */
    publish(worker, false);
    worker->turn_began_ns = clock_now_ns();
    if (runner_open(runner) && atomic_load(&worker->stop))
        return; /* the stopping command follows */
    for (int l = 0; l < runner->count && l < runner->plan.lane_count; l++)
        if (runner->lanes[l]->log) {
            runner->lanes[l]->log->on_phase_context = worker;
            runner->lanes[l]->log->on_phase = phase_entered;
        }
    runner->next_iteration_ns = clock_now_ns();
    publish(worker, true);
}

/* ---- commands ------------------------------------------------------------------------------- */

static bool wants(const struct wanted *wanted, enum command_kind kind) {
    return wanted->kinds & 1u << kind;
}

/* A plan replaces the previous one and starts like COMMAND_RESTART: commands for the open lanes are
 * dropped. */
static void add_command(struct wanted *wanted, const struct command *command) {
    enum command_kind kind = command->kind;
    wanted->shows = true;
    if (kind == COMMAND_PAUSE) {
        wanted->plan.paused = command->value;
        wanted->steps = 0;
    }
    if (kind == COMMAND_STEP) {
        wanted->plan.paused = true;
        wanted->steps += command->value;
    }
    if (kind == COMMAND_SPEED)
        wanted->plan.iterations_per_second = (int)command->value;
    if (kind == COMMAND_RACE)
        wanted->plan.race = (enum race)command->value;
    if (kind == COMMAND_VIEW)
        wanted->view = command->view;
    if (kind == COMMAND_PLAN) {
        wanted->plan = *command->plan;
        kind = COMMAND_RESTART;
    }
    if (kind == COMMAND_RESTART) {
        wanted->steps = 0;
        wanted->kinds &= 1u << COMMAND_FINISH;
        wanted->shows = false;
    }
    wanted->kinds |= 1u << kind;
}

void worker_command(struct worker *worker, const struct command *command) {
    pthread_mutex_lock(&worker->mutex);
    add_command(&worker->wanted, command);
    /* Stop the running iteration, which may take seconds. */
    if (wants(&worker->wanted, COMMAND_RESTART) || wants(&worker->wanted, COMMAND_FINISH))
        atomic_store(&worker->stop, true);
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->mutex);
}

/* Whether there is no work until the next command. */
static bool is_idle(const struct worker *worker) {
    return worker->runner.state != SESSION_RUNNING ||
           (worker->runner.plan.paused && worker->steps == 0);
}

static int64_t until_due(const struct worker *worker) {
    return worker->steps > 0 ? 0 : runner_wait_ns(&worker->runner);
}

/* Takes the requests, and waits for them while there is no other work. False: quit. */
static bool take_wanted(struct worker *worker, struct wanted *wanted) {
    pthread_mutex_lock(&worker->mutex);
    const int64_t due = until_due(worker);
    if (due > 0 && !worker->wanted.kinds && !worker->quit) {
        const int64_t end_ns = clock_now_ns() + due;
        const struct timespec when = {end_ns / 1000000000, end_ns % 1000000000};
        pthread_cond_clockwait(&worker->changed, &worker->mutex, CLOCK_MONOTONIC, &when);
    }
    while (is_idle(worker) && !worker->wanted.kinds && !worker->quit)
        pthread_cond_wait(&worker->changed, &worker->mutex);
    *wanted = worker->wanted;
    worker->wanted = (struct wanted){.plan = wanted->plan, .view = wanted->view};
    atomic_store(&worker->stop, worker->quit);
    const bool go_on = !worker->quit;
    pthread_mutex_unlock(&worker->mutex);
    return go_on;
}

/* Applies the requests in a meaningful order, independently of their arrival. */
static void apply_wanted(struct worker *worker, const struct wanted *wanted) {
    struct runner *runner = &worker->runner;
    const bool opens = wants(wanted, COMMAND_RESTART);
    if (!wanted->kinds)
        return;
    worker->view = wanted->view;
    if (opens || wants(wanted, COMMAND_PAUSE))
        worker->steps = 0;
    worker->steps += wanted->steps;
    if (runner->plan.paused != wanted->plan.paused ||
        runner->plan.iterations_per_second != wanted->plan.iterations_per_second)
        runner->next_iteration_ns = clock_now_ns();
    runner->plan.paused = wanted->plan.paused;
    runner->plan.iterations_per_second = wanted->plan.iterations_per_second;
    runner->plan.race = wanted->plan.race;
    if (opens) {
        runner->plan = wanted->plan;
        open_run(worker);
    }
    /* Nothing else uses the devices now, so roof and lane times are undisturbed. */
    if (wants(wanted, COMMAND_PROBE))
        runner_probe(runner);
    if (wants(wanted, COMMAND_TUNING_SCAN))
        runner_scan_tuning(runner);
    if (wants(wanted, COMMAND_FINISH)) {
        runner_finish(runner, &worker->view, worker->sample);
        hand_over(worker);
    } else if (wanted->shows && runner->state != SESSION_FAILED) {
        publish(worker, true);
    }
}

/* ---- the thread ----------------------------------------------------------------------------- */

/* After costly samples, the next one waits longer than the frame rate requires. */
static void publish_at_leisure(struct worker *worker, bool downsample) {
    const int64_t start = clock_now_ns();
    publish(worker, downsample);
    const int64_t end = clock_now_ns();
    const int64_t wanted = (int64_t)((double)(end - start) / show_share);
    const int64_t least = end + (wanted < slowest_sample_ns ? wanted : slowest_sample_ns);
    if (worker->runner.next_sample_ns < least)
        worker->runner.next_sample_ns = least;
}

static void *run_worker(void *argument) {
    struct worker *worker = argument;
    struct wanted wanted;
    open_run(worker);
    while (take_wanted(worker, &wanted)) {
        apply_wanted(worker, &wanted);
        if (is_idle(worker) || until_due(worker) > 0)
            continue;
        worker->turn_began_ns = clock_now_ns();
        if (worker->steps > 0) {
            worker->steps--;
            runner_step(&worker->runner, 1);
        } else {
            runner_turn(&worker->runner, turn_seconds);
        }
        const bool idle = is_idle(worker);
        if (idle || runner_sample_is_due(&worker->runner))
            publish_at_leisure(worker, idle);
    }
    runner_close(&worker->runner, NULL);
    return NULL;
}

/* ---- the owner's calls ---------------------------------------------------------------------- */

bool worker_take(struct worker *worker, struct sample **sample) {
    pthread_mutex_lock(&worker->mutex);
    const bool is_new = worker->is_new;
    if (is_new) {
        struct sample *const newest = worker->ready;
        worker->ready = *sample;
        *sample = newest;
        worker->is_new = false;
    }
    pthread_mutex_unlock(&worker->mutex);
    return is_new;
}

static void release_worker(struct worker *worker) {
    sample_destroy(worker->sample);
    sample_destroy(worker->ready);
    pthread_mutex_destroy(&worker->mutex);
    pthread_cond_destroy(&worker->changed);
    free(worker);
}

void worker_stop(struct worker *worker) {
    pthread_mutex_lock(&worker->mutex);
    worker->quit = true;
    atomic_store(&worker->stop, true);
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->mutex);
    pthread_join(worker->thread, NULL);
    release_worker(worker);
}

enum status worker_start(const struct plan *plan, const struct view *view, int wake,
                         struct worker **worker, struct error *error) {
    struct worker *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    made->wake = wake;
    made->wanted = (struct wanted){.plan = *plan, .view = *view};
    made->view = *view;
    made->runner = (struct runner){.plan = *plan,
                                   .stop = &made->stop,
                                   .on_filling = filling,
                                   .filling_context = made,
                                   .began_ns = clock_now_ns(),
                                   .downsample_share = downsample_share,
                                   .longest_still_ns = longest_still_ns};
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->changed, NULL);
    made->sample = sample_create();
    made->ready = sample_create();
    if (!made->sample || !made->ready) {
        release_worker(made);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    const int reason = thread_start(&made->thread, run_worker, made);
    if (reason) {
        release_worker(made);
        return error_set(error, STATUS_INTERNAL, "can't start the solver: %s", strerror(reason));
    }
    *worker = made;
    return STATUS_OK;
}
