/* The order of turns, with lanes of made-up speed: no engine, no clock. */
#include "tests/fixtures/runs.h"

#include <limits.h>

#include "core/system.h"
#include "session/runner.h"
#include "session/scheduler.h"

static const double slice = 0.02;

struct racer {
    struct lane lane;
    double pass_seconds; /* duration of a pass, whatever its depth */
    long shallow;        /* number of partial passes */
    double longest_turn; /* in seconds */
};

static struct race_track {
    struct racer racers[LANES_MAX];
    struct lane *lanes[LANES_MAX];
    int count;
} track;

static int clear_track(void **state) {
    track = (struct race_track){0};
    return 0;
}

static enum status no_advance(struct lane *lane, long count) {
    return STATUS_OK;
}

static void add(int depth, double pass_seconds) {
    static const struct lane_ops ops = {.advance = no_advance};
    struct racer *racer = &track.racers[track.count];
    racer->lane.ops = &ops;
    racer->lane.pass = depth > 0 ? depth : 1;
    racer->pass_seconds = pass_seconds;
    track.lanes[track.count++] = &racer->lane;
}

/* Runs a turn; the last `study_count` of the lanes are a grid study. */
static struct racer *run_turn_of(int study_count, enum race race) {
    const struct turn turn =
        scheduler_next(track.lanes, track.count - study_count, study_count, race, slice);
    assert_in_range(turn.lane, 0, track.count - 1);
    assert_in_range(turn.count, 1, 1000000);
    struct racer *racer = &track.racers[turn.lane];
    const long pass = racer->lane.pass;
    const double seconds = (double)((turn.count + pass - 1) / pass) * racer->pass_seconds;
    racer->shallow += turn.count % pass != 0;
    racer->longest_turn = fmax(racer->longest_turn, seconds);
    racer->lane.iterations += turn.count;
    racer->lane.seconds += seconds;
    return racer;
}

static struct racer *run_turn(enum race race) {
    return run_turn_of(0, race);
}

static bool level(void) {
    for (int l = 1; l < track.count; l++)
        if (track.lanes[l]->iterations != track.lanes[0]->iterations)
            return false;
    return true;
}

/* Runs until all lanes have met `meetings` times; returns the iterations of the first meeting. */
static long run_in_step(int meetings) {
    long first = 0;
    for (int turns = 0; meetings > 0; turns++) {
        assert_in_range(turns, 0, 100000);
        run_turn(RACE_SAME_ITERATIONS);
        if (!level())
            continue;
        meetings--;
        if (first == 0)
            first = track.lanes[0]->iterations;
        assert_int_equal(track.lanes[0]->iterations % first, 0);
    }
    return first;
}

TEST(a_turn_fills_its_slice) {
    add(0, 1e-5);
    for (int turn = 0; turn < 20; turn++)
        run_turn(RACE_SAME_ITERATIONS);
    assert_close(track.racers[0].longest_turn, slice, 0.01);
}

/* Turns of single iterations would yield a speed that keeps them single. */
TEST(passes_longer_than_a_slice_are_whole) {
    add(16, 4 * slice);
    for (int turn = 0; turn < 20; turn++)
        assert_int_equal(run_turn(RACE_SAME_ITERATIONS)->lane.iterations, 16 * (turn + 1));
}

TEST(passes_shorter_than_a_slice_are_whole) {
    add(24, slice / 7.5);
    for (int turn = 0; turn < 20; turn++)
        run_turn(RACE_SAME_TIME);
    assert_int_equal(track.racers[0].shallow, 0);
    assert_close(track.racers[0].longest_turn, 7 * slice / 7.5, 1e-9);
}

/* Like `--preset schedules` at 4096². */
TEST(lanes_in_step_meet_between_passes) {
    add(0, 0.043);
    add(0, 0.013);
    add(16, 0.077);
    assert_int_equal(run_in_step(20), 16);
    assert_int_equal(track.racers[2].shallow, 0);
    /* The other lanes get there in several turns, so that commands are executed soon. */
    assert_close(track.racers[0].longest_turn, 0.043, 1e-9);
    assert_close(track.racers[1].longest_turn, 0.013, 1e-9);
}

