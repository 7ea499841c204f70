/* The HIP back end's host side and its kernels on the tests' fake GPU driver, which computes in
 * host memory (tests/fixtures/fake): the same mathematics as serial, and the copies that each
 * mapping requires. FAKE_GPU selects the GPU.
 *
 * Argument: the folder of the fake drivers. */
#include "kernels/hip/engine.h"
#include "kernels/hip/self_check.h"
#include "tests/fixtures/fakes.h"
#include "tests/fixtures/reference.h"

#include <limits.h>

static const char *const schedules[] = {"classic",   "fused",      "blocked:3",
                                        "blocked:8", "blocked:64", "plain"};

TEST(same_mathematics) {
    for_each(schedule, schedules)
        for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
            for_each_word(row, "--grid 1", "--grid 1x9 --tolerance 1.5", "--grid 3x2",
                          "--grid 37x21 --tolerance 1e-1",
                          "--problem noise --grid 100x60 --tolerance 0",
                          "--problem manufactured --grid 31 --tolerance 3e-2") {
                const struct lane_spec spec =
                    fake_run("/%s/%s --iterations 40 %s", mapping_names[mapping], *schedule, row);
                assert_matches_reference(&spec);
            }
}

/* Slabs on two to four GPUs, which are peers in pairs: odd rows, boundary slabs of one row, a batch
 * that must be undone. */
TEST(several_gpus) {
    static const char *const several[] = {"classic", "fused", "blocked:3", "blocked:8"};
    static const char *const cases[] = {"--grid 37x33 --tolerance 1e-1",
                                        "--problem noise --grid 100x35 --tolerance 0",
                                        "--problem manufactured --grid 1x40 --tolerance 3e-2"};
    for (size_t s = 0; s < count_of(several); s++)
        for (int gpus = 2; gpus <= 4 && fake_takes(s); gpus += tests_are_full() ? 1 : 2)
            for_each(row, cases) {
                const struct lane_spec spec =
                    fake_run("@%d/unstructured/%s --iterations 40 %s", gpus, several[s], *row);
                assert_matches_reference(&spec);
            }
    const struct lane_spec few = fake_run("@4/unstructured/fused --grid 20x4 --iterations 20");
    assert_matches_reference(&few); /* slabs of one row */
}

/* Single and mixed precision approximate double: mixed's residuals within 1e-5, single's first ones
 * within 1e-4. */
static void assert_nearly_double(const struct lane_spec *spec) {
    const bool is_single = spec->engine.run.precision == PRECISION_SINGLE;
    const struct closeness closeness = {.relative = is_single ? 1e-4 : 1e-5,
                                        .U = 1e-5,
                                        .residuals = is_single ? 101 : LONG_MAX,
                                        .iterations = 1};
    assert_nears_reference(spec, &closeness);
}

/* Runs beyond the first refinement, with unaligned rows and unaligned slabs. Then runs to a
 * tolerance that is reached within a batch, with several refinements. */
TEST(precisions) {
    static const char *const all[] = {"fused", "classic", "blocked:1", "plain", "blocked:8"};
    for (size_t s = 0; s < count_of(all); s++)
        for (int p = PRECISION_SINGLE; p < PRECISION_COUNT && fake_takes(s); p++) {
            for (int way = 0; way <= MAPPING_COUNT; way++) {
                const bool slabs = way == MAPPING_COUNT;
                const enum mapping mapping = slabs ? MAPPING_UNSTRUCTURED : (enum mapping)way;
                if ((slabs && s == 3) ||
                    (mapping != MAPPING_UNSTRUCTURED && (s > 1 || p != PRECISION_MIXED)))
                    continue;
                const struct lane_spec spec = fake_run(
                    "%s/%s/%s+%s --problem noise --grid 37x25 --iterations 70 --tolerance 0",
                    slabs ? "@3" : "", mapping_names[mapping], all[s], precision_names[p]);
                assert_nearly_double(&spec);
            }
            const struct lane_spec blog = fake_run("/unstructured/%s+%s --grid 20x19 --tolerance "
                                                   "2e-3",
                                                   all[s], precision_names[p]);
            assert_nearly_double(&blog);
            assert_true(reference_solve(&blog)->iterations > 150);
        }
}

