#include "record/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/text.h"
#include "kernels/backends.h"
#include "metrics/words.h"

void recorded_find(const char *name, char *path) {
    char relative[PATH_SIZE + 32];
    snprintf(path, PATH_SIZE, "%s", name);
    if (strchr(name, '/') || access(name, R_OK) == 0)
        return;
    snprintf(relative, sizeof relative, "recordings/%s.rec", name);
    if (!path_of_data(path, PATH_SIZE, relative))
        snprintf(path, PATH_SIZE, "%s", name);
}

/* ---- which lane ----------------------------------------------------------------------------- */

static enum status none_there(const struct recorded *recorded, struct error *error) {
    return error_set(error, STATUS_BAD_INPUT, "%s: it ends before there is a run to compare",
                     recorded->name);
}

/* "FILE:A (structured) or FILE:B (unstructured)" */
static void print_choices(const struct recorded *recorded, const struct sample *sample, char *text,
                          size_t size) {
    size_t used = 0;
    for (int l = 0; l < sample->lane_count && used < size; l++) {
        char label[LABEL_SIZE];
        used += (size_t)snprintf(text + used, size - used, "%s%s:%c (%s)", l ? " or " : "",
                                 recorded->name, lane_letter(l),
                                 lane_label_full(label, sizeof label, &sample->lanes[l]));
    }
}

static enum status choose_lane(struct recorded *recorded, int asked, struct error *error) {
    const int last = recording_sample_count(recorded->recording) - 1;
    const struct sample *sample = recording_sample(recorded->recording, last);
    char choices[ERROR_MESSAGE_SIZE];
    if (sample->lane_count == 0)
        return none_there(recorded, error);
    recorded->lane = asked < 0 ? 0 : asked;
    if (recorded->lane < sample->lane_count && (asked >= 0 || sample->lane_count == 1))
        return STATUS_OK;
    print_choices(recorded, sample, choices, sizeof choices);
    return error_set(error, STATUS_BAD_INPUT, "%s: it holds %d lane%s: allowed is %s",
                     recorded->name, sample->lane_count, sample->lane_count > 1 ? "s" : "",
                     choices);
}

/* ---- which moments -------------------------------------------------------------------------- */

/* What the last moment told of the run that it belongs to. */
struct identity {
    char problem[32], backend[16], device[96];
    int nx, ny;
    enum mapping mapping;
    enum schedule_kind schedule;
    long iterations;
};

static struct identity identify(const struct sample *sample, const struct lane_sample *lane) {
    struct identity identity;
    memset(&identity, 0, sizeof identity);
    snprintf(identity.problem, sizeof identity.problem, "%s", sample->problem);
    snprintf(identity.backend, sizeof identity.backend, "%s", lane->backend);
    snprintf(identity.device, sizeof identity.device, "%s", lane->device);
    identity.nx = sample->nx;
    identity.ny = sample->ny;
    identity.mapping = lane->mapping;
    identity.schedule = lane->schedule.kind;
    identity.iterations = lane->iterations;
    return identity;
}

static bool goes_on(struct identity before, const struct identity *now) {
    const bool on = now->iterations >= before.iterations;
    before.iterations = now->iterations;
    return on && memcmp(&before, now, sizeof before) == 0;
}

static enum status gather(struct recorded *recorded, struct error *error) {
    struct track *track = &recorded->track;
    const int count = recording_sample_count(recorded->recording);
    struct identity before = {0};
    track->moments = calloc((size_t)count, sizeof *track->moments);
    if (!track->moments)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    for (int k = 0; k < count; k++) {
        const struct sample *sample = recording_sample(recorded->recording, k);
        if (recorded->lane >= sample->lane_count) {
            track->count = 0;
            continue;
        }
        const struct lane_sample *lane = &sample->lanes[recorded->lane];
        const struct identity now = identify(sample, lane);
        if (track->count == 0 || !goes_on(before, &now)) {
            recorded->first = k;
            track->count = 0;
        }
        track->moments[track->count++] = (struct moment){lane->iterations, lane->seconds};
        before = now;
    }
    return track->count > 0 ? STATUS_OK : none_there(recorded, error);
}

enum status recorded_open(const struct plan_recording *named, struct recorded *recorded,
                          struct error *error) {
    char path[PATH_SIZE];
    *recorded = (struct recorded){0};
    snprintf(recorded->name, sizeof recorded->name, "%s", named->path);
    text_make_visible(recorded->name);
    recorded_find(named->path, path);
    enum status status = recording_load(path, &recorded->recording, error);
    if (!status)
        status = choose_lane(recorded, named->lane, error);
    if (!status)
        status = gather(recorded, error);
    if (status)
        recorded_close(recorded);
    return status;
}

void recorded_close(struct recorded *recorded) {
    recording_close(recorded->recording);
    free(recorded->track.moments);
    *recorded = (struct recorded){0};
}

/* ---- looking at it -------------------------------------------------------------------------- */

const struct sample *recorded_sample(struct recorded *recorded, int moment) {
    return recording_sample(recorded->recording, recorded->first + moment);
}

const struct lane_sample *recorded_moment(struct recorded *recorded, int moment) {
    return &recorded_sample(recorded, moment)->lanes[recorded->lane];
}

void recorded_spec(const struct sample *sample, int l, struct lane_spec *spec) {
    const struct lane_sample *lane = &sample->lanes[l];
    const struct problem *problem = problem_find(sample->problem);
    if (backend_find(lane->backend))
        lane_spec_set_backend(spec, lane->backend);
    if (problem)
        spec->engine.problem = problem;
    spec->engine.mesh = mesh_make(sample->nx, sample->ny);
    spec->engine.mapping = lane->mapping;
    spec->engine.schedule = lane->schedule;
    spec->iterations = sample->iteration_limit;
    spec->tolerance = sample->tolerance;
}

enum status recorded_describe(struct recorded *recorded, struct lane_spec *spec,
                              struct error *error) {
    const struct sample *sample = recorded_sample(recorded, 0);
    if (!problem_find(sample->problem))
        return error_set(error, STATUS_BAD_INPUT, "%s: there is no problem '%s' in this program",
                         recorded->name, sample->problem);
    recorded_spec(sample, recorded->lane, spec);
    return STATUS_OK;
}
