/* The copies of `omp` match its directives byte for byte, and it reports them: a mapping that shows
 * no copies although it must copy is a bug. Skipped as a whole if `omp` can't run. */
#include "kernels/omp/module.h"
#include "tests/fixtures/runs.h"

enum { NX = 60, NY = 44, N = NX * NY, ITERATIONS = 7 };

/* The run of a lane "omp/…" with these numbers. */
static struct lane_spec spec_of(const char *lane) {
    return run_of("%s --grid %dx%d --iterations %d --tolerance 0", lane, NX, NY, ITERATIONS);
}

static struct computed_lane *run(const char *lane) {
    const struct lane_spec spec = spec_of(lane);
    return run_to_end(&spec);
}

/* Bytes that the log's ring contains for copies of one kind, phase and array. Untimed copies are a
 * GPU's spans. */
static uint64_t copied(const struct computed_lane *lane, enum event_kind kind, enum phase phase,
                       enum array array) {
    uint64_t bytes = 0, untimed = lane->log.totals.of[kind][phase].bytes;
    assert_true(lane->log.count <= EVENT_RING);
    for (uint64_t e = 0; e < lane->log.count; e++) {
        const struct event *event = &lane->log.ring[e];
        if (event->kind != kind || event->phase != phase)
            continue;
        bytes += event->array == array ? event->bytes : 0;
        untimed -= event->bytes;
    }
    return bytes + (array == ARRAY_NORM ? untimed : 0);
}

/* An array's bytes in one iteration, according to the directives around the kernel. */
struct directive {
    enum phase phase;
    enum array array;
    uint64_t to, from;
};

/* A GPU adds up the norm and writes it directly into pinned host memory. The host device copies it
 * both ways, as in the clause of AMD's program. */
static uint64_t norm_copied(void) {
    struct device_list devices;
    assert_int_equal(backend_find("omp")->probe(&devices, NULL), STATUS_OK);
    return devices.devices[0].is_gpu ? 0 : 8;
}

/* Spans copied from a GPU: the run times of the kernels in timed steps. */
static uint64_t spans_from_device(const struct computed_lane *lane, enum phase phase) {
    const uint64_t spans = OFFLOAD_PHASES * sizeof(struct offload_span);
    return lane->device.is_gpu ? lane->log.totals.of[EVENT_KERNEL][phase].timed * spans : 0;
}

static void check_directives(const struct computed_lane *lane, const struct directive *directives,
                             size_t count) {
    uint64_t to = 0, from = 0;
    for (size_t d = 0; d < count; d++) {
        const struct directive *one = &directives[d];
        assert_int_equal(copied(lane, EVENT_TO_DEVICE, one->phase, one->array),
                         ITERATIONS * one->to);
        const uint64_t spans = one->array == ARRAY_NORM ? spans_from_device(lane, one->phase) : 0;
        assert_int_equal(copied(lane, EVENT_FROM_DEVICE, one->phase, one->array),
                         ITERATIONS * one->from + spans);
        to += ITERATIONS * one->to;
        from += ITERATIONS * one->from + spans;
    }
    /* ... and no other copies. */
    assert_int_equal(event_totals_loop(&lane->log.totals, EVENT_TO_DEVICE).bytes, to);
    assert_int_equal(event_totals_loop(&lane->log.totals, EVENT_FROM_DEVICE).bytes, from);
}

TEST(structured_copies_what_the_directives_say) {
    const struct directive directives[] = {
        {PHASE_LAPLACIAN, ARRAY_U, 8 * N, 0},
        {PHASE_LAPLACIAN, ARRAY_AU, 8 * N, 8 * N},
        {PHASE_BOUNDARY, ARRAY_U, 8 * N, 0},
        {PHASE_BOUNDARY, ARRAY_AU, 8 * N, 8 * N},
        {PHASE_UPDATE, ARRAY_RHS, 8 * N, 0},
        {PHASE_UPDATE, ARRAY_AU, 8 * N, 0},
        {PHASE_UPDATE, ARRAY_RES, 0, 8 * N},
        {PHASE_UPDATE, ARRAY_U, 8 * N, 8 * N},
        {PHASE_NORM, ARRAY_RES, 8 * N, 0},
        {PHASE_NORM, ARRAY_NORM, norm_copied(), norm_copied()},
    };
    owned_run lane = run("omp/structured/classic");
    check_directives(lane, directives, count_of(directives));
    /* Every array is allocated and released for each kernel that maps it. */
    assert_int_equal(event_totals_loop(&lane->log.totals, EVENT_ALLOC).bytes,
                     ITERATIONS * (UINT64_C(8) * N * (2 + 2 + 4 + 1) + norm_copied()));
    assert_int_equal(event_totals_loop(&lane->log.totals, EVENT_ALLOC).count,
                     ITERATIONS * 2 * (2 + 2 + 4 + (norm_copied() ? 2 : 1)));
}

