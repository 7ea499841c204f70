/* Recordings that are truncated, damaged or malicious, and a program killed while recording. */
#include "tests/fixtures/recordings.h"

#include <sys/wait.h>
#include <zlib.h>

#include "core/process.h"
#include "record/format/sample_codec.h"
#include "record/format/stream.h"

/* ---- damage --------------------------------------------------------------------------------- */

/* Records a run; returns the file and sets the sizes of it and of its first line. */
static uint8_t *record_and_read(size_t *size, size_t *line) {
    record_run(NULL);
    uint8_t *bytes = read_whole(path, size);
    *line = (size_t)((uint8_t *)memchr(bytes, '\n', *size) - bytes) + 1;
    return bytes;
}

TEST(cut_short_anywhere) {
    size_t size, line;
    owned_memory uint8_t *bytes = record_and_read(&size, &line);
    int refused = 0, before = 0;
    for (size_t cut = 0; cut < size; cut++) {
        /* A separate copy, so that a sanitizer detects reads beyond the end. */
        owned_memory uint8_t *copy = malloc(cut + 1);
        memcpy(copy, bytes, cut);
        owned_recording recording = NULL;
        /* Every cut near the beginning, then a selection: testing every byte would take long. */
        if (cut > line + (tests_are_full() ? 4000 : 500) && cut % (tests_are_full() ? 7 : 29))
            continue;
        if (recording_parse(copy, cut, "cut", &recording, &error)) {
            assert_int_equal(error.status, STATUS_BAD_INPUT);
            assert_contains(error.message, "cut: byte ");
            refused++;
        } else {
            const int count = recording->count;
            assert_true(count >= before && count <= SAMPLES);
            before = count;
            recording_sample(recording, count - 1);
        }
    }
    assert_true(refused > (int)line && before >= SAMPLES - 1);
}

/* Every bit of the first line, including its newline, and one bit of the bytes after it; in quick
 * mode every third, and of fewer bytes. */