/* Like `--preset schedules`: the second pass of a turn finds its data in the caches. */
TEST(lanes_in_step_make_two_passes_per_turn) {
    add(0, 0.0047);
    add(0, 0.0017);
    add(16, 0.01);
    assert_int_equal(run_in_step(20), 16);
    const long before = track.lanes[0]->iterations;
    assert_int_equal(run_in_step(1) - before, 32);
}

static void check_two_depths(int shallower, int deeper, long meeting, bool shallower_is_whole) {
    clear_track(NULL);
    add(shallower, 0.077);
    add(deeper, 0.1);
    assert_int_equal(run_in_step(20), meeting);
    assert_int_equal(track.racers[0].shallow == 0, shallower_is_whole);
    assert_int_equal(track.racers[1].shallow, 0);
}

/* They meet at an iteration where passes of both end. If that is too far away, they meet where one
 * of the deeper passes ends. */
TEST(lanes_of_two_depths_meet_where_both_end) {
    check_two_depths(16, 24, 48, true);
    check_two_depths(61, 63, 63, false);
}

TEST(same_time_is_shared) {
    add(0, 0.001);
    add(16, 0.077);
    for (int turn = 0; turn < 500; turn++) {
        run_turn(RACE_SAME_TIME);
        assert_true(fabs(track.lanes[0]->seconds - track.lanes[1]->seconds) < 0.08);
    }
    assert_int_equal(track.racers[1].shallow, 0);
}

TEST(who_has_ended_has_no_turn) {
    add(0, 0.001);
    add(16, 0.001);
    track.lanes[1]->state = LANE_CONVERGED;
    for (int turn = 0; turn < 5; turn++)
        assert_ptr_equal(run_turn(RACE_SAME_ITERATIONS), &track.racers[0]);
    track.lanes[0]->state = LANE_LIMIT_REACHED;
    assert_int_equal(scheduler_next(track.lanes, 2, 0, RACE_SAME_ITERATIONS, slice).lane, -1);
    assert_int_equal(scheduler_next(track.lanes, 2, 0, RACE_SAME_TIME, slice).lane, -1);
}

/* A lane and two of its grid study, in any race. */
/* A lane that was stopped for 12 s in its turn does not lose them to the others. */
TEST(stopped_time_belongs_to_no_lane) {
    const struct lane usual = {.iterations = 1000, .seconds = 2}, first = {.seconds = 0};
    const struct lane slow = {.iterations = 10, .seconds = 20};
    assert_close(lane_awake_seconds(&usual, 10, 12.02), 0.02, 1e-12);
    assert_close(lane_awake_seconds(&usual, 10, 0.9), 0.9, 1e-12);
    assert_close(lane_awake_seconds(&usual, 600, 2.4), 2.4, 1e-12);
    assert_close(lane_awake_seconds(&slow, 1, 3), 3, 1e-12);
    assert_close(lane_awake_seconds(&first, 10, 12), 12, 1e-12);
}

TEST(a_grid_study_shares_the_time) {
    for (int race = RACE_SAME_ITERATIONS; race <= RACE_SAME_TIME; race++) {
        clear_track(NULL);
        add(0, 0.001);
        add(0, 0.0001);
        add(16, 0.003);
        for (int turn = 0; turn < 500; turn++)
            run_turn_of(2, (enum race)race);
        for (int l = 1; l < 3; l++)
            assert_true(fabs(track.lanes[0]->seconds - track.lanes[l]->seconds) <= 1.01 * slice);
        track.lanes[0]->state = LANE_CONVERGED;
        assert_int_not_equal(scheduler_next(track.lanes, 1, 2, (enum race)race, slice).lane, 0);
    }
}

TEST(a_lane_that_follows_has_no_turn) {
    static const struct lane_ops none;
    add(0, 0.001);
    add(0, 0.001);
    track.lanes[1]->ops = &none;
    track.lanes[1]->iterations = 5;
    for (int turn = 0; turn < 5; turn++) {
        assert_true(scheduler_is_level(track.lanes, 2, RACE_SAME_ITERATIONS));
        assert_ptr_equal(run_turn(RACE_SAME_ITERATIONS), &track.racers[0]);
    }
    assert_int_equal(
        scheduler_next(track.lanes, 2, 0, RACE_SAME_ITERATIONS, (double)INFINITY).count, LONG_MAX);
}

/* After a race for the same time a slow lane may need hours to draw level, so it is shown
 * meanwhile. During the few turns that lockstep needs to draw level, nothing is shown. */
