/* The contents of a run's recording, and its size in bytes. */
#include "tests/fixtures/recordings.h"

#include "build_info.h"
#include "core/limits.h"

/* ---- round trip ----------------------------------------------------------------------------- */

/* Each stored cell is accurate to 9 bits. */
static void assert_same_cells(const struct field *a, const struct field *b) {
    assert_memory_equal(&a->downsample, &b->downsample, sizeof a->downsample);
    assert_int_equal(a->iteration, b->iteration);
    for (int k = 0; k < a->downsample.cols * a->downsample.rows; k++)
        if (a->cells[k] != b->cells[k])
            assert_close((double)a->cells[k], (double)b->cells[k], 0x1p-9);
}

/* A member's place in a struct. */
struct member {
    const char *name;
    size_t at, size;
};

#define MEMBER(type, name) {#name, offsetof(struct type, name), sizeof(((struct type *)NULL)->name)}

static void assert_same_members(const void *a, const void *b, const struct member *members,
                                size_t count) {
    for (size_t m = 0; m < count; m++)
        if (memcmp((const char *)a + members[m].at, (const char *)b + members[m].at,
                   members[m].size) != 0)
            fail_msg("%s differs", members[m].name);
}

/* The recorded events are the live sample's last ones. */
static void assert_same_events(const struct lane_sample *a, const struct lane_sample *b) {
    static const struct member members[] = {MEMBER(event, kind),        MEMBER(event, phase),
                                            MEMBER(event, array),       MEMBER(event, clock),
                                            MEMBER(event, iteration),   MEMBER(event, start_ns),
                                            MEMBER(event, duration_ns), MEMBER(event, bytes)};
    assert_true(a->event_count >= 5 && a->event_count <= b->event_count);
    const struct event *last = b->events + b->event_count - a->event_count;
    for (int k = 0; k < a->event_count; k++)
        assert_same_members(&a->events[k], &last[k], members, count_of(members));
}

static void assert_same_history(const struct history *a, const struct history *b) {
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->stride, b->stride);
    assert_memory_equal(a->residuals, b->residuals, (size_t)a->count * sizeof(double));
}

static void assert_same_levels(const struct level_fields *a, const struct level_fields *b) {
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; k++)
        assert_same_cells(&a->of[k], &b->of[k]);
}

static void assert_same_lane(const struct lane_sample *a, const struct lane_sample *b) {
    static const struct member members[] = {MEMBER(lane_sample, nx),
                                            MEMBER(lane_sample, ny),
                                            MEMBER(lane_sample, run.schedule),
                                            MEMBER(lane_sample, run.cycle),
                                            MEMBER(lane_sample, run.tuning),
                                            MEMBER(lane_sample, roof),
                                            MEMBER(lane_sample, cache_bytes),
                                            MEMBER(lane_sample, tuning_scan),
                                            MEMBER(lane_sample, tuning_tried),
                                            MEMBER(lane_sample, state),
                                            MEMBER(lane_sample, iterations),
                                            MEMBER(lane_sample, totals),
                                            MEMBER(lane_sample, window),
                                            MEMBER(lane_sample, window_iterations),
                                            MEMBER(lane_sample, window_seconds),
                                            MEMBER(lane_sample, typical),
                                            MEMBER(lane_sample, clock_step_ns),
                                            MEMBER(lane_sample, durations),
                                            MEMBER(lane_sample, usage),
                                            MEMBER(lane_sample, phase),
                                            MEMBER(lane_sample, has_solution),
                                            MEMBER(lane_sample, field.kind),
                                            MEMBER(lane_sample, field.stats),
                                            MEMBER(lane_sample, field.min),
                                            MEMBER(lane_sample, field.max),
                                            MEMBER(lane_sample, field.smallest_nonzero)};
    assert_same_members(a, b, members, count_of(members));
    assert_int_equal(run_id_difference(&a->run, &b->run), 0);
    assert_string_equal(a->title, b->title);
    assert_string_equal(a->device, b->device);
    assert_string_equal(a->driver, b->driver);
    assert_string_equal(a->architecture, b->architecture);
    assert_string_equal(a->fallback_from, b->fallback_from);
    assert_string_equal(a->fallback_reason, b->fallback_reason);
    assert_memory_equal(&a->initial_residual, &b->initial_residual, 4 * sizeof(double));
    assert_same_history(&a->history, &b->history);
    assert_memory_equal(lane_solution(a), lane_solution(b), sizeof a->solution);
    assert_same_events(a, b);
    assert_same_cells(&a->field, &b->field);
    assert_same_levels(&a->levels, &b->levels);
}

