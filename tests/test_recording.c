#include "tests/support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "build_info.h"
#include "record/frame.h"
#include "record/recorder.h"
#include "record/recording.h"
#include "tests/samples.h"

enum { SAMPLES = 12 };

static char directory[] = "/tmp/jacobi-recording-XXXXXX";
static char path[64];

static int make_directory(void **state) {
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/run.rec", directory);
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static struct recording_about about_test(void) {
    struct config config = {
        .view = {.layout = "standard", .colormap = "viridis", .scale = SCALE_LOG}};
    config.view.x1 = config.view.y1 = 1;
    config.machine = (struct machine){.device = "Xeon", .bandwidth_gbs = 26.6, .gflops = NAN};
    config.reference.ms_per_iteration = 0.858;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        config.reference.kernel_ms[phase] = config.reference.kernel_gbs[phase] = NAN;
    config.reference.kernel_ms[PHASE_UPDATE] = 0.51;
    snprintf(config.command, sizeof config.command, "jacobi-tui --grid=20x13");
    struct recording_about about;
    about_from_config(&about, &config);
    return about;
}

static struct recorder *record_to(const char *where) {
    const struct recording_about about = about_test();
    struct recorder *recorder = NULL;
    struct error error = {0};
    unlink(where);
    if (recorder_open(where, &about, &recorder, &error))
        fail_msg("%s", error.message);
    return recorder;
}

static void open_run(struct sampled_run *run) {
    struct lane_spec specs[2] = {
        run_spec("blog", 20, 13, "serial", MAPPING_UNSTRUCTURED, "classic"),
        run_spec("blog", 20, 13, "serial", MAPPING_UNSTRUCTURED, "fused"),
    };
    specs[0].iterations = specs[1].iterations = 5 * SAMPLES;
    sampled_run_open(run, specs, 2, 10, 6);
}

/* None for a while, then more and fewer; the first has not begun at first. */
static void set_grids_beside(struct sample *sample, int k) {
    sample->beside_count = k < SAMPLES / 4 ? 0 : k < SAMPLES / 2 ? 3 : 2;
    for (int b = 0; b < sample->beside_count; b++) {
        struct beside *beside = &sample->beside[b];
        const struct lane_sample *lane = &sample->lanes[b % 2];
        *beside = (struct beside){0};
        if (b == 0 && k < SAMPLES / 3)
            continue;
        *beside = (struct beside){.nx = 7 + b,
                                  .ny = 9,
                                  .iterations = lane->iterations + b,
                                  .residual = 0.5 * lane->residual,
                                  .state = b == 1 ? LANE_CONVERGED : LANE_RUNNING,
                                  .history = lane->history};
    }
}

/* Records a run, keeping copies of its samples. */
static void record_run(struct sample **kept) {
    struct recorder *recorder = record_to(path);
    struct sampled_run run;
    struct error error = {0};
    open_run(&run);
    for (int k = 0; k < SAMPLES; k++) {
        const struct sample *sample = sampled_run_next(&run, 5);
        set_grids_beside(run.sample, k);
        assert_int_equal(recorder_add(recorder, sample, &error), STATUS_OK);
        if (kept) {
            assert_non_null(kept[k] = sample_create());
            sample_copy(kept[k], sample);
        }
    }
    recorder_close(recorder);
    sampled_run_close(&run);
}

static uint8_t *read_whole(const char *where, size_t *size) {
    struct stat info;
    FILE *file = fopen(where, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &info), 0);
    *size = (size_t)info.st_size;
    uint8_t *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static struct recording *load(const char *where) {
    struct recording *recording = NULL;
    struct error error = {0};
    if (recording_load(where, &recording, &error))
        fail_msg("%s", error.message);
    return recording;
}

/* ---- round trip ----------------------------------------------------------------------------- */

static void assert_same_field(const struct field *a, const struct field *b) {
    assert_memory_equal(&a->reduction, &b->reduction, sizeof a->reduction);
    assert_int_equal(a->iteration, b->iteration);
    assert_memory_equal(&a->min, &b->min, 3 * sizeof a->min);
    for (int k = 0; k < a->reduction.cols * a->reduction.rows; k++)
        if (a->cells[k] != b->cells[k])
            assert_close((double)a->cells[k], (double)b->cells[k], 0x1p-9);
}

/* The recorded events are the last of the live ones. */
static void assert_same_events(const struct lane_sample *a, const struct lane_sample *b) {
    assert_true(a->event_count >= 5 && a->event_count <= b->event_count);
    const struct event *last = b->events + b->event_count - a->event_count;
    for (int k = 0; k < a->event_count; k++) {
        assert_int_equal(a->events[k].kind, last[k].kind);
        assert_int_equal(a->events[k].phase, last[k].phase);
        assert_int_equal(a->events[k].array, last[k].array);
        assert_int_equal(a->events[k].clock, last[k].clock);
        assert_int_equal(a->events[k].iteration, last[k].iteration);
        assert_int_equal(a->events[k].start_ns, last[k].start_ns);
        assert_int_equal(a->events[k].duration_ns, last[k].duration_ns);
        assert_int_equal(a->events[k].bytes, last[k].bytes);
    }
}

static void assert_same_history(const struct history *a, const struct history *b) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->stride, b->stride);
    assert_memory_equal(a->residuals, b->residuals, (size_t)a->count * sizeof(double));
}

