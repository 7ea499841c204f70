/* Speed-up and efficiency of several devices, what they wait for, and notes on a run. */
#include "metrics/scaling.h"

#include "metrics/costs.h"
#include "metrics/verdict.h"
#include "tests/fixtures/example.h"

/* One, two and four devices: the example's 4 ms, 2.25 ms and 1.125 ms per pass. */
TEST(scaling) {
    owned_sample scaled = compare_example(3);
    for (int l = 0; l < 3; l++)
        example_devices(&scaled->lanes[l], 1 << l, 0);
    assert_int_equal(scaling_compare(scaled, 0).kind, SCALING_NONE);
    const struct speed_up two = scaling_compare(scaled, 1), four = scaling_compare(scaled, 2);
    assert_int_equal(two.kind, SCALING_STRONG);
    assert_close(two.times, 4 / 2.25, 1e-9);
    assert_close(two.efficiency, 2 / 2.25, 1e-9);
    assert_close(four.times, 4 / 1.125, 1e-9);
    assert_close(four.efficiency, 1 / 1.125, 1e-9);
    const struct verdict verdict = verdict_make(scaled);
    assert_string_equal(
        verdict.reason,
        "strong scaling (same 4096²): 1.78× on 2, 3.56× on 4; efficiency 89 %, 89 %");
    assert_string_equal(verdict.claim, "4 devices: 3.56× as fast as 1 device");
    assert_contains(verdict.turns, "efficiency: speed-up / devices");
    assert_string_equal(verdict.lanes[1].label, "2 devices");
    /* Each device copies a norm: copied bytes are their sum. */
    const uint64_t norms = 4 * (uint64_t)scaled->lanes[2].iterations;
    scaled->lanes[2].totals.of[EVENT_FROM_DEVICE][PHASE_NORM] =
        (struct event_stats){.count = norms, .bytes = 8 * norms};
    assert_close(costs_of_run(scaled, 2).work[EVENT_FROM_DEVICE].bytes_per_iteration, 32, 1e-9);
    /* One ratio in claim, digits and sentence, although the interval begins at 3.48. */
    scaled->lanes[0].times = (struct iteration_times){1000, 210, 216, 225, 225, 230};
    scaled->lanes[1].times = (struct iteration_times){1000, 115, 115, 115, 115, 115};
    scaled->lanes[2].times = (struct iteration_times){1000, 62, 62, 62, 62, 62};
    const struct verdict skewed = verdict_make(scaled);
    assert_string_equal(skewed.claim, "4 devices: 3.63× as fast as 1 device");
    assert_string_equal(skewed.big, "3.63×");
    assert_contains(skewed.reason, "1.96× on 2, 3.63× on 4");
    /* If the devices' times don't differ, neither speed-up nor efficiency is claimed. */
    for (int l = 0; l < 3; l++)
        scaled->lanes[l].times = (struct iteration_times){1000, 1, 2, 4 >> l, 5, 6};
    const struct verdict equal = verdict_make(scaled);
    assert_contains(equal.claim, "no difference seen (within");
    assert_null(strstr(equal.reason, "efficiency"));
    assert_null(strstr(equal.turns, "efficiency"));
    /* Other differences exclude scaling. */
    struct run_id *run = &scaled->lanes[1].run;
    const struct run_id same = *run;
    run->schedule.depth = 4;
    assert_int_equal(scaling_compare(scaled, 1).kind, SCALING_NONE);
    *run = same;
    run->precision = PRECISION_SINGLE;
    assert_int_equal(scaling_compare(scaled, 1).kind, SCALING_NONE);
    *run = same;
    run->omega = 0.7;
    assert_int_equal(scaling_compare(scaled, 1).kind, SCALING_NONE);
}

/* Twice the rows on two devices: equal speed is ideal. */
TEST(weak_scaling) {
    owned_sample scaled = compare_example(2);
    for (int l = 0; l < 2; l++)
        example_devices(&scaled->lanes[l], 1 + l, 0);
    /* A square grid has its own kernel, so a comparison with it doesn't show scaling. */
    scaled->lanes[1].ny = 8192;
    assert_int_equal(scaling_compare(scaled, 1).kind, SCALING_NONE);
    scaled->lanes[0].ny = 1024;
    scaled->lanes[1].ny = 2048;
    scaled->lanes[1].seconds = scaled->lanes[0].seconds / 0.97;
    const struct speed_up found = scaling_compare(scaled, 1);
    assert_int_equal(found.kind, SCALING_WEAK);
    assert_close(found.times, 2 * 0.97, 1e-9);
    assert_close(found.efficiency, 0.97, 1e-9);
    const struct verdict verdict = verdict_make(scaled);
    assert_string_equal(verdict.claim, "2 devices: 2.00× the unknowns in 1.03× the time");
    assert_string_equal(verdict.big, "97 %");
    assert_string_equal(verdict.reason,
                        "weak scaling (4096×1024 per device): efficiency t1/tP 97 % on 2");
    assert_string_equal(verdict.turns,
                        "efficiency: time of 1 device / time of P · runs take turns");
    assert_int_equal(verdict.agreement, AGREEMENT_NONE);
    assert_string_equal(verdict.agreement_text, "different grids: residuals can't be compared");
    /* Twice the work in the same time: each lane counts its own grid. */
    assert_close(costs_of_run(scaled, 1).updates, 2 * costs_of_run(scaled, 0).updates, 1e-9);
    /* SOR's own ω depends on the grid. */
    for (int l = 0; l < 2; l++) {
        struct lane_sample *lane = &scaled->lanes[l];
        const struct mesh mesh = mesh_make(lane->nx, lane->ny);
        lane->run.schedule = (struct schedule){SCHEDULE_CLASSIC, 0};
        lane->run.method = METHOD_SOR;
        lane->run.omega = method_omega(METHOD_SOR, lane->run.cycle, &mesh);
    }
    assert_int_equal(scaling_compare(scaled, 1).kind, SCALING_WEAK);
}

