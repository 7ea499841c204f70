/* Samples to frames and back: what a recording, on the disk or on its way, is made of. */
#ifndef JACOBI_RECORD_FORMAT_STREAM_H
#define JACOBI_RECORD_FORMAT_STREAM_H

#include "record/format/frame.h"
#include "run/sample.h"

/* ---- Writing. */

struct encoder;

/* NULL if memory ran out. */
struct encoder *encoder_create(void);

/* NULL is allowed. */
void encoder_destroy(struct encoder *encoder);

/* Makes a frame of a sample, as its difference from the one before unless `full`. Without
 * `with_fields` the fields stay those of the sample before. The bytes are the encoder's, until the
 * next call. STATUS_INTERNAL if it is too large or memory ran out: then the next one must be
 * full. */
enum status encoder_sample(struct encoder *encoder, const struct sample *sample, int64_t time_ns,
                           bool full, bool with_fields, const uint8_t **bytes, size_t *size,
                           struct error *error);

/* The same of a chapter. */
enum status encoder_chapter(struct encoder *encoder, const char *title, int64_t time_ns,
                            const uint8_t **bytes, size_t *size, struct error *error);

/* ---- Reading. */

struct decoder {
    uint8_t *raw; /* the fields of one record */
    size_t raw_room;
    struct sample *now, *before;
};

/* False if memory ran out; decoder_finish is due all the same. */
bool decoder_init(struct decoder *decoder);
void decoder_finish(struct decoder *decoder);

/* What decoder_take returns if memory ran out. */
extern const char decoder_no_memory[];

/* Decodes into decoder->now the sample whose frame is full or follows the one that was decoded
 * last. NULL, or what is wrong. */
const char *decoder_take(struct decoder *decoder, const struct frame *frame);

#endif
