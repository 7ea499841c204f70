/* The breakdown of an iteration's time, from events and the loop's clock. */
#include "core/system.h"
#include "metrics/costs.h"
#include "tests/fixtures/support.h"

enum { ITERATIONS = 10 };

static struct sample sample;
static struct lane_sample *const lane = &sample.lanes[0];

static void add(enum event_kind kind, enum phase phase, uint64_t timed, double ms) {
    lane->window.of[kind][phase] =
        (struct event_stats){.count = ITERATIONS,
                             .timed = timed,
                             .bytes = ITERATIONS * 1000,
                             .total_ns = (int64_t)(1e6 * ms) * (int64_t)timed,
                             .clock = CLOCK_DEVICE};
}

/* A loop of that many milliseconds per iteration, without known events. */
static void loop_of(double ms) {
    memset(&sample, 0, sizeof sample);
    sample.lane_count = 1;
    sample.nx = sample.ny = 64;
    lane->iterations = lane->window_iterations = ITERATIONS;
    lane->seconds = lane->window_seconds = 1e-3 * ms * ITERATIONS;
}

TEST(parts_and_rest) {
    loop_of(10);
    add(EVENT_TO_DEVICE, PHASE_UPDATE, ITERATIONS, 6);
    add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS, 3);
    const struct costs costs = costs_of_window(&sample, 0);
    assert_close(costs.moving.percent_of_loop, 60, 1e-9);
    assert_close(costs.computing.percent_of_loop, 30, 1e-9);
    assert_close(costs.rest.ms, 1, 1e-9);
    assert_close(costs.work[EVENT_TO_DEVICE].percent_of_loop, 60, 1e-9);
    assert_close(costs.kernels[PHASE_UPDATE].percent_of_loop, 30, 1e-9);
}

/* An iteration's time is shown as its median everywhere. Parts have the same share of it as of the
 * mean iteration if no typical ones are known. */
TEST(median_of_iterations) {
    loop_of(10);
    lane->times = (struct iteration_times){50, 7, 7.5, 8, 8.5, 30};
    add(EVENT_TO_DEVICE, PHASE_UPDATE, ITERATIONS, 6);
    add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS, 4);
    const struct costs costs = costs_of_run(&sample, 0), window = costs_of_window(&sample, 0);
    assert_close(costs.ms_per_iteration, 8, 1e-12);
    assert_close(window.ms_per_iteration, 8, 1e-12);
    assert_close(window.mean_ms, 10, 1e-12);
    assert_close(window.whole_ms, 8, 1e-12);
    assert_close(window.work[EVENT_TO_DEVICE].ms, 0.6 * 8, 1e-12);
    assert_close(window.computing.ms, 0.4 * 8, 1e-12);
    assert_string_equal(AS(format_iteration, &costs, ""), "8.00 ms ± 0.50 ms");
    /* A wide interval of few iterations is final once the run has stopped. */
    lane->times.p75 = 20;
    const struct costs running = costs_of_run(&sample, 0);
    assert_true(running.is_settling);
    lane->state = LANE_LIMIT_REACHED;
    const struct costs stopped = costs_of_run(&sample, 0);
    assert_false(stopped.is_settling);
    lane->state = LANE_RUNNING;
    lane->times.count = 128; /* two passes */
    lane->run.schedule = (struct schedule){SCHEDULE_BLOCKED, 64};
    assert_true(costs_of_run(&sample, 0).is_settling);
    lane->run.schedule = (struct schedule){SCHEDULE_CLASSIC, 0};
    /* Far from the middle, or less than their distance: ± would mislead. */
    lane->times.count = 100; /* settled */
    const struct costs skew = costs_of_run(&sample, 0);
    assert_string_equal(AS(format_iteration, &skew, "/it"), "8.00 ms/it (7.50 to 20.00)");
    lane->times.p25 = 1;
    lane->times.p75 = 15;
    const struct costs wide = costs_of_run(&sample, 0);
    assert_string_equal(AS(format_iteration, &wide, ""), "8.00 ms (1.00 to 15.00)");
    lane->times.p25 = lane->times.p75 = 8; /* below the resolution: no spread, rather than 0 */
    const struct costs equal = costs_of_run(&sample, 0);
    assert_string_equal(AS(format_iteration, &equal, ""), "8.00 ms");
    lane->times.count = 4;
    const struct costs few = costs_of_run(&sample, 0);
    assert_string_equal(AS(format_iteration, &few, ""), "8.00 ms, settling");
    assert_string_equal(AS(format_statistic, &sample), "median so far");
}

