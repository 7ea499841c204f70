/* The roofline: points, peaks, sentences. */
#include "metrics/roofline.h"
#include "tests/fixtures/example.h"
#include "ui/draw/draw.h"

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

/* Update of kernels/cpu/methods.c: 6 FLOP per unknown, or 1 and, for half of them, 2 more. */
TEST(updates_of_other_methods) {
    owned_sample sample = compare_example(1);
    sample->lanes[0].run.method = METHOD_CHEBYSHEV;
    sample->lanes[0].totals.of[EVENT_KERNEL][PHASE_UPDATE].bytes =
        sample->lanes[0].totals.of[EVENT_KERNEL][PHASE_UPDATE].bytes / 40 * 48;
    assert_close(roofline_by(sample, NAN, "", 0).points[PHASE_UPDATE].intensity, 6.0 / 48, 1e-12);
    sample->lanes[0].run.method = METHOD_SOR;
    assert_close(roofline_by(sample, NAN, "", 0).points[PHASE_UPDATE].intensity, 2.0 / 48, 1e-12);
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
    sample->lanes[0].roof = roof;
    const struct roofline roofline = roofline_by(sample, given, "host device", 0);
    assert_string_equal(strstr(roofline.sentence, "Update"), wanted);
    assert_string_equal(AS(format_bottleneck, roofline_bottleneck(&roofline, 0, PHASE_UPDATE)),
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

TEST_MODULE(roofline, NULL, NULL)
