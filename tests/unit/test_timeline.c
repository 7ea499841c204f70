/* The timeline: its events, its window and its text. The roofline: points, peaks, sentences. */
#include "metrics/roofline.h"
#include "tests/fixtures/example.h"
#include "ui/draw/draw.h"
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
    char label[48];
    timeline_label(label, sizeof label, &timeline, &timeline.segments[segment], cols);
    assert_string_equal(label, expected);
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
        char expected[32];
        memset(&lane, 0, sizeof lane);
        lane.nx = lane.ny = 63;
        lane.run.method = METHOD_MULTIGRID;
        add(&lane, 1, PHASE_UPDATE, 1);
        lane.events[0].bytes = phase_minimum_bytes(PHASE_UPDATE, &mesh);
        timeline_make(&lane, 1, &timeline);
        print_to(expected, "Update %d²", sides[level]);
        assert_label(0, 30, expected);
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
    char text[192];
    assert_contains(timeline_describe(text, sizeof text, &timeline, &timeline.segments[0]),
                    "8.00 ms");
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
    char text[192];
    timeline_make(&sample->lanes[0], 1, &timeline);
    assert_string_equal(timeline_describe(text, sizeof text, &timeline, &timeline.segments[1]),
                        "Laplacian copy to device of U · 75.0 ms · 134 MB · 1.79 GB/s · at 25.0 ms "
                        "(OMPT)");
    assert_label(1, 1, "U");
    assert_label(3, 9, "Laplacian");
    assert_label(3, 8, "Lap");
}

/* ---- roofline ----------------------------------------------------------------------------- */

static struct roofline roofline_by(const struct sample *sample, double given, const char *device,
                                   int lane) {
    struct config config;
    config_init(&config);
    config.machine.bandwidth_gbs = given;
    print_to(config.machine.device, "%s", device);
    return roofline_make(sample, &config, lane);
}

/* 3 FLOP and 40 B per unknown: Update is at 0.075 FLOP/B for any grid. */
TEST(intensities) {
    owned_sample sample = compare_example(1);
    const struct roofline roofline = roofline_by(sample, NAN, "", 0);
    assert_int_equal(roofline.count, 4);
    assert_close(roofline.points[PHASE_UPDATE].intensity, 3.0 / 40, 1e-12);
    assert_close(roofline.points[PHASE_LAPLACIAN].intensity, 9.0 / 16, 1e-12);
    assert_close(roofline.points[PHASE_NORM].intensity, 2.0 / 8, 1e-12);
    assert_close(roofline.points[PHASE_UPDATE].gbs, 40e-9 * 4096 * 4096 / 20e-3, 1e-9);
    for (int p = 0; p < roofline.count; p++) {
        const struct scale intensity = {roofline.intensity.low, roofline.intensity.high, true};
        const struct scale gflops = {roofline.gflops.low, roofline.gflops.high, true};
        const double x = scale_at(&intensity, roofline.points[p].intensity);
        const double y = scale_at(&gflops, roofline.points[p].gflops);
        assert_true(x >= 0 && x <= 1 && y >= 0 && y <= 1);
    }
}

/* A call on a quarter of the grid, as a slab's or a coarser level's, has its FLOP, too. */
TEST(part_of_the_grid) {
    owned_sample sample = compare_example(1);
    struct lane_sample *lane = &sample->lanes[0];
    lane->totals.of[EVENT_KERNEL][PHASE_UPDATE].bytes /= 4;
    for (int way = 0; way < 2; way++) {
        lane->device_stats.count = way == 0 ? 4 : 0;
        lane->run.method = way == 0 ? METHOD_JACOBI : METHOD_MULTIGRID;
        const struct roofline roofline = roofline_by(sample, NAN, "", 0);
        bool found = false;
        for (int p = 0; p < roofline.count; p++)
            if (roofline.points[p].phase == PHASE_UPDATE) {
                assert_close(roofline.points[p].intensity, 3.0 / 40, 1e-12);
                found = true;
            }
        assert_true(found);
    }
}

