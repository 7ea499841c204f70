/* The timeline: its events, its window and its text. */
#include "tests/fixtures/example.h"
#include "ui/panels/timeline.h"

/* Appends a kernel of `ms` in iteration `iteration`, after the previous event. */
static void add(struct lane_sample *lane, long iteration, enum phase phase, double ms) {
    const struct event *next = &lane->events[lane->event_count];
    const int64_t start = lane->event_count ? next[-1].start_ns + next[-1].duration_ns : 1000;
    lane->events[lane->event_count++] = (struct event){.kind = EVENT_KERNEL,
                                                       .phase = phase,
                                                       .clock = CLOCK_HOST,
                                                       .iteration = iteration,
                                                       .start_ns = start,
                                                       .duration_ns = (int64_t)(1e6 * ms)};
}

static struct lane_sample lane;
static struct timeline timeline;

static int clear_lane(void **state) {
    memset(&lane, 0, sizeof lane);
    return 0;
}

static void three_iterations(void) {
    for (long iteration = 0; iteration < 3; iteration++) {
        add(&lane, iteration, PHASE_LAPLACIAN, 1 + (double)iteration);
        add(&lane, iteration, PHASE_UPDATE, 2);
    }
    add(&lane, 3, PHASE_DOWNSAMPLE, 100);
}

static void assert_label(int segment, int cols, const char *expected) {
    assert_string_equal(AS(timeline_label, &timeline, &timeline.segments[segment], cols), expected);
}

/* A pass of several iterations must not look like one. */
TEST(label_of_a_pass) {
    lane.run.schedule = (struct schedule){SCHEDULE_BLOCKED, 8};
    add(&lane, 16, PHASE_BLOCKED, 1);
    timeline_make(&lane, 1, &timeline);
    assert_label(0, 30, "Blocked, 8 iterations");
    assert_label(0, 10, "8 it.");
}

/* The label of a V-cycle's kernel shows its level, and only that level's bytes. */
TEST(label_of_a_level) {
    static const int sides[] = {63, 31, 15};
    for (int level = 0; level < 3; level++) {
        const struct mesh mesh = mesh_make(sides[level], sides[level]);
        memset(&lane, 0, sizeof lane);
        lane.nx = lane.ny = 63;
        lane.run.method = METHOD_MULTIGRID;
        add(&lane, 1, PHASE_UPDATE, 1);
        lane.events[0].bytes = phase_minimum_bytes(PHASE_UPDATE, &mesh);
        timeline_make(&lane, 1, &timeline);
        assert_label(0, 30, PRINT("Update %d²", sides[level]));
        assert_label(0, 4, "Upd");
    }
}

/* A wait is shown with kernels only if the same clock's regions include both. */
TEST(waits_of_another_clock_are_left_out) {
    for (int host = 0; host < 2; host++) {
        memset(&lane, 0, sizeof lane);
        add(&lane, 1, PHASE_UPDATE, 2);
        struct event *wait = &lane.events[lane.event_count];
        *wait = lane.events[0];
        wait->kind = EVENT_WAIT;
        wait->clock = host ? CLOCK_HOST : CLOCK_TARGET_REGION;
        wait->start_ns -= 1000000;
        lane.event_count++;
        timeline_make(&lane, 1, &timeline);
        assert_int_equal(timeline.count, host ? 1 : 2);
    }
}

/* Of the complete spans the median one is shown: 3, 4 and 5 ms long here. */
TEST(median_iterations) {
    three_iterations();
    timeline_make(&lane, 1, &timeline);
    assert_int_equal(timeline.first, 1);
    assert_int_equal(timeline.last, 1);
    assert_int_equal(timeline.of, 3);
    assert_int_equal(timeline.count, 2);
    assert_close(timeline.seconds, 4e-3, 1e-9);
    assert_close(timeline.segments[1].start, 2e-3, 1e-9);
    timeline_make(&lane, 2, &timeline);
    assert_int_equal(timeline.first, 1);
    assert_int_equal(timeline.of, 1);
    assert_int_equal(timeline.count, 4);
    timeline_make(&lane, 99, &timeline);
    assert_int_equal(timeline.count, 6);
}