/* Unstructured: the arrays were copied once, before the loop. Unified, with one memory: not even
 * then; fields and results are still right. */
TEST(only_the_norm_is_copied) {
    static const char *const lanes[] = {"omp/unstructured/classic", "omp/unified/classic"};
    const struct directive directives[] = {{PHASE_NORM, ARRAY_NORM, norm_copied(), norm_copied()}};
    for (int unified = 0; unified < 2; unified++) {
        const struct lane_spec spec = spec_of(lanes[unified]);
        if (unified && !run_is_possible(&spec))
            skip();
        owned_run lane = run_to_end(&spec);
        check_directives(lane, directives, 1);
        for (enum array array = ARRAY_U; array <= ARRAY_RES; array++)
            assert_int_equal(copied(lane, EVENT_TO_DEVICE, PHASE_SETUP, array),
                             unified ? 0 : 8 * N);
    }
}

TEST(fused_holds_three_arrays) {
    const struct directive unstructured[] = {
        {PHASE_FUSED, ARRAY_NORM, norm_copied(), norm_copied()}};
    owned_run kept = run("omp/unstructured/fused");
    check_directives(kept, unstructured, 1);
    const uint64_t setup = kept->log.totals.of[EVENT_ALLOC][PHASE_SETUP].bytes;
    assert_true(setup >= 3 * 8 * N && setup < 4 * 8 * N);

    const struct directive structured[] = {{PHASE_FUSED, ARRAY_U, 8 * N, 8 * N},
                                           {PHASE_FUSED, ARRAY_RHS, 8 * N, 0},
                                           {PHASE_FUSED, ARRAY_NORM, norm_copied(), norm_copied()}};
    owned_run mapped = run("omp/structured/fused");
    check_directives(mapped, structured, 3);
}

/* A second copy on the host might not fit into memory that holds a run. After an odd number of
 * passes the iterate is in the array that the host never used. */
TEST(a_read_leaves_the_host_arrays_unused) {
    static double U[N];
    owned_run lane = run("omp/unstructured/fused");
    const struct sync_engine *sync = (const struct sync_engine *)lane->engine;
    event_log_enter(&lane->log, PHASE_DOWNSAMPLE);
    assert_ok(lane->engine->ops->read(lane->engine, U, &lane->base.error));
    assert_int_equal(copied(lane, EVENT_FROM_DEVICE, PHASE_DOWNSAMPLE, ARRAY_U), sizeof U);
    assert_true(U[NX / 2] != 0);
    for (int id = 0; id < N; id++)
        assert_true(sync->U[id] == 0);
}

TEST(blocked_copies_a_norm_an_iteration) {
    owned_run lane = run("omp/unstructured/blocked:3"); /* 7 iterations: 3 + 3 + 1 */
    const struct event_stats from = event_totals_loop(&lane->log.totals, EVENT_FROM_DEVICE);
    assert_int_equal(from.bytes,
                     norm_copied() * ITERATIONS + spans_from_device(lane, PHASE_BLOCKED));
    if (norm_copied())
        assert_int_equal(from.count, 3);
    assert_int_equal(event_totals_loop(&lane->log.totals, EVENT_TO_DEVICE).bytes,
                     norm_copied() * ITERATIONS);
}

TEST(each_kernel_is_timed_by_the_runtime) {
    owned_run lane = run("omp/structured/classic");
    const bool gpu = lane->device.is_gpu;
    for (int phase = PHASE_LAPLACIAN; phase <= PHASE_NORM; phase++) {
        const struct event_stats *kernel = &lane->log.totals.of[EVENT_KERNEL][phase];
        assert_int_equal(kernel->count, ITERATIONS);
        assert_int_equal(kernel->timed, ITERATIONS);
        assert_int_equal(kernel->clock, gpu ? CLOCK_COUNTER : CLOCK_OMPT);
        assert_int_equal(kernel->bytes, ITERATIONS * phase_minimum_bytes((enum phase)phase,
                                                                         &lane->spec.engine.mesh));
        assert_true(kernel->total_ns > 0);
    }
    for (uint64_t e = 1; e < lane->log.count; e++)
        assert_true(lane->log.ring[e].duration_ns >= 0);
}

