/* The traffic between a screen and a remote run: lines with noise and damage, plans with every
 * setting, and recordings that grow while they are read. */
#include "tests/fixtures/recordings.h"

#include "config/settings.h"
#include "record/format/sample_codec.h"
#include "record/format/stream.h"
#include "remote/wire.h"

enum { FRAMES = 200, NOISE_MAX = 1 << 20, BODY_MAX = 3000 };

/* ---- lines ---------------------------------------------------------------------------------- */

static unsigned random_number(unsigned below) {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

/* Frame n's body is determined by its number. */
static size_t make_body(unsigned number, uint8_t *bytes) {
    const size_t size = number % 7 == 0 ? 0 : number * 37 % BODY_MAX;
    for (size_t k = 0; k < size; k++)
        bytes[k] = (uint8_t)(number + k * k);
    return size;
}

/* Makes a frame without compression. */
static size_t make_frame(unsigned number, uint8_t bytes[FRAME_HEAD_SIZE + BODY_MAX]) {
    const struct frame frame = {.kind = FRAME_FULL,
                                .number = number,
                                .stored = (uint32_t)make_body(number, bytes + FRAME_HEAD_SIZE)};
    return frame_put_head(bytes, &frame);
}

static size_t make_stream(char *to, bool noise) {
    static uint8_t bytes[FRAME_HEAD_SIZE + BODY_MAX];
    size_t used = 0;
    for (unsigned number = 1; number <= FRAMES; number++) {
        if (noise && number % 3 == 0)
            used +=
                (size_t)sprintf(to + used, "jt< nonsense %u\r\nWelcome\n[1,0]<stdout>:", number);
        used += wire_write(to + used, WIRE_FROM_SOLVER, bytes, make_frame(number, bytes));
    }
    to[used] = '\0';
    return used;
}

/* Returns the number of frames read from the stream in pieces; each must match the written one. */
static int read_stream(const char *stream, size_t size, int *other) {
    static uint8_t bytes[BODY_MAX];
    struct framer framer = {0};
    assert_true(framer_init(&framer, WIRE_FROM_SOLVER));
    int count = 0;
    *other = 0;
    for (size_t at = 0; at < size;) {
        const size_t piece = 1 + random_number(2000), left = size - at;
        framer_push(&framer, stream + at, piece < left ? piece : left);
        at += piece < left ? piece : left;
        for (enum framer_found found; (found = framer_next(&framer));) {
            const struct frame *frame = &framer.frame;
            *other += found == FRAMER_OTHER;
            if (found == FRAMER_OTHER)
                continue;
            assert_int_equal(frame->kind, FRAME_FULL);
            assert_int_equal(frame->stored, make_body(frame->number, bytes));
            if (frame->stored > 0)
                assert_memory_equal(frame->bytes, bytes, frame->stored);
            count++;
        }
    }
    framer_finish(&framer);
    return count;
}

TEST(lines) {
    static char stream[NOISE_MAX];
    int other;
    assert_int_equal(read_stream(stream, make_stream(stream, false), &other), FRAMES);
    assert_int_equal(other, 0);
    assert_int_equal(read_stream(stream, make_stream(stream, true), &other), FRAMES);
    assert_int_equal(other, 2 * (FRAMES / 3));
    for (const char *c = stream; *c; c++) /* no byte affects a terminal's line discipline */
        assert_true(strchr("\n\r", *c) || ((unsigned char)*c >= ' ' && *c != 0x7f));
}

/* A damaged or missing frame is lost; it is never mistaken for another one. */
TEST(damaged_lines) {
    static char stream[NOISE_MAX];
    int least = FRAMES, other;
    for (int round = 0; round < 200; round++) {
        size_t size = make_stream(stream, round % 2);
        for (int k = 0; k < 20; k++) {
            const size_t at = random_number((unsigned)size);
            if (k % 4)
                stream[at] = (char)random_number(256);
            else
                memmove(stream + at, stream + at + 1, --size - at);
        }
        const int count = read_stream(stream, size, &other);
        least = count < least ? count : least;
        assert_true(count <= FRAMES && count >= FRAMES - 2 * 20);
    }
    print_message("at least %d of %d frames came through\n", least, FRAMES);
}

/* A frame that is longer than any frame may be is dropped; the next one is read. */
TEST(endless_frames) {
    enum { SIZE = FRAME_RAW_MAX + (1 << 20) };
    owned_memory uint8_t *bytes = calloc(1, SIZE);
    owned_memory char *stream = malloc(wire_room(SIZE) + (1 << 14));
    const struct frame frame = {.kind = FRAME_FULL, .number = 1, .stored = SIZE - FRAME_HEAD_SIZE};
    int other;
    assert_true(bytes && stream);
    size_t used = wire_write(stream, WIRE_FROM_SOLVER, bytes, frame_put_head(bytes, &frame));
    used += wire_write(stream + used, WIRE_FROM_SOLVER, bytes, make_frame(2, bytes));
    assert_int_equal(read_stream(stream, used, &other), 1);
    assert_int_equal(other, 0);
}

/* ---- plans ---------------------------------------------------------------------------------- */

static void forget_unused(struct plan *plan) {
    for (int l = 0; l < LANES_MAX; l++) {
        struct lane_spec *spec = &plan->lanes[l];
        if (l >= plan->lane_count)
            memset(spec, 0, sizeof *spec);
        for (int c = spec->choice_count; c < LANE_CHOICES_MAX; c++)
            spec->choices[c] = NULL;
    }
}

static bool survives(const struct plan *plan) {
    static struct plan asked, sent, got;
    static uint8_t bytes[WIRE_COMMAND_MAX];
    struct codec writer = codec_writer(bytes, sizeof bytes);
    asked = *plan;
    forget_unused(&asked);
    sent = asked; /* the codec bounds what it writes */
    plan_code(&writer, &sent);
    assert_null(writer.failed);
    struct codec reader = codec_reader(bytes, writer.at);
    plan_code(&reader, &got);
    if (reader.failed)
        fail_msg("%s", reader.failed);
    assert_int_equal(reader.at, writer.at);
    return memcmp(&asked, &got, sizeof got) == 0;
}

/* Tests each row of the settings that changes a plan, up to its bounds: detects a new one that is
 * not transmitted, and one that travels with narrower bounds. */
TEST(plans) {
    static struct config config, first;
    int rows = 0;
    config_init(&first);
    assert_true(survives(&first.plan));
    for (const struct setting *row = settings; row->name; row++) {
        struct words words;
        char bounds[2][32];
        bool changes = false;
        setting_words(row, &words);
        for (int b = 0; b < 2; b++) {
            print_to(bounds[b], "%.17g", b ? row->max : row->min);
            words.word[words.count++] = bounds[b];
        }
        for_each_word(value, "3", "64", "0.5", "7x5", "yes", "no", "1024", "time", "serial",
                      "serial,serial//fused")
            words.word[words.count++] = value;
        for (int w = 0; w < words.count && row->set; w++) {
            config_init(&config);
            if (!row->set(&config, row, row->argument || row->section ? words.word[w] : NULL) ||
                config_make_lanes(&config, &error))
                continue;
            changes |= memcmp(&config.plan, &first.plan, sizeof first.plan) != 0;
            if (!survives(&config.plan))
                fail_msg("--%s %s does not travel", row->name, words.word[w]);
        }
        rows += changes;
    }
    print_message("%d settings change a plan\n", rows);
    assert_true(rows >= 15);
}

TEST(studies_and_recordings) {
    static struct config config;
    config_init(&config);
    config.plan.study_count = 2;
    config.plan.study[0] = mesh_make(5, 6);
    config.plan.study[1] = mesh_make(7, 8);
    config.plan.recordings[0] = (struct plan_recording){.path = "some/file.rec", .lane = 2};
    print_to(config.plan.preset, "mi250");
    assert_true(survives(&config.plan));
}

/* The valid values of a command depend on its kind. */
TEST(command_values) {
    static const struct {
        enum command_kind kind;
        long value;
        bool allowed;
    } cases[] = {
        {COMMAND_PAUSE, 1, true},
        {COMMAND_PAUSE, 2, false},
        {COMMAND_STEP, 1, true},
        {COMMAND_STEP, -1, false},
        {COMMAND_SPEED, RUN_SPEED_MAX, true},
        {COMMAND_SPEED, 2000000000, false},
        {COMMAND_SPEED, -1, false},
        {COMMAND_RACE, RACE_SAME_TIME, true},
        {COMMAND_RACE, 1 + (long)RACE_SAME_TIME, false},
        {COMMAND_CHAPTER, -1, false}, /* for replays only */
    };
    static struct plan plan;
    for_each(row, cases) {
        uint8_t bytes[WIRE_COMMAND_MAX];
        struct command command = {.kind = row->kind, .value = row->value};
        struct codec writer = codec_writer(bytes, sizeof bytes);
        command_code(&writer, &command, &plan);
        struct codec reader = codec_reader(bytes, writer.at);
        command_code(&reader, &command, &plan);
        if (!reader.failed != row->allowed)
            fail_msg("command %d, value %ld: %s", (int)row->kind, row->value,
                     reader.failed ? reader.failed : "taken");
    }
}

/* ---- recordings that grow ------------------------------------------------------------------- */

/* Writes into the same file, as a recorder does. */
static void write_part(const char *to, const uint8_t *bytes, size_t size) {
    FILE *file = fopen(to, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* A file cut anywhere after its first sample that then grows must yield the whole recording. */
TEST(growing) {
    char growing[80];
    size_t size;
    int cuts = 0;
    record_run(NULL);
    owned_memory uint8_t *bytes = read_whole(path, &size);
    owned_recording whole = load(path);
    print_to(growing, "%s.part", path);
    const int last = whole->count - 1;
    const struct sample *end = recording_sample(whole, last);
    for (size_t cut = size / 5; cut < size; cut += 1 + size / 500, cuts++) {
        write_part(growing, bytes, cut);
        owned_recording grown = NULL;
        if (recording_load(growing, &grown, &error))
            continue;
        recording_sample(grown, 0);
        write_part(growing, bytes, size);
        if (recording_grow(grown, &error) || recording_grow(grown, &error))
            fail_msg("cut at %zu: %s", cut, error.message);
        assert_int_equal(grown->count, last + 1);
        assert_int_equal(grown->chapter_count, whole->chapter_count);
        for (int c = 0; c < whole->chapter_count; c++)
            assert_int_equal(grown->chapters[c].sample, whole->chapters[c].sample);
        const struct sample *sample = recording_sample(grown, last);
        assert_true(sample->lanes[0].iterations == end->lanes[0].iterations);
        assert_memory_equal(&sample->lanes[0].totals, &end->lanes[0].totals,
                            sizeof end->lanes[0].totals);
    }
    assert_true(cuts > 100);
    unlink(growing);
}

TEST_MODULE(stream, NULL, NULL)
