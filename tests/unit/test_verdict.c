/* The verdict of a comparison, and the labels that distinguish lanes. */
#include "metrics/costs.h"
#include "metrics/verdict.h"
#include "tests/fixtures/example.h"

static struct sample *sample;

/* Two lanes of omp at 64², with known times and bytes of 100 iterations. */
static int make_sample(void **state) {
    sample_destroy(sample); /* the test's before */
    sample = sample_create();
    assert_non_null(sample);
    sample->lane_count = 2;
    sample->nx = sample->ny = 64;
    for (int l = 0; l < LANES_MAX; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        strcpy(lane->run.backend, "omp");
        strcpy(lane->device, "host device");
        lane->nx = lane->ny = 64;
        lane->run.mapping = l ? MAPPING_UNSTRUCTURED : MAPPING_STRUCTURED;
        lane->run.omega = 1;
        lane->iterations = 100;
        lane->seconds = l ? 2.0 : 43.6;
        lane->history.stride = 1;
        for (int k = 0; k < 100; k++)
            lane->history.residuals[lane->history.count++] = 1.0 / (k + 1);
        lane->residual = 1.0 / 100;
        lane->totals.of[EVENT_KERNEL][PHASE_UPDATE] =
            (struct event_stats){.count = 100, .timed = 100, .bytes = 100 * 64 * 64 * 64};
        lane->totals.of[EVENT_FROM_DEVICE][PHASE_NORM] = (struct event_stats){100, 0, 800, 0, 0};
    }
    sample->lanes[0].totals.of[EVENT_TO_DEVICE][PHASE_UPDATE] =
        (struct event_stats){.count = 100, .bytes = UINT64_C(134000000000)};
    return 0;
}

TEST(structured_loses) {
    const struct verdict verdict = verdict_make(sample);
    assert_int_equal(verdict.fastest, 1);
    assert_int_equal(verdict.slowest, 0);
    assert_close(verdict.ratio, 21.8, 1e-12);
    assert_string_equal(verdict.big, "21.8×");
    assert_string_equal(AS(verdict_line, &verdict),
                        "unstructured is 21.8× as fast: structured moved 1.34 GB per iteration, "
                        "unstructured 8 B");
    assert_string_equal(verdict.agreement_text, "same residual after 100 iterations: 1.0000e-02");
    assert_contains(verdict.turns, "on this device");
}

/* A norm more or less is no reason. */
TEST(norms_are_no_reason) {
    sample->lanes[0].totals.of[EVENT_TO_DEVICE][PHASE_UPDATE] =
        (struct event_stats){10, 0, 100, 0, 0};
    assert_string_equal(verdict_make(sample).reason, "all kernels move the same bytes");
}

/* Of 10 ms per iteration that A takes longer, 6 are launch and wait, or the kernels'. */
TEST(same_bytes_name_the_part) {
    struct lane_sample *a = &sample->lanes[0], *b = &sample->lanes[1];
    memset(a->totals.of[EVENT_TO_DEVICE], 0, sizeof a->totals.of[EVENT_TO_DEVICE]);
    a->run.mapping = MAPPING_UNSTRUCTURED;
    strcpy(b->run.backend, "hip");
    a->seconds = 3;
    b->seconds = 2;
    struct event_stats *of_a = &a->totals.of[EVENT_KERNEL][PHASE_UPDATE],
                       *of_b = &b->totals.of[EVENT_KERNEL][PHASE_UPDATE];
    of_a->total_ns = of_b->total_ns = 1000000000;
    of_a->clock = of_b->clock = CLOCK_COUNTER;
    a->totals.of[EVENT_WAIT][PHASE_UPDATE] =
        (struct event_stats){100, 100, 0, 1600000000, CLOCK_TARGET_REGION};
    assert_string_equal(verdict_make(sample).reason, "omp spends 20 % on launch and wait");
    memset(a->totals.of[EVENT_WAIT], 0, sizeof a->totals.of[EVENT_WAIT]);
    of_a->clock = of_b->clock = CLOCK_DEVICE;
    of_a->total_ns = 1600000000;
    assert_string_equal(verdict_make(sample).reason,
                        "same bytes, but the kernels of omp take 1.60× as long");
    a->iterations = b->iterations = 4; /* their ratio settles */
    assert_string_equal(verdict_make(sample).reason, "all kernels move the same bytes");
    a->iterations = b->iterations = 100;
    of_a->total_ns = of_b->total_ns;
    assert_string_equal(verdict_make(sample).reason, "all kernels move the same bytes");
}

