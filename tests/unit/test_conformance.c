/* Every back end × mapping × schedule that can run here does the same mathematics as serial
 * classic, in quick mode for 60 iterations at most: the residual of every iterate within 1e-10
 * relative while it is above 1e-9, U within 1e-13 (`classic` and `plain`: the same bits), the same
 * stopping iteration. What can't run here is skipped, by name. And serial classic has the bits of
 * the blog's operations. */
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

/* Enough for a batch of 32 and some of 1 to 6, and for cases that stop within one. More would find
 * only rounding that adds up. */
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
};

/* False: it can't run here. */
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
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            if (!check_case(c, runs[r].backend, runs[r].mapping, runs[r].schedule))
                break;
}

static double at(const struct mesh *mesh, const double *U, int i, int j) {
    const bool inside = i >= 0 && i < mesh->Nx && j >= 0 && j < mesh->Ny;
    return inside ? U[i + (size_t)j * mesh->Nx] : 0.0;
}

/* One iteration as the blog and its published program write it. */
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
            spec.engine.problem->fill_row(mesh, j, U + (size_t)j * mesh->Nx,
                                          RHS + (size_t)j * mesh->Nx);
        for (long k = 0; k < got.iterations; k++)
            iterate_as_the_blog(mesh, RHS, AU, U);
        assert_memory_equal(got.U, U, N * sizeof *U);
        solver_run_release(&got);
        free(RHS);
    }
}

TEST_MODULE(conformance, NULL, NULL)
