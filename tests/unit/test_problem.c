/* The problems, compared with the output of AMD's program and with exact solutions. */
#include "tests/fixtures/runs.h"

/* Residuals printed by AMD's published program, to the digits it prints. */
static void check_published(int n, double at_0, double after_1000) {
    const struct lane_spec spec = run_of("serial/unstructured/classic --grid %d", n);
    owned_run lane = run_to_end(&spec);
    assert_int_equal(lane->base.iterations, 1000);
    assert_close(lane->known.initial_residual, at_0, 5e-6);
    assert_close(lane->known.history.residuals[0], at_0, 5e-6);
    assert_close(lane->known.residual, after_1000, 5e-6);
}

TEST(blog_1024) {
    skip_unless_full(); /* the only slow one */
    check_published(1024, 0.0442805, 2.22088e-4);
}

static void check_stop(const char *options, long iterations) {
    const struct lane_spec spec =
        run_of("serial/unstructured/classic --iterations 100000 %s", options);
    owned_run lane = run_to_end(&spec);
    assert_int_equal(lane->base.state, LANE_CONVERGED);
    assert_int_equal(lane->base.iterations, iterations);
}

/* On 64² the RMS is the blog's residual times 64*65. By theory the 8334th iterate is the first
 * below a millionth of the first residual; the next iteration detects it. */
TEST(blog_converges) {
    check_stop("--grid 64", 4908);
    check_stop("--grid 128", 14647);
    check_stop("--grid 64 --residual rms --tolerance 4.16e-2", 4908);
    check_stop("--grid 64 --residual relative --tolerance 1e-6", 8335);
    check_stop("--grid 64 --residual relative --tolerance 1", 0);
}

/* One unknown needs one iteration: A is its own diagonal. */
TEST(one_unknown) {
    const struct lane_spec spec = run_of("serial/unstructured/classic --grid 1");
    owned_run lane = run_to_end(&spec);
    assert_int_equal(lane->base.iterations, 2); /* the second detects the first's convergence */
    assert_true(lane->known.residual < 1e-14);
}

TEST(noise_is_reproducible_and_bounded) {
    const struct mesh mesh = mesh_make(100, 60);
    const struct problem *noise = problem_find("noise");
    double first[100], second[100], RHS[100], lowest = 0, highest = 0;
    for (int j = 0; j < 60; j++) {
        problem_fill_row(noise, &mesh, j, first, RHS);
        problem_fill_row(noise, &mesh, j, second, RHS);
        assert_memory_equal(first, second, sizeof first);
        for (int i = 0; i < 100; i++) {
            assert_true(RHS[i] == 0);
            lowest = fmin(lowest, first[i]);
            highest = fmax(highest, first[i]);
        }
    }
    assert_true(lowest < -0.5 && lowest > -4 && highest > 0.5 && highest < 4);
}

TEST_MODULE(problem, NULL, NULL)