/* The times that a region copies to the host are no part of the norm's bytes. */
TEST(norm_without_times) {
    sample->lanes[1].totals.of[EVENT_FROM_DEVICE][PHASE_NORM].bytes = 960;
    assert_contains(verdict_make(sample).reason, "unstructured 8 B");
}

/* A ratio has as many digits as both spreads allow. Few iterations yield none, a wide interval no
 * big digits, and an interval that includes 1 no order: its further bound is named. */
TEST(spreads) {
    sample->lanes[0].times = (struct iteration_times){100, 400, 420, 436, 450, 480};
    sample->lanes[1].times = (struct iteration_times){100, 18, 19, 20, 21, 25};
    struct verdict verdict = verdict_make(sample);
    assert_string_equal(verdict.claim, "unstructured is 20 to 24× as fast");
    assert_string_equal(verdict.big, "22×");
    sample->lanes[1].times.count = 4;
    verdict = verdict_make(sample);
    assert_string_equal(verdict.claim, "settling, so far: A 436 ms, B 20.0 ms per iteration");
    assert_contains(verdict.parts, "5 iterations of each");
    assert_string_equal(verdict.big, "");
    sample->lanes[1].times = (struct iteration_times){100, 10, 14, 20, 60, 90};
    verdict = verdict_make(sample);
    assert_string_equal(verdict.claim, "unstructured is 7 to 32× as fast");
    assert_string_equal(verdict.big, "");
    sample->lanes[1].times = (struct iteration_times){100, 380, 390, 428, 440, 470}; /* 450 / 390 */
    assert_string_equal(verdict_make(sample).claim, "no difference seen (within ± 16 %)");
    sample->lanes[1].times.median = 400;
    verdict = verdict_make(sample);
    assert_string_equal(verdict.claim, "no difference seen (within ± 16 %)");
    assert_string_equal(verdict.big, "");
    sample->lanes[1].times = (struct iteration_times){100, 150, 180, 430, 440, 470};
    assert_string_equal(verdict_make(sample).claim, "no difference seen (within a factor of 2.5)");
    sample->lanes[0].times = (struct iteration_times){100, 400, 435, 436, 437, 480};
    sample->lanes[1].times = (struct iteration_times){100, 400, 433, 434, 435, 480};
    assert_string_equal(verdict_make(sample).claim, "all runs are equally fast, within 2 %");
    sample->lanes[0].times = (struct iteration_times){100, 400, 420, 436, 450, 480};
    sample->lanes[1].times = (struct iteration_times){100, 20, 60, 100, 350, 470};
    assert_string_equal(verdict_make(sample).claim, "unstructured is 1.2 to 7.5× as fast");
    sample->lanes[1].times = (struct iteration_times){100, 9, 10.7, 200, 411, 470};
    assert_string_equal(verdict_make(sample).claim, "unstructured is 1.02 to 42× as fast");
}

TEST(one_iteration_is_too_few) {
    sample->lanes[0].iterations = sample->lanes[1].iterations = 1;
    assert_contains(verdict_make(sample).claim, "settling");
}

TEST(one_of_three_is_as_fast_as_the_fastest) {
    sample->lane_count = 3;
    strcpy(sample->lanes[2].run.backend, "threads");
    sample->lanes[0].times = (struct iteration_times){100, 35, 39, 40, 41, 45};
    sample->lanes[1].times = (struct iteration_times){100, 18, 19, 20, 21, 25};
    sample->lanes[2].times = (struct iteration_times){100, 18, 20, 21, 22, 25};
    static const char tied[] = "B or C is fastest: A takes 1.9 to 2.2× as long";
    assert_string_equal(verdict_make(sample).claim, tied);
    sample->lanes[2].times = (struct iteration_times){100, 10, 18, 50, 140, 150};
    assert_string_equal(verdict_make(sample).claim, tied);
    sample->lanes[2].times = (struct iteration_times){100, 24, 29, 30, 31, 35};
    assert_string_equal(verdict_make(sample).claim, "B omp/unstructured is fastest: A takes 1.9 to "
                                                    "2.2× as long, C 1.4 to 1.6×");
    sample->lanes[2].times = (struct iteration_times){100, 10, 18, 50, 140, 150};
    sample->lanes[0].times = (struct iteration_times){100, 19, 20, 20.5, 21, 22};
    assert_string_equal(verdict_make(sample).claim, "no difference seen (within a factor of 7.4)");
}

