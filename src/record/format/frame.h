/* Records as they lie in a file: a head of 28 bytes, then the fields, deflated.
 *
 *     offset  bytes
 *          0      4  kind: "FULL", "DIFF" or "CHAP"
 *          4      4  length of what follows the head
 *          8      4  length of the fields before they were deflated
 *         12      8  time in ns since the recording began
 *         20      4  CRC-32 of what follows the head
 *         24      4  CRC-32 of the 24 bytes above
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
    FRAME_CHAPTER, /* the fields are a title in UTF-8 */
    FRAME_KIND_COUNT
};

enum { FRAME_HEAD_SIZE = 28 };

struct z_stream_s; /* zlib's z_stream */

struct frame {
    enum frame_kind kind;
    uint32_t stored; /* bytes behind the head */
    uint32_t raw;    /* bytes inflated, at most RECORD_RAW_MAX */
    int64_t time_ns;
    const uint8_t *bytes;
};

/* The most bytes that frame_write needs for `raw` bytes. */
size_t frame_room(size_t raw);

/* Puts the head before the `stored` bytes that already lie, deflated, at to + FRAME_HEAD_SIZE;
 * returns the bytes of both. */
size_t frame_seal(uint8_t *to, enum frame_kind kind, int64_t time_ns, size_t stored,
                  size_t raw_size);

/* Deflates `raw` and puts it behind a head; returns the bytes written, 0 if that failed. The
 * deflater, from zlib's deflateInit, serves one frame after another: to allocate and clear its
 * quarter of a megabyte takes longer than to deflate a sample. */
size_t frame_write(uint8_t *to, size_t room, enum frame_kind kind, int64_t time_ns,
                   const uint8_t *raw, size_t raw_size, struct z_stream_s *deflater);

enum frame_reading { FRAME_OK, FRAME_CUT_SHORT, FRAME_BAD };

/* Reads the frame at the beginning of `bytes` and checks it; frame->bytes points into them.
 * FRAME_CUT_SHORT: it goes on beyond their end. FRAME_BAD: *why says what is wrong. */
enum frame_reading frame_read(const uint8_t *bytes, size_t size, struct frame *frame,
                              const char **why);

/* Inflates a frame to `raw`, which has room for frame->raw bytes. NULL, or what is wrong. */
const char *frame_inflate(const struct frame *frame, uint8_t *raw);

#endif