TEST(roof) {
    const struct roof roof = {.origin = ROOF_MEASURED, .bandwidth_gbs = 100, .gflops = 1000},
                      unknown = {.origin = ROOF_UNKNOWN, .bandwidth_gbs = NAN, .gflops = NAN};
    const struct roof memory_only = {.origin = ROOF_GIVEN, .bandwidth_gbs = 100, .gflops = NAN};
    assert_close(roof_at(&roof, 1), 100, 1e-12);
    assert_close(roof_at(&roof, 10), 1000, 1e-12);
    assert_close(roof_at(&roof, 99), 1000, 1e-12);
    assert_close(roof_at(&memory_only, 99), 9900, 1e-12);
    assert_true(isinf(roof_at(&unknown, 1)));
}

/* Checks the end of the sentence, and the position of lane 0's costliest kernel, Update. */
static void check_sentence(struct roof roof, double given, const char *stand, const char *wanted) {
    owned_sample sample = compare_example(1);
    char text[40];
    sample->lanes[0].roof = roof;
    const struct roofline roofline = roofline_by(sample, given, "host device", 0);
    assert_string_equal(strstr(roofline.sentence, "Update"), wanted);
    assert_string_equal(
        format_bottleneck(text, sizeof text, roofline_bottleneck(&roofline, 0, PHASE_UPDATE)),
        stand);
    /* 900 of its 1000 ms per iteration are copies and allocations. */
    assert_int_equal(roofline.bottleneck.kind, BOTTLENECK_COPIES);
    assert_contains(roofline.sentence, "The run is bound by copies, 90 % of the loop. ");
}

/* The example's Update moves 671 MB in 20 ms: 33.6 GB/s. Its 50 M operations are 2.52 GFLOP/s. */
TEST(sentences) {
    const struct roof unknown = {.origin = ROOF_UNKNOWN, .bandwidth_gbs = NAN, .gflops = NAN};
    check_sentence(
        (struct roof){.origin = ROOF_MEASURED, .bandwidth_gbs = 40, .gflops = 200}, NAN,
        "memory, 84 %",
        "Update is bound by memory, 84 % (33.6 of the 40.0 GB/s that a probe measured on this "
        "device)");
    check_sentence(
        (struct roof){.origin = ROOF_MEASURED, .bandwidth_gbs = 100, .gflops = 200}, NAN, "",
        "Update reaches no ceiling: memory 34 % of the 100 GB/s that a probe measured on "
        "this device");
    check_sentence((struct roof){.origin = ROOF_MEASURED, .bandwidth_gbs = 10, .gflops = 200}, NAN,
                   "caches",
                   "Update is bound by caches (its 33.6 GB/s are 336 % of the main memory's 10.0)");
    check_sentence(
        (struct roof){
            .origin = ROOF_MEASURED, .bandwidth_gbs = 10, .gflops = 200, .contended = true},
        NAN, "",
        "Update runs at 33.6 GB/s and 2.52 GFLOP/s; this device's peak is not known: others use "
        "it");
    check_sentence(
        (struct roof){.origin = ROOF_MEASURED, .bandwidth_gbs = 100, .gflops = 4}, NAN,
        "FP64, 63 %",
        "Update is bound by FP64, 63 % (2.52 of the 4.00 GFLOP/s that a probe measured on this "
        "device)");
    check_sentence(
        unknown, 40, "memory, 84 %",
        "Update is bound by memory, 84 % (33.6 of the 40.0 GB/s that the preset gives for this "
        "device)");
    check_sentence(unknown, NAN, "",
                   "Update runs at 33.6 GB/s and 2.52 GFLOP/s; this device's peak is not known");
}

/* A single kernel of `bytes` that takes 1 ms; with the device's clock each call takes `launch_ms`
 * more. The loop takes 10 ms per iteration. */
static struct roofline roofline_of_kernel(enum phase phase, enum clock_source clock, double bytes,
                                          double launch_ms) {
    owned_sample sample = compare_example(1);
    struct lane_sample *of = &sample->lanes[0];
    const struct event_stats kernel = {.count = 10,
                                       .timed = 10,
                                       .bytes = (uint64_t)(10 * bytes),
                                       .total_ns = 10000000,
                                       .clock = clock};
    of->roof = (struct roof){.origin = ROOF_MEASURED, .bandwidth_gbs = 100, .gflops = 2e6};
    of->run.schedule = (struct schedule){SCHEDULE_BLOCKED, 4};
    of->iterations = 10;
    of->seconds = 0.1;
    of->totals = (struct event_totals){0};
    of->totals.of[EVENT_KERNEL][phase] = kernel;
    of->totals.of[EVENT_WAIT][phase] =
        (struct event_stats){.count = 10,
                             .timed = 10,
                             .total_ns = (int64_t)(1e7 * (1 + launch_ms)),
                             .clock = CLOCK_HOST};
    const struct roofline roofline = roofline_by(sample, NAN, "", 0);
    return roofline;
}

