/* What a recording and the wire hold of a sample, and how it is stored: sample_codec.c has all but
 * a lane's events (event_codec.c) and cells (field_codec.c). */
#ifndef JACOBI_RECORD_FORMAT_SAMPLE_CODEC_H
#define JACOBI_RECORD_FORMAT_SAMPLE_CODEC_H

#include "record/format/codec.h"
#include "run/sample.h"

/* If so many events are new at once, only the newest are kept. */
enum { RECORD_EVENTS = 192 };

/* Brings `sample` to what is stored: cells rounded, and no event older than a gap in what has been
 * stored. `before` is the sample stored before it, itself prepared. */
void sample_prepare(struct sample *sample, const struct sample *before);

/* Describes a prepared sample (see codec.h): all but sequence, time_ns, playback, remote_command
 * and warning, which are the reader's. Reading fills `sample`, which may hold anything, but has its
 * cells. `before` must be what it was when it was written: the sample stored before, or NULL. */
void sample_code(struct codec *codec, struct sample *sample, const struct sample *before);

/* ---- Parts that plans have too. */

void run_code(struct codec *codec, struct run_id *run, const struct run_id *before);

extern const struct codec_field error_fields[];
extern const struct codec_field downsample_fields[];

/* ---- Parts of these two. */

/* Drops the events that a reader could not know. */
void events_trim(struct lane_sample *lane, const struct lane_sample *before);

/* Describes the events: those that are new since the sample before. */
void events_code(struct codec *codec, struct lane_sample *lane, const struct lane_sample *before);

/* Rounds the cells to what is stored, 9 significant bits (within 0.2%, far below one step of a
 * colour map), so that the differences from the field before are small numbers. Doing it again
 * changes nothing. */
void field_round(struct field *field);

/* Describes the field's cells, which must have been rounded, and which part of the grid they show;
 * there is room for so many. */
void cells_code(struct codec *codec, struct field *field, const struct field *before, int room);

#endif
