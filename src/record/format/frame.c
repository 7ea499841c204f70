#include "record/format/frame.h"

#include <string.h>

#include <zlib.h>

static const char kinds[FRAME_KIND_COUNT][5] = {"FULL", "DIFF", "CHAP", "CHKD", "ALIV",
                                                "COMM", "CHEK", "SEEN", "AGAI", "END "};

static void put_number(uint8_t *to, int bytes, uint64_t value) {
    for (int k = 0; k < bytes; k++)
        to[k] = (uint8_t)(value >> (8 * k));
}

static uint64_t get_number(const uint8_t *from, int bytes) {
    uint64_t value = 0;
    for (int k = 0; k < bytes; k++)
        value |= (uint64_t)from[k] << (8 * k);
    return value;
}

size_t frame_room(size_t raw) {
    return FRAME_HEAD_SIZE + compressBound(raw);
}

size_t frame_put_head(uint8_t *to, const struct frame *frame) {
    memcpy(to, kinds[frame->kind], 4);
    put_number(to + 4, 4, frame->number);
    put_number(to + 8, 4, frame->stored);
    put_number(to + 12, 4, frame->raw);
    put_number(to + 16, 8, (uint64_t)frame->time_ns);
    put_number(to + 24, 4, crc32(0, to + FRAME_HEAD_SIZE, frame->stored));
    put_number(to + 28, 4, crc32(0, to, 28));
    return FRAME_HEAD_SIZE + frame->stored;
}

static enum frame_reading bad_frame(const char **why, const char *reason) {
    *why = reason;
    return FRAME_BAD;
}

enum frame_reading frame_read(const uint8_t *bytes, size_t size, struct frame *frame,
                              const char **why) {
    if (size < FRAME_HEAD_SIZE)
        return FRAME_CUT_SHORT;
    if (get_number(bytes + 28, 4) != crc32(0, bytes, 28))
        return bad_frame(why, "the header of this record is damaged");
    int kind = 0;
    while (kind < FRAME_KIND_COUNT && memcmp(bytes, kinds[kind], 4) != 0)
        kind++;
    if (kind == FRAME_KIND_COUNT)
        return bad_frame(why, "unknown kind of record");
    *frame = (struct frame){
        .kind = (enum frame_kind)kind,
        .number = (uint32_t)get_number(bytes + 4, 4),
        .stored = (uint32_t)get_number(bytes + 8, 4),
        .raw = (uint32_t)get_number(bytes + 12, 4),
        .time_ns = (int64_t)get_number(bytes + 16, 8),
        .bytes = bytes + FRAME_HEAD_SIZE,
    };
    if (frame->raw > FRAME_RAW_MAX)
        return bad_frame(why, "this record claims to be larger than a record may be");
    if (frame->time_ns < 0 || frame->time_ns > FRAME_TIME_MAX_NS)
        return bad_frame(why, "this record's time is impossible");
    if (frame->stored > size - FRAME_HEAD_SIZE)
        return FRAME_CUT_SHORT;
    if (get_number(bytes + 24, 4) != crc32(0, frame->bytes, frame->stored))
        return bad_frame(why, "this record is damaged");
    return FRAME_OK;
}

const char *frame_inflate(const struct frame *frame, uint8_t *raw) {
    uLongf length = frame->raw;
    const int result = uncompress(raw, &length, frame->bytes, frame->stored);
    return result == Z_OK && length == frame->raw ? NULL : "this record can't be inflated";
}
