/* The contents of a run's recording, and its size in bytes. */
#include "tests/fixtures/support.h"

#include "build_info.h"
#include "core/limits.h"
#include "tests/fixtures/recordings.h"

/* ---- round trip ----------------------------------------------------------------------------- */

static void assert_same_field(const struct field *a, const struct field *b) {
    assert_memory_equal(&a->downsample, &b->downsample, sizeof a->downsample);
    assert_int_equal(a->iteration, b->iteration);
    assert_int_equal(a->kind, b->kind);
    assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
    assert_memory_equal(&a->min, &b->min, 3 * sizeof a->min);
    for (int k = 0; k < a->downsample.cols * a->downsample.rows; k++)
        if (a->cells[k] != b->cells[k])
            assert_close((double)a->cells[k], (double)b->cells[k], 0x1p-9);
}

/* The recorded events are the live sample's last ones. */
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

/* Each stored cell is accurate to 9 bits. */
static void assert_same_levels(const struct level_fields *a, const struct level_fields *b) {
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; k++) {
        const struct field got = level_field(a, k), wanted = level_field(b, k);
        assert_int_equal(got.iteration, wanted.iteration);
        assert_memory_equal(&got.downsample, &wanted.downsample, sizeof got.downsample);
        for (int c = 0; c < got.downsample.cols * got.downsample.rows; c++)
            assert_true(fabsf(got.cells[c] - wanted.cells[c]) <= 0x1p-9F * fabsf(wanted.cells[c]));
    }
}

static void assert_same_lane(const struct lane_sample *a, const struct lane_sample *b) {
    assert_int_equal(a->nx, b->nx);
    assert_int_equal(a->ny, b->ny);
    assert_int_equal(run_id_difference(&a->run, &b->run), 0);
    assert_memory_equal(&a->run.schedule, &b->run.schedule, sizeof a->run.schedule);
    assert_memory_equal(&a->run.cycle, &b->run.cycle, sizeof a->run.cycle);
    assert_memory_equal(&a->run.tuning, &b->run.tuning, sizeof a->run.tuning);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->device, b->device);
    assert_string_equal(a->driver, b->driver);
    assert_string_equal(a->architecture, b->architecture);
    assert_string_equal(a->fallback_from, b->fallback_from);
    assert_string_equal(a->fallback_reason, b->fallback_reason);
    assert_memory_equal(&a->roof, &b->roof, sizeof a->roof);
    assert_true(a->cache_bytes == b->cache_bytes);
    assert_memory_equal(&a->tuning_scan, &b->tuning_scan, sizeof a->tuning_scan);
    assert_memory_equal(&a->tuning_tried, &b->tuning_tried, sizeof a->tuning_tried);
    assert_int_equal(a->state, b->state);
    assert_int_equal(a->iterations, b->iterations);
    assert_memory_equal(&a->initial_residual, &b->initial_residual, 4 * sizeof(double));
    assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
    assert_memory_equal(&a->window, &b->window, sizeof a->window);
    assert_int_equal(a->window_iterations, b->window_iterations);
    assert_true(a->window_seconds == b->window_seconds);
    assert_true(a->clock_step_ns == b->clock_step_ns);
    assert_memory_equal(a->durations, b->durations, sizeof a->durations);
    assert_same_history(&a->history, &b->history);
    assert_int_equal(a->phase, b->phase);
    assert_int_equal(a->has_solution, b->has_solution);
    assert_memory_equal(lane_solution(a), lane_solution(b), sizeof a->solution);
    assert_same_events(a, b);
    assert_same_field(&a->field, &b->field);
    assert_same_levels(&a->levels, &b->levels);
}

