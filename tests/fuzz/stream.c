/* What either side of a run elsewhere may be sent: a row of steps, each a kind, a length in two
 * bytes and contents. Kind 0 is text as it is; the others are messages with right check sums, a
 * sample's frame packed from its parts (see parts.h). */
#include "tests/fuzz/fuzz.h"

#include "remote/message.h"
#include "tests/fuzz/parts.h"

enum { LINES_MAX = 1 << 18, HEAD = 3, UNRECORDED_MAX = 64 };

static struct line_reader reader = {.mark = LINE_FROM_SOLVER};
static struct decoder decoder;
static struct sample *sample;
static bool lost;

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    sample = sample_create();
    if (!sample || !decoder_init(&decoder))
        abort();
    return 0;
}

static void check_sample(void) {
    fuzz_check_text(sample->preset, false);
    fuzz_check_text(sample->problem, false);
    fuzz_check_text(sample->error.message, false);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct field *field = &sample->lanes[l].field;
        fuzz_check_text(sample->lanes[l].recorded, false);
        fuzz_check_text(sample->lanes[l].backend, false);
        fuzz_check_text(sample->lanes[l].device, false);
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

/* As remote.c and serve.c take it. */
static void take(const struct message *message) {
    static struct plan plan;
    struct codec codec = codec_reader(message->bytes, message->size);
    struct solution solutions[LANES_MAX];
    struct command command = {0};
    struct error error = {0};
    unsigned number = 0;
    switch (message->kind) {
    case MESSAGE_SAMPLE:
        lost = message_read_sample(message, &decoder, lost, sample) != NULL;
        if (!lost)
            check_sample();
        break;
    case MESSAGE_CHECKED:
        message_code_number(&codec, &number);
        message_code_error(&codec, &error);
        fuzz_check_text(error.message, false);
        break;
    case MESSAGE_SOLUTIONS:
        message_code_solutions(&codec, solutions);
        break;
    case MESSAGE_COMMAND:
        message_code_command(&codec, &command, &plan);
        if (!codec.failed && command.plan)
            check_plan(command.plan);
        break;
    case MESSAGE_CHECK:
        message_code_number(&codec, &number);
        message_code_plan(&codec, &plan);
        if (!codec.failed)
            check_plan(&plan);
        break;
    case MESSAGE_SEEN:
        message_code_number(&codec, &number);
        break;
    }
}

static void read_lines(const char *bytes, size_t size) {
    line_give(&reader, bytes, size);
    for (enum line_found found; (found = line_take(&reader));)
        if (found == LINE_MESSAGE)
            take(&reader.message);
        else
            hello_find(reader.line);
}

/* A sample's contents: what a recording doesn't keep, of UNRECORDED_MAX bytes or fewer, and the
 * parts of one frame. */
static size_t pack_sample(const uint8_t *contents, size_t size, uint8_t *to) {
    static uint8_t parts[LINES_MAX];
    size_t frame_size;
    struct codec codec = codec_reader(contents, size);
    message_code_unrecorded(&codec, sample);
    const size_t head = codec.failed || codec.at > UNRECORDED_MAX ? 0 : codec.at;
    parts[0] = 1;
    parts[1] = '\n';
    memcpy(parts + 2, contents + head, size - head);
    const uint8_t *frame = parts_pack(parts, size - head + 2, &frame_size);
    memcpy(to, contents, head);
    if (frame_size > LINES_MAX / 2)
        frame_size = LINES_MAX / 2;
    memcpy(to + head, frame + 1, frame_size - 1);
    return head + frame_size - 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const char kinds[] = {MESSAGE_SAMPLE,    MESSAGE_SAMPLE,  MESSAGE_CHECKED,
                                 MESSAGE_SOLUTIONS, MESSAGE_COMMAND, MESSAGE_CHECK,
                                 MESSAGE_SEEN,      MESSAGE_FULL};
    static char lines[LINES_MAX];
    static uint8_t packed[LINES_MAX];
    unsigned number = 0;
    lost = true;
    for (size_t at = 0; at + HEAD <= size;) {
        size_t length = bytes[at + 1] | (size_t)bytes[at + 2] << 8;
        const uint8_t *contents = bytes + at + HEAD;
        if (length > size - at - HEAD)
            length = size - at - HEAD;
        if (bytes[at] == 0) {
            read_lines((const char *)contents, length);
        } else {
            struct message message = {kinds[bytes[at] % sizeof kinds], ++number, contents, length};
            if (message.kind == MESSAGE_SAMPLE) {
                message.size = pack_sample(contents, length, packed);
                message.bytes = packed;
            }
            if (line_room(message.size) < sizeof lines)
                read_lines(lines, line_write(lines, LINE_FROM_SOLVER, &message));
        }
        at += HEAD + length;
    }
    read_lines("\n", 1);
    return 0;
}
