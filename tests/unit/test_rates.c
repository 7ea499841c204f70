/* Rates against time: known bytes over known times, and what begins or clears the axis. */
#include "metrics/rates.h"
#include "tests/fixtures/support.h"

enum { SIDE = 64, COLUMNS = 180 };

/* Of an iteration in the test's runs. */
static const double seconds_each = 0.005, copied_each = 1e7, moved_each = 64.0 * SIDE * SIDE;

static struct rates rates;
static struct sample sample;
static struct lane_sample *const lane = &sample.lanes[0];

static int set_up(void **state) {
    rates = (struct rates){0};
    sample = (struct sample){.state = SESSION_RUNNING, .lane_count = 1, .nx = SIDE, .ny = SIDE};
    lane->nx = lane->ny = SIDE;
    lane->run.mapping = MAPPING_STRUCTURED;
    print_to(lane->run.backend, "omp");
    return 0;
}

/* The sample after so many iterations, `passed` seconds later. */
static void add(long iterations, double passed) {
    const uint64_t made = (uint64_t)iterations;
    lane->iterations = iterations;
    lane->seconds = seconds_each * (double)iterations;
    lane->residual = 1 / (1.0 + (double)iterations);
    lane->totals = (struct event_totals){0};
    lane->totals.of[EVENT_KERNEL][PHASE_UPDATE] =
        (struct event_stats){.count = made, .timed = made, .total_ns = 1000};
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_FROM_DEVICE; kind++)
        lane->totals.of[kind][PHASE_UPDATE] = (struct event_stats){
            .count = made, .timed = made, .bytes = (uint64_t)copied_each / 2 * made};
    sample.time_ns += (int64_t)(1e9 * passed);
    rates_add(&rates, &sample);
}

/* Checks the rates of all columns. Returns how many have any. */
static int check_columns(int columns) {
    int shown = 0;
    for (int x = 0; x < columns; x++) {
        const struct rate_bin bin = rates_column(&rates, 0, x, columns);
        if (bin.seconds > 0) {
            assert_close(bin.bytes[QUANTITY_LINK] / bin.seconds, copied_each / seconds_each, 1e-6);
            assert_close(bin.bytes[QUANTITY_MEMORY] / bin.seconds, moved_each / seconds_each, 1e-6);
            shown++;
        }
    }
    return shown;
}

/* The last column in which a run began; -1: none. */
static int mark_column(void) {
    int x = COLUMNS - 1;
    while (x >= 0 && !*rates_column(&rates, 0, x, COLUMNS).begins)
        x--;
    return x;
}

/* Every 0.1 s 10 iterations: each takes 5 ms in the loop, whatever else the time was spent on. */
static void run_for(double seconds) {
    const long before = lane->iterations;
    for (long k = 1; k <= lround(10 * seconds); k++)
        add(before + 10 * k, 0.1);
}

/* 10 MB in 5 ms are 2 GB/s; 64 B of 4096 unknowns, 52.4 MB/s. Nothing is lost between columns. */
TEST(known_bytes_over_known_times) {
    static const int columns[] = {1, 7, 60, 113, COLUMNS, RATE_BINS};
    add(0, 0);
    run_for(20);
    for (int c = 0; c < (int)count_of(columns); c++) {
        double seconds = 0;
        assert_in_range(check_columns(columns[c]), columns[c] / 3, columns[c] / 3 + 2);
        for (int x = 0; x < columns[c]; x++)
            seconds += rates_column(&rates, 0, x, columns[c]).seconds;
        assert_close(seconds, lane->seconds, 1e-9);
    }
    /* A bin fills three columns, but the last. */
    assert_in_range(check_columns(3 * RATE_BINS), RATE_BINS, RATE_BINS + 3);
    assert_close(rates_column(&rates, 0, COLUMNS - 1, COLUMNS).residual, lane->residual, 0);
    run_for(70); /* the beginning leaves the axis */
    assert_int_equal(check_columns(COLUMNS), COLUMNS);
}

/* The first quarter of a minute fills the axis; then it becomes a minute, and nothing is lost. */
TEST(the_axis_grows) {
    add(0, 0);
    run_for(14.9);
    assert_close(rates.span_s, 15, 1e-9);
    assert_in_range(check_columns(COLUMNS), COLUMNS - 2, COLUMNS);
    run_for(0.5);
    assert_close(rates.span_s, 60, 1e-9);
    assert_in_range(check_columns(COLUMNS), COLUMNS / 4, COLUMNS / 4 + 3);
    assert_close(rates_column(&rates, 0, 0, 1).seconds, lane->seconds, 1e-9);
    assert_close(rates_column(&rates, 0, COLUMNS - 1, COLUMNS).residual, lane->residual, 0);
}

