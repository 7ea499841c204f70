/* Samples to frames and back. Frames are the units of a recording after its first line, and of the
 * wire. A frame is a head of 32 bytes and a deflated body:
 *
 *     offset  bytes
 *          0      4  kind: "FULL", "DIFF", "CHAP", …
 *          4      4  number: 1 for the first frame, then consecutive
 *          8      4  length of the deflated body
 *         12      4  length of the inflated body
 *         16      8  time in ns since the recording began
 *         24      4  CRC-32 of the deflated body
 *         28      4  CRC-32 of the preceding 28 bytes
 *
 * Numbers are little-endian. */
#pragma once

#include <zlib.h>

#include "core/status.h"
#include "record/format/codec.h"
#include "run/sample.h"

/* ---- Frames */

enum frame_kind {
    FRAME_FULL,    /* a sample that depends on no other */
    FRAME_DIFF,    /* a sample as its difference from the previous one */
    FRAME_CHAPTER, /* the body is a title in UTF-8 */
    FRAME_RECORDED_KINDS,

    /* Only on the wire (bodies: remote/wire.h), from the solver … */
    FRAME_CHECKED = FRAME_RECORDED_KINDS,
    FRAME_ALIVE,
    /* … and to it. */
    FRAME_COMMAND,
    FRAME_CHECK,
    FRAME_SEEN,
    FRAME_RESEND,
    FRAME_END,
    FRAME_KIND_COUNT
};

/* An inflated body is never longer than FRAME_RAW_MAX. */
enum { FRAME_HEAD_SIZE = 32, FRAME_RAW_MAX = 4 << 20 };

/* The latest time of a frame: ten years. */
#define FRAME_TIME_MAX_NS (INT64_C(315576000) * 1000000000)

struct frame {
    enum frame_kind kind;
    uint32_t number;
    uint32_t stored; /* bytes after the head */
    uint32_t raw;    /* bytes of the inflated body, at most FRAME_RAW_MAX */
    int64_t time_ns;
    const uint8_t *bytes;
};

/* The maximum size of a frame whose inflated body has `raw` bytes. */
size_t frame_room(size_t raw);

/* Writes the head before the deflated body at to + FRAME_HEAD_SIZE. Returns the size of both. */
size_t frame_put_head(uint8_t *to, const struct frame *frame);

/* The return value of frame_read if the frame continues beyond the end. */
extern const char frame_cut_short[];

/* Reads and checks the frame at the start of `bytes`; frame->bytes points into them. Returns NULL,
 * or the error. */
const char *frame_read(const uint8_t *bytes, size_t size, struct frame *frame);

/* Inflates a frame to `raw`, which has room for frame->raw bytes. Returns NULL, or the error. */
const char *frame_inflate(const struct frame *frame, uint8_t *raw);

/* ---- Writing */

struct encoder {
    struct sample *next; /* the sample to encode; the owner fills or replaces it */
    struct sample *last; /* the previously encoded sample */
    uint8_t *bytes;      /* the last frame, valid until the next call */
    size_t size;

    /* One deflater serves all frames: allocating and clearing its quarter of a megabyte would take
     * longer than deflating a sample. */
    z_stream deflater;
    uint8_t *raw;
    uint32_t number; /* of the last frame */
};

/* NULL if out of memory; encoder_destroy allows NULL, and so does decoder_destroy. */
struct encoder *encoder_create(void);
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
    uint8_t *raw; /* the inflated body of a frame; room for FRAME_RAW_MAX bytes */
    struct sample *now, *before;
};

struct decoder *decoder_create(void);
void decoder_destroy(struct decoder *decoder);

/* Decodes a sample into decoder->now. The frame must be full or follow the last decoded one.
 * Returns NULL, or the error: decoder->now is then unchanged. */
const char *decoder_take(struct decoder *decoder, const struct frame *frame);
