/* Recorded lanes side by side, with each other (playlists) and with live lanes. */
#include "tests/fixtures/samples.h"

#include <limits.h>

#include "metrics/verdict.h"
#include "record/replay.h"
#include "session/runner.h"
#include "tests/fixtures/worker.h"

/* ---- which moments are shown together: times calculated by hand ------------------------------ */

static void check_timeline(const struct lane_recording recorded[], int lanes, enum race race,
                           const struct timeline_entry *expected, int count) {
    struct timeline_entry entries[64];
    assert_int_equal(playlist_timeline(recorded, lanes, race, entries), count);
    for (int k = 0; k < count; k++) {
        assert_close((double)entries[k].time_ns, (double)expected[k].time_ns, 1e-6);
        assert_int_equal(entries[k].iterations, expected[k].iterations);
        for (int l = 0; l < lanes; l++)
            assert_int_equal(entries[k].at[l], expected[k].at[l]);
    }
}

/* B is between its two moments and waits for A; after A's end B would continue alone. */
TEST(lanes_wait_for_each_other) {
    struct keyframe a[] = {{1, 1.0, 1}, {2, 2.0, 1}, {3, 3.0, 1}};
    struct keyframe b[] = {{1, 0.1, 1}, {10, 1.0, 1}};
    const struct lane_recording recorded[] = {{.keyframes = a, .count = 3},
                                              {.keyframes = b, .count = 2}};
    const struct timeline_entry expected[] = {
        {0, 1, {0, 0}}, {1000000000, 2, {1, 1}}, {2000000000, 3, {2, 1}}};
    check_timeline(recorded, 2, RACE_SAME_ITERATIONS, expected, 3);
}

/* Between two meetings all lanes take as long as the slowest. */
TEST(a_lane_that_has_converged_is_not_waited_for) {
    struct keyframe a[] = {{1, 1.0, 1}, {2, 2.0, 1}};
    struct keyframe b[] = {{1, 0.1, 1}, {2, 0.2, 1}, {5, 0.4, 1}, {9, 1.9, 1}};
    const struct lane_recording recorded[] = {{.keyframes = a, .count = 2, .converged = true},
                                              {.keyframes = b, .count = 4}};
    const struct timeline_entry expected[] = {
        {0, 1, {0, 0}}, {1000000000, 2, {1, 1}}, {1200000000, 5, {1, 2}}, {2700000000, 9, {1, 3}}};
    check_timeline(recorded, 2, RACE_SAME_ITERATIONS, expected, 4);
}

/* B has only every fourth residual, of the iterates 0, 4, 8, …, after 1, 5, 9, … iterations. Only
 * at the end the lanes meet elsewhere. */
TEST(lanes_meet_where_residuals_are_known) {
    struct keyframe a[] = {{1, 0.1, 1}, {11, 1.1, 1}, {20, 2.0, 1}};
    struct keyframe b[] = {{1, 0.1, 1}, {17, 0.1, 4}, {40, 0.1, 4}};
    const struct lane_recording recorded[] = {{.keyframes = a, .count = 3},
                                              {.keyframes = b, .count = 3}};
    const struct timeline_entry expected[] = {
        {0, 1, {0, 0}}, {800000000, 9, {1, 1}}, {1600000000, 17, {2, 1}}, {1900000000, 20, {2, 2}}};
    check_timeline(recorded, 2, RACE_SAME_ITERATIONS, expected, 4);
}

TEST(same_time) {
    struct keyframe a[] = {{1, 0.4, 1}, {2, 0.8, 1}};
    struct keyframe b[] = {{1, 0, 1}, {100, 0.3, 1}, {200, 0.6, 1}, {300, 0.9, 1}};
    const struct lane_recording recorded[] = {{.keyframes = a, .count = 2},
                                              {.keyframes = b, .count = 4}};
    const struct timeline_entry expected[] = {
        {0, -1, {0, 1}}, {200000000, -1, {0, 2}}, {400000000, -1, {1, 2}}, {500000000, -1, {1, 3}}};
    check_timeline(recorded, 2, RACE_SAME_TIME, expected, 4);
}