/* A field costs one launch per slab, whatever its number of rows of cells. */
TEST(field_of_several_gpus) {
    for_each_word(schedule, "classic", "fused", "blocked:3")
        for (int gpus = 2; gpus <= 4; gpus += tests_are_full() ? 1 : 2) {
            const struct lane_spec spec = fake_run(
                "@%d/unstructured/%s --problem noise --grid 37x61 --iterations 9", gpus, schedule);
            assert_field_of_one_device(&spec);
            const struct downsample downsample = {0, 37, 0, 61, 5, 40};
            float cells[5 * 40];
            owned_run lane = run_open(&spec);
            const long before = launches("Downsample");
            assert_ok(computed_lane_downsample(lane, 0, &downsample, cells, &error));
            assert_int_equal(launches("Downsample") - before, gpus);
        }
}

/* Two GPUs are peers, four are not all peers. Each memory is checked, and the GPU whose memory is
 * too small is named. */
TEST(transport_and_memory) {
    struct lane_spec spec = fake_run("/unstructured/fused --grid 20");
    for (int gpus = 2; gpus <= 4; gpus += 2) {
        spec.engine.run.devices.count = gpus;
        owned_run lane = run_open(&spec);
        assert_string_equal(lane->engine->device_stats->transport,
                            gpus == 2 ? "peer copies" : "peer copies through the host");
        const struct device_stats *second = &lane->engine->device_stats->device[1];
        assert_string_equal(second->device, "Fake GPU 1");
        assert_int_equal(second->device_index, 1);
        assert_string_equal(second->bus_id, "0000:27:00.0");
    }
    /* GPU n has n+1 GiB; half of this grid needs 2.1 GB. */
    spec.engine.mesh = mesh_make(11500, 11500);
    spec.engine.run.devices = (struct device_choice){.count = 2, .listed = true, .index = {3, 0}};
    assert_refused(backend_check(spec.choices[0], &spec.engine, &error), STATUS_BAD_INPUT,
                   "of device 0's memory");
    spec.engine.run.devices.index[1] = 2;
    assert_ok(backend_check(spec.choices[0], &spec.engine, &error));
    spec.engine.run.mapping = MAPPING_STRUCTURED;
    assert_int_equal(backend_check(spec.choices[0], &spec.engine, &error), STATUS_UNAVAILABLE);
}

/* U must equal serial's bit for bit, and each residual within a relative 1e-12. Blocked iterates
 * the changes and rounds differently: U within 1e-14, residuals within 1e-15 of the first. */
static void assert_same_bits(const struct lane_spec *spec) {
    const bool exact = spec->engine.run.schedule.kind != SCHEDULE_BLOCKED;
    const double first = reference_solve(spec)->residuals[0];
    assert_nears_reference(spec, &(struct closeness){.relative = 1e-12,
                                                     .absolute = exact ? 0 : 1e-15 * first,
                                                     .U = exact ? 0 : 1e-14,
                                                     .residuals = LONG_MAX});
}

/* The step between tried grids, from JACOBI_GRID_STEP. Steps have no divisor in common with the 9
 * sides, so that each side occurs in x and in y. */
static int grid_step(void) {
    const char *step = getenv("JACOBI_GRID_STEP");
    return step && atoi(step) > 0 ? atoi(step) : tests_are_full() ? 5 : 11;
}

/* Sides one below and one above the widths of waves, pairs and strips, in x and in y; then some
 * grids of several strips. Depths with whole and partial passes. */
TEST(odd_sizes) {
    static const int sides[] = {1, 2, 3, 5, 63, 64, 65, 127, 129};
    static const int wide[][2] = {{112, 9}, {105, 3}, {239, 9}, {241, 17},
                                  {249, 3}, {511, 5}, {513, 2}, {1025, 11}};
    enum { SIDES = count_of(sides), WIDE = count_of(wide) };
    enum { SQUARES = SIDES * SIDES };
    static const char *const all[] = {"classic",   "plain",     "fused",     "blocked:1",
                                      "blocked:3", "blocked:4", "blocked:7", "blocked:8"};
    int grids = 0;
    for (int shape = 0; shape < SQUARES + WIDE; shape += grid_step(), grids++) {
        const int *pair = shape < SQUARES ? NULL : wide[shape - SQUARES];
        const int nx = pair ? pair[0] : sides[shape % SIDES];
        const int ny = pair ? pair[1] : sides[shape / SIDES];
        for_each(schedule, all) {
            const struct lane_spec spec = fake_run(
                "/unstructured/%s --problem noise --grid %dx%d --iterations 9 --tolerance 0",
                *schedule, nx, ny);
            assert_same_bits(&spec);
        }
    }
    print_message("%d grids, %zu schedules each\n", grids, count_of(all));
}