static void assert_same_lane(const struct lane_sample *a, const struct lane_sample *b) {
    assert_string_equal(a->backend, b->backend);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->device, b->device);
    assert_string_equal(a->driver, b->driver);
    assert_string_equal(a->architecture, b->architecture);
    assert_string_equal(a->fallback_from, b->fallback_from);
    assert_string_equal(a->fallback_reason, b->fallback_reason);
    assert_memory_equal(&a->roof, &b->roof, sizeof a->roof);
    assert_int_equal(a->mapping, b->mapping);
    assert_memory_equal(&a->schedule, &b->schedule, sizeof a->schedule);
    assert_int_equal(a->state, b->state);
    assert_int_equal(a->iterations, b->iterations);
    assert_memory_equal(&a->initial_residual, &b->initial_residual, 4 * sizeof(double));
    assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
    assert_memory_equal(&a->window, &b->window, sizeof a->window);
    assert_int_equal(a->window_iterations, b->window_iterations);
    assert_true(a->window_seconds == b->window_seconds);
    assert_memory_equal(a->spreads, b->spreads, sizeof a->spreads);
    assert_same_history(&a->history, &b->history);
    assert_int_equal(a->phase, b->phase);
    assert_same_events(a, b);
    assert_same_field(&a->field, &b->field);
}

static void assert_same_grids_beside(const struct sample *a, const struct sample *b) {
    assert_int_equal(a->beside_count, b->beside_count);
    for (int k = 0; k < a->beside_count; k++) {
        assert_int_equal(a->beside[k].nx, b->beside[k].nx);
        assert_int_equal(a->beside[k].ny, b->beside[k].ny);
        assert_int_equal(a->beside[k].iterations, b->beside[k].iterations);
        assert_true(a->beside[k].residual == b->beside[k].residual);
        assert_int_equal(a->beside[k].state, b->beside[k].state);
        assert_same_history(&a->beside[k].history, &b->beside[k].history);
    }
}

static void assert_same_sample(const struct sample *a, const struct sample *b) {
    assert_int_equal(a->time_ns, b->time_ns);
    assert_int_equal(a->state, b->state);
    assert_string_equal(a->preset, b->preset);
    assert_string_equal(a->problem, b->problem);
    assert_int_equal(a->nx, b->nx);
    assert_int_equal(a->ny, b->ny);
    assert_int_equal(a->iteration_limit, b->iteration_limit);
    assert_true(a->tolerance == b->tolerance);
    assert_int_equal(a->lane_count, b->lane_count);
    for (int l = 0; l < a->lane_count; l++)
        assert_same_lane(&a->lanes[l], &b->lanes[l]);
    assert_same_grids_beside(a, b);
}