/* An outlier in the last iteration is not shown as typical. */
TEST(a_hiccup_is_not_shown) {
    for (long iteration = 0; iteration < 8; iteration++)
        add(&lane, iteration, PHASE_UPDATE, iteration == 7 ? 100 : iteration == 2 ? 0.1 : 2);
    timeline_make(&lane, 1, &timeline);
    assert_close(timeline.seconds, 2e-3, 1e-9);
    assert_int_equal(timeline.of, 8);
}

/* Five iterations of 10 ms: Laplacian takes 1 to 5 ms, Update or copies of that kind the rest. */
static void equal_iterations(enum event_kind kind) {
    for (long iteration = 0; iteration < 5; iteration++) {
        add(&lane, iteration, PHASE_LAPLACIAN, 1 + (double)iteration);
        add(&lane, iteration, PHASE_UPDATE, 9 - (double)iteration);
        lane.events[lane.event_count - 1].kind = kind;
    }
    lane.times.median = 10;
    lane.typical = (struct loop_totals){.iterations = 100, .seconds = 1};
    lane.typical.totals.of[EVENT_KERNEL][PHASE_LAPLACIAN] =
        (struct event_stats){.count = 100, .timed = 100, .total_ns = 400000000};
}

/* Of iterations of one length, the one whose parts are nearest to the typical ones is shown. */
TEST(the_parts_nearest_to_the_typical) {
    equal_iterations(EVENT_TO_DEVICE);
    timeline_make(&lane, 1, &timeline);
    assert_int_equal(timeline.first, 3);
}

/* Each kernel counts, not only their sum. */
TEST(the_kernels_nearest_to_the_typical) {
    equal_iterations(EVENT_KERNEL);
    lane.typical.totals.of[EVENT_KERNEL][PHASE_UPDATE] =
        (struct event_stats){.count = 100, .timed = 100, .total_ns = 600000000};
    timeline_make(&lane, 1, &timeline);
    assert_int_equal(timeline.first, 3);
    assert_null(timeline.unusual);
    /* Of 6 ms, typically 2. */
    lane.typical.totals.of[EVENT_KERNEL][PHASE_UPDATE].total_ns = 200000000;
    timeline_make(&lane, 1, &timeline);
    assert_string_equal(timeline.unusual, "Update");
    assert_close(timeline.unusual_times, (9 - (double)timeline.first) / 2, 1e-9);
}

/* The iteration whose length is nearest to the median beside it is shown, although its kernels are
 * not the most frequent: half of the iterations are 4 ms long, the run's median is 6 ms. */
TEST(the_length_nearest_to_the_median) {
    static const double ms[] = {4, 4, 9, 6.5, 4};
    lane.times.median = 6;
    for (size_t k = 0; k < count_of(ms); k++) {
        add(&lane, (long)k, PHASE_LAPLACIAN, ms[k] - 1);
        add(&lane, (long)k, PHASE_UPDATE, 1);
    }
    timeline_make(&lane, 1, &timeline);
    assert_int_equal(timeline.first, 3);
    assert_close(timeline.median, 6e-3, 1e-12);
    assert_false(timeline_is_apart(timeline.seconds, timeline.median));
    timeline_make(&lane, 5, &timeline); /* 27.5 ms beside 5 medians */
    assert_close(timeline.median, 30e-3, 1e-12);
    lane.times.median = 12;
    timeline_make(&lane, 1, &timeline);
    assert_int_equal(timeline.first, 2);
    assert_true(timeline_is_apart(timeline.seconds, timeline.median));
    assert_false(timeline_is_apart(timeline.seconds, NAN));
}