/* Whatever times a file contains, the playlist's time advances to the end. */
TEST(impossible_times) {
    struct keyframe a[] = {{0, (double)NAN, 0},
                           {0, -5, -1},
                           {1, 1e300, 1},
                           {1, 3, 1},
                           {7, (double)INFINITY, LONG_MAX}};
    struct keyframe b[] = {{5, (double)INFINITY, 3}, {5, 0, 2}, {6, (double)NAN, 1}};
    const struct lane_recording recorded[] = {{.keyframes = a, .count = 5},
                                              {.keyframes = b, .count = 3}};
    struct timeline_entry entries[8];
    for (int race = 0; race <= RACE_SAME_TIME; race++) {
        const int count = playlist_timeline(recorded, 2, (enum race)race, entries);
        for (int k = 1; k < count; k++)
            assert_true(entries[k].time_ns > entries[k - 1].time_ns);
        assert_int_equal(entries[count - 1].at[0], 4);
        assert_int_equal(entries[count - 1].at[1], 2);
    }
}

/* ---- recordings ------------------------------------------------------------------------------ */

static int64_t test_clock(void) {
    return 1000;
}

/* A run of 60 iterations at 20², `stride` between two samples, after another schedule's run that
 * the user left. `lie` scales its sixth residual. */
static void record(const char *name, const char *date, long stride, double lie) {
    struct recording_header header = {0};
    struct sampled_run run;
    const struct lane_spec fused = run_of("serial/unstructured/fused --grid 20");
    const struct lane_spec classic =
        run_of("serial/unstructured/classic --grid 20 --iterations 60 --tolerance 0");
    print_to(header.date, "%s", date);
    sampled_run_begin(&run, &fused, 1, 10, 10, name, &header);
    for (int k = 0; k < 3; k++) {
        sampled_run_next(&run, 50);
        sampled_run_record(&run);
    }
    run_close(run.lanes[0]);
    run.lanes[0] = run_open(&classic);
    for (long made = 0; made < 60; made += stride) {
        sampled_run_next(&run, stride);
        if (made + stride > 5)
            run.sample->lanes[0].history.residuals[5] *= lie;
        sampled_run_record(&run);
    }
    sampled_run_close(&run);
}

static int make_recordings(void **state) {
    record("often.rec", "2026-01-02T03:04:05Z", 2, 1);
    record("seldom.rec", "2026-01-02T04:04:05Z", 15, 1);
    record("later.rec", "2026-01-03T03:04:05Z", 4, 1);
    record("wrong.rec", "2026-01-02T03:04:05Z", 4, 1 + 1e-6);
    return 0;
}

static struct source *start(const char *a, const char *b, enum race race) {
    struct plan plan = {.lane_count = 2, .race = race};
    struct playlist *playlist;
    struct source *source = NULL;
    snprintf(plan.recordings[0].path, PATH_SIZE, "%s", a);
    snprintf(plan.recordings[1].path, PATH_SIZE, "%s", b);
    plan.recordings[0].lane = plan.recordings[1].lane = -1;
    assert_ok(playlist_open(NULL, &plan, &playlist, &error));
    assert_ok(replay_start(playlist, 1, true, test_clock, &source, &error));
    return source;
}

static const struct sample *send(struct source *source, enum command_kind kind, long value) {
    const struct command command = {.kind = kind, .value = value};
    source->ops->command(source, &command);
    return source->ops->latest(source);
}

/* A run's totals grow equally in each iteration, so they are also known between two moments: one
 * call of each kernel per iteration, and its bytes. */
static void check_figures(const struct lane_sample *lane, const struct lane_sample *other) {
    const struct event_stats *kernels = lane->totals.of[EVENT_KERNEL];
    const struct event_stats *others = other->totals.of[EVENT_KERNEL];
    assert_int_equal(kernels[PHASE_LAPLACIAN].count, lane->iterations);
    assert_int_equal(kernels[PHASE_NORM].count, lane->iterations);
    assert_int_equal(kernels[PHASE_LAPLACIAN].bytes, others[PHASE_LAPLACIAN].bytes);
    assert_int_equal(lane->history.count, lane->iterations);
    assert_true(lane->residual == lane->history.residuals[lane->iterations - 1]);
    assert_true(lane->residual == other->residual);
    assert_true(lane->field.iteration <= lane->iterations || lane->iterations < 15);
}

