/* Every back end × mapping × schedule that can run here does the same mathematics as serial
 * classic, in quick mode for 60 iterations at most. Residuals above 1e-9 agree within 1e-10 and the
 * round-off of RES, U within 1e-13 (`classic` and `plain`: the same bits). The stopping iteration
 * is the same. In quick mode every back end but serial tries half of the cases, the next schedule
 * the other half. Skips combinations that can't run here, by name. Serial classic must also
 * reproduce the bits of the blog's operations. */
#include "tests/fixtures/reference.h"

#include <limits.h>

static const char *const cases[] = {
    "--grid 64 --iterations 5000",
    "--grid 1 --iterations 10",
    "--grid 1x9 --iterations 200",
    "--grid 3x2 --iterations 200",
    "--grid 37x61 --iterations 600 --tolerance 1e-4",
    "--problem noise --grid 100x60 --iterations 300 --tolerance 0",
    "--problem charges --grid 50x51 --iterations 400",
    "--problem hot-plate --grid 33x17 --iterations 500 --tolerance 0",
    "--problem manufactured --grid 31 --iterations 300 --tolerance 0",
    "--grid 2 --iterations 100 --tolerance 1e-9",
    "--problem noise --grid 5x300 --iterations 100 --tolerance 0",
    "--grid 300x5 --iterations 200",
    "--problem noise --grid 100x60 --iterations 300 --tolerance 0 --omega 0.8",
    "--grid 37x61 --iterations 700 --tolerance 1e-4 --omega 0.8",
    "--problem manufactured --grid 31x30 --iterations 300 --tolerance 0 --omega 0.6",
    "--problem charges --grid 300x70 --iterations 200 --omega 0.8",
    "--grid 9x1 --iterations 200",
    "--grid 64x65 --iterations 100 --tolerance 1e-2",
    "--problem noise --grid 70x41 --iterations 100 --tolerance 5e-2 --omega 0.8",
};

/* Enough for a batch of 32, some of 1 to 6, and cases that stop within one. More iterations would
 * only accumulate round-off. */
enum { ITERATIONS_QUICK = 60 };

static const char *const runs[] = {
    "serial/unstructured/classic",
    "serial/unstructured/fused",
    "serial/unstructured/blocked:7",
    "threads/unstructured/classic",
    "threads/unstructured/fused",
    "threads/unstructured/blocked:7",
    "omp/structured/classic",
    "omp/unstructured/classic",
    "omp/structured/fused",
    "omp/unstructured/fused",
    "omp/structured/blocked:5",
    "omp/unstructured/blocked",
    "omp/unstructured/blocked:16",
    "hip/structured/classic",
    "hip/unstructured/classic",
    "hip/unified/classic",
    "hip/structured/fused",
    "hip/unstructured/fused",
    "hip/unstructured/blocked",
    "hip/unstructured/blocked:3",
    "hip/unstructured/blocked:8",
    "hip/structured/blocked:8",
    "omp/structured/plain",
    "omp/unstructured/plain",
    "omp/unified/plain",
    "hip/structured/plain",
    "hip/unstructured/plain",
    "hip/unified/plain",
    "omp/unified/classic",
    "omp/unified/blocked:4",
    "omp/unified/fused",
    "hip/unified/fused",
    "hip/unified/blocked:8",
};

enum { RUNS = count_of(runs) };

TEST(every_backend_matches_serial_classic) {
    for (size_t r = 0; r < RUNS; r++)
        for (size_t c = 0; c < count_of(cases); c++) {
            struct lane_spec spec = run_of("%s %s", runs[r], cases[c]);
            if (!tests_are_full() && strncmp(runs[r], "serial", 6) != 0 && (c + r) % 2)
                continue;
            if (spec.iterations > ITERATIONS_QUICK && !tests_are_full())
                spec.iterations = ITERATIONS_QUICK;
            if (!run_is_possible(&spec))
                break;
            assert_matches_reference(&spec);
        }
}

/* ---- precision ---------------------------------------------------------------------------- */

/* Iterations to 1e-5 of `blog` with U⁰ = 0, computed by an independent program. Those of single
 * precision depend on the order of operations. */
static const struct {
    int n;
    long wanted[PRECISION_COUNT], slack[PRECISION_COUNT];
} answers[] = {
    {64, {4908, 4908, 4908}, {0, 2, 1}},
    {128, {14647, 14649, 14647}, {0, 10, 1}},
    {256, {39558, 39580, 39558}, {0, 396, 1}},
};

/* Mixed precision must have Jacobi's own residuals, single precision its first 100; they are
 * compared on grids where that is fast. The number of iterations is known to be `wanted` (0:
 * unknown). */
static bool check_precision(const struct lane_spec *spec, long wanted, long slack) {
    const bool is_single = spec->engine.run.precision == PRECISION_SINGLE;
    const struct closeness closeness = {.relative = is_single ? 1e-4 : 1e-5,
                                        .U = is_single ? 1e-3 : 1e-6,
                                        .residuals = is_single ? 100 : LONG_MAX,
                                        .iterations = LONG_MAX};
    if (!run_is_possible(spec))
        return false;
    owned_solution got = {0};
    if (spec->engine.mesh.Nx <= 128)
        got.iterations = assert_nears_reference(spec, &closeness);
    else
        got = solver_run(spec);
    if (wanted && labs(got.iterations - wanted) > slack)
        fail_msg("%s: %ld iterations, should be %ld ± %ld", run_name(spec), got.iterations, wanted,
                 slack);
    return true;
}

