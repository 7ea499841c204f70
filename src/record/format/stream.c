#include "record/format/stream.h"

#include <stdlib.h>
#include <string.h>

#include "record/format/sample_codec.h"

/* ---- frames --------------------------------------------------------------------------------- */

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

const char frame_cut_short[] = "this record is cut short";

const char *frame_read(const uint8_t *bytes, size_t size, struct frame *frame) {
    if (size < FRAME_HEAD_SIZE)
        return frame_cut_short;
    if (get_number(bytes + 28, 4) != crc32(0, bytes, 28))
        return "the header of this record is damaged";
    int kind = 0;
    while (kind < FRAME_KIND_COUNT && memcmp(bytes, kinds[kind], 4) != 0)
        kind++;
    if (kind == FRAME_KIND_COUNT)
        return "unknown kind of record";
    *frame = (struct frame){
        .kind = (enum frame_kind)kind,
        .number = (uint32_t)get_number(bytes + 4, 4),
        .stored = (uint32_t)get_number(bytes + 8, 4),
        .raw = (uint32_t)get_number(bytes + 12, 4),
        .time_ns = (int64_t)get_number(bytes + 16, 8),
        .bytes = bytes + FRAME_HEAD_SIZE,
    };
    if (frame->raw > FRAME_RAW_MAX)
        return "this record claims to be larger than a record may be";
    if (frame->time_ns < 0 || frame->time_ns > FRAME_TIME_MAX_NS)
        return "this record's time is impossible";
    if (frame->stored > size - FRAME_HEAD_SIZE)
        return frame_cut_short;
    if (get_number(bytes + 24, 4) != crc32(0, frame->bytes, frame->stored))
        return "this record is damaged";
    return NULL;
}

const char *frame_inflate(const struct frame *frame, uint8_t *raw) {
    uLongf length = frame->raw;
    const int result = uncompress(raw, &length, frame->bytes, frame->stored);
    return result == Z_OK && length == frame->raw ? NULL : "this record can't be inflated";
}

/* ---- writing -------------------------------------------------------------------------------- */

struct encoder *encoder_create(void) {
    struct encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder)
        return NULL;
    encoder->next = sample_create();
    encoder->last = sample_create();
    encoder->raw = malloc(FRAME_RAW_MAX);
    encoder->bytes = malloc(frame_room(FRAME_RAW_MAX));
    if (encoder->next && encoder->last && encoder->raw && encoder->bytes &&
        deflateInit(&encoder->deflater, Z_BEST_SPEED) == Z_OK)
        return encoder;
    encoder_destroy(encoder);
    return NULL;
}

void encoder_destroy(struct encoder *encoder) {
    if (!encoder)
        return;
    sample_destroy(encoder->next);
    sample_destroy(encoder->last);
    deflateEnd(&encoder->deflater);
    free(encoder->raw);
    free(encoder->bytes);
    free(encoder);
}

struct codec encoder_begin(const struct encoder *encoder) {
    return codec_writer(encoder->raw, FRAME_RAW_MAX);
}

enum status encoder_end(struct encoder *encoder, enum frame_kind kind, int64_t time_ns,
                        const struct codec *codec, struct error *error) {
    z_stream *deflater = &encoder->deflater;
    struct frame frame = {.kind = kind,
                          .number = encoder->number + 1,
                          .raw = (uint32_t)codec->at,
                          .time_ns = time_ns};
    if (codec->failed)
        return error_set(error, STATUS_INTERNAL, "recording: %s", codec->failed);
    const bool is_ready = deflateReset(deflater) == Z_OK;
    deflater->next_in = encoder->raw;
    deflater->avail_in = frame.raw;
    deflater->next_out = encoder->bytes + FRAME_HEAD_SIZE;
    deflater->avail_out = (uInt)(frame_room(FRAME_RAW_MAX) - FRAME_HEAD_SIZE);
    if (!is_ready || deflate(deflater, Z_FINISH) != Z_STREAM_END)
        return error_set(error, STATUS_INTERNAL, "recording: zlib can't deflate a record");
    frame.stored = (uint32_t)deflater->total_out;
    encoder->size = frame_put_head(encoder->bytes, &frame);
    encoder->number = frame.number;
    return STATUS_OK;
}

enum status encoder_sample(struct encoder *encoder, int64_t time_ns, bool full,
                           struct error *error) {
    struct sample *const next = encoder->next, *const last = encoder->last;
    struct codec codec = encoder_begin(encoder);
    sample_prepare(next, last);
    sample_code(&codec, next, full ? NULL : last);
    const enum status status =
        encoder_end(encoder, full ? FRAME_FULL : FRAME_DIFF, time_ns, &codec, error);
    encoder->next = last;
    encoder->last = next;
    return status;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct decoder *decoder_create(void) {
    struct decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return NULL;
    decoder->now = sample_create();
    decoder->before = sample_create();
    decoder->raw = malloc(FRAME_RAW_MAX);
    if (decoder->now && decoder->before && decoder->raw)
        return decoder;
    decoder_destroy(decoder);
    return NULL;
}

void decoder_destroy(struct decoder *decoder) {
    if (!decoder)
        return;
    sample_destroy(decoder->now);
    sample_destroy(decoder->before);
    free(decoder->raw);
    free(decoder);
}

const char *decoder_take(struct decoder *decoder, const struct frame *frame) {
    const char *wrong = frame_inflate(frame, decoder->raw);
    if (wrong)
        return wrong;
    struct sample *const now = decoder->before, *const before = decoder->now;
    struct codec codec = codec_reader(decoder->raw, frame->raw);
    sample_code(&codec, now, frame->kind == FRAME_FULL ? NULL : before);
    if (!codec.failed && codec.at != frame->raw)
        codec_fail(&codec, "this record is longer than its sample");
    if (codec.failed)
        return codec.failed;
    decoder->now = now;
    decoder->before = before;
    return NULL;
}