/* The same kernels under two mappings should take the same time. If they don't, the factor isn't
 * the copies' alone. */
TEST(kernels_of_two_mappings_differ) {
    for (int l = 0; l < 2; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        const double iteration = l ? 20 : 70, kernels = l ? 16 : 44;
        memset(&lane->totals, 0, sizeof lane->totals);
        lane->times =
            (struct iteration_times){100, 18, 0.9 * iteration, iteration, 1.1 * iteration, 90};
        lane->iterations = 100;
        lane->seconds = 0.1 * iteration;
        lane->typical = (struct loop_totals){.iterations = 100, .seconds = 0.1 * iteration};
        lane->typical.totals.of[EVENT_KERNEL][PHASE_UPDATE] =
            (struct event_stats){100, 100, 8000, (int64_t)(1e8 * kernels), CLOCK_HOST};
        lane->typical.totals.of[EVENT_TO_DEVICE][PHASE_UPDATE] =
            (struct event_stats){100, 100, 8000, l ? 0 : 2200000000, CLOCK_HOST};
        lane->totals = lane->typical.totals;
    }
    assert_string_equal(verdict_make(sample).parts,
                        "A's kernels take 2.75× as long for the same work; of 50.0 ms more, "
                        "kernels: 28.0 ms, copies: 22.0 ms");
    sample->lanes[1].times.p75 = 60; /* the kernels' times may be as far apart as the iterations' */
    assert_string_equal(verdict_make(sample).parts, "");
    sample->lanes[1].times.p75 = 22;
    sample->lanes[1].run.schedule.kind = SCHEDULE_FUSED;
    assert_string_equal(verdict_make(sample).parts, "");
}

/* Of two factors, the copies' time bounds the mapping's. Of A's 436 ms, copies take 396 and kernels
 * 32: 436 / 40 = 10.9, 436 / 32 = 13.6. B takes 20 ms: 32 / 20 = 1.6, 40 / 20 = 2. */
TEST(two_factors) {
    struct lane_sample *a = &sample->lanes[0], *b = &sample->lanes[1];
    struct event_stats *copies = &a->totals.of[EVENT_TO_DEVICE][PHASE_UPDATE];
    b->run.schedule.kind = SCHEDULE_FUSED;
    *copies = (struct event_stats){100, 100, 800, INT64_C(39600000000), CLOCK_HOST};
    assert_string_equal(verdict_make(sample).reason, "the factor combines mapping and schedule");
    for (int l = 0; l < 2; l++)
        sample->lanes[l].totals.of[EVENT_KERNEL][PHASE_UPDATE] =
            (struct event_stats){100, 100, 800, l ? 1800000000 : 3200000000, CLOCK_HOST};
    assert_string_equal(verdict_make(sample).reason,
                        "mapping about 11 to 14×, schedule 1.6 to 2.0×");
    strcpy(b->run.backend, "hip");
    assert_string_equal(verdict_make(sample).reason,
                        "mapping about 11 to 14×, back end and schedule 1.6 to 2.0×");
    strcpy(b->device, "another");
    assert_string_equal(verdict_make(sample).reason,
                        "mapping about 11 to 14×, back end, schedule and device 1.6 to 2.0×");
    strcpy(b->device, a->device);
    /* Quartiles ± 25 %: 0.6 · 21.8 / 13.6 = 0.96, 21.8 / 0.6 / 10.9 = 3.3. */
    a->times = (struct iteration_times){100, 300, 327, 436, 545, 600};
    b->times = (struct iteration_times){100, 14, 15, 20, 25, 30};
    assert_string_equal(verdict_make(sample).reason,
                        "mapping about 11 to 14×, back end and schedule 0.96 to 3.3×");
    b->times.count = 4; /* settling */
    assert_string_equal(verdict_make(sample).reason,
                        "the factor combines mapping, back end and schedule");
    a->times = b->times = (struct iteration_times){0};
    /* The faster run copies: of its 20 ms 5, and its kernels take 12. */
    a->seconds = 2;
    b->seconds = 43.6;
    copies->total_ns = 500000000;
    a->totals.of[EVENT_KERNEL][PHASE_UPDATE].total_ns = 1200000000;
    assert_string_equal(verdict_make(sample).reason,
                        "mapping about 0.60 to 0.75×, back end and schedule 29 to 36×");
    copies->timed = 0;
    assert_string_equal(verdict_make(sample).reason, "the factor combines back end and schedule");
}