/* Any block size: not a multiple of the wave width, one thread, or the maximum. */
TEST(odd_blocks) {
    static const int threads[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 100, 1023, 1024};
    for (size_t t = 0; t < count_of(threads); t++) {
        struct lane_spec spec = fake_run("/unstructured/classic --problem noise --grid 37x29 "
                                         "--iterations 5 --tolerance 0");
        spec.engine.run.tuning = (struct tuning){
            .block = threads[t], .norm_block = threads[t], .norm_blocks = 1 + (int)t % 3};
        assert_same_bits(&spec);
    }
    const struct lane_spec usual =
        run_of("hip/unstructured/classic --problem noise --grid 37x29 --iterations 5");
    assert_same_bits(&usual);
}

static struct event_stats loop_of(const struct computed_lane *lane, enum event_kind kind) {
    return event_totals_loop(&lane->log.totals, kind);
}

/* Laplacian and BoundaryConditions: U to, AU tofrom; Update: RHS and AU to, RES from, U tofrom;
 * Norm: RES to, and its partial sums arrive in host memory. */
static void check_structured_copies(enum precision precision) {
    enum { SIDE = 40, ITERATIONS = 5 };
    const uint64_t array = SIDE * SIDE * precision_bytes(precision);
    const uint64_t sums = NORM_BLOCKS * sizeof(double);
    const struct lane_spec spec = fake_run("/structured/classic+%s --grid %d --iterations %d",
                                           precision_names[precision], SIDE, ITERATIONS);
    owned_run lane = run_to_end(&spec);
    const struct event_stats to = loop_of(lane, EVENT_TO_DEVICE),
                             from = loop_of(lane, EVENT_FROM_DEVICE);
    assert_int_equal(to.count, ITERATIONS * (2 + 2 + 3 + 1));
    assert_int_equal(to.bytes, ITERATIONS * (2 + 2 + 3 + 1) * array);
    assert_int_equal(to.clock, CLOCK_DEVICE);
    assert_int_equal(from.count, ITERATIONS * (1 + 1 + 2 + 1));
    assert_int_equal(from.bytes, ITERATIONS * ((1 + 1 + 2) * array + sums));
    assert_int_equal(loop_of(lane, EVENT_ALLOC).bytes, ITERATIONS * (2 + 2 + 4 + 1) * array);
    const struct event_stats *norm = &lane->log.totals.of[EVENT_KERNEL][PHASE_NORM];
    assert_int_equal(norm->bytes, ITERATIONS * array);
}

TEST(structured_copies) {
    check_structured_copies(PRECISION_DOUBLE);
    check_structured_copies(PRECISION_SINGLE);
    check_structured_copies(PRECISION_MIXED); /* without a refinement */
}

/* Pinned arrays are copied like pageable ones, and unpinned at the end; no other mapping uses
 * pinning. */
TEST(pinned_host_memory) {
    for (int mapping = 0; mapping < MAPPING_COUNT; mapping++) {
        const struct lane_spec spec =
            fake_run("/%s/plain+pinned --grid 31x20 --iterations 20", mapping_names[mapping]);
        assert_matches_reference(&spec);
        owned_run lane = run_open(&spec);
        const bool structured = mapping == MAPPING_STRUCTURED;
        assert_int_equal(lane->engine->spec.run.host_memory,
                         structured ? HOST_PINNED : HOST_PAGEABLE);
    }
}

