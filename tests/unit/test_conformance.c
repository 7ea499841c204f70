/* Every back end × mapping × schedule that can run here does the same mathematics as serial
 * classic, in quick mode for 60 iterations at most. Residuals above 1e-9 agree within 1e-10 and the
 * round-off of RES, U within 1e-13 (`classic` and `plain`: the same bits). The stopping iteration
 * is the same. In quick mode every back end but serial tries half of the cases, the next schedule
 * the other half. Skips combinations that can't run here, by name. Serial classic must also
 * reproduce the bits of the blog's operations. */
#include "tests/fixtures/reference.h"
#include "tests/fixtures/support.h"

static const struct {
    const char *problem;
    int nx, ny;
    long iterations;
    double tolerance, omega;
} cases[] = {
    {"blog", 64, 64, 5000, 1e-5, 1},       {"blog", 1, 1, 10, 1e-5, 1},
    {"blog", 1, 9, 200, 1e-5, 1},          {"blog", 3, 2, 200, 1e-5, 1},
    {"blog", 37, 61, 600, 1e-4, 1},        {"noise", 100, 60, 300, 0, 1},
    {"charges", 50, 51, 400, 1e-5, 1},     {"hot-plate", 33, 17, 500, 0, 1},
    {"manufactured", 31, 31, 300, 0, 1},   {"blog", 2, 2, 100, 1e-9, 1},
    {"noise", 5, 300, 100, 0, 1},          {"blog", 300, 5, 200, 1e-5, 1},
    {"noise", 100, 60, 300, 0, 0.8},       {"blog", 37, 61, 700, 1e-4, 0.8},
    {"manufactured", 31, 30, 300, 0, 0.6}, {"charges", 300, 70, 200, 1e-5, 0.8},
    {"blog", 9, 1, 200, 1e-5, 1},          {"blog", 64, 65, 100, 1e-2, 1},
    {"noise", 70, 41, 100, 5e-2, 0.8},
};

/* Enough for a batch of 32, some of 1 to 6, and cases that stop within one. More iterations would
 * only accumulate round-off. */
enum { ITERATIONS_QUICK = 60 };

static const struct {
    const char *backend;
    enum mapping mapping;
    const char *schedule;
} runs[] = {
    {"serial", MAPPING_UNSTRUCTURED, "classic"},
    {"serial", MAPPING_UNSTRUCTURED, "fused"},
    {"serial", MAPPING_UNSTRUCTURED, "blocked:7"},
    {"threads", MAPPING_UNSTRUCTURED, "classic"},
    {"threads", MAPPING_UNSTRUCTURED, "fused"},
    {"threads", MAPPING_UNSTRUCTURED, "blocked:7"},
    {"omp", MAPPING_STRUCTURED, "classic"},
    {"omp", MAPPING_UNSTRUCTURED, "classic"},
    {"omp", MAPPING_STRUCTURED, "fused"},
    {"omp", MAPPING_UNSTRUCTURED, "fused"},
    {"omp", MAPPING_STRUCTURED, "blocked:5"},
    {"omp", MAPPING_UNSTRUCTURED, "blocked"},
    {"omp", MAPPING_UNSTRUCTURED, "blocked:16"},
    {"hip", MAPPING_STRUCTURED, "classic"},
    {"hip", MAPPING_UNSTRUCTURED, "classic"},
    {"hip", MAPPING_UNIFIED, "classic"},
    {"hip", MAPPING_STRUCTURED, "fused"},
    {"hip", MAPPING_UNSTRUCTURED, "fused"},
    {"hip", MAPPING_UNSTRUCTURED, "blocked"},
    {"hip", MAPPING_UNSTRUCTURED, "blocked:3"},
    {"hip", MAPPING_UNSTRUCTURED, "blocked:8"},
    {"hip", MAPPING_STRUCTURED, "blocked:8"},
    {"omp", MAPPING_STRUCTURED, "plain"},
    {"omp", MAPPING_UNSTRUCTURED, "plain"},
    {"omp", MAPPING_UNIFIED, "plain"},
    {"hip", MAPPING_STRUCTURED, "plain"},
    {"hip", MAPPING_UNSTRUCTURED, "plain"},
    {"hip", MAPPING_UNIFIED, "plain"},
    {"omp", MAPPING_UNIFIED, "classic"},
    {"omp", MAPPING_UNIFIED, "blocked:4"},
    {"omp", MAPPING_UNIFIED, "fused"},
    {"hip", MAPPING_UNIFIED, "fused"},
    {"hip", MAPPING_UNIFIED, "blocked:8"},
};