/* The copy of a batch's norms, 17 iterations later, does not lengthen the timed iteration. */
TEST(a_copy_after_a_batch_is_left_out) {
    for (int after = 0; after < 2; after++) {
        memset(&lane, 0, sizeof lane);
        for (long iteration = 0; iteration < 3; iteration++) {
            add(&lane, 17 * iteration, PHASE_UPDATE, 2);
            add(&lane, 17 * iteration, PHASE_NORM, 1);
            add(&lane, 17 * iteration, PHASE_NORM, 0.25);
            struct event *copy = &lane.events[lane.event_count - 1];
            copy->kind = EVENT_FROM_DEVICE;
            copy->start_ns += after ? 48000000 : 1000000;
        }
        timeline_make(&lane, 1, &timeline);
        assert_int_equal(timeline.of, 3);
        assert_int_equal(timeline.count, after ? 2 : 3);
        assert_close(timeline.seconds, after ? 3e-3 : 4.25e-3, 1e-9);
    }
}

/* Kernels may be timed in one of many iterations; the others, with an allocation, don't count. */
TEST(iterations_without_kernels_are_left_out) {
    for (long iteration = 0; iteration < 32; iteration++) {
        if (iteration % 16 == 0)
            add(&lane, iteration, PHASE_UPDATE, 2);
        add(&lane, iteration, PHASE_NORM, 0.25);
        lane.events[lane.event_count - 1].kind = EVENT_ALLOC;
    }
    timeline_make(&lane, 1, &timeline);
    assert_int_equal(timeline.of, 2);
    assert_int_equal(timeline.count, 2);
    assert_close(timeline.seconds, 2.25e-3, 1e-9);
}

/* Beside other lanes a pass of eight iterations, 8 ms long, is shown as one iteration of 1 ms. */
TEST(lanes_show_equal_numbers_of_iterations) {
    owned_sample sample = compare_example(2);
    struct lane_sample *blocked = &sample->lanes[1];
    blocked->event_count = 0;
    blocked->run.schedule = (struct schedule){SCHEDULE_BLOCKED, 8};
    add(blocked, 0, PHASE_BLOCKED, 8);
    timeline_make_beside(sample, 1, 1, &timeline);
    assert_close(timeline.seconds, 1e-3, 1e-9);
    assert_close(timeline.segments[0].end, 1e-3, 1e-9);
    assert_label(0, 30, "Blocked: a sweep / 8");
    assert_label(0, 11, "sweep / 8");
    assert_contains(AS(timeline_describe, &timeline, &timeline.segments[0]), "8.00 ms");
    sample->lane_count = 1;
    timeline_make_beside(sample, 0, 1, &timeline);
    assert_close(timeline.seconds, 0.936, 1e-8);
}

/* An iteration in which a part of the devices was timed is not shown; beside other lanes, the first
 * device's are. */
TEST(several_devices) {
    static const struct {
        long iteration;
        int device;
        double ms;
    } kernels[] = {{0, 0, 3}, {0, 1, 3}, {1, 1, 1}, {2, 0, 2}, {3, 1, 1}};
    owned_sample sample = compare_example(2);
    for (size_t k = 0; k < count_of(kernels); k++) {
        add(&lane, kernels[k].iteration, PHASE_FUSED, kernels[k].ms);
        lane.events[k].device = kernels[k].device;
    }
    timeline_make(&lane, 1, &timeline);
    assert_int_equal(timeline.of, 1);
    assert_int_equal(timeline.first, 0);
    assert_int_equal(timeline.count, 2);
    memcpy(sample->lanes[1].events, lane.events, sizeof lane.events);
    sample->lanes[1].event_count = lane.event_count;
    timeline_make_beside(sample, 1, 1, &timeline);
    assert_int_equal(timeline.of, 2);
    assert_int_equal(timeline.first, 2);
    assert_int_equal(timeline.count, 1);
    assert_close(timeline.seconds, 2e-3, 1e-9);
}

/* A slab on the host's processors computes, copies its halo and waits in turn, by one clock: one
 * row shows all, to the iteration's end. Waits for a GPU have another clock. */
