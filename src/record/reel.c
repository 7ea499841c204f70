#include "record/reel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/words.h"

struct reel {
    struct recording *whole; /* the recording as it is; NULL: the lanes below */

    int lane_count;
    struct recorded lanes[LANES_MAX];
    enum race race;
    int count;
    struct cue *cues;
    struct chapter chapters[LANES_MAX + 1];
    int chapter_count;
    struct sample *sample;
};

/* ---- making the cues ------------------------------------------------------------------------ */

static void add_chapter(struct reel *reel, int index, const char *title) {
    struct chapter *chapter = &reel->chapters[reel->chapter_count++];
    *chapter = (struct chapter){.time_ns = reel->cues[index].time_ns, .sample = index};
    snprintf(chapter->title, sizeof chapter->title, "%s", title);
}

/* The beginning, and where lanes come to their ends. */
static void make_chapters(struct reel *reel) {
    reel->chapter_count = 0;
    add_chapter(reel, 0, "start");
    for (int k = 1; k < reel->count; k++)
        for (int l = 0; l < reel->lane_count; l++) {
            const int last = reel->lanes[l].track.count - 1;
            char title[32];
            snprintf(title, sizeof title, "end of %c", lane_letter(l));
            if (reel->cues[k].at[l] == last && reel->cues[k - 1].at[l] < last)
                add_chapter(reel, k, title);
        }
}

static void make_cues(struct reel *reel) {
    struct track tracks[LANES_MAX];
    for (int l = 0; l < reel->lane_count; l++)
        tracks[l] = reel->lanes[l].track;
    reel->count = interleave(tracks, reel->lane_count, reel->race, reel->cues);
    make_chapters(reel);
}

/* ---- opening and closing -------------------------------------------------------------------- */

enum status reel_of_recording(struct recording *recording, struct reel **reel,
                              struct error *error) {
    struct reel *made = calloc(1, sizeof *made);
    if (!made) {
        recording_close(recording);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    made->whole = recording;
    *reel = made;
    return STATUS_OK;
}

static enum status open_lanes(struct reel *reel, const struct plan *plan, struct error *error) {
    size_t moments = 1; /* room is never asked for nothing */
    for (; reel->lane_count < plan->lane_count; reel->lane_count++) {
        struct recorded *lane = &reel->lanes[reel->lane_count];
        const enum status status = recorded_open(&plan->recordings[reel->lane_count], lane, error);
        if (status)
            return status;
        moments += (size_t)lane->track.count;
    }
    reel->cues = calloc(moments, sizeof *reel->cues);
    reel->sample = sample_create();
    if (!reel->cues || !reel->sample)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    return STATUS_OK;
}

enum status reel_of_plan(const struct plan *plan, struct reel **reel, struct error *error) {
    struct reel *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    made->race = plan->race;
    const enum status status = open_lanes(made, plan, error);
    if (status) {
        reel_close(made);
        return status;
    }
    make_cues(made);
    *reel = made;
    return STATUS_OK;
}

void reel_close(struct reel *reel) {
    if (!reel)
        return;
    recording_close(reel->whole);
    for (int l = 0; l < reel->lane_count; l++)
        recorded_close(&reel->lanes[l]);
    free(reel->cues);
    sample_destroy(reel->sample);
    free(reel);
}

const struct recording_about *reel_about(const struct reel *reel) {
    return recording_about(reel->whole ? reel->whole : reel->lanes[0].recording);
}

/* ---- samples -------------------------------------------------------------------------------- */

static void label(struct reel *reel) {
    struct sample *sample = reel->sample;
    char first[LABEL_REPLAY_SIZE], other[LABEL_REPLAY_SIZE];
    bool same = true;
    lane_replay_label(first, sizeof first, &sample->lanes[0]);
    for (int l = 1; l < sample->lane_count; l++)
        same &= strcmp(first, lane_replay_label(other, sizeof other, &sample->lanes[l])) == 0;
    char *text = sample->playback.label;
    if (same)
        snprintf(text, sizeof sample->playback.label, "%s", first);
    else
        snprintf(text, sizeof sample->playback.label, "replay of %d recordings",
                 sample->lane_count);
}

/* What is said of all lanes together. */
static void describe(struct reel *reel, int index) {
    struct sample *sample = reel->sample;
    const int last = reel->count - 1;
    sample->sequence = (uint64_t)index + 1;
    sample->time_ns = reel->cues[index].time_ns;
    sample->race = reel->race;
    sample->speed = 0;
    sample->lane_count = reel->lane_count;
    sample->iteration_limit = 0;
    bool any_runs = false;
    for (int l = 0; l < reel->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        any_runs |= lane->state == LANE_RUNNING || reel->cues[index].at[l] < reel->cues[last].at[l];
        if (lane->iteration_limit > sample->iteration_limit)
            sample->iteration_limit = lane->iteration_limit;
    }
    if (sample->state != SESSION_FAILED)
        sample->state = any_runs ? SESSION_RUNNING : SESSION_FINISHED;
    memset(&sample->playback, 0, sizeof sample->playback);
    sample->playback.races = true;
    sample->playback.length_s = 1e-9 * (double)reel->cues[last].time_ns;
    label(reel);
}

static void take_lane(struct reel *reel, int l, int moment) {
    struct recorded *recorded = &reel->lanes[l];
    const struct sample *from = recorded_sample(recorded, moment);
    struct sample *to = reel->sample;
    lane_sample_copy(&to->lanes[l], &from->lanes[recorded->lane]);
    if (l == 0) {
        to->state = SESSION_RUNNING;
        to->error = (struct error){0};
        memcpy(to->preset, from->preset, sizeof to->preset);
        memcpy(to->problem, from->problem, sizeof to->problem);
        to->nx = from->nx;
        to->ny = from->ny;
        to->tolerance = from->tolerance;
    }
    if (to->lanes[l].state == LANE_FAILED && to->state != SESSION_FAILED) {
        to->state = SESSION_FAILED;
        to->error = to->lanes[l].error;
    }
}

const struct sample *reel_sample(struct reel *reel, int index) {
    if (reel->whole)
        return recording_sample(reel->whole, index);
    for (int l = 0; l < reel->lane_count; l++)
        take_lane(reel, l, reel->cues[index].at[l]);
    describe(reel, index);
    return reel->sample;
}

int reel_sample_count(const struct reel *reel) {
    return reel->whole ? recording_sample_count(reel->whole) : reel->count;
}

int64_t reel_time_ns(const struct reel *reel, int index) {
    return reel->whole ? recording_time_ns(reel->whole, index) : reel->cues[index].time_ns;
}

int reel_find(const struct reel *reel, int64_t time_ns) {
    int low = 0, high = reel_sample_count(reel);
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (reel_time_ns(reel, middle) <= time_ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int reel_chapter_count(const struct reel *reel) {
    return reel->whole ? recording_chapter_count(reel->whole) : reel->chapter_count;
}

const struct chapter *reel_chapter(const struct reel *reel, int chapter) {
    return reel->whole ? recording_chapter(reel->whole, chapter) : &reel->chapters[chapter];
}

bool reel_race(struct reel *reel, enum race race, int *index) {
    if (reel->whole)
        return false;
    const struct cue before = reel->cues[*index];
    int behind = 0;
    for (int l = 1; l < reel->lane_count; l++)
        if (reel->lanes[l].track.moments[before.at[l]].iterations <
            reel->lanes[behind].track.moments[before.at[behind]].iterations)
            behind = l;
    reel->race = race;
    make_cues(reel);
    for (*index = 0; reel->cues[*index].at[behind] < before.at[behind];)
        ++*index;
    return true;
}
