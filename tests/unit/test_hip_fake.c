/* The HIP back end's host side on a fake CUDA driver that computes in host memory: the same
 * mathematics as serial, the copies that each mapping asks for, and every call failing in turn. */
#include "kernels/backends.h"
#include "tests/fixtures/support.h"

#include <dlfcn.h>
#include <stdio.h>

#include "tests/fixtures/conform.h"
#include "tests/fixtures/fake/cuda.h"

static __typeof__(&fake_cuda_fail) fail_call;
static __typeof__(&fake_cuda_has_failed) has_failed;
static __typeof__(&fake_cuda_held) held;

static int load_fake(void **state) {
    void *fake = dlopen(FAKE_CUDA, RTLD_NOW);
    (void)state;
    if (!fake)
        return -1;
    *(void **)&fail_call = dlsym(fake, "fake_cuda_fail");
    *(void **)&has_failed = dlsym(fake, "fake_cuda_has_failed");
    *(void **)&held = dlsym(fake, "fake_cuda_held");
    return fail_call && has_failed && held ? 0 : -1;
}

static const char *const schedules[] = {"classic", "fused", "blocked:3", "blocked:8", "blocked:64"};

static void test_same_mathematics(void **state) {
    static const struct {
        const char *problem;
        int nx, ny;
        double tolerance;
    } cases[] = {{"blog", 1, 1, 1e-5},   {"blog", 1, 9, 1e-5},  {"blog", 3, 2, 1e-5},
                 {"blog", 37, 21, 1e-4}, {"noise", 100, 60, 0}, {"manufactured", 31, 31, 1e-3}};
    char name[96];
    (void)state;
    fail_call(0, false);
    for (size_t s = 0; s < sizeof schedules / sizeof *schedules; s++)
        for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
            for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
                struct lane_spec spec = run_spec(cases[c].problem, cases[c].nx, cases[c].ny, "hip",
                                                 (enum mapping)mapping, schedules[s]);
                spec.iterations = 200;
                spec.tolerance = cases[c].tolerance;
                snprintf(name, sizeof name, "hip/%s/%s %s %d×%d",
                         mapping_name((enum mapping)mapping), schedules[s], cases[c].problem,
                         cases[c].nx, cases[c].ny);
                assert_conforms(&spec, name);
                assert_int_equal(held(), 0);
            }
}

static struct tally loop_of(const struct computed_lane *lane, enum event_kind kind) {
    return event_totals_loop(&lane->log.totals, kind);
}

/* Laplacian and BoundaryConditions: U to, AU tofrom; Update: RHS and AU to, RES from, U tofrom;
 * Norm: RES to, and its partial sums arrive in host memory. */
static void test_structured_copies(void **state) {
    enum { SIDE = 40, ITERATIONS = 5 };
    const uint64_t array = SIDE * SIDE * sizeof(double), sums = 256 * sizeof(double);
    struct lane_spec spec = run_spec("blog", SIDE, SIDE, "hip", MAPPING_STRUCTURED, "classic");
    (void)state;
    fail_call(0, false);
    spec.iterations = ITERATIONS;
    struct computed_lane *lane = run_to_end(&spec);
    const struct tally to = loop_of(lane, EVENT_TO_DEVICE), from = loop_of(lane, EVENT_FROM_DEVICE);
    assert_int_equal(to.count, ITERATIONS * (2 + 2 + 3 + 1));
    assert_int_equal(to.bytes, ITERATIONS * (2 + 2 + 3 + 1) * array);
    assert_int_equal(to.clock, CLOCK_DEVICE);
    assert_int_equal(from.count, ITERATIONS * (1 + 1 + 2 + 1));
    assert_int_equal(from.bytes, ITERATIONS * ((1 + 1 + 2) * array + sums));
    assert_int_equal(loop_of(lane, EVENT_ALLOC).bytes, ITERATIONS * (2 + 2 + 4 + 1) * array);
    run_close(lane);
}

static void test_unstructured_copies_only_the_norm(void **state) {
    struct lane_spec spec = run_spec("blog", 40, 40, "hip", MAPPING_UNSTRUCTURED, "classic");
    (void)state;
    fail_call(0, false);
    spec.iterations = 30;
    struct computed_lane *lane = run_to_end(&spec);
    assert_int_equal(loop_of(lane, EVENT_TO_DEVICE).count, 0);
    assert_int_equal(loop_of(lane, EVENT_ALLOC).count, 0);
    assert_int_equal(loop_of(lane, EVENT_FROM_DEVICE).bytes, 30 * 256 * sizeof(double));
    for (int phase = PHASE_LAPLACIAN; phase <= PHASE_NORM; phase++) {
        const struct tally *kernel = &lane->log.totals.of[EVENT_KERNEL][phase];
        assert_int_equal(kernel->count, 30);
        assert_true(kernel->timed >= 1);
        assert_int_equal(kernel->clock, CLOCK_DEVICE);
        assert_int_equal(kernel->bytes,
                         30 * phase_minimum_bytes((enum phase)phase, &spec.engine.mesh));
    }
    run_close(lane);
}