TEST(walls_of_lanes) {
    /* 9 of 10 ms are neither kernel nor copies: with device events this is launch time. */
    struct roofline roofline = roofline_of_kernel(PHASE_FUSED, CLOCK_DEVICE, 90e6, 0);
    assert_int_equal(roofline.bottleneck.kind, BOTTLENECK_LAUNCH);
    assert_close(roofline.bottleneck.percent, 90, 1e-9);
    assert_int_equal(roofline_bottleneck(&roofline, 0, PHASE_FUSED).kind, BOTTLENECK_MEMORY);
    assert_close(roofline_bottleneck(&roofline, 0, PHASE_FUSED).percent, 90, 1e-9);
    /* With the host's clock the rest of the loop can't be attributed. */
    roofline = roofline_of_kernel(PHASE_FUSED, CLOCK_HOST, 90e6, 0);
    assert_int_equal(roofline.bottleneck.kind, BOTTLENECK_MEMORY);
    /* 3 ms of waiting per millisecond of the kernel: 75 % of the call, 30 % of the loop. */
    roofline = roofline_of_kernel(PHASE_FUSED, CLOCK_COUNTER, 90e6, 3);
    assert_int_equal(roofline_bottleneck(&roofline, 0, PHASE_FUSED).kind, BOTTLENECK_LAUNCH);
    assert_close(roofline_bottleneck(&roofline, 0, PHASE_FUSED).percent, 75, 1e-9);
    assert_int_equal(roofline.bottleneck.kind, BOTTLENECK_LAUNCH);
    /* A blocked kernel far from both memory and arithmetic is bound by the caches. */
    roofline = roofline_of_kernel(PHASE_BLOCKED, CLOCK_HOST, 10e6, 0);
    assert_int_equal(roofline.bottleneck.kind, BOTTLENECK_CACHES);
    assert_true(isnan(roofline.bottleneck.percent));
    assert_int_equal(roofline_bottleneck(&roofline, 0, PHASE_NORM).kind, BOTTLENECK_NONE);
}

/* Arrays that fit twice into the last-level cache are not bound by main memory. A pass of a GPU's
 * blocked has 2 additions and 2 multiply-adds per update, and 3 more operations in its first level.
 */
TEST(walls_know_caches_and_operations) {
    owned_sample made = compare_example(1);
    struct lane_sample *of = &made->lanes[0];
    const uint64_t unknowns = (uint64_t)made->nx * (uint64_t)made->ny;
    of->roof = (struct roof){.origin = ROOF_MEASURED, .bandwidth_gbs = 100, .gflops = 1e9};
    of->run.schedule = (struct schedule){SCHEDULE_FUSED, 0};
    of->totals = (struct event_totals){0};
    of->totals.of[EVENT_KERNEL][PHASE_FUSED] = (struct event_stats){
        .count = 1, .timed = 1, .bytes = 69000000, .total_ns = 1000000, .clock = CLOCK_DEVICE};
    for (int more = 0; more < 2; more++) {
        of->cache_bytes = 2 * 3 * 8 * unknowns - (more ? 0 : 1);
        const struct roofline roofline = roofline_by(made, NAN, "", 0);
        assert_int_equal(roofline_bottleneck(&roofline, 0, PHASE_FUSED).kind,
                         more ? BOTTLENECK_CACHES : BOTTLENECK_MEMORY);
        assert_int_equal(strstr(roofline.sentence, "all arrays fit") != NULL, more);
    }
    of->totals.of[EVENT_KERNEL][PHASE_BLOCKED] = of->totals.of[EVENT_KERNEL][PHASE_FUSED];
    of->totals.of[EVENT_KERNEL][PHASE_FUSED] = (struct event_stats){0};
    of->run.schedule = (struct schedule){SCHEDULE_BLOCKED, 8};
    of->iterations = 8;
    static const struct {
        const char *backend, *architecture;
        double omega;
        int flops;
    } cases[] = {
        {"hip", "sm_90", 1, 6 * 8 + 3},   {"hip", "gfx90a", 0.8, 11 * 8 + 3},
        {"omp", "sm_90", 1, 6 * 8 + 3},   {"omp", "gfx90a", 0.8, 11 * 8 + 3},
        {"omp", "x86-64", 1, 14 + 7 * 8}, {"serial", "x86-64", 1, 14 + 7 * 8},
    };
    for_each(row, cases) {
        strcpy(of->run.backend, row->backend);
        strcpy(of->architecture, row->architecture);
        of->run.omega = row->omega;
        const struct roofline roofline = roofline_by(made, NAN, "", 0);
        assert_close(roofline.points[0].gflops, 1e-6 * row->flops * (double)unknowns, 1e-12);
    }
    /* A full pass of 14 + 7·8 and a shallow one of 14 operations, 1 ms each on average. */
    of->iterations = 8 + 1;
    of->totals.of[EVENT_KERNEL][PHASE_BLOCKED].count = 2;
    of->totals.of[EVENT_KERNEL][PHASE_BLOCKED].timed = 2;
    of->totals.of[EVENT_KERNEL][PHASE_BLOCKED].total_ns = 2000000;
    of->seconds = 2e-3;
    const struct roofline mixed = roofline_by(made, NAN, "", 0);
    assert_close(mixed.points[0].gflops, 1e-6 * (14 + 7 * 8 + 14) / 2 * (double)unknowns, 1e-9);
}