static void test_round_trip(void **state) {
    (void)state;
    struct sample *kept[SAMPLES];
    record_run(kept);
    struct recording *recording = load(path);
    assert_int_equal(recording_sample_count(recording), SAMPLES);
    assert_int_equal(recording_cut_at(recording), -1);
    for (int k = 0; k < SAMPLES; k++)
        assert_same_sample(recording_sample(recording, k), kept[k]);
    for (int k = SAMPLES - 1; k >= 0; k -= 3) /* backwards too */
        assert_same_sample(recording_sample(recording, k), kept[k]);
    for (int k = 0; k < SAMPLES; k++)
        sample_destroy(kept[k]);
    recording_close(recording);
}

static void test_about(void **state) {
    (void)state;
    record_run(NULL);
    struct recording *recording = load(path);
    const struct recording_about *about = recording_about(recording);
    struct config config = {0};
    char label[160];
    assert_string_equal(about->command, "jacobi-tui --grid=20x13");
    assert_string_equal(about->program_version, BUILD_VERSION);
    assert_true(strlen(about->device) > 0 && strlen(about->date) == 20);
    about_to_config(about, &config);
    assert_true(config.reference.kernel_ms[PHASE_UPDATE] == 0.51);
    assert_true(isnan(config.reference.kernel_ms[PHASE_NORM]));
    assert_true(config.machine.bandwidth_gbs == 26.6 && isnan(config.machine.gflops));
    assert_string_equal(config.machine.device, "Xeon");
    assert_int_equal(config.view.scale, SCALE_LOG);
    recording_label(recording, label, sizeof label);
    assert_true(strncmp(label, "replay: ", 8) == 0 && strstr(label, about->device));
    assert_string_equal(recording_sample(recording, 0)->playback.label, label);
    assert_true(recording_sample(recording, 0)->lanes[1].recorded[0]);
    recording_close(recording);
}

static void test_chapters(void **state) {
    (void)state;
    record_run(NULL);
    struct recording *recording = load(path);
    assert_int_equal(recording_chapter_count(recording), 2);
    const struct chapter *first = recording_chapter(recording, 0);
    const struct chapter *last = recording_chapter(recording, 1);
    assert_int_equal(first->sample, 0);
    assert_non_null(strstr(first->title, "blog 20x13: serial/unstructured/classic"));
    assert_int_equal(last->sample, SAMPLES - 1);
    assert_string_equal(last->title, "finished after 60 iterations");
    recording_close(recording);
}

static void test_never_overwrites(void **state) {
    (void)state;
    record_run(NULL);
    const struct recording_about about = about_test();
    struct recorder *recorder = NULL;
    struct error error = {0};
    assert_int_equal(recorder_open(path, &about, &recorder, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, path));
    assert_null(recorder);
}

static void test_leaves_nothing_where_nothing_ran(void **state) {
    (void)state;
    recorder_close(record_to(path));
    assert_int_equal(access(path, F_OK), -1);
}

/* Bytes after 10 s and after a minute of 30 samples a second, each with another field, as hard to
 * compress as can be. */
static void record_noise(int cols, int rows, long sizes[2]) {
    unlink(path);
    struct recorder *recorder = record_to(path);
    struct sampled_run run;
    struct error error = {0};
    struct lane_spec spec = run_spec("noise", 128, 128, "serial", MAPPING_UNSTRUCTURED, "classic");
    sampled_run_open(&run, &spec, 1, cols, rows);
    sampled_run_next(&run, 1);
    for (int k = 0; k < 1800; k++) {
        if (k % 100 == 0)
            sampled_run_next(&run, 1);
        for (int c = 0; c < cols * rows; c++)
            run.sample->lanes[0].field.cells[c] =
                (float)(((unsigned)k * 7919 + (unsigned)c * 104729) % 65536);
        run.sample->sequence++;
        run.sample->time_ns += 33333333;
        assert_int_equal(recorder_add(recorder, run.sample, &error), STATUS_OK);
        if (k == 299 || k == 1799)
            sizes[k == 1799] = recorder_size(recorder);
    }
    recorder_close(recorder);
    sampled_run_close(&run);
}