/* Moments after 2, 4, … 60 iterations, and after 15, 30, 45, 60: 32 different numbers. */
TEST(lanes_show_equal_iterations) {
    owned_source source = start("often.rec", "seldom.rec", RACE_SAME_ITERATIONS);
    const struct sample *sample = source->ops->latest(source);
    double seconds[2] = {0, 0};
    for (long k = 0, made = 0; k < 33; k++) {
        assert_int_equal(sample->lanes[1].iterations, sample->lanes[0].iterations);
        if (k < 32) {
            assert_true(sample->lanes[0].iterations > made);
            made = sample->lanes[0].iterations;
            assert_true(made % 2 == 0 || made % 15 == 0);
        }
        for (int l = 0; l < 2; l++) {
            check_figures(&sample->lanes[l], &sample->lanes[1 - l]);
            assert_true(sample->lanes[l].seconds >= seconds[l]);
            seconds[l] = sample->lanes[l].seconds;
            assert_int_equal(sample->lanes[l].state, made < 60 ? LANE_RUNNING : LANE_LIMIT_REACHED);
        }
        assert_int_equal(sample->state, k < 31 ? SESSION_PAUSED : SESSION_FINISHED);
        sample = send(source, COMMAND_STEP, 1);
    }
    assert_int_equal(sample->lanes[0].iterations, 60);
    sample = send(source, COMMAND_STEP, -1); /* the same backwards */
    assert_int_equal(sample->lanes[0].iterations, 58);
    check_figures(&sample->lanes[1], &sample->lanes[0]);
    sample = send(source, COMMAND_RESTART, 0);
    assert_int_equal(sample->lanes[0].iterations, 2);
    check_figures(&sample->lanes[1], &sample->lanes[0]);
}

TEST(every_lane_is_marked) {
    owned_source days = start("often.rec", "later.rec", RACE_SAME_ITERATIONS);
    const struct sample *sample = days->ops->latest(days);
    assert_string_equal(sample->playback.label, "replay of 2 recordings");
    assert_string_equal(sample->lanes[0].recorded, "2026-01-02");
    assert_string_equal(sample->lanes[1].recorded, "2026-01-03");
    owned_source day = start("often.rec", "seldom.rec", RACE_SAME_ITERATIONS);
    sample = day->ops->latest(day);
    assert_true(strncmp(sample->playback.label, "replay: ", 8) == 0);
    assert_contains(sample->playback.label, "2026-01-02");
}

/* The other race shows at least as many iterations of the lane that was behind. */
TEST(the_race_can_be_changed) {
    owned_source source = start("often.rec", "seldom.rec", RACE_SAME_ITERATIONS);
    const struct sample *sample = send(source, COMMAND_STEP, 12);
    const long behind = sample->lanes[0].iterations < sample->lanes[1].iterations ? 0 : 1;
    const long made = sample->lanes[behind].iterations;
    sample = send(source, COMMAND_RACE, RACE_SAME_TIME);
    assert_int_equal(sample->race, RACE_SAME_TIME);
    assert_true(sample->lanes[behind].iterations >= made);
    for (double seconds = 0; sample->playback.position_s < sample->playback.length_s;) {
        sample = send(source, COMMAND_STEP, 1);
        const double longest = fmax(sample->lanes[0].seconds, sample->lanes[1].seconds);
        assert_true(longest >= seconds);
        seconds = longest;
    }
    assert_int_equal(sample->state, SESSION_FINISHED);
    sample = send(source, COMMAND_CHAPTER, -9);
    assert_string_equal(sample->playback.chapter_title, "start");
}

TEST(residuals_are_compared) {
    owned_source good = start("often.rec", "seldom.rec", RACE_SAME_ITERATIONS);
    owned_source wrong = start("often.rec", "wrong.rec", RACE_SAME_ITERATIONS);
    struct verdict verdict = verdict_make(send(good, COMMAND_SEEK, 1000));
    assert_int_equal(verdict.agreement, AGREEMENT_GOOD);
    assert_int_equal(verdict.agreed_iterate, 59);
    verdict = verdict_make(send(wrong, COMMAND_SEEK, 1000));
    assert_int_equal(verdict.agreement, AGREEMENT_RESIDUAL);
    assert_int_equal(verdict.agreed_iterate, 5);
}

/* Times, bytes and the verdict are the whole recording's from the first frame on: a class reads the
 * same ratio whenever it looks. Without quantiles the time is the mean of all iterations. */