/* Four devices: kernels of 1 ms, the second's 1.1 ms, in a pass of 1.125 ms. */
TEST(what_devices_wait_for) {
    owned_sample scaled = compare_example(1);
    example_devices(&scaled->lanes[0], 4, 2);
    const struct scaling scaling = scaling_make(scaled, 0);
    assert_int_equal(scaling.count, 4);
    assert_int_equal(scaling.hosts, 2);
    assert_int_equal(scaling.slowest, 1);
    assert_close(8 * scaling.most_kernel_ms, 1.1, 1e-9);
    assert_close(8 * scaling.mean_kernel_ms, 1.025, 1e-9);
    assert_close(8 * scaling.halo_ms, 0.06, 1e-9);
    /* On three GPUs 125 µs of a pass are outside kernels, so the whole exchange (60 µs) may be
     * exposed. On the slowest it is 25 µs. CPUs' waits are subtracted first: 25 µs remain on each.
     */
    assert_close(scaling.overlap, 35.0 / 60 / 4, 1e-9);
    print_to(scaled->lanes[0].run.backend, "threads");
    assert_close(scaling_make(scaled, 0).overlap, 35.0 / 60, 1e-9);
    /* 3 cuts, both directions, 8 rows of 4096 doubles; 24 B per unknown and pass. */
    assert_close(8 * scaling.halo_bytes, 6 * 8 * 8 * 4096.0, 1e-9);
    assert_close(scaling.surface, 6 * 8 * 8 * 4096.0 / (24.0 * 4096 * 4096), 1e-9);
    assert_close(scaling.redundant_rows, 2 * 3 * 8 / 4096.0, 1e-9);
    assert_string_equal(AS(scaling_spread, &scaled->lanes[0]),
                        "on 2 nodes · rows · mpi, host-staged");
}

/* A run that differs from the request, or will diverge. */
TEST(notes) {
    owned_sample sample = compare_example(1);
    struct lane_sample *lane = &sample->lanes[0];
    print_to(lane->run.backend, "omp");
    struct engine_spec asked = {.run = lane->run, .mesh = mesh_make(5, 5)};
    assert_string_equal(AS(format_notes, &asked, lane, 2), "");
    asked.run.host_memory = HOST_PINNED;
    lane->run.mapping = MAPPING_UNSTRUCTURED;
    asked.run.schedule = (struct schedule){SCHEDULE_BLOCKED, 12};
    lane->run.schedule = (struct schedule){SCHEDULE_BLOCKED, 8};
    asked.mesh = mesh_damped(asked.mesh, 1.5);
    assert_contains(AS(format_notes, &asked, lane, 2),
                    "blocked:12 was requested, but omp's kernels here reach only blocked:8; "
                    "pinned host memory changes nothing here: only structured mapping");
    assert_contains(AS(format_notes, &asked, lane, 2), "; omega 1.5 is above 1.07");
    asked = (struct engine_spec){.run = lane->run, .mesh = mesh_damped(mesh_make(5, 5), 1.07)};
    asked.run.schedule.depth = 0; /* left open */
    assert_string_equal(AS(format_notes, &asked, lane, 2), "");
    asked.mesh = mesh_damped(asked.mesh, 1.08);
    assert_contains(AS(format_notes, &asked, lane, 2), "omega 1.08 is above 1.07");
    asked.mesh = mesh_make(5, 5);
    print_to(lane->run.backend, "serial");
    lane->device_stats.count = 2;
    assert_string_equal(AS(format_notes, &asked, lane, 2), "");
    lane->device_stats.count = 4;
    assert_string_equal(AS(format_notes, &asked, lane, 0), "");
    assert_string_equal(AS(format_notes, &asked, lane, 2), "4 devices share 2 cores");
    print_to(lane->run.backend, "hip");
    assert_string_equal(AS(format_notes, &asked, lane, 2), "");
}

TEST_MODULE(scaling, NULL, NULL)