TEST(reason_is_memory_traffic_if_nothing_is_copied) {
    for (int l = 0; l < 2; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        strcpy(lane->run.backend, "serial");
        memset(lane->totals.of[EVENT_TO_DEVICE], 0, sizeof lane->totals.of[0]);
        memset(lane->totals.of[EVENT_FROM_DEVICE], 0, sizeof lane->totals.of[0]);
    }
    sample->lanes[1].run.schedule.kind = SCHEDULE_FUSED;
    sample->lanes[1].totals.of[EVENT_KERNEL][PHASE_UPDATE].bytes = 100 * 24 * 64 * 64;
    const struct verdict verdict = verdict_make(sample);
    assert_string_equal(verdict.claim, "fused is 21.8× as fast");
    assert_string_equal(verdict.reason, "memory traffic per update: classic 64 B, fused 24 B");
}

/* Only multigrid has cycles: other lanes' cycles, as stored in two recordings, don't matter. */
TEST(cycles_of_jacobi_do_not_differ) {
    sample->lanes[1].run.cycle.before = 1;
    const struct verdict verdict = verdict_make(sample);
    assert_string_equal(verdict.agreement_text, "same residual after 100 iterations: 1.0000e-02");
}

/* Different damping gives different iterates: no error. Lanes with equal damping must agree. */
TEST(lanes_damped_differently) {
    for (int l = 0; l < 2; l++) {
        strcpy(sample->lanes[l].run.backend, "serial");
        memset(sample->lanes[l].totals.of[EVENT_TO_DEVICE], 0,
               sizeof(struct event_stats[PHASE_COUNT]));
        sample->lanes[l].run.mapping = MAPPING_UNSTRUCTURED;
    }
    sample->lanes[1].run.omega = 0.8;
    sample->lanes[1].residual = sample->lanes[1].history.residuals[99] = 0.5;
    struct verdict verdict = verdict_make(sample);
    assert_int_equal(verdict.agreement, AGREEMENT_NONE);
    assert_string_equal(verdict.claim, "the same kernels, damped differently: look at the fields");
    assert_string_equal(verdict.big, "");
    strcpy(sample->lanes[1].device, "another");
    assert_string_equal(verdict_make(sample).claim, "ω 0.8 is 21.8× as fast");
    strcpy(sample->lanes[1].device, sample->lanes[0].device);
    assert_string_equal(AS(lane_label_full, &sample->lanes[1]), "serial/classic+omega=0.8");
    sample->lane_count = 3;
    strcpy(sample->lanes[2].run.backend, "serial");
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_GOOD);
    sample->lanes[2].run.omega = 0.8;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_RESIDUAL);
}

TEST(slow_runs_find_cold_caches) {
    sample->iterations_per_second = RUN_SPEED_PAIRS - 1;
    assert_string_equal(verdict_make(sample).turns,
                        "19 iterations per second: each finds cold caches");
    sample->iterations_per_second = RUN_SPEED_PAIRS;
    assert_contains(verdict_make(sample).turns, "runs take turns");
}

TEST(order_of_three) {
    sample->lane_count = 3;
    strcpy(sample->lanes[2].run.backend, "threads");
    sample->lanes[2].seconds = 1.0;
    const struct verdict verdict = verdict_make(sample);
    assert_string_equal(verdict.claim, "C threads is fastest: A takes 43.6× as long, B 2.00×");
    sample->lanes[0].state = LANE_CONVERGED; /* C, the fastest, may never reach the tolerance */
    assert_string_equal(verdict_make(sample).claim,
                        "C threads is fastest per iteration: A takes 43.6× as long, B 2.00×");
}

TEST(equally_fast) {
    sample->lanes[0].seconds = 2.03;
    assert_string_equal(verdict_make(sample).claim, "the mean times agree within 2 %");
}