/* Without a median, as in an old recording, the mean is shown and named. */
TEST(mean_of_iterations) {
    loop_of(10);
    assert_string_equal(AS(format_statistic, &sample), "mean so far");
    sample.playback.races = true;
    assert_string_equal(AS(format_statistic, &sample), "mean of the recordings");
}

/* Mixed precision moves 3 floats per update, and 36 B more every 64 iterations, however many of
 * those were counted so far. */
TEST(bytes_of_mixed_precision) {
    loop_of(10);
    lane->nx = lane->ny = 64;
    lane->run.precision = PRECISION_MIXED;
    lane->run.schedule = (struct schedule){SCHEDULE_FUSED, 0};
    add(EVENT_KERNEL, PHASE_FUSED, ITERATIONS, 10);
    const struct costs costs = costs_of_window(&sample, 0);
    assert_close(costs.bytes_per_update, 12 + 36.0 / 64, 1e-12);
    assert_string_equal(AS(format_bytes, costs.bytes_per_update), "12.6 B");
}

/* The time of all copies excludes allocations, and copies of the norm that were not timed. */
TEST(copies_altogether) {
    loop_of(10);
    add(EVENT_TO_DEVICE, PHASE_UPDATE, ITERATIONS, 6);
    add(EVENT_FROM_DEVICE, PHASE_UPDATE, ITERATIONS, 3);
    add(EVENT_ALLOC, PHASE_UPDATE, ITERATIONS, 1);
    add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS, 1);
    lane->window.of[EVENT_FROM_DEVICE][PHASE_NORM] =
        (struct event_stats){.count = ITERATIONS, .bytes = 8 * ITERATIONS};
    const struct costs costs = costs_of_window(&sample, 0);
    assert_close(costs.copied_total_ms, 9 * ITERATIONS, 1e-9);
    assert_close(costs.copied_total_bytes, (1000 + 1000 + 8) * ITERATIONS, 1e-12);
}

/* A turn's first iterations don't count; in a short turn the first half doesn't. */
TEST(cold_iterations) {
    static struct event_log log;
    event_log_reset(&log);
    for (int k = 0; k < 10; k++)
        event_log_add_iterations(&log, 1, 1000);
    event_log_begin_turn(&log, 4, 1);
    for (int k = 0; k < 4; k++)
        event_log_add_iterations(&log, 1, k < 2 ? 9000000 : 1100);
    assert_int_equal(log.iterations.count, 7 + 2);
    assert_close(duration_quantile(&log.iterations, 0.5), 1000, 1e-12);
    assert_close(duration_quantile(&log.iterations, 1), 1100, 1e-12);
}

/* A batch that is reported as a whole counts despite its cold first passes: a turn's long batch
 * counts, not only the slower short one at its end. */
TEST(cold_iterations_of_a_batch) {
    static struct event_log log;
    event_log_reset(&log);
    event_log_add_iterations(&log, 8, 9000);
    event_log_begin_turn(&log, 48, 8);
    event_log_add_iterations(&log, 41 * 8L, 41 * 8L * 65);
    event_log_add_iterations(&log, 7 * 8L, 7 * 8L * 85);
    assert_int_equal(log.iterations.count, 8 + 48 * 8);
    assert_close(duration_quantile(&log.iterations, 0.5), 65, 1e-12);
}

/* Durations of 214 to 228 µs, between which the buckets of an octave's eighths have a border. */
TEST(median_near_a_border) {
    static struct event_log log;
    event_log_reset(&log);
    for (int k = 0; k <= 200; k++)
        event_log_add_iterations(&log, 1, 214000 + 70 * k);
    assert_close(duration_quantile(&log.iterations, 0.5), 221000, 0.01);
}

