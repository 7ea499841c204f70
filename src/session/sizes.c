#include "session/sizes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

struct sizes {
    struct source base;
    struct source *own; /* the plan's run */
    int count;
    struct mesh meshes[BESIDE_MAX];
    struct source *others[BESIDE_MAX];
    int ready;             /* epoll: readable when one of them is */
    struct sample *sample; /* the reader's */
    struct beside beside[BESIDE_MAX];
    uint64_t sequences[BESIDE_MAX];
    enum session_state states[BESIDE_MAX];
    struct error errors[BESIDE_MAX];
};

static struct sizes *of(struct source *source) {
    return (struct sizes *)source;
}

/* ---- samples -------------------------------------------------------------------------------- */

static void take(struct sizes *sizes, int k) {
    const struct sample *sample = sizes->others[k]->ops->latest(sizes->others[k]);
    if (!sample)
        return;
    const struct lane_sample *lane = &sample->lanes[0];
    struct beside *beside = &sizes->beside[k];
    *beside = (struct beside){.nx = sample->nx, .ny = sample->ny};
    sizes->sequences[k] = sample->sequence;
    sizes->states[k] = sample->state;
    sizes->errors[k] = sample->error;
    if (sample->lane_count < 1)
        return;
    beside->iterations = lane->iterations;
    beside->residual = lane->residual;
    beside->state = lane->state;
    beside->history = lane->history;
}

/* The sequence counts up when any of them has news. */
static void sum_up(struct sizes *sizes) {
    struct sample *sample = sizes->sample;
    for (int k = 0; k < sizes->count; k++) {
        sample->sequence += sizes->sequences[k];
        const enum session_state state = sizes->states[k];
        if (state == SESSION_FAILED && sample->state != SESSION_FAILED) {
            sample->state = state;
            sample->error = sizes->errors[k];
        } else if (sample->state == SESSION_FINISHED && state != SESSION_FINISHED) {
            sample->state = state;
        }
    }
}

static const struct sample *sizes_latest(struct source *source) {
    struct sizes *sizes = of(source);
    const struct sample *newest = sizes->own->ops->latest(sizes->own);
    for (int k = 0; k < sizes->count; k++)
        take(sizes, k);
    if (!newest)
        return NULL;
    sample_copy(sizes->sample, newest);
    sizes->sample->beside_count = sizes->count;
    memcpy(sizes->sample->beside, sizes->beside, sizeof sizes->beside);
    sum_up(sizes);
    return sizes->sample;
}

static int sizes_descriptor(const struct source *source) {
    return ((const struct sizes *)source)->ready;
}

/* ---- commands ------------------------------------------------------------------------------- */

static struct plan plan_on(const struct plan *plan, const struct mesh *mesh) {
    struct plan other = *plan;
    other.lane_count = 1;
    other.lanes[0].engine.mesh = *mesh;
    return other;
}

static bool is_for_all(enum command_kind kind) {
    return kind != COMMAND_VIEW && kind != COMMAND_PROBE;
}

static void sizes_command(struct source *source, const struct command *command) {
    struct sizes *sizes = of(source);
    sizes->own->ops->command(sizes->own, command);
    for (int k = 0; k < sizes->count && is_for_all(command->kind); k++) {
        struct command other = *command;
        struct plan plan;
        if (command->kind == COMMAND_PLAN) {
            plan = plan_on(command->plan, &sizes->meshes[k]);
            other.plan = &plan;
        }
        sizes->others[k]->ops->command(sizes->others[k], &other);
    }
}

/* ---- opening and closing -------------------------------------------------------------------- */

static void sizes_close(struct source *source) {
    struct sizes *sizes = of(source);
    for (int k = 0; k < sizes->count; k++)
        sizes->others[k]->ops->close(sizes->others[k]);
    if (sizes->own)
        sizes->own->ops->close(sizes->own);
    if (sizes->ready >= 0)
        close(sizes->ready);
    sample_destroy(sizes->sample);
    free(sizes);
}

static const struct source_ops ops = {
    .latest = sizes_latest,
    .command = sizes_command,
    .descriptor = sizes_descriptor,
    .close = sizes_close,
};

static enum status watch(struct sizes *sizes, const struct source *source, struct error *error) {
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(sizes->ready, EPOLL_CTL_ADD, source->ops->descriptor(source), &event))
        return error_set(error, STATUS_INTERNAL, "can't wait for a run: %s", strerror(errno));
    return STATUS_OK;
}

static enum status start_all(struct sizes *sizes, const struct plan *plan,
                             const struct mesh *others, int count, const struct view *view,
                             struct error *error) {
    const struct view least = {.cols = 1, .rows = 1, .x1 = 1, .y1 = 1};
    enum status status = session_start(plan, view, &sizes->own, error);
    if (!status)
        status = watch(sizes, sizes->own, error);
    for (int k = 0; k < count && !status; k++) {
        const struct plan other = plan_on(plan, &others[k]);
        status = session_start(&other, &least, &sizes->others[k], error);
        if (status)
            break;
        sizes->meshes[sizes->count++] = others[k];
        status = watch(sizes, sizes->others[k], error);
    }
    return status;
}

enum status sizes_start(const struct plan *plan, const struct mesh *others, int count,
                        const struct view *view, struct source **source, struct error *error) {
    struct sizes *sizes = calloc(1, sizeof *sizes);
    if (!sizes)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    sizes->base.ops = &ops;
    sizes->ready = epoll_create1(EPOLL_CLOEXEC);
    sizes->sample = sample_create();
    enum status status = STATUS_OK;
    if (sizes->ready < 0 || !sizes->sample)
        status = error_set(error, STATUS_INTERNAL, "out of memory");
    else
        status = start_all(sizes, plan, others, count, view, error);
    if (status)
        sizes_close(&sizes->base);
    else
        *source = &sizes->base;
    return status;
}