TEST(lanes_far_apart_are_shown) {
    static struct runner runner;
    add(0, 0.16);
    add(0, 0.0004);
    track.lanes[1]->iterations = 8000;
    runner.plan.lane_count = runner.count = 2;
    runner.next_sample_ns = clock_now_ns() - INT64_C(3000000000);
    memcpy(runner.lanes, track.lanes, 2 * sizeof *track.lanes);
    for (int turn = 0; turn < 8; turn++)
        assert_false(runner_sample_is_due(&runner));
    for (int turn = 0; turn < 30; turn++)
        runner_sample_is_due(&runner);
    assert_true(runner_sample_is_due(&runner));
    runner.next_sample_ns = clock_now_ns();
    assert_false(runner_sample_is_due(&runner)); /* one per second suffices */
    track.lanes[0]->iterations = 8000;
    assert_true(runner_sample_is_due(&runner));
    track.lanes[0]->iterations = 8001;
    runner.next_sample_ns -= INT64_C(3000000000);
    assert_false(runner_sample_is_due(&runner));
}

static void fill_slowly(struct lane *lane, const struct view *view, struct lane_sample *sample) {
    sample->downsample_seconds += 1;
}

/* A field that costs a second may take 2 % of the time: 50 s, unless it may stand still for less.
 */
TEST(a_costly_field_does_not_stand_still) {
    static const struct lane_ops ops = {.advance = no_advance, .fill = fill_slowly};
    for (int s = 0; s < 2; s++) {
        struct lane lane = {.ops = &ops, .pass = 1};
        struct runner runner = {
            .lanes = {&lane}, .count = 1, .samples_per_second = 30, .downsample_share = 0.02};
        owned_sample sample = sample_create();
        const int64_t still_ns = INT64_C(1000000000) * (s ? 2 : 100), start = clock_now_ns();
        runner.plan.lane_count = 1;
        runner.plan.lanes[0] = run_of("serial");
        runner.longest_still_ns = still_ns;
        runner_sample(&runner, NULL, true, sample);
        const double seconds = 1e-9 * (double)(runner.next_downsample_ns - start);
        assert_true(s ? seconds >= 2 && seconds < 49 : seconds >= 50 && seconds < 99);
    }
}

static enum status advance_late(struct lane *lane, long count) {
    lane->seconds += 0.1 * (double)count;
    lane->iterations += count;
    return STATUS_OK;
}

static enum status advance_fast(struct lane *lane, long count) {
    lane->seconds += 0.001 * (double)count;
    lane->iterations += count;
    return STATUS_OK;
}

/* A speed that the lane can't reach does not make its turns longer. */
TEST(turns_stay_short_below_the_speed) {
    static const struct lane_ops ops = {.advance = advance_late};
    struct lane lane = {.ops = &ops, .pass = 1, .state = LANE_RUNNING};
    atomic_bool stop = false;
    struct runner runner = {.lanes = {&lane},
                            .count = 1,
                            .stop = &stop,
                            .state = SESSION_RUNNING,
                            .least_turn_ns = 33000000,
                            .plan = {.lane_count = 1, .iterations_per_second = 1000}};
    for (int turn = 1; turn <= 3; turn++) {
        runner_turn(&runner, slice);
        assert_int_equal(lane.iterations, turn);
    }
}

TEST(a_limited_speed_keeps_the_race_for_the_same_time) {
    static const struct lane_ops late = {.advance = advance_late}, fast = {.advance = advance_fast};
    struct lane lanes[] = {{.ops = &late, .pass = 1, .state = LANE_RUNNING},
                           {.ops = &fast, .pass = 4, .state = LANE_RUNNING}};
    atomic_bool stop = false;
    struct runner runner = {
        .lanes = {&lanes[0], &lanes[1]},
        .count = 2,
        .stop = &stop,
        .state = SESSION_RUNNING,
        .plan = {.lane_count = 2, .race = RACE_SAME_TIME, .iterations_per_second = 1000}};
    for (int turn = 0; lanes[0].iterations < 10 && turn < 99; turn++)
        runner_turn(&runner, slice);
    assert_in_range(lanes[0].iterations, 10, 13);
    assert_true(lanes[1].seconds > 0.5 * lanes[0].seconds);
    assert_true(lanes[1].seconds <= lanes[0].seconds);
}

TEST_MODULE_SETTING_UP_EACH(scheduler, clear_track, NULL)
