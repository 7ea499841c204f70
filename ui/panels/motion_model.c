/* The state of memories and link at any time of an iteration (ui/panels/motion.h). */
#include <string.h>

#include "metrics/labels.h"
#include "ui/panels/motion.h"
#include "ui/panels/timeline.h"

/* How long the finished iteration is held, in seconds of the host's clock. */
static const double motion_hold_s = 3;
const double motion_wait_s = 1;

/* ---- selecting iterations ------------------------------------------------------------------ */

/* 1, 2 or 5 times a power of ten, so that the longest lane takes at least 8 seconds. */
static double choose_slowness(double seconds) {
    const double least_s = 8;
    double slowness = 1;
    for (int step = 0; slowness * seconds < least_s && step < 60; step++)
        slowness *= step % 3 == 1 ? 2.5 : 2;
    return slowness;
}

/* Adds copies that are never timed, such as the norm's, at the end of the iteration. */
static void add_untimed(const struct lane_sample *lane, struct motion_lane *to) {
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_FROM_DEVICE; kind++) {
        const struct event_stats *norm = &lane->totals.of[kind][PHASE_NORM];
        if (norm->count > 0 && norm->timed == 0 && (long)norm->count >= lane->iterations &&
            to->count < SAMPLE_EVENTS)
            to->steps[to->count++] = (struct motion_step){.kind = (enum event_kind)kind,
                                                          .phase = PHASE_NORM,
                                                          .array = ARRAY_NORM,
                                                          .start = to->seconds,
                                                          .end = to->seconds,
                                                          .bytes = norm->bytes / norm->count};
    }
}

static void take_lane(const struct sample *sample, int l, struct motion_lane *to) {
    static const enum array all[4] = {ARRAY_U, ARRAY_AU, ARRAY_RHS, ARRAY_RES};
    static const enum array fused[4] = {ARRAY_U, ARRAY_RHS};
    static struct timeline timeline;
    const struct lane_sample *lane = &sample->lanes[l];
    const bool is_four = schedule_has_four_kernels(lane->run.schedule);
    timeline_make_beside(sample, l, 1, &timeline);
    *to = (struct motion_lane){
        .run = lane->run,
        .reached = lane->iterations,
        .seconds = timeline.seconds,
        .iterations = timeline.is_shared ? 1 : timeline.depth,
        .is_cut = timeline.is_cut,
        .has_device = backend_maps(lane->run.backend) && lane->run.mapping != MAPPING_UNIFIED,
        .array_count = is_four ? 4 : 2,
    };
    to->is_copied = to->has_device && lane->run.mapping == MAPPING_STRUCTURED;
    memcpy(to->arrays, is_four ? all : fused, sizeof to->arrays);
    for (int s = 0; s < timeline.count; s++) {
        const struct timeline_segment *segment = &timeline.segments[s];
        const struct event *event = segment->event;
        if (event->kind == EVENT_WAIT || event->kind == EVENT_HALO)
            continue;
        to->steps[to->count++] = (struct motion_step){.kind = event->kind,
                                                      .phase = event->phase,
                                                      .array = event->array,
                                                      .start = segment->start,
                                                      .end = segment->end,
                                                      .bytes = event->bytes};
    }
    if (to->count > 0)
        add_untimed(lane, to);
}

void motion_take(struct motion *motion, const struct sample *sample) {
    bool waits = false;
    motion->is_cut = false;
    motion->seconds = motion->at = 0;
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        take_lane(sample, l, &motion->lanes[l]);
        motion->is_cut |= motion->lanes[l].is_cut;
        waits |= motion->lanes[l].count == 0 && lane->state == LANE_RUNNING;
        if (motion->lanes[l].seconds > motion->seconds)
            motion->seconds = motion->lanes[l].seconds;
    }
    motion->lane_count = waits || !(motion->seconds > 0) ? 0 : sample->lane_count;
    motion->slowness = choose_slowness(motion->seconds);
}

/* Whether the steps are from the sample's runs, which have not been restarted since. In a recording
 * they may be of a later iteration than the sample's. */
static bool is_of(const struct motion *motion, const struct sample *sample) {
    bool same = motion->lane_count == sample->lane_count;
    for (int l = 0; l < sample->lane_count && same; l++)
        same = run_id_difference(&motion->lanes[l].run, &sample->lanes[l].run) == 0 &&
               motion->lanes[l].reached <= sample->lanes[l].iterations;
    return same;
}