/* The Laplacian that ran ahead of the last iteration is not reported. */
static void test_counts_after_convergence(void **state) {
    struct lane_spec spec = run_spec("blog", 20, 20, "hip", MAPPING_UNSTRUCTURED, "classic");
    (void)state;
    fail_call(0, false);
    spec.tolerance = 1e-2;
    struct computed_lane *lane = run_to_end(&spec);
    assert_int_equal(lane->base.state, LANE_CONVERGED);
    for (int phase = PHASE_LAPLACIAN; phase <= PHASE_NORM; phase++)
        assert_int_equal(lane->log.totals.of[EVENT_KERNEL][phase].count, lane->base.iterations);
    run_close(lane);
}

static void test_without_events(void **state) {
    struct lane_spec spec = run_spec("blog", 20, 20, "hip", MAPPING_UNSTRUCTURED, "fused");
    (void)state;
    fail_call(0, false);
    spec.engine.without_events = true;
    spec.iterations = 10;
    struct computed_lane *lane = run_to_end(&spec);
    assert_int_equal(lane->base.iterations, 10);
    assert_int_equal(lane->log.count, 0);
    run_close(lane);
}

static void test_stop_flag(void **state) {
    atomic_bool stop = true;
    (void)state;
    fail_call(0, false);
    for (size_t s = 0; s < sizeof schedules / sizeof *schedules; s++) {
        struct lane_spec spec = run_spec("blog", 20, 20, "hip", MAPPING_UNSTRUCTURED, schedules[s]);
        spec.engine.stop = &stop;
        struct computed_lane *lane = run_open(&spec);
        run_advance(lane, 100);
        assert_int_equal(lane->base.iterations, 0);
        run_close(lane);
    }
}

/* Opens, advances, downsamples, reads, closes. */
static enum status whole_run(const struct lane_spec *spec, struct error *error) {
    double U[12 * 10];
    float cells[4];
    const struct downsample downsample = {0, 12, 0, 10, 2, 2};
    struct computed_lane *lane = NULL;
    enum status status = computed_lane_open(spec, &lane, error);
    if (status)
        return status;
    status = run_advance(lane, spec->iterations);
    if (status)
        *error = lane->base.error;
    if (!status)
        status = computed_lane_downsample(lane, &downsample, cells, error);
    if (!status)
        status = lane->engine->ops->read(lane->engine, U, error);
    run_close(lane);
    return status;
}

static void fail_each_call(const char *schedule, enum mapping mapping, bool lost) {
    struct lane_spec spec = run_spec("blog", 12, 10, "hip", mapping, schedule);
    spec.iterations = 12;
    spec.tolerance = 1e-1; /* so that blocked has to go back */
    long calls = 0;
    for (long at = 1;; at++) {
        struct error error = {0};
        fail_call(at, lost);
        const enum status status = whole_run(&spec, &error);
        assert_int_equal(held(), 0);
        if (!has_failed())
            break;
        calls++;
        /* Only a release may fail without consequences. */
        if (status != STATUS_OK) {
            assert_true(status == STATUS_DEVICE_FAILED || status == STATUS_UNAVAILABLE);
            assert_non_null(strstr(error.message, "told to fail"));
        }
    }
    print_message("%s %s%s: %ld calls failed in turn\n", schedule, mapping_name(mapping),
                  lost ? ", device lost" : "", calls);
    assert_true(calls > 20);
}

static void test_every_call_fails(void **state) {
    (void)state;
    for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
        for (int lost = 0; lost < 2; lost++) {
            fail_each_call("classic", (enum mapping)mapping, lost);
            fail_each_call("fused", (enum mapping)mapping, lost);
            fail_each_call("blocked:8", (enum mapping)mapping, lost);
        }
}

static void test_roof_fails(void **state) {
    const struct backend *hip = backend_find("hip");
    const struct tuning tuning = {0};
    (void)state;
    for (long at = 1;; at++) {
        struct error error = {0};
        struct roof roof;
        fail_call(at, true);
        const enum status status = hip->measure_roof(0, &tuning, &roof, &error);
        assert_int_equal(held(), 0);
        if (!has_failed())
            break;
        assert_true(status == STATUS_OK || error.message[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_mathematics),
        cmocka_unit_test(test_structured_copies),
        cmocka_unit_test(test_unstructured_copies_only_the_norm),
        cmocka_unit_test(test_counts_after_convergence),
        cmocka_unit_test(test_without_events),
        cmocka_unit_test(test_stop_flag),
        cmocka_unit_test(test_every_call_fails),
        cmocka_unit_test(test_roof_fails),
    };
    return cmocka_run_group_tests(tests, load_fake, NULL);
}
