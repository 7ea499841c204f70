/* Data movement: the state of memories and link at any time of an iteration. */
#include "tests/fixtures/example.h"
#include "ui/panels/motion.h"

/* The example: A maps structured, an array of 134 MB per copy; B keeps its arrays. */
static struct sample *sample;
static struct motion motion;

static int take(void **state) {
    sample_destroy(sample); /* the test's before */
    sample = compare_example(2);
    if (!sample)
        return -1;
    motion_take(&motion, sample);
    return motion.lane_count == 2 ? 0 : -1;
}

static const struct motion_step *find_step(const struct motion_lane *lane, enum event_kind kind,
                                           enum phase phase, enum array array) {
    for (int s = 0; s < lane->count; s++)
        if (lane->steps[s].kind == kind && lane->steps[s].phase == phase &&
            lane->steps[s].array == array)
            return &lane->steps[s];
    fail_msg("no such step");
    return NULL;
}

static double middle(const struct motion_step *step) {
    return (step->start + step->end) / 2;
}

TEST(an_array_travels) {
    const struct motion_lane *lane = &motion.lanes[0];
    struct motion_state now;
    motion_state_at(lane, 0, &now);
    for (int a = 0; a < 4; a++) {
        assert_true(now.host[lane->arrays[a]].valid == 1);
        assert_false(now.device[lane->arrays[a]].is_there);
    }
    const struct motion_step *to = find_step(lane, EVENT_TO_DEVICE, PHASE_LAPLACIAN, ARRAY_U);
    motion_state_at(lane, middle(to), &now);
    assert_ptr_equal(now.copy, to);
    assert_close(now.device[ARRAY_U].valid, 0.5, 1e-12);
    assert_close(now.bytes_moved, 0.5 * (double)to->bytes, 1e-12);
    assert_int_equal(now.copies_begun, 1);
    assert_null(now.kernel);
}

TEST(a_kernel_makes_the_host_old) {
    const struct motion_lane *lane = &motion.lanes[0];
    struct motion_state now;
    const struct motion_step *kernel = find_step(lane, EVENT_KERNEL, PHASE_LAPLACIAN, ARRAY_NONE);
    motion_state_at(lane, middle(kernel), &now);
    assert_ptr_equal(now.kernel, kernel);
    assert_true(now.device[ARRAY_U].is_read && !now.device[ARRAY_U].is_written);
    assert_true(now.device[ARRAY_AU].is_written);
    assert_close(now.device[ARRAY_AU].valid, 0.5, 1e-12);
    assert_true(now.host[ARRAY_AU].valid == 0 && now.host[ARRAY_U].valid == 1);
    const struct motion_step *back = find_step(lane, EVENT_FROM_DEVICE, PHASE_LAPLACIAN, ARRAY_AU);
    motion_state_at(lane, middle(back), &now);
    assert_close(now.host[ARRAY_AU].valid, 0.5, 1e-12);
    const struct motion_step *next = find_step(lane, EVENT_TO_DEVICE, PHASE_BOUNDARY, ARRAY_U);
    motion_state_at(lane, middle(next), &now);
    assert_false(now.device[ARRAY_AU].is_there); /* the region of Laplacian has ended */
}

/* Between two steps nothing runs; an allocation does. */
TEST(between_two_steps) {
    struct motion_lane *lane = &motion.lanes[0];
    struct motion_step *second = &lane->steps[1];
    const double gap = (second->end - second->start) / 2;
    struct motion_state now;
    second->start += gap;
    motion_state_at(lane, second->start - gap / 2, &now);
    assert_null(now.now);
    assert_ptr_equal(now.last, &lane->steps[0]);
    second->kind = EVENT_ALLOC;
    motion_state_at(lane, middle(second), &now);
    assert_ptr_equal(now.now, second);
}

