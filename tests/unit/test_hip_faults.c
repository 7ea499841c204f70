/* Each call of the HIP back end to its driver fails in turn. No memory stays allocated, and the
 * error names the call. A call that may fail changes no result. FAKE_GPU names the fake GPU.
 *
 * Argument: the folder of the fake drivers. */
#include "kernels/hip/self_check.h"
#include "tests/fixtures/fakes.h"
#include "tests/fixtures/reference.h"

struct outcome {
    const char *failed; /* the call that failed before all results were read */
    long iterations;
    double U[12 * 5];
    float cells[2];
};

/* Opens, advances, downsamples, reads, closes. */
static enum status whole_run(const struct lane_spec *spec, struct outcome *outcome) {
    const struct downsample downsample = {0, 12, 0, 5, 2, 1};
    struct lane *opened = NULL;
    enum status status = computed_lane_open(spec, &opened, &error);
    if (status)
        return status;
    owned_run lane = (struct computed_lane *)opened;
    status = run_advance(lane, spec->iterations);
    outcome->iterations = lane->base.iterations;
    if (status)
        error = lane->base.error;
    if (!status)
        status = computed_lane_downsample(lane, 0, &downsample, outcome->cells, &error);
    if (!status)
        status = lane->engine->ops->read(lane->engine, outcome->U, &error);
    outcome->failed = failed_call();
    return status;
}

/* Calls that may fail in a run that continues to its results: kernels that can't be recorded are
 * launched, and GPUs that can't query their peers copy through the host. */
static bool may_fail(const char *call) {
    return !call || strcmp(call, "peer_possible") == 0 ||
           ((strstr(call, "raph") || strstr(call, "apture")) && strcmp(call, "graph_launch") != 0);
}

/* `lane` as in fake_run; with `lost`, all later calls fail, too. */
static void fail_each_call(const char *lane, bool lost) {
    struct lane_spec spec = fake_run("%s%s --grid 12x5", lane, lost ? "+pinned" : "");
    const int gpus = spec.engine.run.devices.count;
    /* A few blocks make the same calls as many. */
    spec.engine.run.tuning = (struct tuning){
        .block = 64, .norm_block = 64, .norm_blocks = 1, .fused_blocks = 1, .blocked_blocks = 1};
    /* In structured mapping each iteration makes the same calls. Blocked has to undo a batch once.
     * One iteration of classic precedes a batch with a recorded graph of sixteen. */
    const bool few = spec.engine.run.mapping == MAPPING_STRUCTURED &&
                     spec.engine.run.schedule.kind != SCHEDULE_BLOCKED;
    const long last = few && !tests_are_full() ? 3 : 9;
    spec.iterations = gpus > 0 ? 12 : 20;
    spec.tolerance = last == 3 ? 0.85 : 0.4;
    struct outcome wanted = {0};
    inject_failure(0, false);
    assert_ok(whole_run(&spec, &wanted));
    long calls = 0;
    const int step = (lost || gpus > 0 ? 5 : 1) * (tests_are_full() ? 1 : gpus > 0 ? 7 : 3);
    for (long at = 1;; at += step) {
        struct outcome outcome = {0};
        inject_failure(at, lost);
        error = (struct error){0};
        const enum status status = whole_run(&spec, &outcome);
        assert_int_equal(live_allocations(), 0);
        if (!failed_call())
            break;
        calls++;
        const char *const failed = outcome.failed;
        outcome.failed = NULL;
        if (status != STATUS_OK) {
            assert_true(status == STATUS_DEVICE_FAILED || status == STATUS_UNAVAILABLE);
            assert_contains(error.message, "told to fail");
        } else if (!may_fail(failed) || memcmp(&outcome, &wanted, sizeof outcome) != 0) {
            fail_msg("%s: call %ld (%s) fails, and the run goes on%s", lane, at,
                     failed ? failed : failed_call(), may_fail(failed) ? ", wrong" : "");
        }
    }
    print_message("%s%s: %ld calls failed in turn\n", lane, lost ? ", device lost" : "", calls);
    assert_in_range(wanted.iterations, 2, last);
    assert_true(wanted.iterations == last || spec.engine.run.method != METHOD_JACOBI);
    assert_true(calls > (tests_are_full() ? 20 : 4));
}

static hipError_t know_no_words(hipError_t code, const char **text) {
    return code;
}

