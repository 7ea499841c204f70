/* Replaying a recording: its clock, its commands, its chapters, other sizes of the field. */
#include "tests/fixtures/samples.h"

#include <poll.h>
#include <sys/timerfd.h>

#include "core/text.h"
#include "record/recorder.h"
#include "record/replay.h"

enum { SAMPLES = 30 };

static const char path[] = "run.rec";
static int64_t now_ns;

static int64_t test_clock(void) {
    return now_ns;
}

/* 30 samples, the first at 0.1 s, a tenth of a second apart, 2 iterations each. */
static int make_recording(void **state) {
    const struct recording_header header = {.date = "2026-01-02T03:04:05Z"};
    struct sampled_run run;
    const struct lane_spec spec =
        run_of("serial/unstructured/classic --grid 20 --iterations %d", 2 * SAMPLES);
    sampled_run_begin(&run, &spec, 1, 10, 10, path, &header);
    for (int k = 0; k < SAMPLES; k++) {
        if (k == 10)
            recorder_chapter(run.recorder, "ten", &error);
        sampled_run_next(&run, 2);
        sampled_run_record(&run);
    }
    sampled_run_close(&run);
    return 0;
}

static struct source *start(double rate, bool paused) {
    struct recording *recording;
    struct playlist *playlist;
    struct source *source = NULL;
    now_ns = 1000;
    assert_ok(recording_load(path, &recording, &error));
    assert_ok(playlist_open(recording, NULL, &playlist, &error));
    assert_ok(replay_start(playlist, rate, paused, test_clock, &source, &error));
    return source;
}

static void send(struct source *source, enum command_kind kind, long value) {
    const struct command command = {.kind = kind, .value = value};
    source->ops->command(source, &command);
}

static void expect(struct source *source, long iterations) {
    assert_int_equal(source->ops->latest(source)->lanes[0].iterations, iterations);
}

/* Sends a command, after which that many iterations are shown. */
static void send_and_expect(struct source *source, enum command_kind kind, long value,
                            long iterations) {
    send(source, kind, value);
    expect(source, iterations);
}

static void after(double seconds) {
    now_ns += (int64_t)(1e9 * seconds + 1000);
}

TEST(plays_as_recorded) {
    owned_source source = start(1, false);
    expect(source, 2);
    assert_int_equal(source->ops->latest(source)->state, SESSION_RUNNING);
    after(0.55);
    expect(source, 12);
    after(1);
    expect(source, 32);
    after(100);
    expect(source, 60);
    assert_int_equal(source->ops->latest(source)->state, SESSION_FINISHED);
}

/* Answers from a recording are of all of it, at whatever position it is shown. */
TEST(reads_the_last_sample) {
    struct source *source = start(1, true);
    struct sample *last = sample_create();
    expect(source, 2);
    replay_read_last(source, last);
    assert_int_equal(last->lanes[0].iterations, 2 * SAMPLES);
    expect(source, 2);
    sample_destroy(last);
    source->ops->close(source);
}

TEST(is_marked) {
    owned_source source = start(1, false);
    const struct sample *sample = source->ops->latest(source);
    assert_true(strncmp(sample->playback.label, "replay: ", 8) == 0);
    assert_contains(sample->playback.label, sample->lanes[0].device);
    assert_contains(sample->playback.label, "2026-01-02");
    assert_string_equal(sample->lanes[0].recorded, "2026-01-02");
    assert_close(sample->playback.length_s, 2.9, 1e-9);
}

TEST(pause_and_steps) {
    owned_source source = start(1, false);
    after(1);
    send_and_expect(source, COMMAND_PAUSE, 1, 22);
    assert_int_equal(source->ops->latest(source)->state, SESSION_PAUSED);
    after(1);
    expect(source, 22);
    send_and_expect(source, COMMAND_STEP, 1, 24);
    send_and_expect(source, COMMAND_STEP, -3, 18);
    send_and_expect(source, COMMAND_STEP, -1000, 2);
    send_and_expect(source, COMMAND_STEP, 1000, 60);
    assert_true(source->ops->latest(source)->playback.paused);
    send_and_expect(source, COMMAND_PAUSE, 0, 2); /* at the end it starts again */
    after(0.3);
    expect(source, 8);
}

TEST(seek_chapters_and_rate) {
    owned_source source = start(1, true);
    assert_int_equal(source->ops->latest(source)->playback.chapter, 0);
    assert_int_equal(source->ops->latest(source)->playback.chapter_count, 3);
    send_and_expect(source, COMMAND_CHAPTER, 1, 22);
    assert_string_equal(source->ops->latest(source)->playback.chapter_title, "ten");
    send_and_expect(source, COMMAND_CHAPTER, 1, 60);
    send_and_expect(source, COMMAND_CHAPTER, 1, 60); /* there is no such chapter */
    send_and_expect(source, COMMAND_CHAPTER, -9, 2);
    send_and_expect(source, COMMAND_SEEK, 500, 30);
    send_and_expect(source, COMMAND_SEEK, -7, 2);
    send(source, COMMAND_RATE, 4000);
    send(source, COMMAND_PAUSE, 0);
    after(0.5);
    expect(source, 42);
    send_and_expect(source, COMMAND_RESTART, 0, 2);
}

