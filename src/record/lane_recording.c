#include "record/lane_recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends.h"
#include "metrics/labels.h"

static enum status refuse_empty(const char *name, struct error *error) {
    return error_set(error, STATUS_BAD_INPUT, "%s: it ends before there is a run to compare", name);
}

/* Selects the named lane of the last sample; -1: the only lane. */
static enum status choose_lane(struct lane_recording *recorded, const struct plan_recording *named,
                               struct error *error) {
    const int asked = named->lane;
    const int last = recorded->recording->count - 1;
    const struct sample *sample = recording_sample(recorded->recording, last);
    char choices[ERROR_MESSAGE_SIZE] = ""; /* "FILE:A (structured) or FILE:B (unstructured)" */
    if (sample->lane_count == 0)
        return refuse_empty(named->path, error);
    recorded->lane = asked < 0 ? 0 : asked;
    if (recorded->lane < sample->lane_count && (asked >= 0 || sample->lane_count == 1))
        return STATUS_OK;
    for (int l = 0; l < sample->lane_count; l++)
        format_append(choices, sizeof choices, "%s%s:%c (%s)", l ? " or " : "", named->path,
                      lane_letter(l), AS(lane_label_full, &sample->lanes[l]));
    return error_set(error, STATUS_BAD_INPUT, "%s: it has %d run%s: expected %s", named->path,
                     sample->lane_count, sample->lane_count > 1 ? "s" : "", choices);
}

/* Collects the keyframes of the last run. */
static enum status gather_keyframes(struct lane_recording *recorded, const char *name,
                                    struct error *error) {
    const int count = recorded->recording->count;
    struct chapter_last last = {0};
    char title[CHAPTER_SIZE];
    recorded->keyframes = calloc((size_t)count, sizeof *recorded->keyframes);
    if (!recorded->keyframes)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    for (int k = 0; k < count; k++) {
        const struct sample *sample = recording_sample(recorded->recording, k);
        const struct lane_sample *lane = &sample->lanes[recorded->lane];
        const bool begins = chapter_is_new_run(&last, sample);
        chapter_take(&last, sample, title);
        if (begins || recorded->count == 0)
            recorded->first = k;
        if (begins || recorded->lane >= sample->lane_count)
            recorded->count = 0;
        if (recorded->lane >= sample->lane_count)
            continue;
        recorded->keyframes[recorded->count++] =
            (struct keyframe){lane->iterations, lane->seconds, lane->history.stride};
        recorded->converged = lane->state == LANE_CONVERGED;
    }
    return recorded->count > 0 ? STATUS_OK : refuse_empty(name, error);
}

enum status lane_recording_open(const struct plan_recording *named, struct lane_recording *recorded,
                                struct error *error) {
    char path[PATH_SIZE];
    *recorded = (struct lane_recording){0};
    recording_path(path, sizeof path, named->path);
    recorded->earlier_keyframe = -1;
    recorded->earlier = sample_create();
    recorded->last = sample_create();
    if (!recorded->earlier || !recorded->last) {
        error_set(error, STATUS_INTERNAL, "out of memory");
    } else if (!recording_load(path, &recorded->recording, error) &&
               !choose_lane(recorded, named, error) &&
               !gather_keyframes(recorded, named->path, error)) {
        lane_sample_copy(&recorded->last->lanes[0],
                         lane_recording_lane(recorded, recorded->count - 1));
        return STATUS_OK;
    }
    lane_recording_close(recorded);
    return error->status;
}

void lane_recording_close(struct lane_recording *recorded) {
    recording_close(recorded->recording);
    sample_destroy(recorded->earlier);
    sample_destroy(recorded->last);
    free(recorded->keyframes);
    *recorded = (struct lane_recording){0};
}

const struct sample *lane_recording_sample(struct lane_recording *recorded, int keyframe) {
    return recording_sample(recorded->recording, recorded->first + keyframe);
}

const struct lane_sample *lane_recording_lane(struct lane_recording *recorded, int keyframe) {
    return &lane_recording_sample(recorded, keyframe)->lanes[recorded->lane];
}

int lane_recording_find(const struct lane_recording *recorded, int from, long iterations) {
    const struct keyframe *keyframes = recorded->keyframes;
    while (from < recorded->count - 1 && (keyframes[from].iterations < iterations ||
                                          keyframes[from + 1].iterations <= iterations))
        from++;
    return from;
}

/* The position of `iterations` between the previous keyframe and this one: 0 to 1. */
static double share_of_keyframe(const struct lane_recording *recorded, int keyframe,
                                long iterations) {
    const long begin = keyframe > 0 ? recorded->keyframes[keyframe - 1].iterations : 0;
    const long end = recorded->keyframes[keyframe].iterations;
    if (iterations < 0 || iterations >= end)
        return 1;
    return iterations > begin ? (double)(iterations - begin) / (double)(end - begin) : 0;
}

