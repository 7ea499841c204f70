/* Samples to frames and back: the contents of recordings and of the wire. */
#ifndef JACOBI_RECORD_FORMAT_STREAM_H
#define JACOBI_RECORD_FORMAT_STREAM_H

#include <zlib.h>

#include "record/format/codec.h"
#include "record/format/frame.h"
#include "run/sample.h"

/* ---- Writing */

struct encoder {
    struct sample *next;  /* the sample to encode; the owner fills or replaces it */
    struct sample *last;  /* the previously encoded sample */
    const uint8_t *bytes; /* the last frame, valid until the next call */
    size_t size;

    /* One deflater serves all frames: allocating and clearing its quarter of a megabyte would take
     * longer than deflating a sample. */
    z_stream deflater;
    uint8_t *raw, *room;
    uint32_t number; /* of the last frame */
};

/* Returns NULL if out of memory. */
struct encoder *encoder_create(void);

/* NULL is allowed. */
void encoder_destroy(struct encoder *encoder);

/* encoder_begin returns a codec for a frame's body, encoder_end makes the frame from its output.
 * STATUS_INTERNAL if the codec or zlib failed. */
struct codec encoder_begin(const struct encoder *encoder);
enum status encoder_end(struct encoder *encoder, enum frame_kind kind, int64_t time_ns,
                        const struct codec *codec, struct error *error);

/* Makes a frame of encoder->next, as its difference from the previous sample unless `full`; then
 * swaps the two. STATUS_INTERNAL if it is too large: the next one must then be full. */
enum status encoder_sample(struct encoder *encoder, int64_t time_ns, bool full,
                           struct error *error);

/* ---- Reading */

struct decoder {
    uint8_t *raw; /* the inflated body of a frame */
    size_t raw_room;
    struct sample *now, *before;
};

/* Returns NULL if out of memory. */
struct decoder *decoder_create(void);

/* NULL is allowed. */
void decoder_destroy(struct decoder *decoder);

/* The return value of decoder_take and decoder_body if memory ran out. */
extern const char decoder_no_memory[];

/* Inflates a frame's body to decoder->raw. Returns NULL, or the error. */
const char *decoder_body(struct decoder *decoder, const struct frame *frame);

/* Decodes a sample into decoder->now. The frame must be full or follow the last decoded one.
 * Returns NULL, or the error: decoder->now is then unchanged. */
const char *decoder_take(struct decoder *decoder, const struct frame *frame);

#endif
