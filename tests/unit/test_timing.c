/* Where an iteration's time goes, from what events and the loop's clock say. */
#include "tests/fixtures/support.h"

#include <math.h>

#include "metrics/timing.h"

enum { ITERATIONS = 10 };

static struct lane_sample lane;

static void add(enum event_kind kind, enum phase phase, uint64_t timed, double ms) {
    lane.window.of[kind][phase] = (struct tally){.count = ITERATIONS,
                                                 .timed = timed,
                                                 .bytes = ITERATIONS * 1000,
                                                 .total_ns = (int64_t)(1e6 * ms) * (int64_t)timed,
                                                 .clock = CLOCK_DEVICE};
}

/* A loop of that many milliseconds an iteration, with nothing known of what it did. */
static void loop_of(double ms) {
    memset(&lane, 0, sizeof lane);
    lane.iterations = lane.window_iterations = ITERATIONS;
    lane.seconds = lane.window_seconds = 1e-3 * ms * ITERATIONS;
}

static void test_parts_and_rest(void **state) {
    (void)state;
    loop_of(10);
    add(EVENT_TO_DEVICE, PHASE_UPDATE, ITERATIONS, 6);
    add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS, 3);
    const struct timing timing = timing_make(&lane, NULL);
    assert_close(timing_percent(&timing, timing.moving_ms), 60, 1e-9);
    assert_close(timing_percent(&timing, timing.kernels_ms), 30, 1e-9);
    assert_close(timing.rest_ms, 1, 1e-9);
}

/* Every second one timed: the others are counted at their mean. */
static void test_sampled(void **state) {
    (void)state;
    loop_of(10);
    add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS / 2, 8);
    const struct timing timing = timing_make(&lane, NULL);
    assert_close(timing.kernels_ms, 8, 1e-9);
}

/* Timed iterations last a little longer than the others, so kernels can come to more than the loop;
 * a share above the whole would be nonsense, also where a copy was not timed. */
static void test_never_above_the_whole(void **state) {
    (void)state;
    for (uint64_t timed = 0; timed <= ITERATIONS; timed += ITERATIONS) {
        loop_of(10);
        add(EVENT_FROM_DEVICE, PHASE_NORM, timed, 0.1);
        add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS, 10.2);
        const struct timing timing = timing_make(&lane, NULL);
        assert_true(timing_percent(&timing, timing.kernels_ms) <= 100);
        assert_int_equal(isnan(timing.moving_ms), timed == 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_and_rest),
        cmocka_unit_test(test_sampled),
        cmocka_unit_test(test_never_above_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