TEST(same_time) {
    sample->race = RACE_SAME_TIME;
    assert_string_equal(verdict_make(sample).claim, "unstructured is 21.8× as fast");
    sample->lanes[1].seconds = sample->lanes[0].seconds;
    sample->lanes[1].iterations = 2000;
    assert_contains(verdict_make(sample).claim, " has done 20.0× as many iterations in the same");
    assert_string_equal(verdict_make(sample).big, "20.0×");
}

TEST(nothing_is_claimed_before_it_is_known) {
    sample->lanes[1].iterations = 0;
    sample->lanes[1].history.count = 0;
    const struct verdict verdict = verdict_make(sample);
    assert_int_equal(verdict.fastest, -1);
    assert_true(isnan(verdict.ratio));
    assert_string_equal(verdict.big, "");
    assert_string_equal(verdict.reason, "");
    assert_int_equal(verdict.agreement, AGREEMENT_UNKNOWN);
}

TEST(without_events_no_bytes_are_claimed) {
    memset(&sample->lanes[0].totals, 0, sizeof sample->lanes[0].totals);
    const struct verdict verdict = verdict_make(sample);
    assert_true(isnan(verdict.lanes[0].costs.copied_bytes));
    assert_string_equal(verdict.reason, "");
    assert_string_equal(verdict.claim, "unstructured is 21.8× as fast");
}

TEST(residuals_that_differ_are_an_error) {
    sample->lanes[1].history.residuals[37] *= 1 + 1e-9;
    const struct verdict verdict = verdict_make(sample);
    assert_int_equal(verdict.agreement, AGREEMENT_RESIDUAL);
    assert_int_equal(verdict.agreed_iterate, 37);
    assert_contains(verdict.agreement_text, "residuals differ after 38 iterations");
}

TEST(last_residual_counts_too) {
    sample->lanes[1].residual = NAN;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_RESIDUAL);
}

/* Histories with different strides share the multiples of the larger stride. */
TEST(strides_that_differ) {
    struct lane_sample *lane = &sample->lanes[1];
    lane->history.stride = 4;
    for (int k = 0; 4 * k < 100; k++)
        lane->history.residuals[k] = 1.0 / (4 * k + 1);
    lane->history.count = 25;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_GOOD);
    assert_int_equal(verdict_make(sample).agreed_iterate, 99);
    lane->iterations = 98; /* its last residual is iterate 97's */
    lane->residual = 1.0 / 98;
    assert_int_equal(verdict_make(sample).agreed_iterate, 97);
    lane->history.residuals[2] = 0.5;
    assert_int_equal(verdict_make(sample).agreed_iterate, 8);
}

/* As in a damaged recording: the comparison is limited to the histories' lengths. */
TEST(more_iterations_than_a_history_can_hold) {
    for (int l = 0; l < 2; l++)
        sample->lanes[l].iterations = INT64_C(1) << 56;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_GOOD);
    assert_int_equal(verdict_make(sample).agreed_iterate, (INT64_C(1) << 56) - 1);
    sample->lanes[1].history.residuals[99] *= 2;
    assert_int_equal(verdict_make(sample).agreed_iterate, 99);
}

TEST(stops_that_differ_are_an_error) {
    sample->lanes[0].state = LANE_CONVERGED;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_GOOD);
    sample->lanes[1].iterations = 101;
    sample->lanes[1].residual = sample->lanes[1].history.residuals[100] = 1.0 / 101;
    sample->lanes[1].history.count = 101;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_STOP);
    sample->lanes[1].iterations = 90; /* still behind: no disagreement yet */
    sample->lanes[1].residual = 1.0 / 90;
    sample->lanes[1].history.count = 90;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_GOOD);
    sample->lanes[1].state = LANE_CONVERGED;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_STOP);
}

TEST(a_failed_lane_is_named) {
    sample->lanes[0].state = LANE_FAILED;
    strcpy(sample->lanes[0].error.message, "device lost");
    assert_string_equal(verdict_make(sample).agreement_text, "structured failed: device lost");
}

