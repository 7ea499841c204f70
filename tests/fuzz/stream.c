/* The data that either side of the wire may receive: a sequence of steps, each a kind, a length in
 * two bytes and contents. Kind 0 is unchanged text; the others are bodies of frames with correct
 * checksums. */
#include "tests/fuzz/fuzz.h"

#include "record/format/sample_codec.h"
#include "record/format/stream.h"
#include "remote/wire.h"
#include "tests/fuzz/parts.h"

enum { LINES_MAX = 1 << 18, HEAD = 3 };

static struct framer framer;
static struct decoder *decoder;
static bool lost;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    if (!(decoder = decoder_create()) || !framer_init(&framer, WIRE_FROM_SOLVER))
        abort();
    return 0;
}

static void check_sample(const struct sample *sample) {
    fuzz_check_sample(sample);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct field *field = &sample->lanes[l].field;
        if ((long)field->downsample.cols * field->downsample.rows > FIELD_MAX_CELLS)
            abort();
    }
}

static void check_plan(const struct plan *plan) {
    fuzz_check_text(plan->preset, false);
    if (plan->lane_count < 1 || plan->lane_count > LANES_MAX || plan->fps < 1)
        abort();
    for (int l = 0; l < plan->lane_count; l++) {
        const struct lane_spec *spec = &plan->lanes[l];
        fuzz_check_text(plan->recordings[l].path, false);
        if (!spec->engine.problem || spec->engine.mesh.Nx < 1 || !(spec->tolerance >= 0))
            abort();
        for (int c = 0; c < spec->choice_count; c++)
            if (!spec->choices[c])
                abort();
    }
}

/* Handles the frame as client.c and server.c do. */
static void take(const struct frame *frame) {
    static struct plan plan;
    struct command command = {0};
    struct error error = {0};
    if (frame->kind == FRAME_FULL || frame->kind == FRAME_DIFF) {
        lost = (lost && frame->kind != FRAME_FULL) || decoder_take(decoder, frame);
        if (!lost)
            check_sample(decoder->now);
        return;
    }
    if (frame_inflate(frame, decoder->raw))
        return;
    struct codec codec = codec_reader(decoder->raw, frame->raw);
    if (frame->kind == FRAME_CHECKED || frame->kind == FRAME_CHECK || frame->kind == FRAME_SEEN)
        number_code(&codec, 0);
    if (frame->kind == FRAME_CHECKED)
        error_code(&codec, &error);
    if (frame->kind == FRAME_COMMAND)
        command_code(&codec, &command, &plan);
    if (frame->kind == FRAME_CHECK)
        plan_code(&codec, &plan);
    fuzz_check_text(error.message, false);
    if (!codec.failed && (command.plan || frame->kind == FRAME_CHECK))
        check_plan(&plan);
}

static void read_lines(const char *bytes, size_t size) {
    framer_push(&framer, bytes, size);
    for (enum framer_found found; (found = framer_next(&framer));)
        if (found == FRAMER_FRAME)
            take(&framer.frame);
        else
            handshake_find(framer.line);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static uint8_t packed[FRAME_HEAD_SIZE + (1 << 16) + STORE_MORE];
    static char lines[LINES_MAX];
    struct frame frame = {0};
    lost = true;
    for (size_t at = 0; at + HEAD <= size;) {
        size_t length = bytes[at + 1] | (size_t)bytes[at + 2] << 8;
        const uint8_t *contents = bytes + at + HEAD;
        if (length > size - at - HEAD)
            length = size - at - HEAD;
        if (bytes[at] == 0) {
            read_lines((const char *)contents, length);
        } else {
            frame.kind = (enum frame_kind)(bytes[at] % FRAME_KIND_COUNT);
            frame.number++;
            frame.raw = (uint32_t)length;
            frame.stored = (uint32_t)parts_store(packed + FRAME_HEAD_SIZE, contents, length);
            read_lines(lines,
                       wire_write(lines, WIRE_FROM_SOLVER, packed, frame_put_head(packed, &frame)));
        }
        at += HEAD + length;
    }
    read_lines("\n", 1);
    return 0;
}
