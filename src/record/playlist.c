#include "record/playlist.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/labels.h"

/* ---- timelines ------------------------------------------------------------------------------- */

/* Makes the times of all entries different, so that every entry can be stepped to. */
static int64_t time_after(const struct timeline_entry *last, double seconds) {
    static const double most = 6e7; /* two years: no file can overflow the clock */
    const int64_t time_ns = (int64_t)(1e9 * fmin(seconds, most));
    return time_ns > last->time_ns ? time_ns : last->time_ns + 1;
}

static bool has_ended(const struct lane_recording *lane, int at) {
    return at == lane->count - 1;
}

/* Moves the entry forward to `iterations`. */
static void seek_entry(const struct lane_recording lanes[], int count, struct timeline_entry *entry,
                       long iterations) {
    entry->iterations = iterations;
    for (int l = 0; l < count; l++)
        entry->at[l] = lane_recording_find(&lanes[l], entry->at[l], iterations);
}

/* The lowest final iteration count of the lanes that have not converged; LONG_MAX if all have. */
static long last_iterations(const struct lane_recording lanes[], int count) {
    long end = LONG_MAX;
    for (int l = 0; l < count; l++) {
        const long last = lanes[l].keyframes[lanes[l].count - 1].iterations;
        if (!lanes[l].converged && last < end)
            end = last;
    }
    return end;
}

/* The lowest iteration count of a keyframe above the entry's; LONG_MAX if there is none. */
static long next_iterations(const struct lane_recording lanes[], int count,
                            const struct timeline_entry *entry) {
    long next = LONG_MAX;
    for (int l = 0; l < count; l++) {
        const struct keyframe *keyframes = lanes[l].keyframes;
        int at = entry->at[l];
        at += keyframes[at].iterations <= entry->iterations;
        if (at < lanes[l].count && keyframes[at].iterations < next)
            next = keyframes[at].iterations;
    }
    return next;
}

/* The highest iteration count, up to the entry's, for which the residuals of interpolated lanes are
 * known. */
static long known_iterations(const struct lane_recording lanes[], int count,
                             const struct timeline_entry *entry) {
    long stride = 1;
    bool between = false;
    for (int l = 0; l < count; l++) {
        const struct keyframe *keyframe = &lanes[l].keyframes[entry->at[l]];
        if (keyframe->iterations < entry->iterations)
            continue; /* the lane has converged */
        between |= keyframe->iterations > entry->iterations;
        stride = keyframe->stride > stride ? keyframe->stride : stride;
    }
    return between && entry->iterations > 0 ? entry->iterations - (entry->iterations - 1) % stride
                                            : entry->iterations;
}

/* The time that the slowest lane needs between two entries. */
static double seconds_between(const struct lane_recording lanes[], int count,
                              const struct timeline_entry *from, const struct timeline_entry *to) {
    double longest = 0;
    for (int l = 0; l < count; l++)
        longest =
            fmax(longest, lane_recording_seconds(&lanes[l], to->at[l], to->iterations) -
                              lane_recording_seconds(&lanes[l], from->at[l], from->iterations));
    return longest;
}

static int lockstep_timeline(const struct lane_recording lanes[], int count,
                             struct timeline_entry *entries) {
    const long end = last_iterations(lanes, count);
    struct timeline_entry at = {.iterations = -1};
    double now = 0;
    int made = 0;
    for (long next; (next = next_iterations(lanes, count, &at)) <= end && next < LONG_MAX;) {
        seek_entry(lanes, count, &at, next);
        struct timeline_entry entry = at;
        if (next < end)
            entry.iterations = known_iterations(lanes, count, &at);
        if (made > 0) {
            const struct timeline_entry *last = &entries[made - 1];
            memcpy(entry.at, last->at, sizeof entry.at);
            seek_entry(lanes, count, &entry, entry.iterations);
            if (entry.iterations <= last->iterations)
                continue;
            now += seconds_between(lanes, count, last, &entry);
            entry.time_ns = time_after(last, now);
        }
        entries[made++] = entry;
    }
    return made;
}

static double seconds_at(const struct lane_recording *lane, int at) {
    return lane_recording_seconds(lane, at, -1);
}