/* 2 MB a minute, whatever is recorded: over a whole one, and over its first 10 s too. */
static void test_stays_in_its_budget(void **state) {
    (void)state;
    static const struct { int cols, rows; } views[] = {{72, 48}, {128, 96}, {240, 160}};
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        long sizes[2] = {0};
        record_noise(views[v].cols, views[v].rows, sizes);
        print_message("%dx%d cells: %ld bytes in 10 s, %ld in a minute\n", views[v].cols,
                      views[v].rows, sizes[0], sizes[1]);
        assert_true(sizes[1] <= 2000000);
        assert_true(sizes[0] <= 2000000 / 6);
        assert_true(sizes[1] >= 60 * RECORDER_BYTES_PER_SECOND / 2); /* it has gone on */
    }
}

/* ---- damage --------------------------------------------------------------------------------- */

static void test_cut_short_anywhere(void **state) {
    (void)state;
    record_run(NULL);
    size_t size;
    uint8_t *bytes = read_whole(path, &size);
    const size_t line = (size_t)((uint8_t *)memchr(bytes, '\n', size) - bytes) + 1;
    int refused = 0, before = 0;
    for (size_t cut = 0; cut < size; cut++) {
        /* A copy of its own, so that a sanitizer sees a step beyond the end. */
        uint8_t *copy = malloc(cut + 1);
        memcpy(copy, bytes, cut);
        struct recording *recording = NULL;
        struct error error = {0};
        if (cut > line + 4000 && cut % 7) { /* every byte would take long: all at the beginning */
            free(copy);
            continue;
        }
        if (recording_parse(copy, cut, "cut", &recording, &error)) {
            assert_int_equal(error.status, STATUS_BAD_INPUT);
            assert_non_null(strstr(error.message, "cut: byte "));
            refused++;
        } else {
            const int count = recording_sample_count(recording);
            assert_true(count >= before && count <= SAMPLES);
            before = count;
            recording_sample(recording, count - 1);
            recording_close(recording);
        }
        free(copy);
    }
    assert_true(refused > (int)line && before >= SAMPLES - 1);
    free(bytes);
}

static void test_flipped_bytes(void **state) {
    (void)state;
    record_run(NULL);
    size_t size;
    uint8_t *bytes = read_whole(path, &size);
    const size_t line = (size_t)((uint8_t *)memchr(bytes, '\n', size) - bytes) + 1;
    for (size_t at = line; at < size; at += at < line + 2000 ? 1 : 11) {
        struct recording *recording = NULL;
        struct error error = {0};
        bytes[at] ^= 0x10;
        assert_int_equal(recording_parse(bytes, size, "flipped", &recording, &error),
                         STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, "flipped: byte "));
        bytes[at] ^= 0x10;
    }
    free(bytes);
}

/* A header with one text replaced, followed by the records. */
static enum status parse_with_header(const char *header, struct error *error) {
    size_t size;
    uint8_t *bytes = read_whole(path, &size);
    const size_t line = (size_t)((uint8_t *)memchr(bytes, '\n', size) - bytes) + 1;
    const size_t length = strlen(header);
    uint8_t *whole = malloc(length + size);
    memcpy(whole, header, length);
    memcpy(whole + length, bytes + line, size - line);
    struct recording *recording = NULL;
    const enum status status =
        recording_parse(whole, length + size - line, "header", &recording, error);
    if (!status) {
        for (const char *c = recording_about(recording)->device; *c; c++)
            assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
        recording_close(recording);
    }
    free(whole);
    free(bytes);
    return status;
}