TEST(unstructured_copies_only_the_norm) {
    const struct lane_spec spec = fake_run("/unstructured/classic --grid 40 --iterations 30");
    owned_run lane = run_to_end(&spec);
    assert_int_equal(loop_of(lane, EVENT_TO_DEVICE).count, 0);
    assert_int_equal(loop_of(lane, EVENT_ALLOC).count, 0);
    assert_int_equal(loop_of(lane, EVENT_FROM_DEVICE).bytes, 30 * sizeof(double));
    for (int phase = PHASE_LAPLACIAN; phase <= PHASE_NORM; phase++) {
        const struct event_stats *kernel = &lane->log.totals.of[EVENT_KERNEL][phase];
        assert_int_equal(kernel->count, 30);
        assert_true(kernel->timed >= 1);
        assert_int_equal(kernel->clock, CLOCK_DEVICE);
        assert_int_equal(kernel->bytes,
                         30 * phase_minimum_bytes((enum phase)phase, &spec.engine.mesh));
    }
}

/* The fake GPU has 2048 threads per multiprocessor, one resident block, and 32 registers in each
 * kernel. The last launch counts; slabs report their own kernels. */
TEST(registers_and_occupancy) {
    static const struct view view = {4, 4, 0, 1, 0, 1, FIELD_U};
    static const struct {
        const char *run;
        enum phase phase;
        double occupancy;
    } cases[] = {{"/unstructured/fused", PHASE_FUSED, 12.5},
                 {"@2/unstructured/fused", PHASE_FUSED, 12.5},
                 {"/structured/classic --block 128", PHASE_UPDATE, 6.25},
                 {"/unstructured/classic", PHASE_NORM, 3.125},
                 {"/unstructured/fused --no-events", PHASE_FUSED, 0}};
    for_each(row, cases) {
        owned_sample sample = sample_create();
        const struct lane_spec spec = fake_run("%s --grid 40 --iterations 20", row->run);
        owned_run lane = run_to_end(&spec);
        lane->base.ops->fill(&lane->base, &view, &sample->lanes[0]);
        const struct kernel_usage *usage = sample->lanes[0].usage;
        assert_int_equal(usage[row->phase].registers, row->occupancy > 0 ? 32 : 0);
        assert_true(usage[row->phase].occupancy == row->occupancy);
        assert_int_equal(usage[PHASE_BLOCKED].registers, 0); /* it didn't run */
    }
}

/* Times that can't be true are absent. */
TEST(wrong_clock) {
    const struct lane_spec spec = fake_run("/structured/classic --grid 8 --iterations 2");
    for_each_word(clock, "-1", "1e30", "inf", "nan") {
        setenv("FAKE_GPU_CLOCK", clock, 1);
        owned_run lane = run_to_end(&spec);
        assert_int_equal(loop_of(lane, EVENT_KERNEL).count, 2 * 4);
        assert_int_equal(loop_of(lane, EVENT_KERNEL).timed, 0);
        assert_int_equal(loop_of(lane, EVENT_TO_DEVICE).timed, 0);
    }
    unsetenv("FAKE_GPU_CLOCK");
}

/* Classic doesn't report work beyond the iteration that converged. Plain launches nothing before
 * the host has read the norm. */
TEST(counts_after_convergence) {
    static const char *const four_kernels[] = {"classic", "plain"};
    for (int plain = 0; plain < 2; plain++) {
        const struct lane_spec spec =
            fake_run("/unstructured/%s --grid 20 --tolerance 1e-2", four_kernels[plain]);
        owned_run lane = run_to_end(&spec);
        const long iterations = lane->base.iterations;
        assert_int_equal(lane->base.state, LANE_CONVERGED);
        for (int phase = PHASE_LAPLACIAN; phase <= PHASE_NORM; phase++)
            assert_int_equal(lane->log.totals.of[EVENT_KERNEL][phase].count, iterations);
        if (plain)
            assert_int_equal(loop_of(lane, EVENT_FROM_DEVICE).count, iterations);
    }
}

/* A batch stops at the tolerance of its own call, even if its iterations were recorded with
 * another. Iterations after the first that converges leave U unchanged. */