/* A norm that sums to 1; the first call refines, for 20 ms. */
static enum status refining_norm(struct engine *engine, double *sum, struct error *error) {
    const int64_t start_ns = clock_now_ns();
    while (!engine->refined_ns && clock_now_ns() < start_ns + 20000000)
        ;
    if (!engine->refined_ns)
        engine->refined_ns = engine->refining_ns = clock_now_ns() - start_ns;
    *sum = 1;
    return STATUS_OK;
}

static enum status idle_kernel(struct engine *engine, enum phase phase, struct error *error) {
    return STATUS_OK;
}

/* Mixed precision refines in one iteration of 64. All 64 share that time, so that their median has
 * a part of it, and together they take no longer than the loop. */
TEST(iterations_share_a_refinement) {
    static const struct engine_ops ops = {.kernel = idle_kernel, .norm = refining_norm};
    static struct event_log log;
    struct engine engine = {.ops = &ops, .events = &log, .spec.mesh = mesh_make(8, 8)};
    double residuals[64];
    long done;
    engine.spec.run.precision = PRECISION_MIXED;
    engine_set_method(&engine);
    event_log_reset(&log);
    assert_int_equal(refine_every(engine.spec.run.schedule), 64);
    const int64_t start_ns = clock_now_ns();
    assert_int_equal(engine_advance(&engine, 64, 0, residuals, &done, &error), STATUS_OK);
    const double loop_ns = (double)(clock_now_ns() - start_ns);
    const double share_ns = (double)engine.refined_ns / 64;
    assert_int_equal(log.iterations.count + (uint64_t)log.iterations.warm_up_count, 64);
    assert_true(duration_quantile(&log.iterations, 0.5) > 0.9 * share_ns); /* a bucket's width */
    assert_true((double)log.iterations.warm_up_ns + 61 * duration_quantile(&log.iterations, 0) <
                1.1 * loop_ns);
}

/* Parts add a batch's events stream by stream; the run's log groups them by iteration. */
TEST(events_of_parts) {
    enum { PARTS = 2, STREAMS = 2, COUNT = 3 };
    static struct event_log log, parts[PARTS];
    struct event_log *const all[PARTS] = {&parts[0], &parts[1]};
    event_log_reset(&log);
    for (int p = 0; p < PARTS; p++) {
        event_log_reset(&parts[p]);
        for (int k = 0; k < STREAMS * COUNT; k++) {
            parts[p].iteration = k % COUNT;
            event_log_add(&parts[p], EVENT_KERNEL, ARRAY_NONE, CLOCK_DEVICE,
                          1000 * (k % COUNT) + 10 * (k / COUNT) + p, 5, 8);
        }
    }
    event_log_gather(&log, all, PARTS);
    assert_int_equal(log.count, PARTS * STREAMS * COUNT);
    for (uint64_t e = 0; e < log.count; e++) {
        assert_int_equal(log.ring[e].iteration, e / (PARTS * STREAMS));
        assert_int_equal(log.ring[e].device, e % PARTS);
    }
}

/* Every second call is timed; the others count with the mean. */
TEST(sampled) {
    loop_of(10);
    add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS / 2, 8);
    const struct costs costs = costs_of_window(&sample, 0);
    assert_close(costs.computing.ms, 8, 1e-9);
}

/* Structured mapping returns an array in 8 ms, and an untimed norm. The norm's copy and bytes
 * count, but the array's time is not attributed to it. */
TEST(untimed_copies_of_another_phase) {
    loop_of(10);
    add(EVENT_FROM_DEVICE, PHASE_UPDATE, ITERATIONS, 8);
    add(EVENT_FROM_DEVICE, PHASE_NORM, 0, 0);
    add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS, 1);
    const struct costs costs = costs_of_window(&sample, 0);
    const struct cost *back = &costs.work[EVENT_FROM_DEVICE];
    assert_close(back->count_per_iteration, 2, 1e-12);
    assert_close(back->bytes_per_iteration, 2000, 1e-12);
    assert_close(back->ms_per_iteration, 8, 1e-9);
    assert_close(back->gbs, 1000 / 8e6, 1e-12);
    assert_close(costs.moving.percent_of_loop, 80, 1e-9);
    assert_close(costs.rest.ms, 1, 1e-9);
}

