#include "record/format/stream.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "record/format/sample_codec.h"

/* ---- writing -------------------------------------------------------------------------------- */

struct encoder {
    struct sample *last, *next; /* what was written last; room for the next */
    uint8_t *raw, *stored;
    size_t stored_room;
    z_stream deflater;
};

struct encoder *encoder_create(void) {
    struct encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder)
        return NULL;
    encoder->stored_room = frame_room(RECORD_RAW_MAX);
    encoder->last = sample_create();
    encoder->next = sample_create();
    encoder->raw = malloc(RECORD_RAW_MAX);
    encoder->stored = malloc(encoder->stored_room);
    const bool deflates = deflateInit(&encoder->deflater, Z_BEST_SPEED) == Z_OK;
    if (deflates && encoder->last && encoder->next && encoder->raw && encoder->stored)
        return encoder;
    encoder_destroy(encoder);
    return NULL;
}

void encoder_destroy(struct encoder *encoder) {
    if (!encoder)
        return;
    sample_destroy(encoder->last);
    sample_destroy(encoder->next);
    free(encoder->raw);
    free(encoder->stored);
    deflateEnd(&encoder->deflater);
    free(encoder);
}

static enum status make_frame(struct encoder *encoder, enum frame_kind kind, int64_t time_ns,
                              size_t raw_size, const uint8_t **bytes, size_t *size,
                              struct error *error) {
    *bytes = encoder->stored;
    *size = frame_write(encoder->stored, encoder->stored_room, kind, time_ns, encoder->raw,
                        raw_size, &encoder->deflater);
    return *size ? STATUS_OK
                 : error_set(error, STATUS_INTERNAL, "recording: zlib can't deflate a record");
}

enum status encoder_sample(struct encoder *encoder, const struct sample *sample, int64_t time_ns,
                           bool full, bool with_fields, const uint8_t **bytes, size_t *size,
                           struct error *error) {
    sample_copy(encoder->next, sample);
    for (int l = 0; l < encoder->next->lane_count && !with_fields; l++)
        lane_fields_copy(&encoder->next->lanes[l], &encoder->last->lanes[l]);
    sample_prepare(encoder->next, encoder->last);
    if (full)
        sample_clear(encoder->last);
    /* A reader keeps the lanes that a sample has no more as they were, and the next one that has
     * them again is told by its differences from these. */
    for (int l = encoder->next->lane_count; l < LANES_MAX; l++)
        lane_sample_copy(&encoder->next->lanes[l], &encoder->last->lanes[l]);
    struct codec codec = codec_writer(encoder->raw, RECORD_RAW_MAX);
    sample_code(&codec, encoder->next, encoder->last);
    if (codec.failed)
        return error_set(error, STATUS_INTERNAL, "recording: %s", codec.failed);
    struct sample *written = encoder->next;
    encoder->next = encoder->last;
    encoder->last = written;
    return make_frame(encoder, full ? FRAME_FULL : FRAME_DIFF, time_ns, codec.at, bytes, size,
                      error);
}

enum status encoder_chapter(struct encoder *encoder, const char *title, int64_t time_ns,
                            const uint8_t **bytes, size_t *size, struct error *error) {
    const size_t length = strlen(title);
    memcpy(encoder->raw, title, length);
    return make_frame(encoder, FRAME_CHAPTER, time_ns, length, bytes, size, error);
}

/* ---- reading -------------------------------------------------------------------------------- */

const char decoder_no_memory[] = "out of memory";

bool decoder_init(struct decoder *decoder) {
    *decoder = (struct decoder){.now = sample_create(), .before = sample_create()};
    return decoder->now && decoder->before;
}

void decoder_finish(struct decoder *decoder) {
    sample_destroy(decoder->now);
    sample_destroy(decoder->before);
    free(decoder->raw);
    *decoder = (struct decoder){0};
}

const char *decoder_take(struct decoder *decoder, const struct frame *frame) {
    if (frame->raw > decoder->raw_room) {
        free(decoder->raw);
        decoder->raw = malloc(frame->raw);
        decoder->raw_room = decoder->raw ? frame->raw : 0;
        if (!decoder->raw)
            return decoder_no_memory;
    }
    const char *wrong = frame_inflate(frame, decoder->raw);
    if (wrong)
        return wrong;
    if (frame->kind == FRAME_FULL)
        sample_clear(decoder->now);
    struct sample *before = decoder->now;
    decoder->now = decoder->before;
    decoder->before = before;
    struct codec codec = codec_reader(decoder->raw, frame->raw);
    /* Lanes that this sample has no more are as they were. */
    sample_copy(decoder->now, before);
    sample_code(&codec, decoder->now, before);
    if (!codec.failed && codec.at != frame->raw)
        codec_fail(&codec, "this record is longer than its sample");
    return codec.failed;
}
