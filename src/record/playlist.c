#include "record/playlist.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/labels.h"

struct playlist {
    struct recording *whole; /* the recording as it is; NULL: the lanes below */

    int lane_count;
    struct track lanes[LANES_MAX];
    enum race race;
    int count;
    struct cue *cues;
    struct chapter chapters[LANES_MAX + 1];
    int chapter_count;
    struct sample *sample;
};

/* ---- cues ------------------------------------------------------------------------------------ */

/* Every cue has a time of its own, so that it can be stepped to. */
static int64_t time_after(const struct cue *last, double seconds) {
    static const double most = 6e7; /* no file makes the clock overflow: two years are enough */
    const int64_t time_ns = (int64_t)(1e9 * fmin(seconds, most));
    return time_ns > last->time_ns ? time_ns : last->time_ns + 1;
}

static bool track_has_ended(const struct track *track, int at) {
    return at == track->count - 1;
}

/* Fewer iterations, or as many, after which the residuals of lanes between two moments are known.
 */
static long where_residuals_are(const struct track tracks[], int count, const struct cue *cue) {
    long stride = 1;
    bool between = false;
    for (int l = 0; l < count; l++) {
        const struct moment *moment = &tracks[l].moments[cue->at[l]];
        if (moment->iterations < cue->iterations)
            continue; /* it has converged */
        between |= moment->iterations > cue->iterations;
        stride = moment->stride > stride ? moment->stride : stride;
    }
    return between && cue->iterations > 0 ? cue->iterations - (cue->iterations - 1) % stride
                                          : cue->iterations;
}

static int cues_in_lockstep(const struct track tracks[], int count, struct cue *cues) {
    struct cue cue = {.iterations = LONG_MAX};
    long end = LONG_MAX;
    double now = 0;
    for (int l = 0; l < count; l++) {
        const struct moment *first = tracks[l].moments, *last = first + tracks[l].count - 1;
        if (first->iterations < cue.iterations)
            cue.iterations = first->iterations;
        if (!tracks[l].converged && last->iterations < end)
            end = last->iterations;
    }
    for (int made = 0;;) {
        const struct cue *last = made > 0 ? &cues[made - 1] : NULL;
        long next = LONG_MAX;
        double longest = 0;
        for (int l = 0; l < count; l++) {
            const struct track *track = &tracks[l];
            int at = cue.at[l] = track_moment(track, cue.at[l], cue.iterations);
            at += track->moments[at].iterations <= cue.iterations;
            if (at < track->count && track->moments[at].iterations < next)
                next = track->moments[at].iterations;
        }
        cues[made] = cue;
        if (cue.iterations < end)
            cues[made].iterations = where_residuals_are(tracks, count, &cue);
        for (int l = 0; l < count && last; l++) {
            int *at = &cues[made].at[l];
            *at = track_moment(&tracks[l], last->at[l], cues[made].iterations);
            longest = fmax(longest, track_seconds(&tracks[l], *at, cues[made].iterations) -
                                        track_seconds(&tracks[l], last->at[l], last->iterations));
        }
        if (!last || cues[made].iterations > last->iterations) {
            now += longest;
            cues[made].time_ns = last ? time_after(last, now) : 0;
            made++;
        }
        if (next > end || next == LONG_MAX)
            return made;
        cue.iterations = next;
    }
}

static int cues_in_time(const struct track tracks[], int count, struct cue *cues) {
    double begin = 0, now;
    cues[0] = (struct cue){.iterations = -1};
    for (int l = 0; l < count; l++)
        begin = fmax(begin, track_seconds(&tracks[l], 0, -1));
    for (int l = 0; l < count; l++)
        while (!track_has_ended(&tracks[l], cues[0].at[l]) &&
               track_seconds(&tracks[l], cues[0].at[l] + 1, -1) <= begin)
            cues[0].at[l]++;
    now = begin;
    for (int made = 1;; made++) {
        const struct cue *last = &cues[made - 1];
        int next = -1; /* the lane whose next moment comes first */
        for (int l = 0; l < count; l++)
            if (!track_has_ended(&tracks[l], last->at[l]) &&
                (next < 0 || track_seconds(&tracks[l], last->at[l] + 1, -1) <
                                 track_seconds(&tracks[next], last->at[next] + 1, -1)))
                next = l;
        if (next < 0)
            return made;
        cues[made] = *last;
        now = fmax(now, track_seconds(&tracks[next], ++cues[made].at[next], -1));
        cues[made].time_ns = time_after(last, now - begin);
    }
}