static void assert_same_study(const struct sample *a, const struct sample *b) {
    static const struct member members[] = {
        MEMBER(lane_sample, nx),       MEMBER(lane_sample, ny),    MEMBER(lane_sample, iterations),
        MEMBER(lane_sample, residual), MEMBER(lane_sample, state), MEMBER(lane_sample, seconds)};
    assert_int_equal(a->study_count, b->study_count);
    for (int k = 0; k < a->study_count; k++) {
        const struct lane_sample *study = &a->study[k];
        assert_same_members(study, &b->study[k], members, count_of(members));
        /* As read, not as stored: */
        assert_int_equal(study->run.method, a->lanes[0].run.method);
        assert_true(cycle_equal(study->run.cycle, a->lanes[0].run.cycle));
        assert_same_history(&study->history, &b->study[k].history);
    }
}

static void assert_same_sample(const struct sample *a, const struct sample *b) {
    static const struct member members[] = {
        MEMBER(sample, time_ns), MEMBER(sample, state),           MEMBER(sample, nx),
        MEMBER(sample, ny),      MEMBER(sample, iteration_limit), MEMBER(sample, tolerance),
        MEMBER(sample, measure), MEMBER(sample, lane_count)};
    assert_same_members(a, b, members, count_of(members));
    assert_string_equal(a->preset, b->preset);
    assert_string_equal(a->problem, b->problem);
    for (int l = 0; l < a->lane_count; l++)
        assert_same_lane(&a->lanes[l], &b->lanes[l]);
    assert_same_study(a, b);
}

TEST(round_trip) {
    struct sample *kept[SAMPLES];
    record_run(kept);
    owned_recording recording = load(path);
    assert_int_equal(recording->count, SAMPLES);
    for (int k = 0; k < SAMPLES; k++)
        assert_same_sample(recording_sample(recording, k), kept[k]);
    for (int k = SAMPLES - 1; k >= 0; k -= 3) /* backwards, too */
        assert_same_sample(recording_sample(recording, k), kept[k]);
    for (int k = 0; k < SAMPLES; k++)
        sample_destroy(kept[k]);
}

/* Two days at 5 TB/s. */
TEST(bytes_of_a_long_run) {
    const uint64_t bytes = UINT64_C(900000000000000000);
    struct sampled_run run;
    open_run(&run);
    sampled_run_next(&run, 5);
    run.sample->lanes[0].totals.of[EVENT_KERNEL][PHASE_LAPLACIAN].bytes = bytes;
    run.sample->lanes[0].device_stats.halo_bytes = bytes;
    sampled_run_record(&run);
    sampled_run_close(&run);
    owned_recording recording = load(path);
    const struct lane_sample *lane = &recording_sample(recording, 0)->lanes[0];
    assert_true(lane->totals.of[EVENT_KERNEL][PHASE_LAPLACIAN].bytes == bytes);
    assert_true(lane->device_stats.halo_bytes == bytes);
}

/* Multigrid beside Jacobi, from before its first cycle: its method and cycle, the times of its
 * phases, and the corrections of its levels; also in a sample without its own field. */
TEST(multigrid) {
    enum { COUNT = 6 };
    static const char options[] = "--problem charges --grid 150x97 --tolerance 0";
    const struct lane_spec specs[] = {
        run_of("serial/unstructured/classic+multigrid+cycle=2:1:red-black %s", options),
        run_of("serial/unstructured/classic %s", options)};
    const struct recording_header header = header_test();
    struct levels levels;
    struct sample *kept[COUNT];
    struct sampled_run run;
    levels_make(&levels, &specs[0].engine.mesh, METHOD_MULTIGRID);
    sampled_run_begin(&run, specs, 2, 20, 20, path, &header);
    for (int k = 0; k < COUNT; k++) {
        kept[k] = sample_kept(sampled_run_next(&run, k > 0 ? 2 : 0));
        sampled_run_record(&run);
    }
    sampled_run_close(&run);
    owned_recording recording = load(path);
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
}