static void assert_same_study(const struct sample *a, const struct sample *b) {
    assert_int_equal(a->study_count, b->study_count);
    for (int k = 0; k < a->study_count; k++) {
        assert_int_equal(a->study[k].nx, b->study[k].nx);
        assert_int_equal(a->study[k].ny, b->study[k].ny);
        assert_int_equal(a->study[k].iterations, b->study[k].iterations);
        assert_true(a->study[k].residual == b->study[k].residual);
        assert_int_equal(a->study[k].state, b->study[k].state);
        assert_true(a->study[k].seconds == b->study[k].seconds);
        assert_int_equal(a->study[k].run.method,
                         a->lanes[0].run.method); /* as read, not as stored */
        assert_true(cycle_equal(a->study[k].run.cycle, a->lanes[0].run.cycle));
        assert_same_history(&a->study[k].history, &b->study[k].history);
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
    assert_int_equal(a->measure, b->measure);
    assert_int_equal(a->lane_count, b->lane_count);
    for (int l = 0; l < a->lane_count; l++)
        assert_same_lane(&a->lanes[l], &b->lanes[l]);
    assert_same_study(a, b);
}

TEST(round_trip) {
    struct sample *kept[SAMPLES];
    record_run(kept);
    struct recording *recording = load(path);
    assert_int_equal(recording->count, SAMPLES);
    for (int k = 0; k < SAMPLES; k++)
        assert_same_sample(recording_sample(recording, k), kept[k]);
    for (int k = SAMPLES - 1; k >= 0; k -= 3) /* backwards, too */
        assert_same_sample(recording_sample(recording, k), kept[k]);
    for (int k = 0; k < SAMPLES; k++)
        sample_destroy(kept[k]);
    recording_close(recording);
}

/* Two days at 5 TB/s. */
TEST(bytes_of_a_long_run) {
    const uint64_t bytes = UINT64_C(900000000000000000);
    struct recorder *recorder = record_to(path);
    struct sampled_run run;
    struct error error = {0};
    open_run(&run);
    struct sample *sample = (struct sample *)sampled_run_next(&run, 5);
    sample->lanes[0].totals.of[EVENT_KERNEL][PHASE_LAPLACIAN].bytes = bytes;
    sample->lanes[0].device_stats.halo_bytes = bytes;
    assert_int_equal(recorder_add(recorder, sample, &error), STATUS_OK);
    assert_int_equal(recorder_close(recorder, &error), STATUS_OK);
    sampled_run_close(&run);
    struct recording *recording = load(path);
    const struct lane_sample *lane = &recording_sample(recording, 0)->lanes[0];
    assert_true(lane->totals.of[EVENT_KERNEL][PHASE_LAPLACIAN].bytes == bytes);
    assert_true(lane->device_stats.halo_bytes == bytes);
    recording_close(recording);
}

/* Multigrid beside Jacobi, from before its first cycle: its method and cycle, the times of its
 * phases, and the corrections of its levels; also in a sample without its own field. */
TEST(multigrid) {
    enum { COUNT = 6 };
    struct lane_spec specs[2] = {
        run_spec("charges", 150, 97, "serial", MAPPING_UNSTRUCTURED, "classic"),
        run_spec("charges", 150, 97, "serial", MAPPING_UNSTRUCTURED, "classic"),
    };
    specs[0].engine.run.method = METHOD_MULTIGRID;
    specs[0].engine.run.cycle = (struct cycle){2, 1, true};
    specs[0].tolerance = specs[1].tolerance = 0;
    struct levels levels;
    levels_make(&levels, &specs[0].engine.mesh, METHOD_MULTIGRID);
    struct sample *kept[COUNT];
    struct sampled_run run;
    struct error error = {0};
    struct recorder *recorder = record_to(path);
    sampled_run_open(&run, specs, 2, 20, 20);
    for (int k = 0; k < COUNT; k++) {
        const struct sample *sample = sampled_run_next(&run, k > 0 ? 2 : 0);
        assert_int_equal(recorder_add(recorder, sample, &error), STATUS_OK);
        assert_non_null(kept[k] = sample_create());
        sample_copy(kept[k], sample);
    }
    assert_int_equal(recorder_close(recorder, &error), STATUS_OK);
    struct recording *recording = load(path);
    assert_int_equal(recording->count, COUNT);
    for (int k = COUNT - 1; k >= 0; k--) {
        const struct lane_sample *lane = &recording_sample(recording, k)->lanes[0];
        assert_int_equal(lane->levels.count, k > 0 ? 7 : 0);
        assert_int_equal(recording_sample(recording, k)->lanes[1].levels.count, 0);
        assert_same_levels(&lane->levels, &kept[k]->lanes[0].levels);
        assert_int_equal(lane->run.method, METHOD_MULTIGRID);
        assert_memory_equal(&lane->run.cycle, &specs[0].engine.run.cycle, sizeof lane->run.cycle);
        assert_int_equal(lane->iterations, 2 * k);
        assert_memory_equal(&lane->totals, &kept[k]->lanes[0].totals, sizeof lane->totals);
        assert_int_equal(lane->totals.of[EVENT_KERNEL][PHASE_RESTRICTION].count,
                         2 * k * (levels.count - 1));
        sample_destroy(kept[k]);
    }
    recording_close(recording);
    sampled_run_close(&run);
}

/* A terminal would execute escape sequences in texts of another user's recording. */
TEST(texts_hold_no_escapes) {
    static const char escape[] = "\033]0;title\007\x9b"
                                 "2J";
    struct sampled_run run;
    struct error error = {0};
    struct recorder *recorder = record_to(path);
    open_run(&run);
    sampled_run_next(&run, 5);
    struct lane_sample *lane = &run.sample->lanes[0];
    snprintf(lane->device, sizeof lane->device, "GPU %s", escape);
    snprintf(lane->driver, sizeof lane->driver, "%s", escape);
    snprintf(lane->fallback_reason, sizeof lane->fallback_reason, "%s", escape);
    assert_int_equal(recorder_add(recorder, run.sample, &error), STATUS_OK);
    assert_int_equal(recorder_close(recorder, &error), STATUS_OK);
    struct recording *recording = load(path);
    const struct lane_sample *read = &recording_sample(recording, 0)->lanes[0];
    const char *const texts[] = {read->device, read->driver, read->fallback_reason};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        assert_contains(texts[k], "]0;title");
        assert_null(strpbrk(texts[k], "\033\007\x9b"));
    }
    recording_close(recording);
    sampled_run_close(&run);
}