/* Copies from pinned memory continue after the call that starts them, so the call's duration is not
 * theirs. */
TEST(no_copy_is_faster_than_its_link) {
    const struct lane_spec spec =
        run_of("omp/structured/classic+pinned --grid 2000 --iterations 3");
    owned_run lane = run_to_end(&spec);
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_FROM_DEVICE; kind++) {
        const struct event_stats copies =
            event_totals_loop(&lane->log.totals, (enum event_kind)kind);
        assert_true(copies.timed > 0);
        assert_true((double)copies.bytes / (double)copies.total_ns < 500); /* GB/s */
    }
}

TEST(a_field_copies_only_cells) {
    enum { COLS = 13, ROWS = 70 };
    const struct downsample downsample = {
        .i0 = 3, .i1 = NX, .j0 = 0, .j1 = NY - 5, .cols = COLS, .rows = ROWS};
    static float cells[COLS * ROWS];
    for (int mapping = MAPPING_STRUCTURED; mapping <= MAPPING_UNSTRUCTURED; mapping++) {
        owned_run lane = run(mapping == MAPPING_STRUCTURED ? "omp/structured" : "omp/unstructured");
        assert_ok(computed_lane_downsample(lane, 0, &downsample, cells, &error));
        const struct event_totals *totals = &lane->log.totals;
        assert_int_equal(totals->of[EVENT_KERNEL][PHASE_DOWNSAMPLE].count, 1);
        assert_int_equal(totals->of[EVENT_TO_DEVICE][PHASE_DOWNSAMPLE].bytes, 0);
        assert_int_equal(totals->of[EVENT_FROM_DEVICE][PHASE_DOWNSAMPLE].bytes,
                         mapping == MAPPING_STRUCTURED ? 0 : COLS * ROWS * sizeof(double));
    }
}

TEST(contract) {
    const struct lane_spec silent =
        run_of("omp/structured --grid %dx%d --iterations %d --no-events", NX, NY, ITERATIONS);
    assert_logs_nothing(&silent);
    for (int kept = 0; kept < 2; kept++) {
        struct lane_spec spec = spec_of(kept ? "omp/unstructured" : "omp/structured");
        assert_times_fit_into_the_loop(&spec);
        assert_stops(&spec);
    }
}

/* Lanes side by side, opened and closed in turn; `threads` shares their OpenMP runtime. */
TEST(lanes_live_in_one_process) {
    struct lane_spec specs[] = {run_of("omp/structured/classic"),
                                run_of("threads/unstructured/classic"),
                                run_of("omp/unstructured/fused")};
    struct device_list devices;
    if (specs[1].choices[0]->probe(&devices, NULL))
        specs[1].choices[0] = backend_find("serial");
    for (int side = 1; side <= 40; side += 13) {
        struct computed_lane *lanes[3];
        for (int l = 0; l < 3; l++) {
            specs[l].engine.mesh = mesh_make(side, 40);
            lanes[l] = run_open(&specs[l]);
        }
        for (int turn = 0; turn < 10; turn++)
            for (int l = 0; l < 3; l++)
                assert_ok(run_advance(lanes[l], 2));
        for (int l = 0; l < 3; l++)
            assert_close(lanes[l]->known.residual, lanes[0]->known.residual, 1e-10);
        assert_int_equal(event_totals_loop(&lanes[0]->log.totals, EVENT_TO_DEVICE).bytes,
                         20 * (UINT64_C(64) * (uint64_t)side * 40 + norm_copied()));
        for (int l = 2; l >= 0; l--)
            run_close(lanes[l]);
    }
}

TEST_MODULE_WITH_ARGUMENTS(omp) {
    struct device_list devices;
    if (backend_find("omp")->probe(&devices, &error)) {
        printf("skipped: omp: %s\n", error.message);
        return 77;
    }
    return run_file_tests(NULL, NULL);
}