/* A terminal would execute escape sequences in texts of another user's recording. */
TEST(texts_hold_no_escapes) {
    static const char escape[] = "\033]0;title\007\x9b"
                                 "2J";
    struct sampled_run run;
    open_run(&run);
    sampled_run_next(&run, 5);
    struct lane_sample *lane = &run.sample->lanes[0];
    print_to(lane->device, "GPU %s", escape);
    print_to(lane->driver, "%s", escape);
    print_to(lane->fallback_reason, "%s", escape);
    sampled_run_record(&run);
    sampled_run_close(&run);
    owned_recording recording = load(path);
    const struct lane_sample *read = &recording_sample(recording, 0)->lanes[0];
    for_each_word(text, read->device, read->driver, read->fallback_reason) {
        assert_contains(text, "]0;title");
        assert_null(strpbrk(text, "\033\007\x9b"));
    }
}

/* Lanes may disappear and return; meanwhile the live sample's slot continues. */
TEST(lanes_that_come_back) {
    static const int lanes[] = {2, 2, 1, 1, 2, 2, 1, 2};
    enum { COUNT = count_of(lanes) };
    struct sample *kept[COUNT];
    struct sampled_run run;
    open_run(&run);
    for (int k = 0; k < COUNT; k++) {
        run.sample->lane_count = 2;
        sampled_run_next(&run, 5);
        run.sample->lane_count = lanes[k];
        sampled_run_record(&run);
        kept[k] = sample_kept(run.sample);
    }
    sampled_run_close(&run); /* with both lanes, as at the end */
    owned_recording recording = load(path);
    assert_int_equal(recording->count, COUNT);
    for (int k = 0; k < COUNT; k++) {
        assert_same_sample(recording_sample(recording, k), kept[k]);
        sample_destroy(kept[k]);
    }
}

TEST(header) {
    record_run(NULL);
    owned_recording recording = load(path);
    const struct recording_header *header = &recording->header;
    struct config config = {0};
    char label[160];
    assert_string_equal(header->command, "jacobi-tui --grid=20x13");
    assert_string_equal(header->program_version, BUILD_VERSION);
    assert_true(strlen(header->device) > 0 && strlen(header->date) == 20);
    print_to(config.plan.preset, "mine");
    header_to_config(header, &config);
    assert_string_equal(config.plan.preset, "mine");
    assert_true(config.reference.kernel_ms[PHASE_UPDATE] == 0.51);
    assert_true(isnan(config.reference.kernel_ms[PHASE_NORM]));
    assert_int_equal(config.reference.nx, 4096);
    assert_int_equal(config.reference.ny, 2048);
    assert_string_equal(config.second_reference.source, "another");
    assert_true(config.second_reference.kernel_ms[PHASE_UPDATE] == 0.52);
    assert_true(config.machine.bandwidth_gbs == 26.6 && isnan(config.machine.gflops));
    assert_string_equal(config.machine.device, "Xeon");
    assert_int_equal(config.view.scale, SCALE_LOG);
    print_to(label, "%s", recording_sample(recording, 0)->playback.label);
    assert_true(strncmp(label, "replay: ", 8) == 0 && strstr(label, header->device));
    assert_true(recording_sample(recording, 0)->lanes[1].recorded[0]);
}

/* Another version's layout is left out: saved as the default, it could not be read back. So is a
 * machine without a name. */
TEST(unknown_layout) {
    struct recording_header header = header_test();
    struct config config;
    config_init(&config);
    print_to(header.view.layout, "bogus");
    header_to_config(&header, &config);
    assert_string_equal(config.view.layout, layout_default);
    print_to(header.view.layout, "residual");
    header.machine.device[0] = '\0';
    print_to(config.machine.device, "H200"); /* the preset's */
    header_to_config(&header, &config);
    assert_string_equal(config.view.layout, "residual");
    assert_string_equal(config.machine.device, "H200");
}

/* A recording without a date can't be mistaken for a live run either. */
TEST(undated) {
    struct recording_header header = header_test();
    struct sampled_run run;
    const struct lane_spec spec = run_of("serial --grid 20");
    header.date[0] = '\0';
    sampled_run_begin(&run, &spec, 1, 10, 6, path, &header);
    sampled_run_next(&run, 5);
    sampled_run_record(&run);
    sampled_run_close(&run);
    owned_recording recording = load(path);
    assert_int_equal(sample_recorded_count(recording_sample(recording, 0)), 1);
}