/* Residuals of `charges` at 64² in classic and blocked:8 after 6993 iterations: both are right. */
TEST(residuals_agree_within_round_off) {
    const struct mesh mesh = mesh_make(64, 64);
    assert_true(residuals_agree(1.9758232655e-07, 1.9758232652e-07, &mesh, PRECISION_DOUBLE));
    assert_false(residuals_agree(1.97582327e-07, 1.97582310e-07, &mesh, PRECISION_DOUBLE));
    assert_true(residuals_agree(1, 1 + 5e-11, &mesh, PRECISION_DOUBLE));
    assert_false(residuals_agree(1, 1 + 5e-10, &mesh, PRECISION_DOUBLE));
    /* `blog` on 64² in single, classic and fused after one iteration: U is the same to the bit. */
    assert_true(residuals_agree(1.8234439063e-01, 1.8234439106e-01, &mesh, PRECISION_SINGLE));
    assert_true(residuals_agree(1.8234439063e-01, 1.8234439106e-01, &mesh, PRECISION_MIXED));
    assert_false(residuals_agree(1.8234439e-01, 1.8234639e-01, &mesh, PRECISION_SINGLE));
    assert_false(residuals_agree(NAN, NAN, &mesh, PRECISION_DOUBLE));
}

TEST(labels) {
    assert_string_equal(AS(lane_label_full, &sample->lanes[0]), "omp/structured/classic");
    sample->lanes[1].run.mapping = MAPPING_STRUCTURED;
    assert_string_equal(AS(lane_label, sample, 1), "B");
    strcpy(sample->lanes[1].run.backend, "threads");
    sample->lanes[1].run.schedule = (struct schedule){SCHEDULE_BLOCKED, 8};
    assert_string_equal(AS(lane_label, sample, 1), "threads/blocked:8");
    assert_string_equal(AS(lane_label_full, &sample->lanes[1]), "threads/blocked:8");
}

/* Every name distinguishes a replay from a live lane; devices are named only if they alone
 * differ. */
TEST(labels_of_replays) {
    strcpy(sample->lanes[0].recorded, "2026-01-02");
    assert_string_equal(AS(lane_label, sample, 0), "structured/replay");
    assert_string_equal(AS(lane_label, sample, 1), "unstructured");
    sample->lanes[0].run.mapping = sample->lanes[1].run.mapping;
    assert_string_equal(AS(lane_label, sample, 0), "replay");
    assert_string_equal(AS(lane_label, sample, 1), "live");
    strcpy(sample->lanes[1].recorded, "2026-01-02");
    assert_string_equal(AS(lane_label, sample, 1), "B");
    strcpy(sample->lanes[1].device, "NVIDIA H200");
    assert_string_equal(AS(lane_label, sample, 1), "NVIDIA H200");
    assert_string_equal(AS(lane_label, sample, 0), "host device");
    sample->lane_count = 3;
    strcpy(sample->lanes[2].recorded, "2026-01-02");
    assert_string_equal(AS(lane_label, sample, 2), "host device (C)");
    assert_string_equal(AS(lane_label, sample, 1), "NVIDIA H200");
}

/* A run with an earlier limit, such as a recorded one, is no disagreement. */
TEST(other_limits_are_no_disagreement) {
    struct lane_sample *first = &sample->lanes[0];
    first->state = LANE_LIMIT_REACHED;
    first->iterations = 50;
    first->residual = 1.0 / 50;
    first->iteration_limit = sample->lanes[1].iteration_limit = 1000;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_STOP);
    first->iteration_limit = 50;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_GOOD);
    first->iteration_limit = 1000;
    first->tolerance = 1e-3;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_GOOD);
}

TEST(replays_are_told) {
    strcpy(sample->lanes[0].recorded, "2026-01-02");
    strcpy(sample->lanes[1].recorded, "2026-01-02");
    assert_contains(verdict_make(sample).turns, "replayed by recorded iteration");
    sample->race = RACE_SAME_TIME;
    assert_contains(verdict_make(sample).turns, "replayed by recorded time");
    sample->lanes[1].recorded[0] = '\0';
    assert_contains(verdict_make(sample).turns, "take no turns");
}

/* When a recording has ended and the others continue, every text about the lanes states it. */
TEST(a_recording_ends_before_the_others) {
    strcpy(sample->lanes[0].recorded, "2026-11-22");
    sample->lanes[0].state = LANE_LIMIT_REACHED;
    sample->lanes[1].iterations =
        30998; /* a live lane waits as long as it can for a recorded one */
    assert_string_equal(AS(format_race, sample), "A's recording ends at 100");
    assert_contains(verdict_make(sample).turns, "ends at 100: the others continue");
    strcpy(sample->lanes[1].recorded, "2026-11-22"); /* recorded lanes have equal numbers */
    assert_string_equal(AS(format_race, sample), "same recorded iterations");
    sample->lanes[0].recording_ended = true;
    assert_string_equal(AS(format_race, sample), "A's recording ends at 100");
    assert_contains(verdict_make(sample).turns, "ends at 100, and the comparison with it");
    sample->lanes[1].recording_ended = true; /* both have ended: no message */
    assert_string_equal(AS(format_race, sample), "same recorded iterations");
    sample->race = RACE_SAME_TIME;
    assert_string_equal(AS(format_race, sample), "same recorded time");
}