/* Returns false if the case can't run here. */
static bool check_case(size_t c, const char *backend, enum mapping mapping, const char *schedule) {
    char name[96];
    struct error error = {0};
    struct lane_spec spec =
        run_spec(cases[c].problem, cases[c].nx, cases[c].ny, backend, mapping, schedule);
    spec.iterations = cases[c].iterations;
    if (spec.iterations > ITERATIONS_QUICK && !tests_are_full())
        spec.iterations = ITERATIONS_QUICK;
    spec.tolerance = cases[c].tolerance;
    spec.engine.run.omega = cases[c].omega;
    snprintf(name, sizeof name, "%s/%s/%s %s %d×%d, omega %g", backend, mapping_names[mapping],
             schedule, cases[c].problem, cases[c].nx, cases[c].ny, cases[c].omega);
    if (backend_check(spec.choices[0], &spec.engine, &error)) {
        print_message("can't run here: %s: %s\n", name, error.message);
        return false;
    }
    assert_matches_reference(&spec, name);
    return true;
}

TEST(every_backend_matches_serial_classic) {
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            if (!tests_are_full() && strcmp(runs[r].backend, "serial") != 0 && (c + r) % 2)
                continue;
            if (!check_case(c, runs[r].backend, runs[r].mapping, runs[r].schedule))
                break;
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

/* Mixed precision must have Jacobi's own residuals, single precision its first 100. */
static void check_residuals(const struct lane_spec *spec, const struct solver_run *got,
                            const char *name) {
    const bool is_single = spec->engine.run.precision == PRECISION_SINGLE;
    const double relative = is_single ? 1e-4 : 1e-5;
    const struct solver_run *wanted = reference_solve(spec);
    for (long k = 0; k < got->iterations && k < wanted->iterations && !(is_single && k >= 100); k++)
        if (!(fabs(got->residuals[k] - wanted->residuals[k]) <= relative * wanted->residuals[k]))
            fail_msg("%s: residual %ld is %.9g, should be %.9g", name, k, got->residuals[k],
                     wanted->residuals[k]);
    for (size_t id = 0; id < mesh_unknowns(&spec->engine.mesh); id++)
        if (got->iterations == wanted->iterations &&
            !(fabs(got->U[id] - wanted->U[id]) <= (is_single ? 1e-3 : 1e-6)))
            fail_msg("%s: U[%zu] is %.9g, should be %.9g", name, id, got->U[id], wanted->U[id]);
}

/* With `wanted` 0 the run is not expected to stop. Residuals are compared only on grids where that
 * is fast. Returns false if the case can't run here. */
static bool check_precision(size_t r, enum precision precision, int n, long iterations, long wanted,
                            long slack) {
    char name[96];
    struct error error = {0};
    struct lane_spec spec =
        run_spec("blog", n, n, runs[r].backend, runs[r].mapping, runs[r].schedule);
    spec.iterations = iterations;
    spec.tolerance = 1e-5;
    spec.engine.run.precision = precision;
    snprintf(name, sizeof name, "%s/%s/%s+%s %d²", runs[r].backend, mapping_names[runs[r].mapping],
             runs[r].schedule, precision_names[precision], n);
    if (backend_check(spec.choices[0], &spec.engine, &error)) {
        print_message("can't run here: %s: %s\n", name, error.message);
        return false;
    }
    struct solver_run got = solver_run(&spec);
    if (n <= 128)
        check_residuals(&spec, &got, name);
    if (wanted && labs(got.iterations - wanted) > slack)
        fail_msg("%s: %ld iterations, should be %ld ± %ld", name, got.iterations, wanted, slack);
    solver_run_release(&got);
    return true;
}

TEST(precisions_have_their_known_answers) {
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        for (int p = PRECISION_SINGLE; p < PRECISION_COUNT; p++)
            for (size_t a = 0; a < sizeof answers / sizeof *answers; a++) {
                const bool is_quick = strcmp(runs[r].backend, "serial") == 0 && a == 0;
                const bool is_long = strcmp(runs[r].schedule, "fused") == 0 &&
                                     runs[r].mapping == MAPPING_UNSTRUCTURED;
                const bool stops = is_quick || (tests_are_full() && (a == 0 || is_long));
                if ((a > 0 && !stops) ||
                    !check_precision(r, (enum precision)p, answers[a].n, stops ? 50000 : 200,
                                     stops ? answers[a].wanted[p] : 0, answers[a].slack[p]))
                    break;
            }
}

/* Slabs exchange rows of the correction, and refine at the beginning of a batch. */
TEST(slabs_have_the_precisions_of_one_device) {
    static const char *const names[] = {"serial", "threads", "omp"};
    static const char *const schedules[] = {"classic", "fused", "blocked:3"};
    for (int b = 0; b < 3; b++)
        for (int k = 0; k < 3; k++)
            for (int p = PRECISION_SINGLE; p < PRECISION_COUNT; p++) {
                char name[96];
                struct error error = {0};
                struct lane_spec spec =
                    run_spec("blog", 50, 61, names[b], MAPPING_UNSTRUCTURED, schedules[k]);
                spec.iterations = 300;
                spec.engine.run.devices = (struct device_choice){.count = 2};
                spec.engine.run.precision = (enum precision)p;
                snprintf(name, sizeof name, "%s@2/%s+%s", names[b], schedules[k],
                         precision_names[p]);
                if (backend_check(spec.choices[0], &spec.engine, &error)) {
                    print_message("can't run here: %s: %s\n", name, error.message);
                    continue;
                }
                struct solver_run got = solver_run(&spec);
                check_residuals(&spec, &got, name);
                solver_run_release(&got);
            }
}

/* The round-off of the four kernels and of fused, which round U in each iteration, keeps the
 * residual above 2.4e-5. `blocked` rounds U once per pass and reaches the tolerance. */
TEST(single_stalls_on_512) {
    if (!tests_are_full())
        return;
    struct lane_spec spec = run_spec("blog", 512, 512, "serial", MAPPING_UNSTRUCTURED, "fused");
    spec.iterations = 90000;
    spec.tolerance = 1e-5;
    spec.engine.run.precision = PRECISION_SINGLE;
    struct solver_run got = solver_run(&spec);
    double least = got.residuals[0];
    for (long k = 0; k < got.iterations; k++)
        least = fmin(least, got.residuals[k]);
    assert_int_equal(got.iterations, 90000);
    assert_true(least > 2.4e-5 && least < 2.9e-5);
    solver_run_release(&got);
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        if (strcmp(runs[r].backend, "serial") == 0 && strcmp(runs[r].schedule, "blocked:7") == 0)
            check_precision(r, PRECISION_MIXED, 512, 100000, 83636, 1);
}

/* In every precision, a run that diverges ends with a residual that is not finite. */
TEST(divergence_is_found_in_every_precision) {
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        for (int p = 0; p < PRECISION_COUNT; p++) {
            struct lane_spec spec =
                run_spec("blog", 65, 20, runs[r].backend, runs[r].mapping, runs[r].schedule);
            spec.iterations = 2000;
            spec.tolerance = 0;
            spec.engine.run.omega = 1.9;
            spec.engine.run.precision = (enum precision)p;
            if (backend_check(spec.choices[0], &spec.engine, NULL))
                continue;
            struct computed_lane *lane = run_open(&spec);
            double residuals[2000];
            long done;
            assert_int_equal(
                engine_advance(lane->engine, spec.iterations, 0, residuals, &done, NULL),
                STATUS_OK);
            if (done == spec.iterations || !isnan(residuals[done - 1]))
                fail_msg("%s/%s in %s: not found", runs[r].backend, runs[r].schedule,
                         precision_names[p]);
            run_close(lane);
        }
}

static double at(const struct mesh *mesh, const double *U, int i, int j) {
    const bool inside = i >= 0 && i < mesh->Nx && j >= 0 && j < mesh->Ny;
    return inside ? U[i + (size_t)j * mesh->Nx] : 0.0;
}

/* One iteration with the operations of the blog and its published program. */
static void iterate_as_the_blog(const struct mesh *mesh, const double *RHS, double *AU, double *U) {
    const double dx = 1.0 / (mesh->Nx + 1), dy = 1.0 / (mesh->Ny + 1);
    const double factor = 1 / (2.0 / (dx * dx) + 2.0 / (dy * dy));
    const double _1bydx2 = 1.0 / (dx * dx), _1bydy2 = 1.0 / (dy * dy);
    for (int j = 0; j < mesh->Ny; j++)
        for (int i = 0; i < mesh->Nx; i++) {
            const double c = at(mesh, U, i, j);
            AU[i + (size_t)j * mesh->Nx] =
                (-at(mesh, U, i - 1, j) + 2 * c - at(mesh, U, i + 1, j)) * _1bydx2 +
                (-at(mesh, U, i, j - 1) + 2 * c - at(mesh, U, i, j + 1)) * _1bydy2;
        }
    for (size_t id = 0; id < mesh_unknowns(mesh); id++) {
        const double r_res = RHS[id] - AU[id];
        U[id] += r_res * factor;
    }
}

TEST(classic_is_the_blog) {
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        if (cases[c].omega != 1)
            continue;
        struct lane_spec spec = run_spec(cases[c].problem, cases[c].nx, cases[c].ny, "serial",
                                         MAPPING_UNSTRUCTURED, "classic");
        const struct mesh *mesh = &spec.engine.mesh;
        const size_t N = mesh_unknowns(mesh);
        spec.iterations = 60;
        struct solver_run got = solver_run(&spec);
        double *RHS = calloc(3 * N, sizeof *RHS), *AU = RHS + N, *U = AU + N;
        for (int j = 0; j < mesh->Ny; j++)
            problem_fill_row(spec.engine.problem, mesh, j, U + (size_t)j * mesh->Nx,
                             RHS + (size_t)j * mesh->Nx);
        for (long k = 0; k < got.iterations; k++)
            iterate_as_the_blog(mesh, RHS, AU, U);
        assert_memory_equal(got.U, U, N * sizeof *U);
        solver_run_release(&got);
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
    static const char *const names[] = {"serial", "threads", "omp"};
    for (size_t b = 0; b < sizeof names / sizeof *names; b++) {
        struct lane_spec spec =
            run_spec("noise", 700, 600, names[b], MAPPING_UNSTRUCTURED, "classic");
        double part = 0;
        atomic_bool stop = false;
        struct error error = {0};
        struct computed_lane *lane = NULL;
        spec.engine.stop = &stop;
        spec.engine.on_filling = set_part;
        spec.engine.filling_context = &part;
        if (backend_check(spec.choices[0], &spec.engine, &error)) {
            print_message("can't run here: %s: %s\n", names[b], error.message);
            continue;
        }
        run_close(run_open(&spec));
        assert_true(part > 0);
        stop = true;
        assert_int_equal(computed_lane_open(&spec, &lane, &error), STATUS_INTERNAL);
        assert_null(lane);
    }
}

TEST_MODULE(conformance, NULL, NULL)