/* CUDA's stub library, which is for linking, has no words for its errors. */
TEST(stub_library_is_named) {
    const hipError_t code = (hipError_t)34; /* NOLINT: CUDA's */
    const struct hip_driver stub = {.vendor = VENDOR_NVIDIA, .cuda_error_string = know_no_words};
    assert_string_equal(hip_driver_error_string(&stub, code),
                        "error 34: a stub library instead of the driver's");
}

TEST(every_call_fails) {
    static const char *const schedules[] = {"classic", "plain", "fused", "blocked:8"};
    static const char *const of_two[] = {"@2/unstructured/classic", "@2/unstructured/fused",
                                         "@2/unstructured/blocked:2"};
    for (int lost = 0; lost < 2; lost++) {
        for (int mapping = 0; mapping < MAPPING_COUNT; mapping++)
            for (size_t s = 0; s < count_of(schedules); s++)
                if (fake_takes(s + (size_t)(mapping + lost))) {
                    fail_each_call(PRINT("/%s/%s", mapping_names[mapping], schedules[s]), lost);
                }
        for (size_t s = 0; s < count_of(of_two); s++)
            if (fake_takes(s + (size_t)lost))
                fail_each_call(of_two[s], lost);
    }
    for (int method = METHOD_CHEBYSHEV; method < METHOD_COUNT; method++) {
        fail_each_call(PRINT("/unstructured/classic+%s", method_names[method]), true);
    }
    fail_each_call("/structured/classic+chebyshev", true);
    fail_each_call("/structured/fused+chebyshev", true);
}

/* Every graph call fails in turn in the self-check: its result reports that, and the next run
 * launches its kernels. */
TEST(graphs_fail) {
    const struct lane_spec spec = fake_run("/unstructured/classic --problem noise --grid 7x5 "
                                           "--iterations 40 --tolerance 0");
    const struct hip_gpu *gpu;
    struct device device;
    long refused = 0;
    assert_ok(hip_gpu_find(0, &gpu, &error));
    for_each_word(part, "raph", "apture")
        for (long at = 1;; at += tests_are_full() ? 1 : 5) {
            bool uses = true;
            assert_int_equal(remove("jacobi-tui/self-check.json"), 0);
            inject_failure_of(part, at);
            assert_ok(hip_self_check(gpu, FASTER_GRAPHS, &uses, &error));
            const char *failed = failed_call();
            assert_int_equal(live_allocations(), 0);
            hip_self_check_describe(gpu, &device);
            inject_failure(0, false);
            if (!failed)
                break;
            if (strcmp(failed, "graph_destroy") == 0 || strcmp(failed, "graph_release") == 0)
                continue;
            assert_false(uses);
            assert_contains(device.note, "graphs not used: ");
            assert_contains(device.note, "told to fail");
            assert_matches_reference(&spec);
            refused++;
        }
    print_message("%ld calls for graphs failed in turn\n", refused);
    assert_in_range(refused, 6, 1000);
}

/* Without a self-check to detect the failure: iterations that can't be recorded are launched. */
TEST(recording_fails) {
    const struct lane_spec spec = fake_run("/unstructured/classic --problem noise --grid 7x5 "
                                           "--iterations 40 --tolerance 0");
    long refused = 0;
    for_each_word(part, "cuGraph", "apture", "graph_instantiate", "graph_destroy")
        for (long at = 1;; at += 7, refused++) {
            inject_failure_of(part, at);
            assert_matches_reference(&spec);
            if (!failed_call())
                break;
        }
    assert_in_range(refused, 5, 1000);
}

TEST(every_call_of_mixed_precision_fails) {
    if (tests_are_full())
        fail_each_call("/unstructured/classic+mixed", false);
    fail_each_call("/structured/fused+mixed", false);
    fail_each_call("/unified/plain+mixed", true);
    fail_each_call("@2/unstructured/fused+mixed", true);
}

TEST(roof_fails) {
    const struct backend *hip = backend_find("hip");
    const struct tuning tuning = {0};
    for (long at = 1;; at += tests_are_full() ? 1 : 3) {
        struct roof roof;
        inject_failure(at, true);
        error = (struct error){0};
        const enum status status = hip->measure_roof(0, &tuning, &roof, &error);
        assert_int_equal(live_allocations(), 0);
        if (!failed_call())
            break;
        assert_true(status == STATUS_OK || error.message[0]);
    }
}

TEST_MODULE_ON_FAKES(hip_faults)