TEST(figures_do_not_depend_on_the_position) {
    owned_source source = start("often.rec", "seldom.rec", RACE_SAME_ITERATIONS);
    const struct sample *sample = send(source, COMMAND_SEEK, 1000);
    const struct verdict last = verdict_make(sample);
    const struct iteration_times times = sample->lanes[0].times;
    sample = send(source, COMMAND_SEEK, 0);
    const struct verdict first = verdict_make(sample);
    assert_int_equal(sample->lanes[0].iterations, 2);
    assert_close(first.ratio, last.ratio, 1e-12);
    assert_string_equal(first.claim, last.claim);
    assert_memory_equal(&sample->lanes[0].times, &times, sizeof times);
    for (int l = 0; l < 2; l++) {
        const struct costs *of_first = &first.lanes[l].costs, *of_last = &last.lanes[l].costs;
        assert_close(of_first->computing.ms, of_last->computing.ms, 1e-6);
        assert_close(of_first->mean_ms, of_last->mean_ms, 1e-12); /* it scales the parts */
    }
}

/* Likewise of a single recording, whose runs end at samples 2 and 32. */
TEST(figures_are_those_of_the_whole_run) {
    static const int ends[] = {2, 2, 32, 32, 2};
    static const int shown[] = {0, 2, 3, 32, 1};
    struct recording *recording;
    struct playlist *playlist;
    assert_ok(recording_load("often.rec", &recording, &error));
    assert_ok(playlist_open(recording, NULL, &playlist, &error));
    for (int k = 0; k < 5; k++) {
        const struct lane_sample *last = &recording_sample(recording, ends[k])->lanes[0];
        const double mean_ms = 1e3 * last->seconds / (double)last->iterations;
        const struct sample *sample = playlist_sample(playlist, shown[k]);
        assert_close(costs_of_run(sample, 0).mean_ms, mean_ms, 1e-12);
        assert_string_equal(AS(format_statistic, sample), "median of the recording");
    }
    playlist_close(playlist);
}

/* Five of 60 calls were timed, at 1 µs each: a call keeps this mean between two moments, too. */
TEST(few_timed_calls_keep_their_mean) {
    const struct plan_recording named = {.path = "few.rec", .lane = -1};
    const struct lane_spec spec = run_of("serial/unstructured/classic --grid 20");
    const struct recording_header header = {.date = "2026-01-31"};
    struct sampled_run run;
    struct lane_recording recorded;
    owned_sample between = sample_create();
    sampled_run_begin(&run, &spec, 1, 10, 10, named.path, &header);
    for (int k = 0; k < 2; k++) {
        sampled_run_next(&run, k ? 59 : 1);
        struct event_stats *norm = &run.sample->lanes[0].totals.of[EVENT_KERNEL][PHASE_NORM];
        norm->timed = k ? 5 : 1;
        norm->total_ns = 1000 * (int64_t)norm->timed;
        sampled_run_record(&run);
    }
    sampled_run_close(&run);
    assert_ok(lane_recording_open(&named, &recorded, &error));
    for (long made = 1; made <= 60; made++) {
        lane_recording_fill(&recorded, lane_recording_find(&recorded, 0, made), made,
                            &between->lanes[0]);
        const struct event_stats *norm = &between->lanes[0].totals.of[EVENT_KERNEL][PHASE_NORM];
        assert_int_equal(norm->count, made);
        assert_close(event_stats_mean_ns(norm), 1000, 1e-3);
    }
    lane_recording_close(&recorded);
}

/* The earlier run, which the user left, is not part of the race. */
TEST(only_the_last_run_is_taken) {
    const struct plan_recording named = {.path = "often.rec", .lane = -1};
    struct lane_recording recorded;
    assert_ok(lane_recording_open(&named, &recorded, &error));
    assert_int_equal(recorded.first, 3);
    assert_int_equal(recorded.count, 30);
    assert_int_equal(lane_recording_lane(&recorded, 0)->run.schedule.kind, SCHEDULE_CLASSIC);
    assert_int_equal(lane_recording_lane(&recorded, 29)->iterations, 60);
    lane_recording_close(&recorded);
}

/* ---- beside live lanes ----------------------------------------------------------------------- */

static struct plan plan_beside(const char *name, int recorded, enum race race) {
    struct plan plan = {.lane_count = 2, .race = race, .fps = 30};
    plan.lanes[0] = plan.lanes[1] =
        run_of("serial/unstructured/fused --grid 20 --iterations 60 --tolerance 0");
    snprintf(plan.recordings[recorded].path, PATH_SIZE, "%s", name);
    plan.recordings[recorded].lane = -1;
    return plan;
}