/* Allocated bytes are not moved. */
TEST(allocations_have_no_rate) {
    loop_of(10);
    add(EVENT_ALLOC, PHASE_UPDATE, ITERATIONS, 1);
    add(EVENT_TO_DEVICE, PHASE_UPDATE, ITERATIONS, 1);
    const struct costs costs = costs_of_window(&sample, 0);
    assert_true(isnan(costs.work[EVENT_ALLOC].gbs));
    assert_close(costs.work[EVENT_TO_DEVICE].gbs, 1e-3, 1e-9);
}

/* Timed iterations take slightly longer than the others, so kernels can sum to more than the loop.
 * A share must never exceed 100 %, even if a copy was not timed. */
TEST(never_above_the_whole) {
    for (uint64_t timed = 0; timed <= ITERATIONS; timed += ITERATIONS) {
        loop_of(10);
        add(EVENT_FROM_DEVICE, PHASE_NORM, timed, 0.1);
        add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS, 10.2);
        const struct costs costs = costs_of_window(&sample, 0);
        assert_true(costs.computing.percent_of_loop <= 100);
        assert_close(costs.whole_ms, timed ? 10.3 : 10.2, 1e-9);
        assert_int_equal(isnan(costs.moving.ms), timed == 0);
    }
}

/* Three percentages of the same kernel, each of its own total. A direction without copies has a
 * time of zero, and no other figures. */
TEST(each_percentage_has_its_base) {
    loop_of(10);
    add(EVENT_TO_DEVICE, PHASE_UPDATE, ITERATIONS, 4);
    add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS, 3);
    add(EVENT_KERNEL, PHASE_NORM, ITERATIONS, 1);
    const struct costs costs = costs_of_window(&sample, 0);
    const struct cost *update = &costs.kernels[PHASE_UPDATE];
    assert_close(update->percent_of_kernels, 75, 1e-9);
    assert_close(update->percent_of_measured, 37.5, 1e-9);
    assert_close(update->percent_of_loop, 30, 1e-9);
    assert_close(update->gbs, 1000 / 3e6, 1e-12);
    const struct cost *back = &costs.work[EVENT_FROM_DEVICE];
    assert_true(isnan(back->total_ms) && isnan(back->percent_of_kernels));
    assert_true(back->ms_per_iteration == 0 && back->percent_of_measured == 0);
}

/* One slow call of Update changes its total, but neither the shares nor the order. */
TEST(shares_of_typical_iterations) {
    enum phase order[PHASE_COUNT];
    loop_of(10);
    add(EVENT_KERNEL, PHASE_UPDATE, ITERATIONS, 1);
    add(EVENT_KERNEL, PHASE_NORM, ITERATIONS, 3);
    lane->typical = (struct loop_totals){lane->window, ITERATIONS, lane->seconds};
    lane->totals = lane->window;
    lane->totals.of[EVENT_KERNEL][PHASE_UPDATE].total_ns = 40000000;
    const struct costs costs = costs_of_run(&sample, 0);
    assert_close(costs.kernels[PHASE_UPDATE].percent_of_kernels, 25, 1e-9);
    assert_close(costs.kernels[PHASE_UPDATE].percent_of_measured, 25, 1e-9);
    assert_close(costs.kernels[PHASE_NORM].percent_of_kernels, 75, 1e-9);
    assert_int_equal(costs_order(&costs, 1, order), 2);
    assert_int_equal(order[0], PHASE_NORM);
}

/* Ten iterations as two full sweeps and one of two iterations: the one kernel is the loop, although
 * a full sweep takes 40 ms. The full ones may be the typical ones. */
