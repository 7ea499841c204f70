/* What a replay plays: a recording as it is, or lanes of several recordings side by side.
 *
 * Side by side they look like one recording of a comparison, made by interleave.h: samples with a
 * lane for each, of which each is what was recorded at one moment, whole; nothing is made up in
 * between. */
#ifndef JACOBI_RECORD_REEL_H
#define JACOBI_RECORD_REEL_H

#include "record/recorded.h"

struct reel;

/* A recording as it is. Takes it over, also where it fails. */
enum status reel_of_recording(struct recording *recording, struct reel **reel, struct error *error);

/* The plan's lanes, all recorded, side by side. */
enum status reel_of_plan(const struct plan *plan, struct reel **reel, struct error *error);

/* NULL is allowed. */
void reel_close(struct reel *reel);

/* What the (first) recording says of itself. */
const struct recording_about *reel_about(const struct reel *reel);

/* Samples, times and chapters as recording.h has them; no sample is valid beyond the next call. */
int reel_sample_count(const struct reel *reel);
int64_t reel_time_ns(const struct reel *reel, int index);
int reel_find(const struct reel *reel, int64_t time_ns);
const struct sample *reel_sample(struct reel *reel, int index);
int reel_chapter_count(const struct reel *reel);
const struct chapter *reel_chapter(const struct reel *reel, int chapter);

/* Races in another way. *index: a sample before, and then the first that shows as much of the lane
 * that was furthest behind. False, and nothing changed, for a recording as it is. */
bool reel_race(struct reel *reel, enum race race, int *index);

#endif
