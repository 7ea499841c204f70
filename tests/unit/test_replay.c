/* Replaying a recording: its clock, its commands, its chapters, other sizes of the field. */
#include "tests/fixtures/support.h"

#include <poll.h>
#include <sys/timerfd.h>

#include "core/text.h"
#include "record/recorder.h"
#include "record/replay.h"
#include "run/sample.h"
#include "tests/fixtures/samples.h"

enum { SAMPLES = 30 };

static const char path[] = "run.rec";
static int64_t now_ns;

static int64_t test_clock(void) {
    return now_ns;
}

/* 30 samples, the first at 0.1 s, a tenth of a second apart, 2 iterations each. */
static int make_recording(void **state) {
    const struct recording_header header = {.date = "2026-01-02T03:04:05Z"};
    struct recorder *recorder;
    struct error error = {0};
    struct sampled_run run;
    struct lane_spec spec = run_spec("blog", 20, 20, "serial", MAPPING_UNSTRUCTURED, "classic");
    if (recorder_open(path, false, &header, &recorder, &error))
        return -1;
    spec.iterations = 2 * SAMPLES;
    sampled_run_open(&run, &spec, 1, 10, 10);
    for (int k = 0; k < SAMPLES; k++) {
        if (k == 10)
            recorder_chapter(recorder, "ten", &error);
        recorder_add(recorder, sampled_run_next(&run, 2), &error);
    }
    sampled_run_close(&run);
    return recorder_close(recorder, &error);
}

static struct source *start(double rate, bool paused) {
    struct recording *recording;
    struct playlist *playlist;
    struct source *source = NULL;
    struct error error = {0};
    now_ns = 1000;
    if (recording_load(path, &recording, &error) ||
        playlist_open(recording, NULL, &playlist, &error) ||
        replay_start(playlist, rate, paused, test_clock, &source, &error))
        fail_msg("%s", error.message);
    return source;
}

static void send(struct source *source, enum command_kind kind, long value) {
    const struct command command = {.kind = kind, .value = value};
    source->ops->command(source, &command);
}

static long iterations(struct source *source) {
    return source->ops->latest(source)->lanes[0].iterations;
}

static void after(double seconds) {
    now_ns += (int64_t)(1e9 * seconds + 1000);
}

TEST(plays_as_recorded) {
    struct source *source = start(1, false);
    assert_int_equal(iterations(source), 2);
    assert_int_equal(source->ops->latest(source)->state, SESSION_RUNNING);
    after(0.55);
    assert_int_equal(iterations(source), 12);
    after(1);
    assert_int_equal(iterations(source), 32);
    after(100);
    assert_int_equal(iterations(source), 60);
    assert_int_equal(source->ops->latest(source)->state, SESSION_FINISHED);
    source->ops->close(source);
}

TEST(is_marked) {
    struct source *source = start(1, false);
    const struct sample *sample = source->ops->latest(source);
    assert_true(strncmp(sample->playback.label, "replay: ", 8) == 0);
    assert_contains(sample->playback.label, sample->lanes[0].device);
    assert_contains(sample->playback.label, "2026-01-02");
    assert_string_equal(sample->lanes[0].recorded, "2026-01-02");
    assert_close(sample->playback.length_s, 2.9, 1e-9);
    source->ops->close(source);
}

TEST(pause_and_steps) {
    struct source *source = start(1, false);
    after(1);
    send(source, COMMAND_PAUSE, 1);
    assert_int_equal(iterations(source), 22);
    assert_int_equal(source->ops->latest(source)->state, SESSION_PAUSED);
    after(1);
    assert_int_equal(iterations(source), 22);
    send(source, COMMAND_STEP, 1);
    assert_int_equal(iterations(source), 24);
    send(source, COMMAND_STEP, -3);
    assert_int_equal(iterations(source), 18);
    send(source, COMMAND_STEP, -1000);
    assert_int_equal(iterations(source), 2);
    send(source, COMMAND_STEP, 1000);
    assert_int_equal(iterations(source), 60);
    assert_true(source->ops->latest(source)->playback.paused);
    send(source, COMMAND_PAUSE, 0); /* at the end it starts again */
    assert_int_equal(iterations(source), 2);
    after(0.3);
    assert_int_equal(iterations(source), 8);
    source->ops->close(source);
}

TEST(seek_chapters_and_rate) {
    struct source *source = start(1, true);
    assert_int_equal(source->ops->latest(source)->playback.chapter, 0);
    assert_int_equal(source->ops->latest(source)->playback.chapter_count, 3);
    send(source, COMMAND_CHAPTER, 1);
    assert_int_equal(iterations(source), 22);
    assert_string_equal(source->ops->latest(source)->playback.chapter_title, "ten");
    send(source, COMMAND_CHAPTER, 1);
    assert_int_equal(iterations(source), 60);
    send(source, COMMAND_CHAPTER, 1); /* there is no such chapter */
    assert_int_equal(iterations(source), 60);
    send(source, COMMAND_CHAPTER, -9);
    assert_int_equal(iterations(source), 2);
    send(source, COMMAND_SEEK, 500);
    assert_int_equal(iterations(source), 30);
    send(source, COMMAND_SEEK, -7);
    assert_int_equal(iterations(source), 2);
    send(source, COMMAND_RATE, 4000);
    send(source, COMMAND_PAUSE, 0);
    after(0.5);
    assert_int_equal(iterations(source), 42);
    send(source, COMMAND_RESTART, 0);
    assert_int_equal(iterations(source), 2);
    source->ops->close(source);
}

/* Waits until it is readable. */
static void check_ready(struct source *source) {
    struct pollfd ready = {.fd = source->ops->descriptor(source), .events = POLLIN};
    assert_int_equal(poll(&ready, 1, 1000 * LIMIT_SECONDS), 1);
}

TEST(descriptor) {
    struct itimerspec timer;
    struct source *source = start(1, true);
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
    source->ops->close(source);
}

/* A moment looks the same regardless of the replay's way to it. */
TEST(is_deterministic) {
    struct source *a = start(1, true), *b = start(7, false);
    struct sample *kept = sample_create();
    send(a, COMMAND_STEP, 17);
    sample_copy(kept, a->ops->latest(a));
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
    sample_destroy(kept);
    a->ops->close(a);
    b->ops->close(b);
}

TEST(other_field_sizes) {
    struct source *source = start(1, true);
    struct command command = {.kind = COMMAND_VIEW,
                              .view = {.cols = 5, .rows = 5, .x1 = 1, .y1 = 1}};
    send(source, COMMAND_STEP, 20);
    struct sample *kept = sample_create();
    sample_copy(kept, source->ops->latest(source));
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
    sample_destroy(kept);
    source->ops->close(source);
}

/* The reason for an end of following is cut between characters. */
TEST(long_names_are_cut) {
    static struct config config;
    struct source *source;
    struct error error = {0};
    char visible[sizeof((struct sample *)0)->warning];
    config_init(&config);
    config.follow = true;
    for (int k = 0; k < 60; k++)
        strcat(config.replay, "\u00e4");
    strcat(config.replay, ".rec");
    assert_int_equal(symlink(path, config.replay), 0);
    if (replay_open(&config, test_clock, &source, &error))
        fail_msg("%s", error.message);
    assert_int_equal(unlink(config.replay), 0);
    after(1);
    const struct sample *sample = source->ops->latest(source);
    assert_int_equal(strlen(sample->warning), sizeof visible - 1);
    memcpy(visible, sample->warning, sizeof visible);
    text_sanitize(visible);
    assert_string_equal(sample->warning, visible);
    source->ops->close(source);
}

TEST_MODULE(replay, make_recording, NULL)
