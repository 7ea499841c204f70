/* The GPU clock's times of target regions become events. Each kernel is as long as its span and
 * inside its region, regardless of the clock's origin; the host's wait is an event beside it. */
#include "core/system.h"
#include "kernels/omp/ompt_tracer.h"
#include "tests/fixtures/support.h"

enum { TICK_NS = 10, OFFSET_NS = 1000000000, COPY_NS = 100000 };

static struct event_log log_of_events;

/* A region on the host's clock: it begins, launches 5 µs later, and ends 40 µs after that. */
static struct traced_region region_at(enum phase phase, int64_t start_ns, int64_t data_ns) {
    return (struct traced_region){.phase = phase,
                                  .iteration = 3,
                                  .start_ns = start_ns,
                                  .submit_ns = start_ns + 5000,
                                  .end_ns = start_ns + 45000,
                                  .data_ns = data_ns};
}

#define TICKS(host_ns) (((host_ns) + OFFSET_NS) / TICK_NS)

/* The spans of these regions' kernels. */
static const struct offload_span usual[OFFLOAD_PHASES] = {
    [PHASE_LAPLACIAN] = {TICKS(107000), TICKS(137000)},
    [PHASE_NORM] = {TICKS(207000), TICKS(227000)},
};

/* Laplacian, and Norm with a copy of 2 µs. */
static struct ompt_tracer two_regions(void) {
    static struct engine engine;
    const struct mesh mesh = mesh_make(8, 8);
    levels_make(&engine.levels, &mesh, METHOD_JACOBI);
    event_log_reset(&log_of_events);
    struct ompt_tracer tracer = {
        .log = &log_of_events, .engine = &engine, .is_gpu = true, .timing = TRACE_SPAN};
    tracer.regions[tracer.region_count++] = region_at(PHASE_LAPLACIAN, 100000, 0);
    tracer.regions[tracer.region_count++] = region_at(PHASE_NORM, 200000, 2000);
    return tracer;
}

TEST(spans_become_kernels_and_waits) {
    struct ompt_tracer tracer = two_regions();
    tracer_deliver(&tracer, usual, TICK_NS);
    assert_int_equal(tracer.region_count, 0);
    assert_int_equal(log_of_events.count, 4);
    const struct event_stats *kernels = log_of_events.totals.of[EVENT_KERNEL];
    const struct event_stats *waits = log_of_events.totals.of[EVENT_WAIT];
    assert_int_equal(kernels[PHASE_LAPLACIAN].total_ns, 30000);
    assert_int_equal(kernels[PHASE_NORM].total_ns, 20000);
    assert_int_equal(kernels[PHASE_NORM].clock, CLOCK_COUNTER);
    assert_int_equal(waits[PHASE_LAPLACIAN].total_ns, 45000);
    assert_int_equal(waits[PHASE_NORM].total_ns, 43000);
    int64_t shift = 0;
    for (int e = 0; e < 4; e++) {
        const struct event *event = &log_of_events.ring[e];
        assert_int_equal(event->iteration, 3);
        if (event->kind != EVENT_KERNEL)
            continue;
        const int64_t region = event->phase == PHASE_LAPLACIAN ? 100000 : 200000;
        assert_true(event->start_ns >= region + 5000);
        assert_true(event->start_ns + event->duration_ns <= region + 45000);
        /* All regions have the same shift: 7 µs after the region's begin, up to a common error. */
        assert_true(shift == 0 || event->start_ns - region == shift);
        shift = event->start_ns - region;
    }
}

/* A span that is missing, old, or longer than its region is ignored. */
TEST(what_is_no_span_falls_back) {
    static const struct offload_span bad[] = {{0, 0}, {5, 2}, {1000, 1000 + 90000 / TICK_NS}};
    for_each(span, bad) {
        struct ompt_tracer tracer = two_regions();
        struct offload_span spans[OFFLOAD_PHASES];
        memcpy(spans, usual, sizeof spans);
        spans[PHASE_LAPLACIAN] = *span;
        tracer_deliver(&tracer, spans, TICK_NS);
        const struct event_stats *kernels = log_of_events.totals.of[EVENT_KERNEL];
        assert_int_equal(kernels[PHASE_LAPLACIAN].clock, CLOCK_TARGET_REGION);
        assert_int_equal(kernels[PHASE_LAPLACIAN].total_ns, 45000);
        assert_int_equal(log_of_events.totals.of[EVENT_WAIT][PHASE_LAPLACIAN].count, 0);
        assert_int_equal(kernels[PHASE_NORM].clock, CLOCK_COUNTER);
    }
    struct ompt_tracer tracer = two_regions();
    for (int twice = 0; twice < 2; twice++) {
        tracer.region_count = 0;
        tracer.regions[tracer.region_count++] = region_at(PHASE_LAPLACIAN, 100000, 0);
        tracer_deliver(&tracer, usual, TICK_NS);
    }
    assert_int_equal(log_of_events.ring[log_of_events.count - 1].clock, CLOCK_TARGET_REGION);
    assert_int_equal(log_of_events.count, 3);
}