/* Lanes may disappear and return; meanwhile the live sample's slot continues. */
TEST(lanes_that_come_back) {
    static const int lanes[] = {2, 2, 1, 1, 2, 2, 1, 2};
    enum { COUNT = sizeof lanes / sizeof *lanes };
    struct sample *kept[COUNT];
    struct sampled_run run;
    struct error error = {0};
    struct recorder *recorder = record_to(path);
    open_run(&run);
    for (int k = 0; k < COUNT; k++) {
        run.sample->lane_count = 2;
        sampled_run_next(&run, 5);
        run.sample->lane_count = lanes[k];
        assert_int_equal(recorder_add(recorder, run.sample, &error), STATUS_OK);
        assert_non_null(kept[k] = sample_create());
        sample_copy(kept[k], run.sample);
    }
    assert_int_equal(recorder_close(recorder, &error), STATUS_OK);
    struct recording *recording = load(path);
    assert_int_equal(recording->count, COUNT);
    for (int k = 0; k < COUNT; k++) {
        assert_same_sample(recording_sample(recording, k), kept[k]);
        sample_destroy(kept[k]);
    }
    recording_close(recording);
    run.sample->lane_count = 2;
    sampled_run_close(&run);
}

TEST(header) {
    record_run(NULL);
    struct recording *recording = load(path);
    const struct recording_header *header = &recording->header;
    struct config config = {0};
    char label[160];
    assert_string_equal(header->command, "jacobi-tui --grid=20x13");
    assert_string_equal(header->program_version, BUILD_VERSION);
    assert_true(strlen(header->device) > 0 && strlen(header->date) == 20);
    header_to_config(header, &config);
    assert_true(config.reference.kernel_ms[PHASE_UPDATE] == 0.51);
    assert_true(isnan(config.reference.kernel_ms[PHASE_NORM]));
    assert_int_equal(config.reference.nx, 4096);
    assert_int_equal(config.reference.ny, 2048);
    assert_string_equal(config.second_reference.source, "another");
    assert_true(config.second_reference.kernel_ms[PHASE_UPDATE] == 0.52);
    assert_true(config.machine.bandwidth_gbs == 26.6 && isnan(config.machine.gflops));
    assert_string_equal(config.machine.device, "Xeon");
    assert_int_equal(config.view.scale, SCALE_LOG);
    snprintf(label, sizeof label, "%s", recording_sample(recording, 0)->playback.label);
    assert_true(strncmp(label, "replay: ", 8) == 0 && strstr(label, header->device));
    assert_true(recording_sample(recording, 0)->lanes[1].recorded[0]);
    recording_close(recording);
}

/* A recording without a date can't be mistaken for a live run either. */
TEST(undated) {
    struct recording_header header = header_test();
    struct recorder *recorder = NULL;
    struct sampled_run run;
    struct error error = {0};
    header.date[0] = '\0';
    unlink(path);
    assert_int_equal(recorder_open(path, false, &header, &recorder, &error), STATUS_OK);
    open_run(&run);
    recorder_add(recorder, sampled_run_next(&run, 5), &error);
    assert_int_equal(recorder_close(recorder, &error), STATUS_OK);
    sampled_run_close(&run);
    struct recording *recording = load(path);
    assert_int_equal(sample_recorded_count(recording_sample(recording, 0)), 2);
    recording_close(recording);
}