TEST(recorded_iterations_heed_a_new_tolerance) {
    enum { SIDE = 20, FIRST = 40, MOST = 400 };
    const struct lane_spec spec = fake_run("/unstructured/classic --grid %d", SIDE);
    struct lane_spec reference = spec;
    double residuals[MOST], U[SIDE * SIDE], wanted[SIDE * SIDE];
    long done = 0, made = 0;
    owned_run lane = run_open(&spec);
    assert_ok(engine_advance(lane->engine, FIRST, 0, residuals, &done, &error));
    assert_int_equal(done, FIRST);
    const double tolerance = residuals[FIRST - 1] / 3;
    while (made < MOST && !(made > 0 && residuals[made - 1] <= tolerance)) {
        assert_ok(
            engine_advance(lane->engine, MOST - made, tolerance, residuals + made, &done, &error));
        made += done;
    }
    assert_ok(lane->engine->ops->read(lane->engine, U, &error));

    reference.choices[0] = backend_find("serial");
    reference.iterations = FIRST + made;
    owned_run serial = run_to_end(&reference);
    assert_ok(serial->engine->ops->read(serial->engine, wanted, &error));
    assert_true(made > 1 && made < MOST && residuals[made - 2] > tolerance);
    assert_memory_equal(U, wanted, sizeof U);
}

/* Tolerance 0 means never, even at a residual of exactly 0: one unknown is solved at once. */
TEST(never_stops_at_a_residual_of_0) {
    for_each_word(schedule, "classic", "fused", "blocked:4", "plain") {
        const struct lane_spec spec = fake_run("/unstructured/%s --problem hot-plate --grid 1x1 "
                                               "--iterations 64 --tolerance 0",
                                               schedule);
        owned_run lane = run_to_end(&spec);
        double U = NAN;
        assert_int_equal(lane->base.iterations, 64);
        assert_true(lane->known.residual == 0);
        assert_ok(lane->engine->ops->read(lane->engine, &U, &error));
        assert_true(U == 0.25); /* the mean of three edges of 0 and one of 1 */
    }
}

/* Batches of one to three recorded graphs of sixteen iterations with every critical remainder, with
 * the first iteration timed or not. */
TEST(rests_of_replays) {
    static const long batches[] = {17, 30, 31, 32, 33, 46, 47, 48, 49};
    for (int timed = 0; timed < 2; timed++) {
        const struct lane_spec spec =
            fake_run("/unstructured/classic --problem noise --grid 5x4 --iterations 400 "
                     "--tolerance 0 %s",
                     timed ? "" : "--no-events");
        double residuals[400];
        const struct solver_run *wanted = reference_solve(&spec);
        owned_run lane = run_open(&spec);
        long made = 0;
        for_each(batch, batches) {
            long done = 0;
            hip_engine_of(lane->engine)->batch_passes = *batch;
            assert_ok(engine_advance(lane->engine, *batch, 0, residuals + made, &done, &error));
            assert_int_equal(done, *batch);
            for (long k = made; k < made + done; k++)
                assert_close(residuals[k], wanted->residuals[k], 1e-12);
            made += done;
        }
    }
}

/* The kernels have the blog's launch bounds. */
TEST(plain_is_bound) {
    struct lane_spec spec = run_of("hip/unstructured/plain --grid 20 --block 256");
    assert_ok(backend_check(spec.choices[0], &spec.engine, &error));
    spec.engine.run.tuning.block = 512;
    assert_refused(backend_check(spec.choices[0], &spec.engine, &error), STATUS_BAD_INPUT, "256");
    spec.engine.run.tuning = (struct tuning){.norm_block = 1024};
    assert_refused(backend_check(spec.choices[0], &spec.engine, &error), STATUS_BAD_INPUT, "");
}

/* Events don't overlap with structured mapping, so they take less than the loop. */
TEST(contract) {
    const struct lane_spec silent =
        fake_run("/unstructured/fused --grid 20 --no-events --iterations 10");
    const struct lane_spec structured = fake_run("/structured/classic --grid 60 --iterations 10");
    assert_logs_nothing(&silent);
    assert_times_fit_into_the_loop(&structured);
    for_each(schedule, schedules) {
        struct lane_spec spec = fake_run("/unstructured/%s --grid 20", *schedule);
        assert_stops(&spec);
    }
}

/* Also replays multigrid's cycle, which is one iteration. A batch contains a graph's sixteen
 * iterations, however busy the machine is. */