/* The lane with the earliest next keyframe; -1 if all have ended. */
static int next_in_time(const struct lane_recording lanes[], int count,
                        const struct timeline_entry *entry) {
    int next = -1;
    for (int l = 0; l < count; l++)
        if (!has_ended(&lanes[l], entry->at[l]) &&
            (next < 0 || seconds_at(&lanes[l], entry->at[l] + 1) <
                             seconds_at(&lanes[next], entry->at[next] + 1)))
            next = l;
    return next;
}

static int same_time_timeline(const struct lane_recording lanes[], int count,
                              struct timeline_entry *entries) {
    double begin = 0;
    int made = 1;
    entries[0] = (struct timeline_entry){.iterations = -1};
    for (int l = 0; l < count; l++)
        begin = fmax(begin, seconds_at(&lanes[l], 0));
    for (int l = 0; l < count; l++)
        while (!has_ended(&lanes[l], entries[0].at[l]) &&
               seconds_at(&lanes[l], entries[0].at[l] + 1) <= begin)
            entries[0].at[l]++;
    double now = begin;
    for (int next; (next = next_in_time(lanes, count, &entries[made - 1])) >= 0; made++) {
        entries[made] = entries[made - 1];
        now = fmax(now, seconds_at(&lanes[next], ++entries[made].at[next]));
        entries[made].time_ns = time_after(&entries[made - 1], now - begin);
    }
    return made;
}

int playlist_timeline(const struct lane_recording lanes[], int count, enum race race,
                      struct timeline_entry *entries) {
    return race == RACE_SAME_TIME ? same_time_timeline(lanes, count, entries)
                                  : lockstep_timeline(lanes, count, entries);
}

/* Whether the lane is shown to the end of its recording. */
static bool lane_has_ended(const struct playlist *playlist, int index, int l) {
    const struct timeline_entry *entry = &playlist->entries[index];
    const struct lane_recording *lane = &playlist->lanes[l];
    return has_ended(lane, entry->at[l]) &&
           (entry->iterations < 0 || lane->keyframes[entry->at[l]].iterations <= entry->iterations);
}

static void add_chapter(struct playlist *playlist, int index, const char *title) {
    struct chapter *chapter = &playlist->ends[playlist->chapter_count++];
    *chapter = (struct chapter){.time_ns = playlist->entries[index].time_ns, .sample = index};
    snprintf(chapter->title, sizeof chapter->title, "%s", title);
}

/* Builds the timeline, and the chapters: the beginning, and the end of each lane. */
static void playlist_arrange(struct playlist *playlist, enum race race) {
    playlist->race = race;
    playlist->count =
        playlist_timeline(playlist->lanes, playlist->lane_count, race, playlist->entries);
    playlist->chapter_count = 0;
    add_chapter(playlist, 0, "start");
    for (int k = 1; k < playlist->count; k++)
        for (int l = 0; l < playlist->lane_count; l++)
            if (lane_has_ended(playlist, k, l) && !lane_has_ended(playlist, k - 1, l))
                add_chapter(playlist, k, PRINT("end of %c", lane_letter(l)));
}

/* ---- opening and closing --------------------------------------------------------------------- */

static void follow_whole(struct playlist *playlist) {
    playlist->count = playlist->whole->count;
    playlist->chapters = playlist->whole->chapters;
    playlist->chapter_count = playlist->whole->chapter_count;
    playlist->run_last = -1;
}

static enum status open_lanes(struct playlist *playlist, const struct plan *plan,
                              struct error *error) {
    size_t keyframes = 1; /* avoid an allocation of 0 bytes */
    for (; playlist->lane_count < plan->lane_count; playlist->lane_count++) {
        struct lane_recording *lane = &playlist->lanes[playlist->lane_count];
        TRY(lane_recording_open(&plan->recordings[playlist->lane_count], lane, error));
        keyframes += (size_t)lane->count;
    }
    playlist->entries = calloc(keyframes, sizeof *playlist->entries);
    if (!playlist->entries)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    playlist->chapters = playlist->ends;
    playlist_arrange(playlist, plan->race);
    return STATUS_OK;
}

