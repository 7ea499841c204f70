#include "record/playlist.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/words.h"

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

/* No file makes a clock overflow: two years are enough. */
static const double most_seconds = 6e7;

static double seconds_at(const struct track *track, int at) {
    const double seconds = track->moments[at].seconds;
    return seconds > 0 ? fmin(seconds, most_seconds) : 0; /* 0 for NaN */
}

/* Every cue has a time of its own, so that it can be stepped to. */
static int64_t time_after(const struct cue *last, double seconds) {
    const int64_t time_ns = (int64_t)(1e9 * seconds);
    return time_ns > last->time_ns ? time_ns : last->time_ns + 1;
}

static bool track_has_ended(const struct track *track, int at) {
    return at == track->count - 1;
}

static int cues_in_lockstep(const struct track tracks[], int count, struct cue *cues) {
    double now = 0, since[LANES_MAX] = {0}; /* since when each is at its moment */
    cues[0] = (struct cue){0};
    for (int made = 1;; made++) {
        const struct cue *last = &cues[made - 1];
        long fewest = -1; /* iterations of those that still go on */
        int next = -1;
        double next_due = 0;
        for (int l = 0; l < count; l++) {
            const long iterations = tracks[l].moments[last->at[l]].iterations;
            if (!track_has_ended(&tracks[l], last->at[l]) && (fewest < 0 || iterations < fewest))
                fewest = iterations;
        }
        if (fewest < 0)
            return made;
        for (int l = 0; l < count; l++) {
            if (track_has_ended(&tracks[l], last->at[l]) ||
                tracks[l].moments[last->at[l]].iterations > fewest)
                continue;
            /* When it would come to its next moment if nobody hindered it. */
            const double length =
                seconds_at(&tracks[l], last->at[l] + 1) - seconds_at(&tracks[l], last->at[l]);
            const double due = since[l] + (length > 0 ? length : 0);
            if (next < 0 || due < next_due) {
                next = l;
                next_due = due;
            }
        }
        cues[made] = *last;
        now = fmin(fmax(now, next_due), most_seconds);
        since[next] = now;
        cues[made].at[next]++;
        cues[made].time_ns = time_after(last, now);
    }
}

static int cues_in_time(const struct track tracks[], int count, struct cue *cues) {
    double begin = 0, now;
    cues[0] = (struct cue){0};
    for (int l = 0; l < count; l++)
        begin = fmax(begin, seconds_at(&tracks[l], 0));
    for (int l = 0; l < count; l++)
        while (!track_has_ended(&tracks[l], cues[0].at[l]) &&
               seconds_at(&tracks[l], cues[0].at[l] + 1) <= begin)
            cues[0].at[l]++;
    now = begin;
    for (int made = 1;; made++) {
        const struct cue *last = &cues[made - 1];
        int next = -1; /* the lane whose next moment comes first */
        for (int l = 0; l < count; l++)
            if (!track_has_ended(&tracks[l], last->at[l]) &&
                (next < 0 || seconds_at(&tracks[l], last->at[l] + 1) <
                                 seconds_at(&tracks[next], last->at[next] + 1)))
                next = l;
        if (next < 0)
            return made;
        cues[made] = *last;
        now = fmax(now, seconds_at(&tracks[next], ++cues[made].at[next]));
        cues[made].time_ns = time_after(last, now - begin);
    }
}

int playlist_cues(const struct track tracks[], int track_count, enum race race, struct cue *cues) {
    return race == RACE_SAME_TIME ? cues_in_time(tracks, track_count, cues)
                                  : cues_in_lockstep(tracks, track_count, cues);
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
            const int last = playlist->lanes[l].count - 1;
            char title[32];
            snprintf(title, sizeof title, "end of %c", lane_letter(l));
            if (playlist->cues[k].at[l] == last && playlist->cues[k - 1].at[l] < last)
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

const struct recording_about *playlist_about(const struct playlist *playlist) {
    return recording_about(playlist->whole ? playlist->whole : playlist->lanes[0].recording);
}

static void take_lane(struct playlist *playlist, int l, int moment) {
    struct track *track = &playlist->lanes[l];
    const struct sample *from = track_sample(track, moment);
    struct sample *to = playlist->sample;
    lane_sample_copy(&to->lanes[l], &from->lanes[track->lane]);
    to->lanes[l].recording_ended = track_has_ended(track, moment);
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
    const struct cue *cue = &playlist->cues[index], *last = &playlist->cues[playlist->count - 1];
    char first[LABEL_REPLAY_SIZE], other[LABEL_REPLAY_SIZE];
    bool any_runs = false, same = true;
    for (int l = 0; l < playlist->lane_count; l++)
        take_lane(playlist, l, cue->at[l]);
    /* What is said of all lanes together. */
    struct sample *sample = playlist->sample;
    sample->sequence = (uint64_t)index + 1;
    sample->time_ns = cue->time_ns;
    sample->race = playlist->race;
    sample->speed = 0;
    sample->lane_count = playlist->lane_count;
    sample->iteration_limit = 0;
    lane_replay_label(first, sizeof first, &sample->lanes[0]);
    for (int l = 0; l < playlist->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        any_runs |= lane->state == LANE_RUNNING || cue->at[l] < last->at[l];
        if (lane->iteration_limit > sample->iteration_limit)
            sample->iteration_limit = lane->iteration_limit;
        same &= strcmp(first, lane_replay_label(other, sizeof other, lane)) == 0;
    }
    if (sample->state != SESSION_FAILED)
        sample->state = any_runs ? SESSION_RUNNING : SESSION_FINISHED;
    sample->playback = (struct playback){.races = true, .length_s = 1e-9 * (double)last->time_ns};
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

bool playlist_race(struct playlist *playlist, enum race race, int *index) {
    if (playlist->whole)
        return false;
    const struct cue before = playlist->cues[*index];
    int behind = 0;
    for (int l = 1; l < playlist->lane_count; l++)
        if (playlist->lanes[l].moments[before.at[l]].iterations <
            playlist->lanes[behind].moments[before.at[behind]].iterations)
            behind = l;
    playlist_arrange(playlist, race);
    for (*index = 0; playlist->cues[*index].at[behind] < before.at[behind];)
        ++*index;
    return true;
}