int playlist_cues(const struct track tracks[], int track_count, enum race race, struct cue *cues) {
    return race == RACE_SAME_TIME ? cues_in_time(tracks, track_count, cues)
                                  : cues_in_lockstep(tracks, track_count, cues);
}

/* Whether all of the lane that was recorded is shown. */
static bool lane_has_ended(const struct playlist *playlist, int index, int l) {
    const struct cue *cue = &playlist->cues[index];
    const struct track *track = &playlist->lanes[l];
    return track_has_ended(track, cue->at[l]) &&
           (cue->iterations < 0 || track->moments[cue->at[l]].iterations <= cue->iterations);
}

static void add_chapter(struct playlist *playlist, int index, const char *title) {
    struct chapter *chapter = &playlist->chapters[playlist->chapter_count++];
    *chapter = (struct chapter){.time_ns = playlist->cues[index].time_ns, .sample = index};
    snprintf(chapter->title, sizeof chapter->title, "%s", title);
}

/* Cues, and chapters: the beginning, and when lanes come to their ends. */
static void playlist_arrange(struct playlist *playlist, enum race race) {
    playlist->race = race;
    playlist->count = playlist_cues(playlist->lanes, playlist->lane_count, race, playlist->cues);
    playlist->chapter_count = 0;
    add_chapter(playlist, 0, "start");
    for (int k = 1; k < playlist->count; k++)
        for (int l = 0; l < playlist->lane_count; l++) {
            char title[32];
            snprintf(title, sizeof title, "end of %c", lane_letter(l));
            if (lane_has_ended(playlist, k, l) && !lane_has_ended(playlist, k - 1, l))
                add_chapter(playlist, k, title);
        }
}

/* ---- opening and closing --------------------------------------------------------------------- */

