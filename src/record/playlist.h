/* A playlist: what a replay plays. A recording as it is, or lanes of several recordings side by
 * side.
 *
 * Side by side they look like one recording of a comparison: samples with a lane for each. A
 * timeline lists which keyframe of each lane is shown when.
 *
 * Same iterations: every lane shows as many iterations as the others. The timeline goes from each
 * keyframe of any lane to the next, at the pace of the lane that was the slowest there; a lane
 * without a keyframe just then is interpolated (lane_recording_fill). The lanes meet where
 * residuals are known, if need be some iterations before. The timeline ends with the shortest
 * recording; only a lane that has converged is not waited for.
 *
 * Same time: every lane shows its last keyframe within the same time spent in its loop. The
 * timeline begins when the last of them has its first keyframe.
 */
#ifndef JACOBI_RECORD_PLAYLIST_H
#define JACOBI_RECORD_PLAYLIST_H

#include "record/lane_recording.h"

/* At that time, ns from the beginning, each lane shows that one of its keyframes, or so many
 * iterations of it. */
struct timeline_entry {
    int64_t time_ns;
    long iterations; /* -1: all that each has made */
    int at[LANES_MAX];
};

/* To be read; only the functions below change it. */
struct playlist {
    int count; /* of samples, at least 1 */
    const struct chapter *chapters;
    int chapter_count;
    struct recording *whole; /* the recording as it is; NULL: the lanes below */

    int lane_count;
    struct lane_recording lanes[LANES_MAX];
    enum race race;
    struct timeline_entry *entries; /* a sample for each */
    struct chapter ends[LANES_MAX + 1];
    struct sample *sample;
};

/* A playlist of the recording as it is, which is taken over, even if this fails; NULL: of the
 * plan's lanes, all recorded, side by side. */
enum status playlist_open(struct recording *recording, const struct plan *plan,
                          struct playlist **playlist, struct error *error);

/* Takes what has come to the file of a recording as it is (recording_grow). */
enum status playlist_grow(struct playlist *playlist, struct error *error);

/* NULL is allowed. */
void playlist_close(struct playlist *playlist);

/* Samples and their times as recording.h has them; a sample is valid until the next call. */
int64_t playlist_time_ns(const struct playlist *playlist, int index);
const struct sample *playlist_sample(struct playlist *playlist, int index);

/* The last sample at or before that time, in ns since the beginning; the first if there is none. */
int playlist_find(const struct playlist *playlist, int64_t time_ns);

/* Changes the kind of race. *index is a sample, and becomes the first one of the new race in which
 * every lane that goes on shows as many iterations as the fewest were; the last one if there is no
 * such. False, and nothing changed, for a recording as it is. */
bool playlist_race(struct playlist *playlist, enum race race, int *index);

/* Fills `entries`, which has room for as many as there are keyframes in all lanes; returns their
 * number, at least 1. Their times always grow. Pure. */
int playlist_timeline(const struct lane_recording lanes[], int count, enum race race,
                      struct timeline_entry *entries);

#endif