/* The measured roof has priority over the preset's, which may be another machine's; both show. */
TEST(both_roofs) {
    owned_sample sample = compare_example(1);
    const struct roofline roofline = roofline_by(sample, 1638, "", 0);
    assert_int_equal(roofline.roof.origin, ROOF_MEASURED);
    assert_int_equal(roofline.given.origin, ROOF_GIVEN);
    assert_contains(roofline.sentence, "this device");
    assert_true(roofline.gflops.high >= 1638 * roofline.intensity.low);
}

static struct roofline roofline_on(const char *device, const char *architecture,
                                   const char *named) {
    owned_sample sample = compare_example(1);
    struct lane_sample *on = &sample->lanes[0];
    print_to(on->device, "%s", device);
    print_to(on->architecture, "%s", architecture);
    on->roof = (struct roof){.origin = ROOF_UNKNOWN, .bandwidth_gbs = NAN, .gflops = NAN};
    const struct roofline roofline = roofline_by(sample, 1638, named, 0);
    return roofline;
}

static void check_given(struct roofline roofline, bool counts) {
    assert_int_equal(roofline.roof.origin, counts ? ROOF_GIVEN : ROOF_UNKNOWN);
    assert_int_equal(roofline.given.origin, counts ? ROOF_UNKNOWN : ROOF_GIVEN);
    for (int p = 0; p < roofline.count; p++)
        assert_int_equal(roofline.points[p].roof.origin, roofline.roof.origin);
    assert_int_equal(strstr(roofline.sentence, "the preset gives for this device") != NULL, counts);
    assert_int_equal(strstr(roofline.sentence, "this device's peak is not known") != NULL, !counts);
}

/* The run's actual device decides: an MI250's figures don't apply to a host. */
TEST(given_roof_counts_for_its_own_device) {
    check_given(roofline_on("AMD Instinct MI250X", "gfx90a:sramecc+", "gfx90a"), true);
    check_given(roofline_on("AMD Instinct MI250X", "gfx90a:sramecc+", "mi250"), true);
    check_given(roofline_on("host device (x86-64)", "x86_64", "gfx90a"), false);
    check_given(roofline_on("NVIDIA H200", "sm_90", "gfx90a"), false);
    check_given(roofline_on("AMD Instinct MI250X", "", "mi250"), true);
    check_given(roofline_on("NVIDIA H200", "sm_90", ""), false); /* of an unknown device */
}

/* Lanes on two devices: each one's points are compared with its own roof. */
TEST(each_lane_has_its_own_roof) {
    owned_sample sample = compare_example(2);
    sample->lanes[1].roof.bandwidth_gbs = 4000;
    const struct roofline roofline = roofline_by(sample, NAN, "", 1);
    assert_close(roofline.roof.bandwidth_gbs, 4000, 1e-12);
    for (int p = 0; p < roofline.count; p++)
        assert_close(roofline.points[p].roof.bandwidth_gbs, roofline.points[p].lane ? 4000 : 40,
                     1e-12);
}

TEST_MODULE_SETTING_UP_EACH(timeline, clear_lane, NULL)