TEST(recorded_iterations_are_replayed) {
    enum { BATCH = 40 };
    const struct hip_gpu *gpu;
    assert_ok(hip_gpu_find(0, &gpu, &error));
    hip_self_check_keep(gpu, FASTER_GRAPHS, true, "whatever a busy machine measures");
    for_each_word(method, "jacobi", "multigrid") {
        const struct lane_spec spec =
            fake_run("/unstructured/classic+%s --problem noise --grid 12x5", method);
        double residuals[BATCH];
        long done = 0;
        owned_run lane = run_open(&spec);
        hip_engine_of(lane->engine)->batch_passes = BATCH;
        inject_failure_of("graph_launch", 1);
        assert_refused(engine_advance(lane->engine, BATCH, 0, residuals, &done, &error),
                       STATUS_DEVICE_FAILED, "a graph can't be launched");
    }
}

/* Both variants of each feature give the same result here, unless the driver is defective. */
TEST(self_check_compares) {
    if (!fake_takes(1)) /* needs AMD's captured graphs */
        skip();
    const struct hip_gpu *gpu;
    struct device device;
    bool uses;
    assert_ok(hip_gpu_find(0, &gpu, &error));
    assert_int_equal(remove("jacobi-tui/self-check.json"), 0);
    for (int f = FASTER_GRAPHS; f <= FASTER_DEPTH; f++)
        assert_ok(hip_self_check(gpu, (enum hip_faster)f, &uses, &error));
    hip_self_check_describe(gpu, &device);
    print_message("%s\n", device.note);
    assert_contains(device.note, " an iteration, without them ");
    assert_contains(device.note, "blocked:8 used: the solution is the same");
    assert_int_equal(remove("jacobi-tui/self-check.json"), 0);
    leave_out(1);
    assert_ok(hip_self_check(gpu, FASTER_GRAPHS, &uses, &error));
    leave_out(0);
    hip_self_check_describe(gpu, &device);
    assert_false(uses);
    assert_string_equal(device.note, "graphs not used: the solution differs");
}

/* Whether a run of that depth copies rows past registers. */
static bool run_copies(int depth) {
    const struct lane_spec spec =
        fake_run("/unstructured/blocked:%d --problem noise --grid 130x9 --iterations 9", depth);
    assert_same_bits(&spec);
    owned_run lane = run_open(&spec);
    return hip_engine_of(lane->engine)->faster;
}

/* Copies past registers, which the emulator has for each of AMD's GPUs, are used only if they are
 * right and faster. Here they are fast, slow, wrong and impossible. */
TEST(copies_are_checked) {
    static const struct {
        int depth, copying, other;
        long failing;
        const char *outcome;
    } cases[] = {{4, 1, 6, 0, " used: "},
                 {8, 1, 6, 0, " used: "},
                 {4, 4, 1, 0, " not used: "},
                 {8, 0, 1, 0, " not used: the solution differs"},
                 {4, 1, 4, 5, " not used: Blocked4: "}};
    const struct hip_gpu *found;
    struct device device;
    if (!fake_takes(1))
        skip();
    assert_ok(hip_gpu_find(0, &found, &error));
    struct hip_gpu *gpu = (struct hip_gpu *)found;
    const bool has_copies = gpu->has_copies;
    gpu->has_copies = true;
    for (size_t c = 0; c < count_of(cases); c++) {
        const int depth = cases[c].depth;
        bool uses = c > 1;
        assert_int_equal(remove("jacobi-tui/self-check.json"), 0);
        hip_self_check_keep(gpu, FASTER_DEPTH, true, "assumed");
        repeat_blocked(cases[c].copying, cases[c].other);
        inject_failure_of("copying launch", cases[c].failing);
        assert_ok(hip_self_check(gpu, hip_faster_copies(depth), &uses, &error));
        repeat_blocked(1, 1);
        inject_failure(0, false);
        hip_self_check_describe(gpu, &device);
        print_message("%s\n", device.note);
        assert_int_equal(uses, c < 2);
        assert_contains(device.note, PRINT("copies of blocked:%d%s", depth, cases[c].outcome));
        assert_int_equal(run_copies(depth), uses);
    }
    gpu->has_copies = has_copies;
}

TEST_MODULE_ON_FAKES(hip_fake)