enum status playlist_open(struct recording *recording, const struct plan *plan,
                          struct playlist **playlist, struct error *error) {
    struct playlist *made = calloc(1, sizeof *made);
    if (!made) {
        recording_close(recording);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    made->whole = recording;
    made->sample = sample_create();
    made->run_end = sample_create();
    if (!made->sample || !made->run_end) {
        playlist_close(made);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    if (recording) {
        follow_whole(made);
    } else if (open_lanes(made, plan, error)) {
        playlist_close(made);
        return error->status;
    }
    *playlist = made;
    return STATUS_OK;
}

enum status playlist_grow(struct playlist *playlist, struct error *error) {
    if (!playlist->whole)
        return STATUS_OK;
    const enum status status = recording_grow(playlist->whole, error);
    follow_whole(playlist);
    return status;
}

void playlist_close(struct playlist *playlist) {
    if (!playlist)
        return;
    recording_close(playlist->whole);
    for (int l = 0; l < playlist->lane_count; l++)
        lane_recording_close(&playlist->lanes[l]);
    free(playlist->entries);
    sample_destroy(playlist->sample);
    sample_destroy(playlist->run_end);
    free(playlist);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Finds the last sample of the run of sample `index` of a single recording. */
static void find_run(struct playlist *playlist, int index) {
    char title[CHAPTER_SIZE];
    bool has_ended = false;
    playlist->run_first = 0;
    playlist->run_last = playlist->count - 1;
    for (int c = 0; c < playlist->chapter_count && !has_ended; c++) {
        const int next = playlist->chapters[c].sample;
        struct chapter_last last = {0};
        if (next <= index) {
            playlist->run_first = next;
            continue;
        }
        chapter_take(&last, recording_sample(playlist->whole, next - 1), title);
        has_ended = chapter_is_new_run(&last, recording_sample(playlist->whole, next));
        playlist->run_last = has_ended ? next - 1 : playlist->run_last;
    }
    sample_copy(playlist->run_end, recording_sample(playlist->whole, playlist->run_last));
}

static const struct sample *sample_of_whole(struct playlist *playlist, int index) {
    struct sample *sample = playlist->sample;
    if (index < playlist->run_first || index > playlist->run_last)
        find_run(playlist, index);
    sample_copy(sample, recording_sample(playlist->whole, index));
    for (int l = 0; l < sample->lane_count && l < playlist->run_end->lane_count; l++)
        lane_take_figures(&sample->lanes[l], &playlist->run_end->lanes[l]);
    return sample;
}

static void take_lane(struct playlist *playlist, int index, int l) {
    const struct timeline_entry *entry = &playlist->entries[index];
    struct lane_recording *lane = &playlist->lanes[l];
    struct sample *to = playlist->sample;
    lane_recording_fill(lane, entry->at[l], entry->iterations, &to->lanes[l]);
    to->lanes[l].recording_ended = lane_has_ended(playlist, index, l);
    const struct sample *from = lane_recording_sample(lane, entry->at[l]);
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
        return sample_of_whole(playlist, index);
    const int last = playlist->count - 1;
    char first[LABEL_REPLAY_SIZE], other[LABEL_REPLAY_SIZE];
    bool any_runs = index < last, same = true; /* a recording may end before its run */
    for (int l = 0; l < playlist->lane_count; l++)
        take_lane(playlist, index, l);
    /* The fields that all lanes have in common. */
    struct sample *sample = playlist->sample;
    sample->sequence = (uint64_t)index + 1;
    sample->time_ns = playlist->entries[index].time_ns;
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
    sample->playback = (struct playback){
        .races = true, .length_s = 1e-9 * (double)playlist->entries[last].time_ns};
    if (same)
        snprintf(sample->playback.label, sizeof sample->playback.label, "%s", first);
    else
        snprintf(sample->playback.label, sizeof sample->playback.label, "replay of %d recordings",
                 sample->lane_count);
    return sample;
}

int64_t playlist_time_ns(const struct playlist *playlist, int index) {
    return playlist->whole ? playlist->whole->entries[index].time_ns
                           : playlist->entries[index].time_ns;
}

int playlist_find(const struct playlist *playlist, int64_t time_ns) {
    int low = 0, high = playlist->count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (playlist_time_ns(playlist, middle) <= time_ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The lowest iteration count shown of the lanes that have not ended; LONG_MAX if all have. */
static long fewest_shown(const struct playlist *playlist, int index) {
    const struct timeline_entry *entry = &playlist->entries[index];
    long fewest = LONG_MAX;
    for (int l = 0; l < playlist->lane_count; l++) {
        const long all = playlist->lanes[l].keyframes[entry->at[l]].iterations;
        const long shown = entry->iterations < 0 ? all : entry->iterations;
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