enum status playlist_of_recording(struct recording *recording, struct playlist **playlist,
                                  struct error *error) {
    struct playlist *made = calloc(1, sizeof *made);
    if (!made) {
        recording_close(recording);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    made->whole = recording;
    *playlist = made;
    return STATUS_OK;
}

enum status playlist_of_plan(const struct plan *plan, struct playlist **playlist,
                             struct error *error) {
    struct playlist *made = calloc(1, sizeof *made);
    size_t moments = 1; /* never an allocation of 0 bytes */
    enum status status = STATUS_OK;
    if (!made)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    for (int l = 0; l < plan->lane_count && !status; l++) {
        status = track_open(&plan->recordings[l], &made->lanes[l], error);
        moments += (size_t)made->lanes[l].count;
        made->lane_count += !status;
    }
    if (!status) {
        made->cues = calloc(moments, sizeof *made->cues);
        made->sample = sample_create();
        if (!made->cues || !made->sample)
            status = error_set(error, STATUS_INTERNAL, "out of memory");
    }
    if (status || !made->cues) {
        playlist_close(made);
        return status;
    }
    playlist_arrange(made, plan->race);
    *playlist = made;
    return STATUS_OK;
}

enum status playlist_grow(struct playlist *playlist, const char *path, struct error *error) {
    return playlist->whole ? recording_grow(playlist->whole, path, error) : STATUS_OK;
}

void playlist_close(struct playlist *playlist) {
    if (!playlist)
        return;
    recording_close(playlist->whole);
    for (int l = 0; l < playlist->lane_count; l++)
        track_close(&playlist->lanes[l]);
    free(playlist->cues);
    sample_destroy(playlist->sample);
    free(playlist);
}

/* ---- reading it ------------------------------------------------------------------------------ */

const struct recording_about *playlist_about(const struct playlist *playlist, int lane) {
    if (lane >= (playlist->whole ? 1 : playlist->lane_count))
        return NULL;
    return recording_about(playlist->whole ? playlist->whole : playlist->lanes[lane].recording);
}

static void take_lane(struct playlist *playlist, int index, int l) {
    const struct cue *cue = &playlist->cues[index];
    struct track *track = &playlist->lanes[l];
    struct sample *to = playlist->sample;
    track_fill(track, cue->at[l], cue->iterations, &to->lanes[l]);
    to->lanes[l].recording_ended = lane_has_ended(playlist, index, l);
    const struct sample *from = track_sample(track, cue->at[l]);
    if (l == 0) {
        to->state = SESSION_RUNNING;
        to->error = (struct error){0};
        memcpy(to->preset, from->preset, sizeof to->preset);
        memcpy(to->problem, from->problem, sizeof to->problem);
        to->nx = from->nx;
        to->ny = from->ny;
        to->tolerance = from->tolerance;
        to->measure = from->measure;
    }
    if (to->lanes[l].state == LANE_FAILED && to->state != SESSION_FAILED) {
        to->state = SESSION_FAILED;
        to->error = to->lanes[l].error;
    }
}

const struct sample *playlist_sample(struct playlist *playlist, int index) {
    if (playlist->whole)
        return recording_sample(playlist->whole, index);
    const int last = playlist->count - 1;
    char first[LABEL_REPLAY_SIZE], other[LABEL_REPLAY_SIZE];
    bool any_runs = index < last, same = true; /* a recording may end before its run */
    for (int l = 0; l < playlist->lane_count; l++)
        take_lane(playlist, index, l);
    /* What is said of all lanes together. */
    struct sample *sample = playlist->sample;
    sample->sequence = (uint64_t)index + 1;
    sample->time_ns = playlist->cues[index].time_ns;
    sample->race = playlist->race;
    sample->iterations_per_second = 0;
    sample->lane_count = playlist->lane_count;
    sample->iteration_limit = 0;
    lane_replay_label(first, sizeof first, &sample->lanes[0]);
    for (int l = 0; l < playlist->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        any_runs |= lane->state == LANE_RUNNING && lane->recording_ended;
        if (lane->iteration_limit > sample->iteration_limit)
            sample->iteration_limit = lane->iteration_limit;
        same &= strcmp(first, lane_replay_label(other, sizeof other, lane)) == 0;
    }
    if (sample->state != SESSION_FAILED)
        sample->state = any_runs ? SESSION_RUNNING : SESSION_FINISHED;
    sample->playback =
        (struct playback){.races = true, .length_s = 1e-9 * (double)playlist->cues[last].time_ns};
    if (same)
        snprintf(sample->playback.label, sizeof sample->playback.label, "%s", first);
    else
        snprintf(sample->playback.label, sizeof sample->playback.label, "replay of %d recordings",
                 sample->lane_count);
    return sample;
}

int playlist_sample_count(const struct playlist *playlist) {
    return playlist->whole ? recording_sample_count(playlist->whole) : playlist->count;
}

int64_t playlist_time_ns(const struct playlist *playlist, int index) {
    return playlist->whole ? recording_time_ns(playlist->whole, index)
                           : playlist->cues[index].time_ns;
}

int playlist_find(const struct playlist *playlist, int64_t time_ns) {
    int low = 0, high = playlist_sample_count(playlist);
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (playlist_time_ns(playlist, middle) <= time_ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int playlist_chapter_count(const struct playlist *playlist) {
    return playlist->whole ? recording_chapter_count(playlist->whole) : playlist->chapter_count;
}

const struct chapter *playlist_chapter(const struct playlist *playlist, int chapter) {
    return playlist->whole ? recording_chapter(playlist->whole, chapter)
                           : &playlist->chapters[chapter];
}

/* The fewest iterations that a lane shows which has not ended; LONG_MAX if all have. */
static long fewest_shown(const struct playlist *playlist, int index) {
    const struct cue *cue = &playlist->cues[index];
    long fewest = LONG_MAX;
    for (int l = 0; l < playlist->lane_count; l++) {
        const long all = playlist->lanes[l].moments[cue->at[l]].iterations;
        const long shown = cue->iterations < 0 ? all : cue->iterations;
        if (!lane_has_ended(playlist, index, l) && shown < fewest)
            fewest = shown;
    }
    return fewest;
}

bool playlist_race(struct playlist *playlist, enum race race, int *index) {
    if (playlist->whole)
        return false;
    const long shown = fewest_shown(playlist, *index);
    playlist_arrange(playlist, race);
    *index = 0;
    while (*index < playlist->count - 1 && fewest_shown(playlist, *index) < shown)
        ++*index;
    return true;
}