static double bounded_seconds(double seconds) {
    static const double most = 6e7; /* two years: no file can overflow a clock */
    return fmin(fmax(0, seconds), most);
}

double lane_recording_seconds(const struct lane_recording *recorded, int keyframe,
                              long iterations) {
    const double share = share_of_keyframe(recorded, keyframe, iterations);
    const double end = bounded_seconds(recorded->keyframes[keyframe].seconds);
    const double begin =
        keyframe > 0 ? bounded_seconds(recorded->keyframes[keyframe - 1].seconds) : 0;
    return begin + share * (end - begin);
}

static uint64_t part_of(double share, uint64_t whole) {
    return (uint64_t)lround(fmin(share * (double)whole, 1e18));
}

void lane_take_figures(struct lane_sample *lane, const struct lane_sample *last) {
    const double all = (double)last->iterations,
                 share = all > 0 ? (double)lane->iterations / all : 1;
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
            const struct event_stats *whole = &last->totals.of[kind][phase];
            struct event_stats *now = &lane->totals.of[kind][phase];
            *now = *whole;
            if (share == 1)
                continue;
            now->count = part_of(share, whole->count);
            now->timed = part_of(share, whole->timed);
            now->bytes = part_of(share, whole->bytes);
            /* Few calls are timed: keep their mean despite the rounded count. */
            if (now->timed == 0 && now->count > 0 && whole->timed > 0)
                now->timed = 1;
            now->total_ns =
                whole->timed ? (int64_t)(event_stats_mean_ns(whole) * (double)now->timed) : 0;
        }
    lane->device_stats = last->device_stats;
    lane->device_stats.halo_bytes = part_of(share, last->device_stats.halo_bytes);
    for (int p = 0; p < lane->device_stats.count; p++) {
        lane->device_stats.device[p].kernel_ms *= share;
        lane->device_stats.device[p].halo_ms *= share;
        lane->device_stats.device[p].wait_ms *= share;
    }
    lane->downsample_seconds = share * last->downsample_seconds;
    lane->event_seconds = share * last->event_seconds;
    memcpy(lane->durations, last->durations, sizeof lane->durations);
    lane->typical =
        last->typical.iterations > 0
            ? last->typical
            : (struct loop_totals){last->totals, last->iterations, bounded_seconds(last->seconds)};
    lane->times = last->times;
    lane->recorded_mean_ms = all > 0 ? 1e3 * bounded_seconds(last->seconds) / all : 0;
    if (lane->times.count <= 0 && all > 0)
        lane->times.median = lane->recorded_mean_ms;
}

void lane_recording_fill(struct lane_recording *recorded, int keyframe, long iterations,
                         struct lane_sample *lane) {
    const double share = share_of_keyframe(recorded, keyframe, iterations);
    struct lane_sample *before = &recorded->earlier->lanes[0];
    if (share < 1 && keyframe > 0 && recorded->earlier_keyframe != keyframe - 1) {
        lane_sample_copy(before, lane_recording_lane(recorded, keyframe - 1));
        recorded->earlier_keyframe = keyframe - 1;
    }
    lane_sample_copy(lane, lane_recording_lane(recorded, keyframe));
    if (share < 1)
        lane->iterations = iterations;
    lane_take_figures(lane, &recorded->last->lanes[0]);
    if (share >= 1)
        return;
    lane->seconds = lane_recording_seconds(recorded, keyframe, iterations);
    lane->state = LANE_RUNNING;
    lane->has_solution = false;
    lane->error = (struct error){0};
    struct history *history = &lane->history;
    const long last = iterations - 1;
    lane->residual = NAN;
    if (last < 0) {
        history->count = 0;
    } else if (history->stride > 0 && last / history->stride < history->count) {
        history->count = (int)(last / history->stride) + 1;
        if (last % history->stride == 0)
            lane->residual = history->residuals[history->count - 1];
    }
    if (keyframe > 0 && lane->field.iteration > iterations)
        lane_fields_copy(lane, before);
}

void lane_spec_of_sample(const struct sample *sample, int l, struct lane_spec *spec) {
    const struct lane_sample *lane = &sample->lanes[l];
    const struct problem *problem = problem_find(sample->problem);
    if (backend_find(lane->run.backend))
        lane_spec_set_backend(spec, lane->run.backend);
    if (problem)
        spec->engine.problem = problem;
    spec->engine.mesh = mesh_make(sample->nx, sample->ny);
    struct run_id *run = &spec->engine.run;
    const struct run_id asked = *run;
    *run = lane->run;
    run->backend[0] = '\0';
    run->omega = lane_has_default_omega(lane) ? OMEGA_OWN : lane->run.omega;
    run->device = asked.device;
    run->devices = asked.devices;
    run->tuning = asked.tuning;
    run->user_kernels = asked.user_kernels;
    spec->iterations = sample->iteration_limit;
    spec->tolerance = sample->tolerance;
    spec->measure = sample->measure;
}
