#include "record/lane_recording.h"

#include <math.h>
#include <stdio.h>
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
    for (int l = 0; l < sample->lane_count; l++) {
        char label[LABEL_SIZE];
        format_append(choices, sizeof choices, "%s%s:%c (%s)", l ? " or " : "", named->path,
                      lane_letter(l), lane_label_full(label, sizeof label, &sample->lanes[l]));
    }
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
    if (!recorded->earlier)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    if (!recording_load(path, &recorded->recording, error) &&
        !choose_lane(recorded, named, error) && !gather_keyframes(recorded, named->path, error))
        return STATUS_OK;
    lane_recording_close(recorded);
    return error->status;
}

void lane_recording_close(struct lane_recording *recorded) {
    recording_close(recorded->recording);
    sample_destroy(recorded->earlier);
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

double lane_recording_seconds(const struct lane_recording *recorded, int keyframe,
                              long iterations) {
    static const double most = 6e7; /* two years: no file can overflow a clock */
    const double share = share_of_keyframe(recorded, keyframe, iterations);
    const double end = fmin(fmax(0, recorded->keyframes[keyframe].seconds), most);
    const double begin =
        keyframe > 0 ? fmin(fmax(0, recorded->keyframes[keyframe - 1].seconds), most) : 0;
    return begin + share * (end - begin);
}

/* Interpolates a figure between two keyframes. */
static double in_proportion(double before, double now, double share) {
    return fmin(fmax(0, before + share * (now - before)), 1e18);
}

void lane_recording_fill(struct lane_recording *recorded, int keyframe, long iterations,
                         struct lane_sample *lane) {
    static const struct lane_sample nothing;
    const double share = share_of_keyframe(recorded, keyframe, iterations);
    struct lane_sample *before = &recorded->earlier->lanes[0];
    if (share < 1 && keyframe > 0 && recorded->earlier_keyframe != keyframe - 1) {
        lane_sample_copy(before, lane_recording_lane(recorded, keyframe - 1));
        recorded->earlier_keyframe = keyframe - 1;
    }
    lane_sample_copy(lane, lane_recording_lane(recorded, keyframe));
    if (share >= 1)
        return;
    const struct lane_sample *from = keyframe > 0 ? before : &nothing;
    const struct event_stats *stats_before = &from->totals.of[0][0];
    struct event_stats *stats = &lane->totals.of[0][0];
    for (int t = 0; t < EVENT_KIND_COUNT * PHASE_COUNT; t++) {
        const struct event_stats *b = &stats_before[t];
        struct event_stats *now = &stats[t];
        now->count = (uint64_t)lround(in_proportion((double)b->count, (double)now->count, share));
        const double timed = in_proportion((double)b->timed, (double)now->timed, share);
        const double total_ns = in_proportion((double)b->total_ns, (double)now->total_ns, share);
        now->timed = (uint64_t)lround(timed);
        now->bytes = (uint64_t)in_proportion((double)b->bytes, (double)now->bytes, share);
        /* Few calls are timed: keep their mean despite the rounded count. */
        now->total_ns = timed > 0 ? (int64_t)(total_ns / timed * (double)now->timed) : 0;
    }
    lane->seconds = lane_recording_seconds(recorded, keyframe, iterations);
    lane->downsample_seconds =
        in_proportion(from->downsample_seconds, lane->downsample_seconds, share);
    lane->event_seconds = in_proportion(from->event_seconds, lane->event_seconds, share);
    lane->iterations = iterations;
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