TEST(the_end) {
    struct motion_state now;
    double bytes = 0;
    for (int s = 0; s < motion.lanes[0].count; s++)
        if (motion.lanes[0].steps[s].kind == EVENT_TO_DEVICE ||
            motion.lanes[0].steps[s].kind == EVENT_FROM_DEVICE)
            bytes += (double)motion.lanes[0].steps[s].bytes;
    motion_state_at(&motion.lanes[0], motion.lanes[0].seconds, &now);
    assert_true(now.has_ended && !now.copy && !now.kernel);
    assert_close(now.bytes_moved, bytes, 1e-12);
    assert_int_equal(now.copies_begun, now.copies);
    assert_false(now.device[ARRAY_RHS].is_there);
    motion_state_at(&motion.lanes[1], motion.lanes[1].seconds, &now);
    assert_true(now.device[ARRAY_U].is_there && now.device[ARRAY_U].valid == 1);
    assert_true(now.host[ARRAY_RHS].valid == 1 && now.host[ARRAY_U].valid == 0);
    assert_int_equal(now.copies, 0);
}

/* Eight copies to the device, three back, and the norm's, which the example doesn't time here. */
TEST(copies_that_are_not_timed_count) {
    struct motion_state now;
    sample->lanes[0].totals.of[EVENT_FROM_DEVICE][PHASE_NORM] =
        (struct event_stats){.count = EXAMPLE_ITERATIONS, .bytes = 8 * EXAMPLE_ITERATIONS};
    motion_take(&motion, sample);
    motion_state_at(&motion.lanes[0], motion.lanes[0].seconds, &now);
    assert_int_equal(now.copies, 8 + 3 + 1);
    assert_int_equal(now.copies_begun, now.copies);
    assert_int_equal(now.last->array, ARRAY_NORM);
}

TEST(one_clock) {
    assert_true(motion.seconds == motion.lanes[0].seconds);
    assert_true(motion.lanes[1].seconds < motion.seconds);
    assert_true(motion.slowness * motion.seconds >= 8 && motion.slowness * motion.seconds < 20);
    motion_advance(&motion, sample, motion_wait_s); /* the time until a new median is used */
    assert_true(motion.at == 0);
    motion_advance(&motion, sample, 2);
    assert_close(motion.at, 2 / motion.slowness, 1e-12);
    motion_jump(&motion, 1);
    const double there = motion.at;
    motion_jump(&motion, 1);
    assert_true(motion.at > there);
    motion_jump(&motion, -1);
    assert_close(motion.at, there, 1e-12);
    motion_advance(&motion, sample, 60);
    motion_advance(&motion, sample, 0);
    assert_true(motion.at == 0); /* starts again */
}

/* After a change of mapping or a restart, the new run is shown at once. */
TEST(another_run) {
    struct lane_sample *const lane = &sample->lanes[0];
    motion_advance(&motion, sample, motion_wait_s);
    motion_advance(&motion, sample, 2);
    assert_true(motion.at > 0 && motion.lanes[0].is_copied);
    lane->run.mapping = MAPPING_UNSTRUCTURED;
    motion_advance(&motion, sample, 0.1);
    assert_true(motion.at == 0 && !motion.lanes[0].is_copied);
    motion_advance(&motion, sample, motion_wait_s);
    motion_advance(&motion, sample, 2);
    lane->iterations = 0;
    motion_advance(&motion, sample, 0.1);
    assert_true(motion.at == 0);
}

/* Runs recorded in lockstep: the frame of the shorter one holds events of later iterations. */
TEST(steps_of_a_later_iteration) {
    sample->lanes[1].iterations = 1;
    motion_take(&motion, sample);
    motion_advance(&motion, sample, motion_wait_s);
    motion_advance(&motion, sample, 2);
    motion_advance(&motion, sample, 2);
    assert_close(motion.at, 4 / motion.slowness, 1e-12);
}

TEST(steps_while_paused) {
    motion_jump(&motion, 1);
    const double there = motion.at;
    motion_advance(&motion, sample, 0);
    assert_true(motion.at == there && there > 0);
}

/* Lane B has ended, and later events have replaced its own: the clock is A's. Running, it is
 * waited for. */
TEST(an_ended_lane_without_events) {
    sample->lanes[1].event_count = 0;
    motion_take(&motion, sample);
    assert_int_equal(motion.lane_count, 0);
    sample->lanes[1].state = LANE_CONVERGED;
    motion_take(&motion, sample);
    assert_int_equal(motion.lane_count, 2);
    assert_int_equal(motion.lanes[1].count, 0);
    assert_true(motion.seconds == motion.lanes[0].seconds);
}

TEST_MODULE_SETTING_UP_EACH(motion, take, NULL)
