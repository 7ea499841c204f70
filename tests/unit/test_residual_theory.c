/* The theoretical convergence of the iteration, compared with the iteration itself and with figures
 * computed by other programs. */
#include "solver/residual_theory.h"
#include "tests/fixtures/runs.h"

static const atomic_bool never;

static struct residual_theory *make_theory(const char *problem, int nx, int ny, double omega) {
    const struct mesh mesh = mesh_damped(mesh_make(nx, ny), omega);
    return theory_make(problem_find(problem), &mesh, &never);
}

/* Every residual of a run is on the predicted curve. */
TEST(runs_follow_the_curve) {
    static const struct {
        const char *problem;
        int nx, ny;
        double omega;
    } cases[] = {
        {"blog", 64, 64, 1},           {"blog", 64, 64, 0.8},    {"blog", 37, 61, 1},
        {"blog", 61, 37, 0.5},         {"hot-plate", 40, 40, 1}, {"hot-plate", 33, 18, 0.8},
        {"charges", 50, 30, 1},        {"charges", 31, 31, 0.7}, {"manufactured", 30, 30, 1},
        {"manufactured", 20, 45, 0.9}, {"blog", 1, 9, 1},        {"blog", 20, 20, 1.001}};
    for_each(row, cases) {
        const struct lane_spec spec =
            run_of("serial/unstructured/classic+omega=%g --problem %s --grid %dx%d --tolerance 0",
                   row->omega, row->problem, row->nx, row->ny);
        owned_memory struct residual_theory *theory =
            make_theory(row->problem, row->nx, row->ny, row->omega);
        owned_run lane = run_to_end(&spec);
        const struct history *history = &lane->known.history;
        assert_non_null(theory);
        for (int k = 0; k < history->count; k++) {
            const double wanted = history->residuals[k];
            const double got = theory_residual(theory, (double)(k * history->stride));
            const double drawn = theory_curve(theory, (double)(k * history->stride));
            if (wanted > 1e-8 * history->residuals[0] && !(fabs(got - wanted) <= 1e-6 * wanted))
                fail_msg("%s: residual %d is %.9g, should be %.9g", run_name(&spec), k, got,
                         wanted);
            if (wanted > 1e-6 * history->residuals[0])
                assert_close(drawn, wanted, 5e-3);
        }
    }
}

/* First residuals on grids too large for one term per mode, compared with the sum over all
 * modes. */
TEST(shared_out_modes_keep_their_sum) {
    static const struct {
        const char *problem;
        double omega;
    } cases[] = {{"blog", 1}, {"charges", 1}, {"hot-plate", 0.8}, {"manufactured", 0.6}};
    static const int iterates[] = {0, 1, 2, 3, 7, 30, 200, 2000};
    enum { NX = 230, NY = 190 };
    const double pi = acos(-1.0);
    owned_memory double *first = calloc(NX * NY, sizeof *first); /* the sine transform of RHS */
    for_each(row, cases) {
        const struct problem *problem = problem_find(row->problem);
        const struct mesh mesh = mesh_damped(mesh_make(NX, NY), row->omega);
        double sums[count_of(iterates)] = {0};
        memset(first, 0, NX * NY * sizeof *first);
        for (int p = 0; p < problem->product_count; p++) {
            double x[NX] = {0}, x_modes[NX] = {0}, y_modes[NY] = {0};
            problem->add_x(&mesh, p, 1, x);
            for (int k = 1; k <= NX; k++)
                for (int i = 1; i <= NX; i++)
                    x_modes[k - 1] += x[i - 1] * sin(pi * i * k / (NX + 1));
            for (int l = 1; l <= NY; l++)
                for (int j = 1; j <= NY; j++)
                    y_modes[l - 1] += problem->y(&mesh, p, j - 1) * sin(pi * j * l / (NY + 1));
            for (int l = 0; l < NY; l++)
                for (int k = 0; k < NX; k++)
                    first[k + l * NX] += x_modes[k] * y_modes[l] * 2 / sqrt((NX + 1.0) * (NY + 1));
        }
        for (int l = 1; l <= NY; l++)
            for (int k = 1; k <= NX; k++) {
                const double mean = (cos(pi * k / (NX + 1)) * mesh._1bydx2 +
                                     cos(pi * l / (NY + 1)) * mesh._1bydy2) /
                                    (mesh._1bydx2 + mesh._1bydy2);
                const double lambda = 1 - mesh.omega + mesh.omega * mean;
                const double r = first[k - 1 + (l - 1) * NX];
                for (size_t n = 0; n < count_of(iterates); n++)
                    sums[n] += r * r * pow(lambda, 2 * iterates[n]);
            }
        owned_memory struct residual_theory *theory = make_theory(row->problem, NX, NY, row->omega);
        for (size_t n = 0; n < count_of(iterates); n++)
            assert_close(theory_residual(theory, iterates[n]), mesh_residual(&mesh, sums[n]), 2e-7);
    }
}