TEST(precisions_have_their_known_answers) {
    for (size_t r = 0; r < RUNS; r++)
        for (int p = PRECISION_SINGLE; p < PRECISION_COUNT; p++)
            for (size_t a = 0; a < count_of(answers); a++) {
                const bool is_quick = strncmp(runs[r], "serial", 6) == 0 && a == 0;
                const bool is_long = strstr(runs[r], "/unstructured/fused") != NULL;
                const bool stops = is_quick || (tests_are_full() && (a == 0 || is_long));
                const struct lane_spec spec =
                    run_of("%s+%s --grid %d --iterations %d", runs[r], precision_names[p],
                           answers[a].n, stops ? 50000 : 200);
                if ((a > 0 && !stops) ||
                    !check_precision(&spec, stops ? answers[a].wanted[p] : 0, answers[a].slack[p]))
                    break;
            }
}

/* Slabs exchange rows of the correction, and refine at the beginning of a batch. */
TEST(slabs_have_the_precisions_of_one_device) {
    for_each_word(backend, "serial", "threads", "omp")
        for_each_word(schedule, "classic", "fused", "blocked:3")
            for (int p = PRECISION_SINGLE; p < PRECISION_COUNT; p++) {
                const struct lane_spec spec =
                    run_of("%s@2/unstructured/%s+%s --grid 50x61 --iterations 300", backend,
                           schedule, precision_names[p]);
                check_precision(&spec, 0, 0);
            }
}

/* The round-off of the four kernels and of fused, which round U in each iteration, keeps the
 * residual above 2.4e-5. `blocked` rounds U once per pass and reaches the tolerance. */
TEST(single_stalls_on_512) {
    skip_unless_full();
    const struct lane_spec single =
        run_of("serial/unstructured/fused+single --grid 512 --iterations 90000");
    const struct lane_spec mixed =
        run_of("serial/unstructured/blocked:7+mixed --grid 512 --iterations 100000");
    owned_solution got = solver_run(&single);
    double least = got.residuals[0];
    for (long k = 0; k < got.iterations; k++)
        least = fmin(least, got.residuals[k]);
    assert_int_equal(got.iterations, 90000);
    assert_true(least > 2.4e-5 && least < 2.9e-5);
    check_precision(&mixed, 83636, 1);
}

/* In every precision, a run that diverges ends with a residual that is not finite. */
TEST(divergence_is_found_in_every_precision) {
    for (size_t r = 0; r < RUNS; r++)
        for (int p = 0; p < PRECISION_COUNT; p++) {
            const struct lane_spec spec = run_of("%s+%s --grid 65x20 --iterations 2000 --omega 1.9",
                                                 runs[r], precision_names[p]);
            double residuals[2000];
            long done;
            if (backend_check(spec.choices[0], &spec.engine, NULL))
                continue;
            owned_run lane = run_open(&spec);
            assert_ok(engine_advance(lane->engine, spec.iterations, 0, residuals, &done, &error));
            if (done == spec.iterations || !isnan(residuals[done - 1]))
                fail_msg("%s: not found", run_name(&spec));
        }
}

TEST(classic_is_the_blog) {
    for_each(row, cases) {
        struct lane_spec spec = run_of("serial/unstructured/classic %s", *row);
        if (strstr(*row, "--omega"))
            continue;
        const struct mesh *mesh = &spec.engine.mesh;
        const size_t N = mesh_unknowns(mesh);
        const double dx = 1.0 / (mesh->Nx + 1), dy = 1.0 / (mesh->Ny + 1);
        assert_true(mesh->factor == 1 / (2.0 / (dx * dx) + 2.0 / (dy * dy)));
        assert_true(mesh->_1bydx2 == 1.0 / (dx * dx) && mesh->_1bydy2 == 1.0 / (dy * dy));
        spec.iterations = 60;
        owned_solution got = solver_run(&spec);
        double *RHS = calloc(3 * N, sizeof *RHS), *U = RHS + N, *next = U + N;
        for (int j = 0; j < mesh->Ny; j++)
            problem_fill_row(spec.engine.problem, mesh, j, U + (size_t)j * mesh->Nx,
                             RHS + (size_t)j * mesh->Nx);
        for (long k = 0; k < got.iterations; k++) {
            iterate_as_the_blog(mesh, RHS, U, next);
            memcpy(U, next, N * sizeof *U);
        }
        assert_memory_equal(got.U, U, N * sizeof *U);
        free(RHS);
    }
}

static void set_part(void *context, double part) {
    double *const last = context;
    assert_true(part >= *last && part <= 1);
    *last = part;
}

/* Opening reports its progress, and can be interrupted. */
TEST(opening_is_shown_and_stopped) {
    for_each_word(name, "serial", "threads", "omp") {
        struct lane_spec spec =
            run_of("%s/unstructured/classic --problem noise --grid 700x600", name);
        double part = 0;
        atomic_bool stop = false;
        struct lane *lane = NULL;
        spec.engine.stop = &stop;
        spec.engine.on_filling = set_part;
        spec.engine.filling_context = &part;
        if (!run_is_possible(&spec))
            continue;
        run_close(run_open(&spec));
        assert_true(part > 0);
        stop = true;
        assert_int_equal(computed_lane_open(&spec, &lane, &error), STATUS_INTERNAL);
        assert_null(lane);
    }
}

TEST_MODULE(conformance, NULL, NULL)