void motion_advance(struct motion *motion, const struct sample *sample, double seconds) {
    if (!is_of(motion, sample))
        motion->waited_s = motion->lane_count = 0;
    for (int l = 0; l < motion->lane_count; l++)
        motion->lanes[l].reached = sample->lanes[l].iterations;
    if (motion->lane_count == 0 || (seconds > 0 && motion->waited_s < motion_wait_s)) {
        motion_take(motion, sample);
        motion->waited_s += motion->lane_count > 0 ? seconds : 0;
        return;
    }
    motion->at += seconds / motion->slowness;
    if ((motion->at - motion->seconds) * motion->slowness > motion_hold_s)
        motion_take(motion, sample);
}

void motion_jump(struct motion *motion, int direction) {
    double to = direction > 0 ? motion->seconds : 0;
    const double eps = 1e-9 * motion->seconds;
    for (int l = 0; l < motion->lane_count; l++)
        for (int s = 0; s < motion->lanes[l].count; s++) {
            const struct motion_step *step = &motion->lanes[l].steps[s];
            const double middle = (step->start + step->end) / 2;
            if (direction > 0 && middle > motion->at + eps && middle < to)
                to = middle;
            if (direction < 0 && middle < motion->at - eps && middle > to)
                to = middle;
        }
    motion->at = to;
}

/* ---- the state at a time -------------------------------------------------------------------- */

const char motion_uses[PHASE_COUNT][5] = {
    [PHASE_LAPLACIAN] = "rp  ", [PHASE_BOUNDARY] = "rp  ", [PHASE_UPDATE] = "brrw",
    [PHASE_NORM] = "   r",      [PHASE_FUSED] = "b r ",    [PHASE_BLOCKED] = "b r ",
};

static void begin(const struct motion_lane *lane, struct motion_state *state) {
    *state = (struct motion_state){.bytes = 0};
    for (int a = 0; a < lane->array_count; a++) {
        const enum array array = lane->arrays[a];
        const bool stays = lane->has_device && !lane->is_copied;
        state->host[array] =
            (struct motion_array){.is_there = true, .valid = stays && array != ARRAY_RHS ? 0 : 1};
        state->device[array] = (struct motion_array){.is_there = stays, .valid = stays};
    }
    for (int s = 0; s < lane->count; s++)
        if (lane->steps[s].kind == EVENT_TO_DEVICE || lane->steps[s].kind == EVENT_FROM_DEVICE) {
            state->copies++;
            state->bytes += (double)lane->steps[s].bytes;
        }
}

static void leave_device(const struct motion_lane *lane, struct motion_state *state) {
    for (int a = 0; a < lane->array_count && lane->is_copied; a++)
        state->device[lane->arrays[a]] = (struct motion_array){.is_there = false};
}

/* Updates the state of the arrays after the fraction `done` of the step. */
static void apply(const struct motion_lane *lane, const struct motion_step *step, double done,
                  struct motion_state *state) {
    struct motion_array *where = lane->has_device ? state->device : state->host;
    const bool is_copy = step->kind == EVENT_TO_DEVICE || step->kind == EVENT_FROM_DEVICE;
    if (is_copy) {
        struct motion_array *to = step->kind == EVENT_TO_DEVICE ? state->device : state->host;
        state->copies_begun++;
        state->bytes_moved += done * (double)step->bytes;
        to[step->array].is_there = true;
        to[step->array].valid = done;
        state->copy = done < 1 ? step : NULL;
    }
    if (step->kind != EVENT_KERNEL)
        return;
    state->kernel = done < 1 ? step : NULL;
    for (int a = 0; a < lane->array_count; a++) {
        const enum array array = lane->arrays[a];
        const char use = motion_uses[step->phase][array - ARRAY_U];
        const bool writes = use && strchr("wbp", use);
        where[array].is_read = done < 1 && use && strchr("rb", use);
        where[array].is_written = done < 1 && writes;
        where[array].is_there |= writes;
        if (writes && step->phase != PHASE_BOUNDARY) /* it writes only the outermost unknowns */
            where[array].valid = done;
        if (writes && lane->has_device)
            state->host[array].valid = 0;
    }
}

void motion_state_at(const struct motion_lane *lane, double at, struct motion_state *state) {
    begin(lane, state);
    state->has_ended = at >= lane->seconds;
    for (int s = 0; s < lane->count; s++) {
        const struct motion_step *step = &lane->steps[s];
        if (step->start > at)
            break;
        const double length = step->end - step->start;
        const double done = length > 0 && at < step->end ? (at - step->start) / length : 1;
        if (state->last && state->last->phase != step->phase)
            leave_device(lane, state);
        apply(lane, step, done, state);
        if (done < 1)
            state->done = done;
        state->last = step;
    }
    state->now = state->copy                            ? state->copy
                 : state->kernel                        ? state->kernel
                 : state->last && at < state->last->end ? state->last
                                                        : NULL;
    if (state->has_ended)
        leave_device(lane, state);
}