TEST(what_was_tried) {
    owned_sample made = sample_create();
    assert_non_null(made);
    struct lane_sample *lane = &made->lanes[0];
    assert_string_equal(AS(format_tried, lane), "");
    lane->run.schedule.depth = 12;
    lane->depths_tried = UINT64_C(1) << 4 | UINT64_C(1) << 12;
    assert_string_equal(AS(format_tried, lane), "depth 12 of 4, 12");
    lane->depths_tried = 0;
    lane->run.tuning = (struct tuning){.block = 256, .norm_block = 64, .norm_blocks = 512};
    lane->tuning_tried = (struct tuning){.block = 128 | 256 | 512, .norm_blocks = 512 | 1024};
    assert_string_equal(AS(format_tried, lane),
                        "block 256 of 128, 256, 512; norm-blocks 512 of 512, 1024");
    lane->depths_tried = 1 << 4 | 1 << 8;
    lane->run.schedule.depth = 8;
    lane->run.tuning = (struct tuning){.blocked_blocks = 6};
    lane->tuning_tried = (struct tuning){.blocked_blocks = 1 << 3 | 1 << 6 | 1 << 12};
    assert_string_equal(AS(format_tried, lane), "depth 8 of 4, 8; blocked-blocks 6 of 3, 6, 12");
}

/* The cost of the same residual: A reaches 1e-2 in 100 iterations of 1 ms, B in 10 cycles of 4 ms,
 * each of which relaxes 8/3 unknowns per unknown. */
TEST(methods) {
    struct lane_sample *a = &sample->lanes[0], *b = &sample->lanes[1];
    for (int l = 0; l < 2; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        lane->nx = lane->ny = sample->nx = sample->ny = 1023;
        example_decay(lane, l ? 11 : 100, 1, pow(10, l ? -0.23 : -0.02020202));
        lane->seconds = l ? 0.044 : 0.1;
    }
    b->run.method = METHOD_MULTIGRID;
    b->run.omega = 0.8;
    b->run.cycle = (struct cycle){1, 1, false};
    a->run.mapping = b->run.mapping;
    b->state = LANE_CONVERGED; /* A's residual, and with it the ratios, still change */
    assert_string_equal(verdict_make(sample).big, "");
    assert_contains(verdict_make(sample).claim, "multigrid so far: 3.75×");
    a->state = LANE_FAILED;
    assert_string_equal(verdict_make(sample).claim, "no ratio: a run has failed");
    a->state = LANE_LIMIT_REACHED;
    const struct verdict verdict = verdict_make(sample);
    assert_string_equal(verdict.big, "2.50×");
    assert_string_equal(verdict.claim,
                        "multigrid: 3.75× fewer lattice updates, 2.50× as fast as jacobi");
    assert_contains(verdict.reason, "until the blog's residual is 1.00e-2");
    sample->measure = MEASURE_RELATIVE;
    a->initial_residual = b->initial_residual = 0.1;
    assert_string_equal(verdict_make(sample).reason,
                        "until the residual relative to the start is 1.00e-1");
    for (int k = 1; k < 30; k++) { /* the factor's round-off delays no lane */
        a->initial_residual = b->initial_residual = 1 + 0.03 * k;
        assert_string_equal(verdict_make(sample).big, "2.50×");
    }
    sample->measure = MEASURE_BLOG;
    assert_int_equal(verdict.agreement, AGREEMENT_NONE);
    /* Other cycles, and SOR with another ω, are also compared by the cost of the same residual, not
     * by iterations: 100 cycles of 3 · 4/3 lattice updates per unknown against 10 of 2 · 4/3. */
    a->run.method = METHOD_MULTIGRID;
    a->run.omega = 0.8;
    a->run.cycle = (struct cycle){2, 1, false};
    const struct verdict cycles = verdict_make(sample);
    assert_contains(cycles.claim, "V(1,1): 15.0× fewer lattice updates, 2.50× as fast");
    assert_string_equal(cycles.lanes[0].label, "V(2,1)");
    assert_string_equal(AS(lane_to_option, a), "omp/unstructured/classic+multigrid+cycle=2:1");
    a->run.cycle = b->run.cycle;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_RESIDUAL);
    a->run.method = b->run.method = METHOD_SOR;
    b->run.omega = 1;
    assert_contains(verdict_make(sample).claim, "as fast as");
    assert_string_equal(AS(lane_to_option, b), "omp/unstructured/classic+sor+omega=1");
}