/* Waits until it is readable. */
static void check_ready(struct source *source) {
    struct pollfd ready = {.fd = source->ops->descriptor(source), .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 1000 * LIMIT_SECONDS), 1);
}

TEST(descriptor) {
    struct itimerspec timer;
    owned_source source = start(1, true);
    check_ready(source);
    source->ops->latest(source);
    /* It is never readable again: its timer is disarmed. */
    assert_int_equal(timerfd_gettime(source->ops->descriptor(source), &timer), 0);
    assert_true(timer.it_value.tv_sec == 0 && timer.it_value.tv_nsec == 0);
    send(source, COMMAND_STEP, 1);
    check_ready(source);
    source->ops->latest(source);
    send(source, COMMAND_PAUSE, 0);
    source->ops->latest(source);
    check_ready(source); /* the next sample becomes due */
}

/* A moment looks the same regardless of the replay's way to it. */
TEST(is_deterministic) {
    owned_source a = start(1, true);
    owned_source b = start(7, false);
    send(a, COMMAND_STEP, 17);
    owned_sample kept = sample_kept(a->ops->latest(a));
    after(100);
    b->ops->latest(b);
    send(b, COMMAND_SEEK, 900);
    b->ops->latest(b);
    send(b, COMMAND_RESTART, 0);
    send(b, COMMAND_STEP, 17);
    const struct sample *other = b->ops->latest(b);
    assert_int_equal(other->time_ns, kept->time_ns);
    assert_memory_equal(&other->lanes[0].totals, &kept->lanes[0].totals,
                        sizeof kept->lanes[0].totals);
    assert_int_equal(other->lanes[0].event_count, kept->lanes[0].event_count);
    assert_memory_equal(other->lanes[0].field.cells, kept->lanes[0].field.cells,
                        100 * sizeof(float));
    assert_memory_equal(&other->lanes[0].history, &kept->lanes[0].history,
                        sizeof(int) + sizeof(long));
}

TEST(other_field_sizes) {
    owned_source source = start(1, true);
    struct command command = {.kind = COMMAND_VIEW,
                              .view = {.cols = 5, .rows = 5, .x1 = 1, .y1 = 1}};
    send(source, COMMAND_STEP, 20);
    owned_sample kept = sample_kept(source->ops->latest(source));
    source->ops->command(source, &command);
    const struct field *field = &source->ops->latest(source)->lanes[0].field;
    assert_int_equal(field->downsample.cols, 5);
    const float *cells = kept->lanes[0].field.cells;
    for (int c = 0; c < 5; c++) {
        const double mean = ((double)cells[2 * c] + (double)cells[2 * c + 1] +
                             (double)cells[2 * c + 10] + (double)cells[2 * c + 11]) /
                            4;
        assert_close((double)field->cells[c], mean, 1e-6);
    }
    command.view = (struct view){.cols = 10, .rows = 10, .x1 = 1, .y1 = 1};
    source->ops->command(source, &command);
    field = &source->ops->latest(source)->lanes[0].field;
    assert_memory_equal(field->cells, cells, 100 * sizeof(float));
    command.view =
        (struct view){.cols = 300, .rows = 200, .x0 = 0.4, .x1 = 0.5, .y0 = 0.9, .y1 = 1};
    source->ops->command(source, &command);
    field = &source->ops->latest(source)->lanes[0].field;
    assert_true(field->cells[0] == cells[4 + 90]);
}

/* The reason for an end of following is cut between characters. */
TEST(long_names_are_cut) {
    static struct config config;
    owned_source source = NULL;
    char visible[sizeof((struct sample *)0)->warning];
    config_init(&config);
    config.follow = true;
    for (int k = 0; k < 60; k++)
        strcat(config.replay, "\u00e4");
    strcat(config.replay, ".rec");
    assert_int_equal(symlink(path, config.replay), 0);
    assert_ok(replay_open(&config, test_clock, &source, &error));
    assert_int_equal(unlink(config.replay), 0);
    after(1);
    const struct sample *sample = source->ops->latest(source);
    assert_int_equal(strlen(sample->warning), sizeof visible - 1);
    memcpy(visible, sample->warning, sizeof visible);
    text_sanitize(visible);
    assert_string_equal(sample->warning, visible);
}

/* --at begins at that moment, not at the nearest thousandth of the length. */
TEST(begins_exactly) {
    struct config config = {.replay_speed = 1, .at_seconds = 1.9999, .at_percent = NAN};
    owned_source source = NULL;
    now_ns = 1000;
    strcpy(config.replay, path);
    assert_int_equal(replay_open(&config, test_clock, &source, &error), STATUS_OK);
    expect(source, 2 * 20);
}

TEST_MODULE(replay, make_recording, NULL)
