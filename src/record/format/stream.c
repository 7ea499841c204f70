#include "record/format/stream.h"

#include <stdlib.h>

#include "record/format/sample_codec.h"

/* ---- writing -------------------------------------------------------------------------------- */

struct encoder *encoder_create(void) {
    struct encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder)
        return NULL;
    encoder->next = sample_create();
    encoder->last = sample_create();
    encoder->raw = malloc(FRAME_RAW_MAX);
    encoder->room = malloc(frame_room(FRAME_RAW_MAX));
    if (encoder->next && encoder->last && encoder->raw && encoder->room &&
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
    free(encoder->room);
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
    deflater->next_out = encoder->room + FRAME_HEAD_SIZE;
    deflater->avail_out = (uInt)(frame_room(FRAME_RAW_MAX) - FRAME_HEAD_SIZE);
    if (!is_ready || deflate(deflater, Z_FINISH) != Z_STREAM_END)
        return error_set(error, STATUS_INTERNAL, "recording: zlib can't deflate a record");
    frame.stored = (uint32_t)deflater->total_out;
    encoder->bytes = encoder->room;
    encoder->size = frame_put_head(encoder->room, &frame);
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

const char decoder_no_memory[] = "out of memory";

struct decoder *decoder_create(void) {
    struct decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder)
        return NULL;
    decoder->now = sample_create();
    decoder->before = sample_create();
    if (decoder->now && decoder->before)
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

const char *decoder_body(struct decoder *decoder, const struct frame *frame) {
    if (frame->raw > decoder->raw_room) {
        free(decoder->raw);
        decoder->raw = malloc(frame->raw);
        decoder->raw_room = decoder->raw ? frame->raw : 0;
        if (!decoder->raw)
            return decoder_no_memory;
    }
    return frame_inflate(frame, decoder->raw);
}

const char *decoder_take(struct decoder *decoder, const struct frame *frame) {
    const char *wrong = decoder_body(decoder, frame);
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
