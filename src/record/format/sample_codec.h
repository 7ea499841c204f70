/* What a recording keeps of a sample, and how it is stored: sample_codec.c has all but a lane's
 * events (event_codec.c) and its field (field_codec.c). */
#ifndef JACOBI_RECORD_FORMAT_SAMPLE_CODEC_H
#define JACOBI_RECORD_FORMAT_SAMPLE_CODEC_H

#include "record/format/codec.h"
#include "run/sample.h"

/* A record's fields never take more bytes than this. */
enum { RECORD_RAW_MAX = 4 << 20 };

/* If so many events are new at once, only the newest are kept. */
enum { RECORD_EVENTS = 192 };

/* Brings `sample` to what a recording keeps: cells rounded, and no event older than a gap in what
 * has been recorded. `before` is the sample recorded before it, itself prepared. */
void sample_prepare(struct sample *sample, const struct sample *before);

/* Describes a prepared sample (see codec.h), all but sequence, time_ns and playback. Reading fills
 * `sample`, which may hold anything, but has its cells; `before` must be what it was when it was
 * written: the sample recorded before, or an empty one. */
void sample_code(struct codec *codec, struct sample *sample, const struct sample *before);

/* ---- Parts of these two. */

/* Drops the events that a reader could not know. */
void events_trim(struct lane_sample *lane, const struct lane_sample *before);

/* Describes the events: those that are new since the sample before. */
void events_code(struct codec *codec, struct lane_sample *lane, const struct lane_sample *before);

/* Rounds the cells to what a recording keeps, 9 significant bits (within 0.2%, far below one step
 * of a colour map), so that the differences from the frame before are small numbers. Doing it again
 * changes nothing. */
void field_round(struct field *field);

/* Describes the field, whose cells must have been rounded; there is room for so many. */
void field_code(struct codec *codec, struct field *field, const struct field *before, int room);

/* A method and its cycle, as the difference from those before. */
void sample_code_method(struct codec *codec, enum method *method, struct cycle *cycle,
                        enum method method_before, struct cycle cycle_before);

/* Phases as they are stored: those of later versions follow the CODED_PHASES of the first. */
enum { CODED_PHASES = 8 };
int phase_to_code(enum phase phase);
enum phase phase_of_code(int code);

#endif
