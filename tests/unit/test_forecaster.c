/* Spectra computed in a thread: available results, their time, and abandoned computations. */
#include <poll.h>
#include <sys/eventfd.h>
#include <time.h>

#include "core/system.h"
#include "solver/residual_theory.h"
#include "tests/fixtures/example.h"
#include "ui/app/background.h"

static void run_at(struct sample *sample, const char *problem, int side, double omega) {
    print_to(sample->problem, "%s", problem);
    sample->nx = sample->ny = sample->lanes[0].nx = sample->lanes[0].ny = side;
    sample->lanes[0].run.omega = omega;
}

static int wake;

/* Waits until nothing is pending. */
static void wait_for_all(struct forecaster *forecaster, const struct sample *sample,
                         struct forecast forecasts[FORECASTS_MAX]) {
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    while (clock_now_ns() < end) {
        struct pollfd ready = {.fd = wake, .events = POLLIN};
        eventfd_t ignored;
        bool pending = false;
        forecaster_ask(forecaster, sample, forecasts);
        for (int l = 0; l < sample->lane_count; l++)
            pending |= forecasts[l].theory == THEORY_PENDING;
        for (int k = 0; k < sample->study_count; k++)
            pending |= forecasts[LANES_MAX + k].theory == THEORY_PENDING;
        if (!pending)
            return;
        poll(&ready, 1, 200);
        eventfd_read(wake, &ignored);
    }
    fail_msg("still pending");
}

/* Uses the tolerance's measure; the grid study uses the run's damping. */
TEST(iterations_are_forecast) {
    owned_sample sample = example_sample(MAPPING_UNSTRUCTURED);
    struct forecaster *forecaster = forecaster_create(wake);
    struct forecast forecasts[FORECASTS_MAX];
    assert_non_null(forecaster);
    run_at(sample, "blog", 64, 1);
    sample->study_count = 1;
    sample->study[0].nx = sample->study[0].ny = 128;
    forecaster_ask(forecaster, sample, forecasts);
    assert_true(forecasts[0].theory != THEORY_BOUND);
    wait_for_all(forecaster, sample, forecasts);
    assert_int_equal(forecasts[0].theory, THEORY_EXACT);
    assert_true(forecasts[0].iterations == 4908);
    assert_true(forecasts[LANES_MAX].iterations == 14647);
    const struct residual_theory *kept = forecasts[0].residual_theory;

    sample->measure = MEASURE_RELATIVE;
    sample->tolerance = 1e-6;
    forecaster_ask(forecaster, sample, forecasts);
    assert_ptr_equal(forecasts[0].residual_theory, kept);
    assert_true(forecasts[0].iterations == 8335);
    /* Past its predicted end, a run that has not converged has no prediction. */
    sample->lanes[0].iterations = 8336;
    forecaster_ask(forecaster, sample, forecasts);
    assert_true(isnan(forecasts[0].iterations));
    sample->lanes[0].state = LANE_CONVERGED;
    forecaster_ask(forecaster, sample, forecasts);
    assert_true(forecasts[0].iterations == 8335);
    sample->lanes[0].state = LANE_RUNNING;
    sample->lanes[0].iterations = 40;
    sample->tolerance = 0;
    forecaster_ask(forecaster, sample, forecasts);
    assert_true(isnan(forecasts[0].iterations));

    sample->measure = MEASURE_BLOG;
    sample->tolerance = 1e-5;
    sample->lanes[0].run.omega = 0.8;
    wait_for_all(forecaster, sample, forecasts);
    assert_true(forecasts[0].iterations == 6135);
    assert_true(forecasts[LANES_MAX].iterations == 18309);
    forecaster_destroy(forecaster);
}

TEST(what_can_only_be_bounded) {
    owned_sample sample = example_sample(MAPPING_UNSTRUCTURED);
    struct forecaster *forecaster = forecaster_create(wake);
    struct forecast forecasts[FORECASTS_MAX];
    run_at(sample, "noise", 64, 1);
    forecaster_ask(forecaster, sample, forecasts);
    assert_int_equal(forecasts[0].theory, THEORY_BOUND);
    run_at(sample, "no such problem", 64, 1);
    forecaster_ask(forecaster, sample, forecasts);
    assert_int_equal(forecasts[0].theory, THEORY_BOUND);
    run_at(sample, "blog", 64, 1.5); /* diverges */
    wait_for_all(forecaster, sample, forecasts);
    assert_int_equal(forecasts[0].theory, THEORY_BOUND);
    forecaster_destroy(forecaster);
}

/* This thread is idle meanwhile, so the CPU time is the forecaster's. */
static void wait_until_at_work(void) {
    const clock_t begin = clock();
    while (clock() - begin < CLOCKS_PER_SEC / 50)
        poll(NULL, 0, 1);
}

/* A computation that takes minutes is abandoned when another one is requested, or when the
 * forecaster is destroyed. A full cache discards its oldest entries. */
TEST(what_nobody_asks_for_is_given_up) {
    owned_sample sample = example_sample(MAPPING_UNSTRUCTURED);
    struct forecaster *forecaster = forecaster_create(wake);
    struct forecast forecasts[FORECASTS_MAX];
    run_at(sample, "manufactured", MESH_MAX_SIDE, 1);
    forecaster_ask(forecaster, sample, forecasts);
    wait_until_at_work();
    for (int side = 8; side < 48; side++) {
        run_at(sample, "blog", side, 1);
        wait_for_all(forecaster, sample, forecasts);
        assert_int_equal(forecasts[0].theory, THEORY_EXACT);
    }
    run_at(sample, "manufactured", MESH_MAX_SIDE, 1);
    forecaster_ask(forecaster, sample, forecasts);
    wait_until_at_work();
    forecaster_destroy(forecaster);
    forecaster_destroy(NULL);
}

static int open_wake(void **state) {
    wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return wake < 0;
}

TEST_MODULE(forecaster, open_wake, NULL)
