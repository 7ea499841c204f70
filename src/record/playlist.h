/* A playlist: the contents of a replay. Either one recording, or lanes of several recordings side
 * by side.
 *
 * Side by side, they look like the recording of a comparison: each sample has all lanes. A timeline
 * assigns a keyframe of each lane to every entry.
 *
 * Same iterations: all lanes show the same iteration. The timeline has an entry for each keyframe
 * of any lane, at the pace of the lane that is slowest there. A lane without a keyframe at that
 * iteration is interpolated (lane_recording_fill). Entries are moved back to iterations with known
 * residuals if necessary. The timeline ends with the shortest recording, not counting converged
 * lanes.
 *
 * Same time: each lane shows its last keyframe within the same time spent in its loop. The timeline
 * begins when every lane has a keyframe. */
#pragma once

#include "record/lane_recording.h"

/* At that time, in ns from the beginning, each lane shows its keyframe `at`, or `iterations`. */
struct timeline_entry {
    int64_t time_ns;
    long iterations; /* -1: those of each lane's keyframe */
    int at[LANES_MAX];
};

/* Read-only for callers; only the functions below change it. */
struct playlist {
    int count; /* number of samples, at least 1 */
    const struct chapter *chapters;
    int chapter_count;
    struct recording *whole; /* the single recording; NULL: the lanes below */
    int run_first, run_last; /* its samples known to be of the run that `run_end` ends */
    struct sample *run_end;

    int lane_count;
    struct lane_recording lanes[LANES_MAX];
    enum race race;
    struct timeline_entry *entries; /* one per sample */
    struct chapter ends[LANES_MAX + 1];
    struct sample *sample;
};

/* Opens a playlist of one recording, of which it takes ownership even on failure. NULL: of the
 * plan's lanes, all recorded, side by side. */
enum status playlist_open(struct recording *recording, const struct plan *plan,
                          struct playlist **playlist, struct error *error);
void playlist_close(struct playlist *playlist); /* NULL is allowed */

/* Reads new samples from the file of a single recording (recording_grow). */
enum status playlist_grow(struct playlist *playlist, struct error *error);

/* Samples and their times, as in recording.h, with the figures of the whole run, however far it is.
 * A sample is valid until the next call. */
int64_t playlist_time_ns(const struct playlist *playlist, int index);
const struct sample *playlist_sample(struct playlist *playlist, int index);

/* The last sample at or before that time, in ns from the beginning; otherwise the first one. */
int playlist_find(const struct playlist *playlist, int64_t time_ns);

/* Changes the kind of race. Changes *index, a sample, to the first one of the new race that has
 * reached as many iterations in every lane that continues; otherwise to the last one. False, with
 * nothing changed, for a single recording. */
bool playlist_race(struct playlist *playlist, enum race race, int *index);

/* Fills `entries`, which needs room for the keyframes of all lanes. Returns their number, at least
 * 1. Times strictly increase. Pure. */
int playlist_timeline(const struct lane_recording lanes[], int count, enum race race,
                      struct timeline_entry *entries);
