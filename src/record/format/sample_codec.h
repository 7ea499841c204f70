/* What a recording keeps of a sample, and how it is stored. */
#ifndef JACOBI_RECORD_FORMAT_SAMPLE_CODEC_H
#define JACOBI_RECORD_FORMAT_SAMPLE_CODEC_H

#include "record/format/codec.h"
#include "run/sample.h"

/* A record's fields never take more bytes than this. */
enum { RECORD_RAW_MAX = 4 << 20 };

/* When so many events are new at once, only the newest are kept. */
enum { RECORD_EVENTS = 192 };

/* Brings `sample` to what a recording keeps: cells rounded, and no event older than a gap in what
 * has been recorded. `before` is the sample recorded before it, itself prepared. */
void sample_prepare(struct sample *sample, const struct sample *before);

/* Describes a prepared sample (see codec.h), all but sequence, time_ns and playback. Reading fills
 * `sample`, which may hold anything, but has its cells; `before` must be what it was when it was
 * written: the sample recorded before, or an empty one. */
void sample_code(struct codec *codec, struct sample *sample, const struct sample *before);

#endif
