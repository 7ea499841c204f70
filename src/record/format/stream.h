/* Samples to frames and back: what a recording, and the wire, is made of. */
#ifndef JACOBI_RECORD_FORMAT_STREAM_H
#define JACOBI_RECORD_FORMAT_STREAM_H

#include <zlib.h>

#include "record/format/codec.h"
#include "record/format/frame.h"
#include "run/sample.h"

/* ---- Writing. */

struct encoder {
    struct sample *next;  /* the sample to be encoded: the owner fills it, or puts another here */
    struct sample *last;  /* the one encoded before */
    const uint8_t *bytes; /* the frame made last, until the next call */
    size_t size;

    /* One deflater serves all frames: to allocate and clear its quarter of a megabyte takes longer
     * than to deflate a sample. */
    z_stream deflater;
    uint8_t *raw, *room;
    uint32_t number; /* of the frame made last */
};

/* NULL if memory ran out. */
struct encoder *encoder_create(void);

/* NULL is allowed. */
void encoder_destroy(struct encoder *encoder);

/* A codec that writes a frame's body, and the frame made of what it wrote. STATUS_INTERNAL if the
 * codec or zlib failed. */
struct codec encoder_begin(const struct encoder *encoder);
enum status encoder_end(struct encoder *encoder, enum frame_kind kind, int64_t time_ns,
                        const struct codec *codec, struct error *error);

/* Makes a frame of encoder->next, as its difference from the sample before unless `full`; the two
 * are then exchanged. STATUS_INTERNAL if it is too large: then the next one must be full. */
enum status encoder_sample(struct encoder *encoder, int64_t time_ns, bool full,
                           struct error *error);

/* ---- Reading. */

struct decoder {
    uint8_t *raw; /* the body of one frame */
    size_t raw_room;
    struct sample *now, *before;
};

/* NULL if memory ran out. */
struct decoder *decoder_create(void);

/* NULL is allowed. */
void decoder_destroy(struct decoder *decoder);

/* What decoder_take and decoder_body return if memory ran out. */
extern const char decoder_no_memory[];

/* Inflates a frame's body to decoder->raw. NULL, or what is wrong. */
const char *decoder_body(struct decoder *decoder, const struct frame *frame);

/* Decodes into decoder->now the sample whose frame is full or follows the one that was decoded
 * last. NULL, or what is wrong: then decoder->now is as it was. */
const char *decoder_take(struct decoder *decoder, const struct frame *frame);

#endif