/* A call that fetches the norm may first wait for the kernel: the copy begins when the kernel
 * ends. */
TEST(a_copy_begins_after_its_kernel) {
    struct ompt_tracer tracer = two_regions();
    struct traced_region *norm = &tracer.regions[1];
    *norm = region_at(PHASE_NORM, 200000, 38000);
    norm->copy_count = 1;
    norm->copy = (struct traced_copy){EVENT_FROM_DEVICE, ARRAY_NORM, 206000, 244000, 8};
    tracer_deliver(&tracer, usual, TICK_NS);
    const struct event *kernel = NULL, *copy = NULL;
    for (uint64_t e = 0; e < log_of_events.count; e++) {
        const struct event *event = &log_of_events.ring[e];
        kernel = event->kind == EVENT_KERNEL && event->phase == PHASE_NORM ? event : kernel;
        copy = event->kind == EVENT_FROM_DEVICE ? event : copy;
    }
    assert_true(kernel && copy);
    assert_int_equal(copy->start_ns, kernel->start_ns + kernel->duration_ns);
    assert_int_equal(copy->start_ns + copy->duration_ns, 244000);
    assert_int_equal(log_of_events.totals.of[EVENT_WAIT][PHASE_NORM].total_ns + copy->duration_ns,
                     45000);
}

TEST(without_spans_regions_count_as_before) {
    struct ompt_tracer tracer = two_regions();
    tracer_deliver(&tracer, NULL, 0);
    const struct event_stats *kernels = log_of_events.totals.of[EVENT_KERNEL];
    assert_int_equal(kernels[PHASE_LAPLACIAN].total_ns, 45000);
    assert_int_equal(kernels[PHASE_NORM].total_ns, 43000);
    assert_int_equal(log_of_events.count, 2);
}

static ompt_callback_target_emi_t on_target;
static ompt_callback_target_submit_emi_t on_submit;
static ompt_callback_target_data_op_emi_t on_data_op;

static ompt_set_result_t keep_callback(ompt_callbacks_t which, ompt_callback_t callback) {
    if (which == ompt_callback_target_emi)
        on_target = (ompt_callback_target_emi_t)callback;
    else if (which == ompt_callback_target_submit_emi)
        on_submit = (ompt_callback_target_submit_emi_t)callback;
    else if (which == ompt_callback_target_data_op_emi)
        on_data_op = (ompt_callback_target_data_op_emi_t)callback;
    return ompt_set_always;
}

static ompt_interface_fn_t look_up(const char *name) {
    return strcmp(name, "ompt_set_callback") == 0 ? (ompt_interface_fn_t)keep_callback : NULL;
}

/* A GPU region whose only copy returns after its launch, in a call that takes COPY_NS, as reported
 * by the runtime. */
static void run_region(struct ompt_tracer *tracer) {
    static double sum;
    tracer_set(tracer);
    on_target(ompt_target, ompt_scope_begin, 0, NULL, NULL, NULL, NULL);
    on_submit(ompt_scope_begin, NULL, NULL, 1);
    on_submit(ompt_scope_end, NULL, NULL, 1);
    for (int end = 0; end < 2; end++) {
        on_data_op(end ? ompt_scope_end : ompt_scope_begin, NULL, NULL, NULL,
                   ompt_target_data_transfer_from_device, NULL, 0, &sum, 1, sizeof sum, NULL);
        for (const int64_t begun = clock_now_ns(); clock_now_ns() < begun + COPY_NS;)
            ;
    }
    on_target(ompt_target, ompt_scope_end, 0, NULL, NULL, NULL, NULL);
    tracer_set(NULL);
}

/* The user's kernels have no span. Without an earlier wait, the copy includes the wait for the
 * kernel: its own time is unknown, and the kernel counts as busy until it ends. */
TEST(a_copy_that_waits_for_a_users_kernel_is_not_timed) {
    tracer_start(look_up);
    for (int waits = 0; waits < 2; waits++) {
        struct ompt_tracer tracer = two_regions();
        tracer.region_count = 0;
        tracer.timing = TRACE_REGION;
        tracer.waits = waits;
        event_log_enter(&log_of_events, PHASE_NORM);
        run_region(&tracer);
        const struct event_stats *kernel = &log_of_events.totals.of[EVENT_KERNEL][PHASE_NORM];
        const struct event_stats *copy = &log_of_events.totals.of[EVENT_FROM_DEVICE][PHASE_NORM];
        assert_int_equal(kernel->count, 1);
        assert_int_equal(copy->count, 1);
        assert_int_equal(copy->bytes, sizeof(double));
        assert_int_equal(copy->clock, waits ? CLOCK_NONE : CLOCK_OMPT);
        assert_true(waits ? kernel->total_ns >= 2 * COPY_NS : copy->total_ns >= COPY_NS);
    }
}

TEST_MODULE(ompt_tracer, NULL, NULL)