TEST(a_shallow_sweep_is_no_full_one) {
    for (int full = 0; full <= 1; full++) {
        loop_of(10);
        lane->run.schedule = (struct schedule){SCHEDULE_BLOCKED, 4};
        lane->totals.of[EVENT_KERNEL][PHASE_BLOCKED] =
            (struct event_stats){3, 3, 3000, 100000000, CLOCK_DEVICE};
        lane->typical = (struct loop_totals){.iterations = full ? 8 : 0, .seconds = 0.08};
        lane->typical.totals.of[EVENT_KERNEL][PHASE_BLOCKED] =
            (struct event_stats){2, 2, 2000, 80000000, CLOCK_DEVICE};
        const struct costs costs = costs_of_run(&sample, 0);
        const struct cost *blocked = &costs.kernels[PHASE_BLOCKED];
        assert_close(blocked->ms_per_iteration, 10, 1e-9);
        assert_close(costs.whole_ms, 10, 1e-9);
        assert_close(blocked->ms, full ? 40 : 100.0 / 3, 1e-9);
    }
}

/* Adds an iteration of two parts to a log: a copy, and a kernel whose share varies. */
static void add_iteration(struct event_log *log, double copy_ms, double kernel_ms, double ms) {
    event_log_enter(log, PHASE_UPDATE);
    event_log_add(log, EVENT_TO_DEVICE, ARRAY_U, CLOCK_HOST, 0, (int64_t)(1e6 * copy_ms), 8);
    event_log_add(log, EVENT_KERNEL, ARRAY_NONE, CLOCK_HOST, 0, (int64_t)(1e6 * kernel_ms), 80);
    event_log_add_iterations(log, 1, (int64_t)(1e6 * ms));
}

/* Parts that vary while their sum doesn't have medians that don't add up: 2 + 2 of 10 ms here. The
 * means of the iterations around the median do, without the interrupted ones. */
TEST(parts_of_typical_iterations) {
    static struct event_log log;
    event_log_reset(&log);
    event_log_enter(&log, PHASE_SETUP);
    event_log_add(&log, EVENT_TO_DEVICE, ARRAY_U, CLOCK_HOST, 0, 1000, 8000);
    double kernels_ms = 0;
    for (int k = 0; k < 3 + 300; k++) {
        const bool is_late = k % 5 == 4;
        const double kernel_ms = is_late ? 95 : k % 2 ? 7 : 2;
        add_iteration(&log, k % 2 ? 2 : 7, kernel_ms, is_late ? 100 : 10);
        kernels_ms += kernel_ms;
    }
    loop_of(0);
    lane->iterations = 303;
    lane->seconds = 8.43;
    lane->times = (struct iteration_times){300, 10, 10, 10, 10, 100};
    lane->totals = log.totals;
    lane->typical = log.typical;
    const struct costs costs = costs_of_run(&sample, 0);
    assert_close(costs.kernels[PHASE_UPDATE].ms, 4.5, 0.03);
    assert_close(costs.kernels[PHASE_UPDATE].percent_of_measured, 50, 0.01); /* in the table */
    assert_close(costs.work[EVENT_TO_DEVICE].ms_per_iteration, 4.5, 0.03);
    assert_close(costs.computing.ms, 4.5, 0.03);
    assert_close(costs.rest.ms, 1, 1e-6);
    assert_close(costs.whole_ms, 10, 1e-12);
    assert_close(costs.work[EVENT_TO_DEVICE].bytes_per_iteration, 8, 1e-12);
    assert_int_equal(costs.work[EVENT_KERNEL].count, 303); /* the sums are of all */
    assert_close(costs.kernels[PHASE_UPDATE].total_ms, kernels_ms, 1e-9);
}

/* Once most iterations are faster, the slow ones before are typical no more. */
TEST(typical_iterations_follow_the_speed) {
    static struct event_log log;
    event_log_reset(&log);
    for (int k = 0; k < 20; k++)
        add_iteration(&log, 50, 40, 100);
    assert_close(log.typical.seconds / (double)log.typical.iterations, 0.1, 1e-9);
    for (int k = 0; k < 80; k++)
        add_iteration(&log, 6, 3, 10);
    assert_close(log.typical.seconds / (double)log.typical.iterations, 0.01, 1e-9);
    assert_int_equal(event_totals_loop(&log.typical.totals, EVENT_KERNEL).count,
                     log.typical.iterations);
}

TEST_MODULE(timing, NULL, NULL)