TEST(a_slab_shows_its_exchange) {
    static const enum event_kind kinds[] = {EVENT_KERNEL, EVENT_HALO, EVENT_WAIT};
    for (int gpu = 0; gpu < 2; gpu++) {
        owned_sample sample = compare_example(2);
        struct lane_sample *slabs = &sample->lanes[1];
        slabs->event_count = 0;
        slabs->device_stats.count = 2;
        slabs->totals.of[EVENT_KERNEL][PHASE_FUSED] =
            (struct event_stats){.clock = gpu ? CLOCK_DEVICE : CLOCK_HOST};
        for (size_t k = 0; k < count_of(kinds); k++) {
            add(slabs, 0, PHASE_FUSED, 1);
            slabs->events[k].kind = kinds[k];
            slabs->events[k].clock = gpu && kinds[k] != EVENT_WAIT ? CLOCK_DEVICE : CLOCK_HOST;
        }
        timeline_make_beside(sample, 1, 1, &timeline);
        assert_int_equal(timeline.count, gpu ? 2 : 3);
        assert_close(timeline.seconds, gpu ? 2e-3 : 3e-3, 1e-9);
        assert_int_equal(timeline.segments[1].row, gpu ? TIMELINE_HALOS : TIMELINE_KERNELS);
    }
}

/* The oldest iteration of a full sample may lack its beginning, so it is not shown. */
TEST(cut_iterations_are_left_out) {
    while (lane.event_count < SAMPLE_EVENTS)
        add(&lane, lane.event_count / 300, PHASE_UPDATE, 1);
    lane.totals.of[EVENT_KERNEL][PHASE_UPDATE].timed = SAMPLE_EVENTS + 1;
    timeline_make(&lane, 99, &timeline);
    assert_int_equal(timeline.first, 1);
    assert_int_equal(timeline.last, 1);
    assert_int_equal(timeline.count, SAMPLE_EVENTS - 300);
}

/* A long iteration between a late event of the one before and a copy of the one after. A recording
 * keeps less of it. If no event is lost, it is shown. */
TEST(no_iteration_is_whole) {
    for (int lost = 0; lost < 2; lost++)
        for (int kept = RECORD_EVENTS; kept <= SAMPLE_EVENTS;
             kept += SAMPLE_EVENTS - RECORD_EVENTS) {
            memset(&lane, 0, sizeof lane);
            while (lane.event_count < kept)
                add(&lane,
                    lane.event_count == 0          ? 5
                    : lane.event_count == kept - 1 ? 7
                                                   : 6,
                    PHASE_UPDATE, 1);
            lane.events[0].kind = lane.events[kept - 1].kind = EVENT_FROM_DEVICE;
            lane.totals.of[EVENT_KERNEL][PHASE_UPDATE].timed = (uint64_t)(kept + lost);
            timeline_make(&lane, 1, &timeline);
            assert_int_equal(timeline.count, lost ? 0 : kept - 2);
            assert_int_equal(timeline.is_cut, lost);
        }
}

/* Where only the first iteration of each batch of 41 is timed, eight of them are no time axis. Of
 * two, one, and three iterations in a row, three are shown. */
TEST(iterations_shown_follow_each_other) {
    static const long in_rows[] = {0, 1, 41, 82, 83, 84};
    lane.times.median = 2;
    for (long k = 0; k < 8; k++) {
        add(&lane, 41 * k, PHASE_UPDATE, 2);
        lane.events[k].start_ns += 80000000 * k;
    }
    timeline_make(&lane, 8, &timeline);
    assert_int_equal(timeline.iterations, 1);
    assert_int_equal(timeline.of, 8);
    assert_int_equal(timeline.count, 1);
    assert_close(timeline.seconds, 2e-3, 1e-9);
    assert_close(timeline.median, 2e-3, 1e-12);
    memset(&lane, 0, sizeof lane);
    for_each(iteration, in_rows)
        add(&lane, *iteration, PHASE_UPDATE, 2);
    timeline_make(&lane, 8, &timeline);
    assert_int_equal(timeline.iterations, 3);
    assert_int_equal(timeline.first, 82);
    assert_int_equal(timeline.last, 84);
    assert_close(timeline.seconds, 6e-3, 1e-9);
}