TEST(precisions) {
    struct lane_sample *b = &sample->lanes[1];
    lane_sample_copy(b, &sample->lanes[0]);
    b->run.precision = PRECISION_MIXED;
    assert_string_equal(AS(lane_label, sample, 1), "mixed");
    assert_string_equal(AS(lane_to_option, b), "omp/structured/classic+mixed");
    assert_string_equal(format_precision(sample), "several precisions");
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_NONE);
    /* A sweep of several iterations rounds U once. */
    sample->lanes[0].run.precision = PRECISION_MIXED;
    b->run.schedule = (struct schedule){SCHEDULE_BLOCKED, 8};
    b->history.residuals[20] *= 1.001;
    assert_int_equal(verdict_make(sample).agreement, AGREEMENT_NONE);
    sample->lane_count = 1;
    assert_string_equal(format_precision(sample), "mixed");
}

/* 1 - ρ is 0.0012 on 64²: 5 % are guaranteed after 43 iterations. */
TEST(a_residual_that_no_longer_falls_stagnates) {
    struct lane_sample *lane = &sample->lanes[0];
    lane->run.precision = PRECISION_SINGLE;
    assert_string_equal(AS(format_stagnation, lane, 1), "");
    for (int k = 50; k < 100; k++)
        lane->history.residuals[k] = 0.02 + 1e-4 * k;
    lane->history.count = 90;
    assert_string_equal(AS(format_stagnation, lane, 1), "");
    lane->history.count = 100;
    assert_string_equal(AS(format_stagnation, lane, 10),
                        "stagnates at 2.00e-1 (at 49): round-off of single precision");
    lane->residual = 0.4;
    sample->state = SESSION_RUNNING;
    lane->iteration_limit = 1000;
    assert_string_equal(
        AS(format_stagnation, lane, 1),
        "is smallest at 2.00e-2 (at 49), then rises: round-off of single precision");
    assert_string_equal(AS(format_state, sample, lane), "▶ 100 of 1 000");
    sample->state = SESSION_FAILED; /* another lane */
    assert_string_equal(AS(format_state, sample, lane), "■ 100 of 1 000");
    sample->state = SESSION_RUNNING;
    sample->lane_count = 3;
    for (int l = 0; l < 3; l++)
        sample->lanes[l].state = l < 2 ? LANE_CONVERGED : LANE_LIMIT_REACHED;
    assert_string_equal(AS(format_state, sample, lane), "■ 2 of 3 converged");
    sample->lanes[2].state = LANE_CONVERGED;
    assert_string_equal(AS(format_state, sample, lane), "■ converged after 100");
    sample->lanes[2].iterations = 90;
    assert_string_equal(AS(format_state, sample, lane), "■ 3 of 3 converged");
    lane->state = LANE_CONVERGED;
    assert_string_equal(AS(format_stagnation, lane, 1), "");
}

/* On a coarse grid one iteration guarantees more than 5 %: the last residual may be the lowest. */
TEST(a_residual_that_falls_on_a_coarse_grid_does_not_stagnate) {
    struct lane_sample *lane = &sample->lanes[0];
    lane->nx = lane->ny = 8;
    for (lane->iterations = 1; lane->iterations <= 4; lane->iterations++) {
        history_reset(&lane->history);
        for (long k = 0; k < lane->iterations; k++)
            history_add(&lane->history, k, pow(0.9, (double)k));
        assert_string_equal(AS(format_stagnation, lane, 1), "");
    }
    history_add(&lane->history, 4, lane->history.residuals[3]);
    assert_string_equal(AS(format_stagnation, lane, 1),
                        "stagnates at 7.29e-1 (at 3): round-off of double precision");
}

TEST_MODULE_SETTING_UP_EACH(verdict, make_sample, NULL)