TEST(flipped_bits) {
    size_t size, line;
    owned_memory uint8_t *bytes = record_and_read(&size, &line);
    const size_t near = line + (tests_are_full() ? 2000 : 300), step = tests_are_full() ? 1 : 3;
    for (size_t bit = 0, at; bit < 8 * size; bit += at < line ? step : at < near ? 8 : 296) {
        at = bit / 8;
        struct recording *recording = NULL;
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        if (recording_parse(bytes, size, "flipped", &recording, &error) != STATUS_BAD_INPUT)
            fail_msg("bit %zu of byte %zu: '%.40s'", bit % 8, bit / 8, bytes + bit / 8);
        assert_contains(error.message, "flipped: byte ");
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    print_message("the bits of a first line of %zu bytes, and of others, flipped\n", line);
}

/* The first line of a recording with these members. */
static char *first_line(const char *members) {
    char *open_line, *line;
    assert_true(asprintf(&open_line, "{%s,\"crc32\":\"", members) > 0);
    assert_true(asprintf(&line, "%s%08lx\"}\n", open_line,
                         crc32(0, (const uint8_t *)open_line, (uInt)strlen(open_line))) > 0);
    free(open_line);
    return line;
}

/* A header with one text replaced, followed by the records. */
static enum status parse_with_header(const char *header) {
    size_t size;
    owned_memory uint8_t *bytes = read_whole(path, &size);
    const size_t line = (size_t)((uint8_t *)memchr(bytes, '\n', size) - bytes) + 1;
    const size_t length = strlen(header);
    owned_memory uint8_t *whole = malloc(length + size);
    memcpy(whole, header, length);
    memcpy(whole + length, bytes + line, size - line);
    owned_recording recording = NULL;
    const enum status status =
        recording_parse(whole, length + size - line, "header", &recording, &error);
    for (const char *c = status ? "" : recording->header.device; *c; c++)
        assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
    return status;
}

TEST(hostile_headers) {
    record_run(NULL);
    for_each_word(text, "", "\n", "[]\n", "{}\n", "{\"format\":1}\n",
                  "{\"format\":\"jacobi-tui recording\"}\n",
                  "{\"format\":\"jacobi-tui recording\",\"version\":2}\n",
                  "{\"format\":\"jacobi-tui recording\",\"version\":\"1\"}\n",
                  "{\"format\":\"jacobi-tui recording\",\"version\":1e999}\n",
                  "{\"format\":\"jacobi-tui recording\",\"version\":1\n",
                  "{\"format\":\"jacobi-tui recording\",\"version\":1}\n")
        assert_refused(parse_with_header(text), STATUS_BAD_INPUT, "byte ");
    owned_memory char *strange = first_line("\"format\":\"jacobi-tui recording\",\"version\":1,"
                                            "\"device\":\"\\u001b]0;owned\\u0007\\u009b31m\","
                                            "\"view\":7,\"reference\":[],\"machine\":\"\"");
    assert_ok(parse_with_header(strange));
    owned_memory char *deep = malloc(60000);
    memset(deep, '[', 59998);
    memcpy(deep, "{\"a\":", 5);
    memcpy(deep + 59998, "\n", 2);
    assert_int_equal(parse_with_header(deep), STATUS_BAD_INPUT);
}

/* Parses a recording whose only record has these fields, valid or not. */
static enum status parse_fields(const uint8_t *fields, size_t size) {
    owned_memory char *header = first_line("\"format\":\"jacobi-tui recording\",\"version\":1");
    const size_t room = frame_room(size), line = strlen(header);
    owned_memory uint8_t *whole = malloc(line + room);
    struct frame frame = {.kind = FRAME_FULL, .number = 1, .raw = (uint32_t)size};
    uLongf stored = room - FRAME_HEAD_SIZE;
    memcpy(whole, header, line);
    assert_int_equal(compress(whole + line + FRAME_HEAD_SIZE, &stored, fields, size), Z_OK);
    frame.stored = (uint32_t)stored;
    const size_t length = line + frame_put_head(whole + line, &frame);
    owned_recording recording = NULL;
    return recording_parse(whole, length, "fields", &recording, &error);
}

TEST(hostile_fields) {
    uint8_t fields[512];
    uint32_t random = 12345;
    for (int round = 0; round < (tests_are_full() ? 3000 : 1000); round++) {
        const size_t size = random % sizeof fields;
        for (size_t k = 0; k < size; k++) {
            random = random * 1664525 + 1013904223;
            fields[k] = (uint8_t)(round % 2 ? random >> 24 : (random >> 24) % 4);
        }
        if (parse_fields(fields, size))
            assert_int_equal(error.status, STATUS_BAD_INPUT);
    }
}

/* Counts that a writer never stores: one event or one cell too many. */
TEST(counts_are_bounded) {
    static struct lane_sample lane, before;
    static const struct field none;
    struct downsample downsample = {.i1 = 10, .j1 = 10, .cols = 10, .rows = 10};
    float cells[100];
    struct field field = {.cells = cells};
    uint8_t bytes[64];
    struct codec writer = codec_writer(bytes, sizeof bytes);
    codec_number(&writer, 0, 0, 0, 0, "kept events");
    codec_number(&writer, SAMPLE_EVENTS + 1, 0, 0, INT32_MAX, "events");
    struct codec reader = codec_reader(bytes, writer.at);
    events_code(&reader, &lane, &before);
    assert_string_equal(reader.failed, "too many events");
    writer = codec_writer(bytes, sizeof bytes);
    codec_fields(&writer, &downsample, &none.downsample, downsample_fields);
    reader = codec_reader(bytes, writer.at);
    cells_code(&reader, &field, &none, 99);
    assert_string_equal(reader.failed, "the field has too many cells");
}

/* A record with more lanes than a sample may have: their number is the first byte in which samples
 * with one and with two lanes differ. */
TEST(lanes_are_bounded) {
    static uint8_t bytes[2][1 << 16];
    struct sampled_run run;
    open_run(&run);
    struct sample *sample = (struct sample *)sampled_run_next(&run, 5);
    size_t size = 0, at = 0;
    for (int lanes = 1; lanes <= 2; lanes++) {
        struct codec writer = codec_writer(bytes[lanes - 1], sizeof bytes[0]);
        sample->lane_count = lanes;
        sample_code(&writer, sample, NULL);
        assert_null(writer.failed);
        size = writer.at;
    }
    while (bytes[0][at] == bytes[1][at])
        at++;
    assert_int_equal(bytes[1][at], 2 * 2); /* zigzag */
    bytes[1][at] = 2 * (LANES_MAX + 1);
    assert_refused(parse_fields(bytes[1], size), STATUS_BAD_INPUT, "lane_count");
    sampled_run_close(&run);
}

/* A small record that inflates beyond a record's maximum size. */
TEST(inflation_is_bounded) {
    const size_t size = 64 << 20;
    owned_memory uint8_t *zeros = calloc(1, size);
    assert_refused(parse_fields(zeros, size), STATUS_BAD_INPUT, "larger");
}

/* A recording of a full record and `count` equal differences; cols × rows cells per lane. */
static enum status parse_differences(int count, int cols, int rows, int64_t time_ns) {
    owned_memory char *header = first_line("\"format\":\"jacobi-tui recording\",\"version\":1");
    struct encoder *encoder = encoder_create();
    struct sampled_run run;
    open_run(&run);
    struct sample *const sample = (struct sample *)sampled_run_next(&run, 5);
    for (int l = 0; l < sample->lane_count; l++) {
        struct field *field = &sample->lanes[l].field;
        field->downsample.cols = cols;
        field->downsample.rows = rows;
        memset(field->cells, 0, (size_t)cols * (size_t)rows * sizeof *field->cells);
    }
    const size_t line = strlen(header);
    size_t used = line;
    owned_memory uint8_t *whole = malloc(line + (1 << 20) + (size_t)count * 4096);
    memcpy(whole, header, line);
    for (int k = 0; k < 2; k++) {
        sample_copy(encoder->next, sample);
        assert_ok(encoder_sample(encoder, 0, k == 0, &error));
        memcpy(whole + used, encoder->bytes, encoder->size);
        used += encoder->size;
    }
    struct frame frame;
    const size_t size = encoder->size, first = used - size;
    assert_null(frame_read(whole + first, size, &frame));
    assert_true(size < 4096);
    for (int k = 1; k < count; k++) {
        frame.number++;
        frame.time_ns = time_ns;
        memcpy(whole + used, whole + first, size);
        used += frame_put_head(whole + used, &frame);
    }
    owned_recording recording = NULL;
    const enum status status = recording_parse(whole, used, "differences", &recording, &error);
    encoder_destroy(encoder);
    sampled_run_close(&run);
    return status;
}

/* Recordings that take long to open or to seek in are rejected, and so are impossible times. */
TEST(differences_are_bounded) {
    assert_ok(parse_differences(RECORDING_DIFFERENCES_MAX, 10, 6, 5));
    assert_refused(parse_differences(RECORDING_DIFFERENCES_MAX + 1, 10, 6, 5), STATUS_BAD_INPUT,
                   "too many differences");
    assert_ok(parse_differences(2, 10, 6, FRAME_TIME_MAX_NS));
    assert_int_equal(parse_differences(2, 10, 6, FRAME_TIME_MAX_NS + 1), STATUS_BAD_INPUT);
    assert_int_equal(parse_differences(2, 10, 6, -1), STATUS_BAD_INPUT);
}

/* Any time that a peer may send is recorded in a form that can be opened again. */
TEST(impossible_times) {
    struct sampled_run run;
    open_run(&run);
    for (int k = 0; k < 3; k++) {
        struct sample *sample = (struct sample *)sampled_run_next(&run, 5);
        sample->time_ns = k == 0 ? 7 : INT64_MAX - 10 + k;
        sample->lanes[0].totals.of[EVENT_KERNEL][PHASE_NORM].total_ns =
            -5; /* measured with a clock that was set back */
        struct event *last = &sample->lanes[0].events[sample->lanes[0].event_count - 1];
        last->start_ns = last->duration_ns = INT64_MAX;
        sample->state = SESSION_PAUSED; /* a paused sample is always recorded */
        sampled_run_record(&run);
        sample->time_ns = 0; /* the run adds to it */
    }
    sampled_run_close(&run);
    owned_recording recording = load(path);
    assert_int_equal(recording->count, 3);
    const struct lane_sample *lane = &recording_sample(recording, 2)->lanes[0];
    const struct event *last = &lane->events[lane->event_count - 1];
    assert_true(last->start_ns < INT64_MAX / 4 && last->duration_ns < INT64_MAX / 4);
}

TEST(loading_is_interrupted) {
    record_run(NULL);
    const pid_t child = fork();
    if (child == 0) {
        struct recording *recording;
        interrupt_install();
        raise(SIGINT);
        _exit(recording_load(path, &recording, &error) != STATUS_INTERNAL);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- kill -9 -------------------------------------------------------------------------------- */

static void record_for_ever(int ready) {
    struct sampled_run run;
    open_run(&run);
    for (int k = 0;; k++) {
        struct sample *sample = (struct sample *)sampled_run_next(&run, k < SAMPLES - 2 ? 5 : 0);
        sample->state = k % 2 ? SESSION_PAUSED : SESSION_RUNNING;
        sampled_run_record(&run);
        if (k == 20 && write(ready, "x", 1) != 1)
            _exit(1);
    }
}

TEST(killed_in_the_middle) {
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0)
        record_for_ever(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    owned_recording recording = load(path);
    assert_true(recording->count >= 20);
    close(ready[0]);
    close(ready[1]);
}

TEST_MODULE(recording_damage, NULL, NULL)
