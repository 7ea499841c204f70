#include "record/track.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "kernels/backends.h"
#include "metrics/words.h"

void track_find(const char *name, char *path) {
    char relative[PATH_SIZE + 32];
    snprintf(path, PATH_SIZE, "%s", name);
    if (strchr(name, '/') || access(name, R_OK) == 0)
        return;
    snprintf(relative, sizeof relative, "recordings/%s.rec", name);
    if (!path_of_data(path, PATH_SIZE, relative))
        snprintf(path, PATH_SIZE, "%s", name);
}

static enum status track_is_empty(const struct track *track, struct error *error) {
    return error_set(error, STATUS_BAD_INPUT, "%s: it ends before there is a run to compare",
                     track->name);
}

/* Takes lane `asked` of the last sample; -1: it must have but one. */
static enum status track_choose_lane(struct track *track, int asked, struct error *error) {
    const int last = recording_sample_count(track->recording) - 1;
    const struct sample *sample = recording_sample(track->recording, last);
    char choices[ERROR_MESSAGE_SIZE]; /* "FILE:A (structured) or FILE:B (unstructured)" */
    size_t used = 0;
    if (sample->lane_count == 0)
        return track_is_empty(track, error);
    track->lane = asked < 0 ? 0 : asked;
    if (track->lane < sample->lane_count && (asked >= 0 || sample->lane_count == 1))
        return STATUS_OK;
    for (int l = 0; l < sample->lane_count && used < sizeof choices; l++) {
        char label[LABEL_SIZE];
        used += (size_t)snprintf(choices + used, sizeof choices - used, "%s%s:%c (%s)",
                                 l ? " or " : "", track->name, lane_letter(l),
                                 lane_label_full(label, sizeof label, &sample->lanes[l]));
    }
    return error_set(error, STATUS_BAD_INPUT, "%s: it holds %d lane%s: expected %s", track->name,
                     sample->lane_count, sample->lane_count > 1 ? "s" : "", choices);
}

/* What one moment tells of the run that it belongs to. */
struct identity {
    char problem[32], backend[16], device[96];
    int nx, ny;
    enum mapping mapping;
    enum schedule_kind schedule;
};

/* The moments of the last run. */
static enum status track_gather(struct track *track, struct error *error) {
    const int count = recording_sample_count(track->recording);
    struct identity before = {0}, now;
    long iterations = 0;
    track->moments = calloc((size_t)count, sizeof *track->moments);
    if (!track->moments)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    for (int k = 0; k < count; k++) {
        const struct sample *sample = recording_sample(track->recording, k);
        const struct lane_sample *lane = &sample->lanes[track->lane];
        if (track->lane >= sample->lane_count) {
            track->count = 0;
            continue;
        }
        memset(&now, 0, sizeof now);
        snprintf(now.problem, sizeof now.problem, "%s", sample->problem);
        snprintf(now.backend, sizeof now.backend, "%s", lane->backend);
        snprintf(now.device, sizeof now.device, "%s", lane->device);
        now.nx = sample->nx;
        now.ny = sample->ny;
        now.mapping = lane->mapping;
        now.schedule = lane->schedule.kind;
        if (track->count == 0 || lane->iterations < iterations ||
            memcmp(&before, &now, sizeof now) != 0) {
            track->first = k;
            track->count = 0;
        }
        track->moments[track->count++] = (struct moment){lane->iterations, lane->seconds};
        iterations = lane->iterations;
        before = now;
    }
    return track->count > 0 ? STATUS_OK : track_is_empty(track, error);
}

enum status track_open(const struct plan_recording *named, struct track *track,
                       struct error *error) {
    char path[PATH_SIZE];
    *track = (struct track){0};
    snprintf(track->name, sizeof track->name, "%s", named->path);
    text_make_visible(track->name);
    track_find(named->path, path);
    enum status status = recording_load(path, &track->recording, error);
    if (!status)
        status = track_choose_lane(track, named->lane, error);
    if (!status)
        status = track_gather(track, error);
    if (status)
        track_close(track);
    return status;
}

void track_close(struct track *track) {
    recording_close(track->recording);
    free(track->moments);
    *track = (struct track){0};
}

const struct sample *track_sample(struct track *track, int moment) {
    return recording_sample(track->recording, track->first + moment);
}

const struct lane_sample *track_lane(struct track *track, int moment) {
    return &track_sample(track, moment)->lanes[track->lane];
}

void lane_spec_of_sample(const struct sample *sample, int l, struct lane_spec *spec) {
    const struct lane_sample *lane = &sample->lanes[l];
    const struct problem *problem = problem_find(sample->problem);
    if (backend_find(lane->backend))
        lane_spec_set_backend(spec, lane->backend);
    if (problem)
        spec->engine.problem = problem;
    spec->engine.mesh = mesh_damped(mesh_make(sample->nx, sample->ny), lane->omega);
    spec->engine.mapping = lane->mapping;
    spec->engine.host_memory = lane->host_memory;
    spec->engine.schedule = lane->schedule;
    spec->iterations = sample->iteration_limit;
    spec->tolerance = sample->tolerance;
    spec->measure = sample->measure;
}