TEST(chapters) {
    record_run(NULL);
    owned_recording recording = load(path);
    assert_int_equal(recording->chapter_count, 2);
    const struct chapter *first = &recording->chapters[0];
    const struct chapter *last = &recording->chapters[1];
    assert_int_equal(first->sample, 0);
    assert_contains(first->title, "blog 20x13: serial/unstructured/classic");
    assert_int_equal(last->sample, SAMPLES - 1);
    assert_string_equal(last->title, "finished after 60 iterations");
}

TEST(leaves_nothing_where_nothing_ran) {
    struct sampled_run run;
    open_run(&run);
    sampled_run_close(&run);
    assert_int_equal(access(path, F_OK), -1);
}

/* A long recording: its fields, incompressible or all the same, and a run that restarts with each
 * sample or goes on. Sets the bytes after 10 s and after a minute. */
struct long_recording {
    int cols, rows, samples, per_second;
    bool is_noise, restarts;
    long sizes[2];
};

static void record_long(struct long_recording *recorded) {
    const struct recording_header header = header_test();
    const struct lane_spec spec = run_of("serial --problem noise --grid 240x160");
    const int cells = recorded->cols * recorded->rows;
    struct sampled_run run;
    sampled_run_begin(&run, &spec, 1, recorded->cols, recorded->rows, path, &header);
    sampled_run_next(&run, 1);
    for (int k = 1; k <= recorded->samples; k++) {
        for (int c = 0; c < cells && recorded->is_noise; c++)
            run.sample->lanes[0].field.cells[c] =
                (float)(((unsigned)k * 7919 + (unsigned)c * 104729) % 65536);
        run.sample->lanes[0].iterations = recorded->restarts ? recorded->samples - k : k;
        run.sample->sequence++;
        run.sample->time_ns += 1000000000 / recorded->per_second;
        sampled_run_record(&run);
        if (k == 10 * recorded->per_second || k == 60 * recorded->per_second)
            recorded->sizes[k == 60 * recorded->per_second] = recorder_size(run.recorder);
    }
    sampled_run_close(&run);
}

/* 2 MB per minute for any contents, over a whole minute and over its first 10 s. */
TEST(stays_in_its_budget) {
    static const int views[][2] = {{72, 48}, {128, 96}, {240, 160}};
    for (size_t v = 0; v < count_of(views); v++) {
        struct long_recording recorded = {views[v][0], views[v][1], 1800, 30, .is_noise = true};
        record_long(&recorded);
        print_message("%dx%d cells: %ld bytes in 10 s, %ld in a minute\n", recorded.cols,
                      recorded.rows, recorded.sizes[0], recorded.sizes[1]);
        assert_true(recorded.sizes[1] <= 2000000);
        assert_true(recorded.sizes[0] <= 2000000 / 6);
        assert_true(recorded.sizes[1] >= 60 * RECORDER_BYTES_PER_SECOND / 2); /* it goes on */
    }
}

/* A recording of any length can be read: its size, its cells and its chapters stay below the
 * reader's limits. The first two are shortened. */
TEST(long_runs_can_be_read) {
    const double share = 1.0 / 256;
    setenv("JACOBI_LIMITS", "recording=1", 1);
    assert_int_equal(limits_read(NULL), STATUS_OK);
    for (int is_noise = 0; is_noise < 2; is_noise++) {
        record_long(&(struct long_recording){240, 160, 2000, 10, .is_noise = is_noise});
        owned_recording recording = load(path);
        print_message("%zu bytes, %d samples, %g cells\n", recording->size, recording->count,
                      (double)recording->cells);
        assert_true((double)recording->size <= share * RECORDING_MAX_BYTES);
        assert_true((double)recording->cells <=
                    share * RECORDING_CELLS +
                        (double)RECORDING_CELLS_PER_BYTE * (double)recording->size);
        assert_true(recording->count > 100);
    }
    setenv("JACOBI_LIMITS", "recording=256", 1);
    assert_int_equal(limits_read(NULL), STATUS_OK);
    unsetenv("JACOBI_LIMITS");
    record_long(&(struct long_recording){240, 1, RECORDING_CHAPTERS_MAX + 9, 10, .restarts = true});
    owned_recording recording = load(path);
    assert_int_equal(recording->chapter_count, RECORDING_CHAPTERS_MAX);
}

TEST_MODULE(recording, NULL, NULL)
