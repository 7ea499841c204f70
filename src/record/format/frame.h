/* Frames: what a recording consists of behind its first line, and what the wire carries. A frame is
 * a head of 32 bytes, then a body, deflated:
 *
 *     offset  bytes
 *          0      4  kind: "FULL", "DIFF", "CHAP", …
 *          4      4  number: 1 for the first frame, then one more for each
 *          8      4  length of the body
 *         12      4  length of the body before it was deflated
 *         16      8  time in ns since the recording began
 *         24      4  CRC-32 of the body
 *         28      4  CRC-32 of the 28 bytes above
 *
 * Numbers are little-endian. */
#ifndef JACOBI_RECORD_FORMAT_FRAME_H
#define JACOBI_RECORD_FORMAT_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum frame_kind {
    FRAME_FULL,    /* a sample that needs no other */
    FRAME_DIFF,    /* a sample as its difference from the one before it */
    FRAME_CHAPTER, /* the body is a title in UTF-8 */
    FRAME_RECORDED_KINDS,

    /* On the wire alone (remote/wire.h has the bodies), from the solver … */
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

/* A body is never longer than FRAME_RAW_MAX before it is deflated. */
enum { FRAME_HEAD_SIZE = 32, FRAME_RAW_MAX = 4 << 20 };

/* No frame is later: ten years. */
#define FRAME_TIME_MAX_NS (INT64_C(315576000) * 1000000000)

struct frame {
    enum frame_kind kind;
    uint32_t number;
    uint32_t stored; /* bytes behind the head */
    uint32_t raw;    /* bytes inflated, at most FRAME_RAW_MAX */
    int64_t time_ns;
    const uint8_t *bytes;
};

/* The most bytes of a frame whose body has `raw` bytes before it is deflated. */
size_t frame_room(size_t raw);

/* Puts the head before the body, already deflated at to + FRAME_HEAD_SIZE. Returns the bytes of
 * both. */
size_t frame_put_head(uint8_t *to, const struct frame *frame);

enum frame_reading { FRAME_OK, FRAME_CUT_SHORT, FRAME_BAD };

/* Reads the frame at the beginning of `bytes` and checks it; frame->bytes points into them.
 * FRAME_CUT_SHORT: it continues beyond their end. FRAME_BAD: *why is the reason. */
enum frame_reading frame_read(const uint8_t *bytes, size_t size, struct frame *frame,
                              const char **why);

/* Inflates a frame to `raw`, which has room for frame->raw bytes. NULL, or what is wrong. */
const char *frame_inflate(const struct frame *frame, uint8_t *raw);

#endif