/* The first iterates below 1e-5, or below a millionth of the first residual: another program found
 * them by a sum over all modes (NumPy), this one by running. The program reports one iteration
 * more. */
TEST(iterations_to_the_tolerance) {
    static const struct {
        int n;
        bool millionth;
        double omega, first;
    } cases[] = {{64, false, 1, 4907},     {128, false, 1, 14646},    {256, false, 1, 39557},
                 {512, false, 1, 83635},   {1024, false, 1, 69469},   {2048, false, 1, 39244},
                 {4096, false, 1, 24701},  {64, false, 0.8, 6134},    {128, false, 0.8, 18308},
                 {256, false, 0.8, 49446}, {512, false, 0.8, 104543}, {64, true, 1, 8334},
                 {128, true, 1, 29369},    {256, true, 1, 102740},    {512, true, 1, 354079},
                 {1024, true, 1, 1192519}};
    for_each(row, cases) {
        owned_memory struct residual_theory *theory =
            make_theory("blog", row->n, row->n, row->omega);
        const double limit = row->millionth ? 1e-6 * theory_residual(theory, 0) : 1e-5;
        const double first = theory_first_below(theory, limit);
        if (first != row->first)
            fail_msg("%d², omega %g: iterate %.0f, should be %.0f", row->n, row->omega, first,
                     row->first);
    }
}

/* The middle value after a sufficiently long run. */
TEST(middle_of_the_solution) {
    for_each_word(name, "blog", "hot-plate", "charges", "manufactured") {
        const struct lane_spec spec =
            run_of("serial/unstructured/classic --problem %s --grid 20x15 "
                   "--iterations 5000 --tolerance 0",
                   name);
        double U[20 * 15];
        owned_run lane = run_to_end(&spec);
        assert_int_equal(lane->engine->ops->read(lane->engine, U, &error), STATUS_OK);
        owned_memory struct residual_theory *theory = make_theory(name, 20, 15, 0.6);
        assert_close(theory_middle(theory), U[10 + 20 * 7], 1e-9);
    }
}

/* A plate with one wall at 1 and three at 0: its four rotations sum to 1 everywhere, so each has
 * 1/4 in the middle. Here the modes of a direction are grouped. */
TEST(middle_of_a_large_plate) {
    owned_memory struct residual_theory *theory = make_theory("hot-plate", 2047, 2047, 1);
    assert_close(theory_middle(theory), 0.25, 1e-5);
}

/* With so little damping that the checkerboard hardly shrinks, 1 - |λ| is only round-off. */
TEST(damping_at_its_limit) {
    for (int n = 2; n < 60; n++) {
        const double radius = cos(acos(-1.0) / (n + 1)); /* λ of the smoothest mode */
        double omega = 2 / (1 + radius);
        for (int step = 0; step < 4; step++, omega = nextafter(omega, 0)) {
            owned_memory struct residual_theory *theory = make_theory("charges", n, n, omega);
            if (theory)
                assert_true(theory_residual(theory, 10) > 0);
        }
    }
}

TEST(what_has_no_theory) {
    const atomic_bool stop = true;
    const struct mesh mesh = mesh_make(64, 64);
    assert_null(make_theory("noise", 16, 16, 1));
    assert_null(make_theory("blog", 16, 16, 1.5)); /* it diverges */
    assert_null(theory_make(problem_find("blog"), &mesh, &stop));
}

TEST_MODULE(residual_theory, NULL, NULL)
