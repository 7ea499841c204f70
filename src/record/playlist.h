/* A playlist: what a replay plays. A recording as it is, or lanes of several recordings side by
 * side.
 *
 * Side by side they look like one recording of a comparison: samples with a lane for each. Cues say
 * which moment of each lane is shown when.
 *
 * Same iterations: every lane shows as many iterations as the others. They go from each moment of
 * any lane to the next, at the pace of the lane that was the slowest there; the lanes that have no
 * moment just then are between two of theirs (track_fill). They meet where residuals are known: if
 * need be, some iterations before. It ends with the shortest recording; only a lane that has
 * converged is not waited for.
 *
 * Same time: every lane shows its last moment at or before the same time spent in its loop,
 * beginning when the last of them has its first moment.
 */
#ifndef JACOBI_RECORD_PLAYLIST_H
#define JACOBI_RECORD_PLAYLIST_H

#include "record/track.h"

struct playlist;

/* A playlist of one recording as it is. Takes the recording over, even if it fails. */
enum status playlist_of_recording(struct recording *recording, struct playlist **playlist,
                                  struct error *error);

/* A playlist of the plan's lanes, all recorded, side by side. */
enum status playlist_of_plan(const struct plan *plan, struct playlist **playlist,
                             struct error *error);

/* Takes what has come to the file of a recording as it is (recording_grow). */
enum status playlist_grow(struct playlist *playlist, const char *path, struct error *error);

/* NULL is allowed. */
void playlist_close(struct playlist *playlist);

/* The head of the recording, or of that of a lane; NULL if there is no such lane. */
const struct recording_about *playlist_about(const struct playlist *playlist, int lane);

/* Samples, times and chapters as recording.h has them; a sample is valid until the next call. */
int playlist_sample_count(const struct playlist *playlist);
int64_t playlist_time_ns(const struct playlist *playlist, int index);
const struct sample *playlist_sample(struct playlist *playlist, int index);
int playlist_chapter_count(const struct playlist *playlist);
const struct chapter *playlist_chapter(const struct playlist *playlist, int chapter);

/* The last sample at or before that time, in ns since the beginning; the first if there is none. */
int playlist_find(const struct playlist *playlist, int64_t time_ns);

/* Changes the kind of race. *index is a sample, and becomes the first one of the new race in which
 * every lane that goes on shows as many iterations as the fewest were; the last one if there is no
 * such. False, and nothing changed, for a recording as it is. */
bool playlist_race(struct playlist *playlist, enum race race, int *index);

/* A cue: at that time, ns from the beginning, each lane is at that one of its moments, or shows so
 * many iterations of it. */
struct cue {
    int64_t time_ns;
    long iterations; /* -1: all that each has made */
    int at[LANES_MAX];
};

/* Fills `cues`, which has room for as many as there are moments in all tracks; returns their
 * number, at least 1. Their times always grow. Pure. */
int playlist_cues(const struct track tracks[], int track_count, enum race race, struct cue *cues);

#endif