/* An iteration longer than many samples counts in all of their time. */
TEST(slow_iterations) {
    add(0, 0);
    for (int k = 0; k < 199; k++)
        add(0, 0.1);
    add(1, 0.1);
    assert_in_range(check_columns(COLUMNS), COLUMNS / 3, COLUMNS / 3 + 1);
    assert_close(rates_column(&rates, 0, 0, 1).seconds, seconds_each, 1e-9);
    assert_close(rates_column(&rates, 0, 0, 1).bytes[QUANTITY_LINK], copied_each, 1e-9);
}

/* The time axis shows no pause. */
TEST(pauses) {
    add(0, 0);
    run_for(10);
    sample.state = SESSION_PAUSED;
    add(lane->iterations, 0.1);
    sample.state = SESSION_RUNNING;
    add(lane->iterations, 30);
    run_for(10);
    assert_in_range(check_columns(COLUMNS), COLUMNS / 3, COLUMNS / 3 + 2);
    assert_true(rates_column(&rates, 0, COLUMNS * 5 / 6, COLUMNS).seconds > 0);
}

/* Other runs of a problem continue the axis, each with its mark. */
TEST(another_mapping) {
    add(0, 0);
    run_for(10);
    assert_int_equal(mark_column(), -1);
    lane->run.mapping = MAPPING_UNSTRUCTURED;
    add(0, 5); /* while its arrays were filled */
    run_for(10);
    check_columns(COLUMNS);
    const int at = mark_column();
    assert_in_range(at, COLUMNS * 5 / 6 - 2, COLUMNS * 5 / 6);
    assert_string_equal(rates_column(&rates, 0, at, COLUMNS).begins, "unstructured");
    const struct rate_bin before = rates_column(&rates, 0, at - 1, COLUMNS);
    assert_true(before.seconds > 0);
    assert_in_range(lround(1 / before.residual), 980, 1001);
    add(0, 0.1);
    add(10, 0.1);
    const int again = mark_column();
    assert_true(again >= COLUMNS - 2);
    assert_string_equal(rates_column(&rates, 0, again, COLUMNS).begins, "restart");
}

/* Another problem or grid clears it. */
TEST(another_problem) {
    add(0, 0);
    run_for(10);
    print_to(sample.problem, "charges");
    add(0, 0.1);
    assert_int_equal(check_columns(COLUMNS), 0);
}

/* The axis is as long as the recording. A step back clears it; one forward shows the mean. */
TEST(replays) {
    print_to(sample.playback.label, "replay");
    sample.playback.length_s = 5;
    add(0, 0);
    run_for(2.5);
    assert_in_range(check_columns(COLUMNS), COLUMNS / 2, COLUMNS / 2 + 1);
    add(500, 2.5);
    assert_int_equal(check_columns(COLUMNS), COLUMNS);
    add(100, -4);
    assert_int_equal(check_columns(COLUMNS), 1);
    run_for(0.5);
    /* A recording with another mapping continues it. */
    sample.time_ns = 0;
    lane->run.mapping = MAPPING_UNSTRUCTURED;
    add(0, 0);
    run_for(1);
    assert_true(rates_column(&rates, 0, mark_column() - 1, COLUMNS).seconds > 0);
}

/* What is not observed is unknown, not 0. */
TEST(copies_not_observed) {
    add(0, 0);
    run_for(1);
    for (long k = 1; k <= 50; k++) {
        lane->iterations += 10;
        lane->seconds += 10 * seconds_each;
        lane->totals = (struct event_totals){0};
        lane->totals.of[EVENT_KERNEL][PHASE_UPDATE].count = (uint64_t)lane->iterations;
        sample.time_ns += 100000000;
        rates_add(&rates, &sample);
    }
    const struct rate_bin now = rates_column(&rates, 0, COLUMNS - 1, COLUMNS);
    assert_true(isnan(now.bytes[QUANTITY_LINK]));
    assert_close(now.bytes[QUANTITY_MEMORY] / now.seconds, moved_each / seconds_each, 1e-6);
}

TEST_MODULE_SETTING_UP_EACH(rates, set_up, NULL)