TEST(chapters) {
    record_run(NULL);
    struct recording *recording = load(path);
    assert_int_equal(recording->chapter_count, 2);
    const struct chapter *first = &recording->chapters[0];
    const struct chapter *last = &recording->chapters[1];
    assert_int_equal(first->sample, 0);
    assert_contains(first->title, "blog 20x13: serial/unstructured/classic");
    assert_int_equal(last->sample, SAMPLES - 1);
    assert_string_equal(last->title, "finished after 60 iterations");
    recording_close(recording);
}

TEST(never_overwrites) {
    record_run(NULL);
    const struct recording_header header = header_test();
    struct recorder *recorder = NULL;
    struct error error = {0};
    assert_int_equal(recorder_open(path, false, &header, &recorder, &error), STATUS_BAD_INPUT);
    assert_contains(error.message, path);
    assert_null(recorder);
}

TEST(leaves_nothing_where_nothing_ran) {
    assert_int_equal(recorder_close(record_to(path), NULL), STATUS_OK);
    assert_int_equal(access(path, F_OK), -1);
}

/* Measures the bytes after 10 s and after a minute, at 30 samples per second with incompressible
 * fields. */
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
    assert_int_equal(recorder_close(recorder, &error), STATUS_OK);
    sampled_run_close(&run);
}

/* 2 MB per minute for any contents, over a whole minute and over its first 10 s. */
TEST(stays_in_its_budget) {
    static const struct {
        int cols, rows;
    } views[] = {{72, 48}, {128, 96}, {240, 160}};
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        long sizes[2] = {0};
        record_noise(views[v].cols, views[v].rows, sizes);
        print_message("%dx%d cells: %ld bytes in 10 s, %ld in a minute\n", views[v].cols,
                      views[v].rows, sizes[0], sizes[1]);
        assert_true(sizes[1] <= 2000000);
        assert_true(sizes[0] <= 2000000 / 6);
        assert_true(sizes[1] >= 60 * RECORDER_BYTES_PER_SECOND / 2); /* it has continued */
    }
}

/* A sample every tenth of a second: incompressible fields, an unchanged field, a new run each. */
static struct recording *record_long(int samples, bool is_noise, bool restarts) {
    const int cols = 240, rows = restarts ? 1 : 160;
    unlink(path);
    struct recorder *recorder = record_to(path);
    struct sampled_run run;
    struct error error = {0};
    struct lane_spec spec =
        run_spec(is_noise ? "noise" : "blog", 240, 160, "serial", MAPPING_UNSTRUCTURED, "classic");
    sampled_run_open(&run, &spec, 1, cols, rows);
    sampled_run_next(&run, 1);
    for (int k = 0; k < samples; k++) {
        for (int c = 0; c < cols * rows && is_noise; c++)
            run.sample->lanes[0].field.cells[c] =
                (float)(((unsigned)k * 7919 + (unsigned)c * 104729) % 65536);
        run.sample->lanes[0].iterations = restarts ? samples - k : k;
        run.sample->sequence++;
        run.sample->time_ns += 100000000;
        assert_int_equal(recorder_add(recorder, run.sample, &error), STATUS_OK);
    }
    assert_int_equal(recorder_close(recorder, &error), STATUS_OK);
    sampled_run_close(&run);
    return load(path);
}

/* A recording of any length can be read: its size, its cells and its chapters stay below the
 * reader's limits. The first two are shortened. */
TEST(long_runs_can_be_read) {
    const double share = 1.0 / 256;
    setenv("JACOBI_LIMITS", "recording=1", 1);
    assert_int_equal(limits_read(NULL), STATUS_OK);
    for (int is_noise = 0; is_noise < 2; is_noise++) {
        struct recording *recording = record_long(2000, is_noise, false);
        print_message("%zu bytes, %d samples, %g cells\n", recording->size, recording->count,
                      (double)recording->cells);
        assert_true((double)recording->size <= share * RECORDING_MAX_BYTES);
        assert_true((double)recording->cells <=
                    share * RECORDING_CELLS +
                        (double)RECORDING_CELLS_PER_BYTE * (double)recording->size);
        assert_true(recording->count > 100);
        recording_close(recording);
    }
    setenv("JACOBI_LIMITS", "recording=256", 1);
    assert_int_equal(limits_read(NULL), STATUS_OK);
    unsetenv("JACOBI_LIMITS");
    struct recording *recording = record_long(RECORDING_CHAPTERS_MAX + 9, false, true);
    assert_int_equal(recording->chapter_count, RECORDING_CHAPTERS_MAX);
    recording_close(recording);
}

TEST_MODULE(recording, NULL, NULL)
