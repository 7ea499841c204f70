/* A lane's events as they are recorded: those that are new since the sample before. */
#ifndef JACOBI_RECORD_FORMAT_EVENT_CODEC_H
#define JACOBI_RECORD_FORMAT_EVENT_CODEC_H

#include "record/format/codec.h"
#include "run/sample.h"

/* Drops the events that a reader could not know: see sample_prepare. */
void events_trim(struct lane_sample *lane, const struct lane_sample *before);

/* Describes the events (see codec.h). */
void events_code(struct codec *codec, struct lane_sample *lane, const struct lane_sample *before);

#endif