static void test_hostile_headers(void **state) {
    (void)state;
    record_run(NULL);
    struct error error = {0};
    static const char *const bad[] = {
        "",
        "\n",
        "[]\n",
        "{}\n",
        "{\"format\":1}\n",
        "{\"format\":\"jacobi-tui recording\"}\n",
        "{\"format\":\"jacobi-tui recording\",\"version\":2}\n",
        "{\"format\":\"jacobi-tui recording\",\"version\":\"1\"}\n",
        "{\"format\":\"jacobi-tui recording\",\"version\":1e999}\n",
        "{\"format\":\"jacobi-tui recording\",\"version\":1\n",
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(parse_with_header(bad[k], &error), STATUS_BAD_INPUT);
        assert_non_null(strstr(error.message, "byte "));
    }
    assert_int_equal(parse_with_header("{\"format\":\"jacobi-tui recording\",\"version\":1,"
                                       "\"device\":\"\\u001b]0;owned\\u0007\\u009b31m\","
                                       "\"view\":7,\"reference\":[],\"machine\":\"\"}\n",
                                       &error),
                     STATUS_OK);
    char *deep = malloc(60000);
    memset(deep, '[', 59998);
    memcpy(deep, "{\"a\":", 5);
    memcpy(deep + 59998, "\n", 2);
    assert_int_equal(parse_with_header(deep, &error), STATUS_BAD_INPUT);
    free(deep);
}

/* A recording whose only record has these fields, whatever they are. */
static enum status parse_fields(const uint8_t *fields, size_t size, struct error *error) {
    static const char header[] = "{\"format\":\"jacobi-tui recording\",\"version\":1}\n";
    const size_t room = frame_room(size);
    uint8_t *whole = malloc(sizeof header + room);
    memcpy(whole, header, sizeof header - 1);
    const size_t length = sizeof header - 1 +
                          frame_write(whole + sizeof header - 1, room, FRAME_FULL, 0, fields, size);
    struct recording *recording = NULL;
    const enum status status = recording_parse(whole, length, "fields", &recording, error);
    if (!status)
        recording_close(recording);
    free(whole);
    return status;
}

static void test_hostile_fields(void **state) {
    (void)state;
    struct error error = {0};
    uint8_t fields[512];
    uint32_t random = 12345;
    for (int round = 0; round < 3000; round++) {
        const size_t size = random % sizeof fields;
        for (size_t k = 0; k < size; k++) {
            random = random * 1664525 + 1013904223;
            fields[k] = (uint8_t)(round % 2 ? random >> 24 : (random >> 24) % 4);
        }
        if (parse_fields(fields, size, &error))
            assert_int_equal(error.status, STATUS_BAD_INPUT);
    }
}

/* A small record that inflates to more than any record may have. */
static void test_inflation_is_bounded(void **state) {
    (void)state;
    struct error error = {0};
    const size_t size = 64 << 20;
    uint8_t *zeros = calloc(1, size);
    assert_int_equal(parse_fields(zeros, size, &error), STATUS_BAD_INPUT);
    assert_non_null(strstr(error.message, "larger"));
    free(zeros);
}

/* ---- kill -9 -------------------------------------------------------------------------------- */

static void record_for_ever(int ready) {
    struct recorder *recorder = record_to(path);
    struct sampled_run run;
    struct error error = {0};
    open_run(&run);
    for (int k = 0;; k++) {
        struct sample *sample = (struct sample *)sampled_run_next(&run, k < SAMPLES - 2 ? 5 : 0);
        sample->state = k % 2 ? SESSION_PAUSED : SESSION_RUNNING;
        recorder_add(recorder, sample, &error);
        if (k == 20 && write(ready, "x", 1) != 1)
            _exit(1);
    }
}

static void test_killed_in_the_middle(void **state) {
    (void)state;
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0)
        record_for_ever(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    struct recording *recording = load(path);
    assert_true(recording_sample_count(recording) >= 20);
    recording_close(recording);
    close(ready[0]);
    close(ready[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_about),
        cmocka_unit_test(test_chapters),
        cmocka_unit_test(test_never_overwrites),
        cmocka_unit_test(test_leaves_nothing_where_nothing_ran),
        cmocka_unit_test(test_stays_in_its_budget),
        cmocka_unit_test(test_cut_short_anywhere),
        cmocka_unit_test(test_flipped_bytes),
        cmocka_unit_test(test_hostile_headers),
        cmocka_unit_test(test_hostile_fields),
        cmocka_unit_test(test_inflation_is_bounded),
        cmocka_unit_test(test_killed_in_the_middle),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