/* A sweep is named and judged by what it did: in slow motion that may be fewer iterations. */
TEST(a_sweep_shorter_than_the_depth) {
    lane.run.schedule = (struct schedule){.kind = SCHEDULE_BLOCKED, .depth = 64};
    lane.times.median = 0.6;
    for (long k = 0; k < 4; k++)
        add(&lane, 10 * k, PHASE_BLOCKED, k == 3 ? 1 : 6);
    timeline_make(&lane, 1, &timeline);
    assert_int_equal(timeline.depth, 10);
    assert_close(timeline.median, 6e-3, 1e-12);
    assert_false(timeline_is_apart(timeline.seconds, timeline.median));
}

/* Sweeps of eight iterations follow each other at a distance of eight. Beside a run with a single
 * iteration in a row, one of each is shown. */
TEST(lanes_show_as_many_in_a_row) {
    owned_sample sample = compare_example(2);
    for (int l = 0; l < 2; l++) {
        sample->lanes[l].event_count = 0;
        sample->lanes[l].run.schedule = (struct schedule){SCHEDULE_BLOCKED, 8};
        for (long k = 0; k < 4; k++)
            add(&sample->lanes[l], (l ? 80 : 8) * k, PHASE_BLOCKED, 8);
    }
    timeline_make(&sample->lanes[0], 4, &timeline);
    assert_int_equal(timeline.iterations, 4);
    timeline_make_beside(sample, 0, 4, &timeline);
    assert_int_equal(timeline.iterations, 1);
    assert_close(timeline.seconds, 1e-3, 1e-9);
}

TEST(nothing_timed_is_nothing_shown) {
    three_iterations();
    for (int e = 0; e < lane.event_count; e++)
        lane.events[e].clock = CLOCK_NONE;
    timeline_make(&lane, 1, &timeline);
    assert_int_equal(timeline.count, 0);
    assert_true(timeline.last < timeline.first);
}

TEST(window) {
    struct timeline_view view = {.zoom = 4, .position = 0.5};
    struct timeline_window window = timeline_window(&view, 8);
    assert_close(window.start, 4, 1e-12);
    assert_close(window.length, 2, 1e-12);
    view.position = 0.99;
    assert_close(timeline_window(&view, 8).start, 6, 1e-12);
    view.position = -1;
    assert_true(timeline_window(&view, 8).start == 0);
    view.zoom = 0.25;
    assert_close(timeline_window(&view, 8).length, 8, 1e-12);
    assert_int_equal(timeline_iterations(0.25), 4);
    assert_int_equal(timeline_iterations(64), 1);
}

TEST(columns) {
    static const struct {
        double start, end;
        int from, to; /* to 0: it is outside */
    } cases[] = {{15, 20, 50, 100},
                 {0, 100, 0, 100},
                 {12, 12.000001, 20, 21},
                 {5, 10, 0, 0},
                 {20, 21, 0, 0}};
    const struct timeline_window window = {.start = 10, .length = 10};
    for_each(row, cases) {
        const struct timeline_segment segment = {.start = row->start, .end = row->end};
        int from, to;
        assert_int_equal(timeline_columns(&window, &segment, 50, &from, &to), row->to > 0);
        if (row->to > 0) {
            assert_int_equal(from, row->from);
            assert_int_equal(to, row->to);
        }
    }
}

TEST(description) {
    owned_sample sample = compare_example(1);
    timeline_make(&sample->lanes[0], 1, &timeline);
    assert_string_equal(AS(timeline_describe, &timeline, &timeline.segments[1]),
                        "Laplacian copy to device of U · 75.0 ms · 134 MB · 1.79 GB/s · at 25.0 ms "
                        "(OMPT)");
    assert_label(1, 1, "U");
    assert_label(3, 9, "Laplacian");
    assert_label(3, 8, "Lap");
}

TEST_MODULE_SETTING_UP_EACH(timeline, clear_lane, NULL)
