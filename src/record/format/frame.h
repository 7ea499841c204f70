/* Frames: the units of a recording after its first line, and of the wire. A frame is a head of 32
 * bytes and a deflated body:
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
#ifndef JACOBI_RECORD_FORMAT_FRAME_H
#define JACOBI_RECORD_FORMAT_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

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

enum frame_reading { FRAME_OK, FRAME_CUT_SHORT, FRAME_BAD };

/* Reads and checks the frame at the start of `bytes`; frame->bytes points into them.
 * FRAME_CUT_SHORT: the frame continues beyond the end. FRAME_BAD: *why is the reason. */
enum frame_reading frame_read(const uint8_t *bytes, size_t size, struct frame *frame,
                              const char **why);

/* Inflates a frame to `raw`, which has room for frame->raw bytes. Returns NULL, or the error. */
const char *frame_inflate(const struct frame *frame, uint8_t *raw);

#endif