/* Iterations shown of the recorded lane when the live one has made this many in that time. */
static long follows(enum race race, long iterations, double seconds) {
    const struct plan plan = plan_beside("seldom.rec", 0, race);
    owned_sample sample = sample_create();
    struct lane *lane;
    assert_ok(recorded_lane_open(&plan.recordings[0], &lane, &error));
    assert_false(lane_can_advance(lane));
    lane->ops->follow(lane, race, iterations, seconds);
    lane->ops->fill(lane, NULL, &sample->lanes[0]);
    assert_string_equal(sample->lanes[0].recorded, "2026-01-02");
    const long shown = sample->lanes[0].iterations;
    lane->ops->close(lane, NULL);
    return shown;
}

/* The recorded moments are those after 15, 30, 45 and 60 iterations. */
TEST(a_recorded_lane_follows) {
    assert_int_equal(follows(RACE_SAME_ITERATIONS, 0, 1e9), 0);
    assert_int_equal(follows(RACE_SAME_ITERATIONS, 15, 1e9), 15);
    assert_int_equal(follows(RACE_SAME_ITERATIONS, 16, 0), 16);
    assert_int_equal(follows(RACE_SAME_ITERATIONS, 60, 0), 60);
    assert_int_equal(follows(RACE_SAME_ITERATIONS, 1000, 0), 60);
    assert_int_equal(follows(RACE_SAME_TIME, 1000, 0), 15);
    assert_int_equal(follows(RACE_SAME_TIME, 1, 1e9), 60);
}

/* Each lane keeps its place; the recorded one shows as many iterations as the live one has made. */
TEST(a_runner_moves_both_kinds) {
    struct runner runner = {.plan = plan_beside("seldom.rec", 0, RACE_SAME_ITERATIONS)};
    owned_sample sample = sample_create();
    assert_int_equal(runner_open(&runner), STATUS_OK);
    runner_step(&runner, 20);
    runner_snapshot(&runner, NULL, sample);
    assert_int_equal(sample->lane_count, 2);
    assert_int_equal(sample->state, SESSION_RUNNING);
    assert_string_equal(sample->lanes[0].recorded, "2026-01-02");
    assert_int_equal(sample->lanes[0].iterations, 20);
    assert_string_equal(sample->lanes[1].recorded, "");
    assert_int_equal(sample->lanes[1].iterations, 20);
    assert_int_equal(runner_turn(&runner, (double)INFINITY), 1);
    assert_int_equal(runner_turn(&runner, (double)INFINITY), -1);
    runner_snapshot(&runner, NULL, sample);
    assert_int_equal(sample->state, SESSION_FINISHED);
    assert_int_equal(sample->lanes[0].iterations, 60);
    runner_close(&runner, sample);
}

static const struct sample *wait_for_end(struct watched_worker *watched, int lane_count) {
    const struct sample *sample;
    wait_until(watched, 1u << SESSION_FINISHED | 1u << SESSION_FAILED,
               sample->lane_count == lane_count);
    return sample;
}

static enum agreement agreement_beside(const char *name) {
    struct plan plan = plan_beside(name, 1, RACE_SAME_ITERATIONS);
    owned_worker watched = watch_worker(&plan, 8);
    const struct sample *sample = wait_for_end(&watched, 2);
    assert_string_equal(sample->playback.label, "");
    assert_int_equal(sample->lanes[1].field.downsample.cols, 8);
    const enum agreement agreement = verdict_make(sample).agreement;
    plan.lane_count = 1; /* the user continues with the live lane alone */
    plan_compute_all(&plan);
    send_plan(&watched, &plan);
    assert_string_equal(wait_for_end(&watched, 1)->lanes[0].recorded, "");
    return agreement;
}

TEST(a_live_lane_is_held_to_the_recording) {
    assert_int_equal(agreement_beside("often.rec"), AGREEMENT_GOOD);
    assert_int_equal(agreement_beside("wrong.rec"), AGREEMENT_RESIDUAL);
}

TEST(what_may_stand_beside_a_recording) {
    struct plan plan = plan_beside("often.rec", 1, RACE_SAME_ITERATIONS);
    assert_ok(plan_check(&plan, &error));
    plan.lanes[0].engine.mesh = mesh_make(30, 30);
    assert_refused(plan_check(&plan, &error), STATUS_BAD_INPUT, "blog at 20²");
    plan.recordings[0] = plan.recordings[1];
    assert_int_equal(plan_check(&plan, &error), STATUS_BAD_INPUT);
}

TEST_MODULE(playlist, make_recordings, NULL)
