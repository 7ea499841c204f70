/* Every back end × mapping × schedule that can run here does the same mathematics as serial
 * classic, in quick mode for 60 iterations at most: the residual of every iterate within 1e-10
 * relative while it is above 1e-9, U within 1e-13 (`classic` and `plain`: the same bits), the same
 * stopping iteration. What can't run here is skipped, by name. And serial classic has the bits of
 * the blog's operations. */
#include "tests/fixtures/support.h"

#include <stdio.h>

#include "tests/fixtures/reference.h"

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

static void check_all(const char *backend, enum mapping mapping, const char *schedule) {
    char name[96];
    int ran = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct lane_spec spec =
            run_spec(cases[c].problem, cases[c].nx, cases[c].ny, backend, mapping, schedule);
        spec.iterations = cases[c].iterations;
        if (spec.iterations > ITERATIONS_QUICK && !tests_are_full())
            spec.iterations = ITERATIONS_QUICK;
        spec.tolerance = cases[c].tolerance;
        spec.engine.run.omega = cases[c].omega;
        snprintf(name, sizeof name, "%s/%s/%s %s %d×%d, omega %g", backend, mapping_name(mapping),
                 schedule, cases[c].problem, cases[c].nx, cases[c].ny, cases[c].omega);
        struct error error = {0};
        if (backend_check(spec.choices[0], &spec.engine, &error)) {
            print_message("can't run here: %s: %s\n", name, error.message);
            break;
        }
        assert_matches_reference(&spec, name);
        ran++;
    }
    if (!ran)
        skip();
}

#define CONFORMS(backend, mapping, schedule, label)                                                \
    static void test_##label(void **state) {                                                       \
        (void)state;                                                                               \
        check_all(backend, mapping, schedule);                                                     \
    }

CONFORMS("serial", MAPPING_UNSTRUCTURED, "classic", serial_classic)
CONFORMS("serial", MAPPING_UNSTRUCTURED, "fused", serial_fused)
CONFORMS("serial", MAPPING_UNSTRUCTURED, "blocked:7", serial_blocked)
CONFORMS("threads", MAPPING_UNSTRUCTURED, "classic", threads_classic)
CONFORMS("threads", MAPPING_UNSTRUCTURED, "fused", threads_fused)
CONFORMS("threads", MAPPING_UNSTRUCTURED, "blocked:7", threads_blocked)
CONFORMS("omp", MAPPING_STRUCTURED, "classic", omp_structured_classic)
CONFORMS("omp", MAPPING_UNSTRUCTURED, "classic", omp_unstructured_classic)
CONFORMS("omp", MAPPING_STRUCTURED, "fused", omp_structured_fused)
CONFORMS("omp", MAPPING_UNSTRUCTURED, "fused", omp_unstructured_fused)
CONFORMS("omp", MAPPING_STRUCTURED, "blocked:5", omp_structured_blocked)
CONFORMS("omp", MAPPING_UNSTRUCTURED, "blocked", omp_unstructured_blocked)
CONFORMS("omp", MAPPING_UNSTRUCTURED, "blocked:16", omp_unstructured_blocked_16)
CONFORMS("hip", MAPPING_STRUCTURED, "classic", hip_structured_classic)
CONFORMS("hip", MAPPING_UNSTRUCTURED, "classic", hip_unstructured_classic)
CONFORMS("hip", MAPPING_UNIFIED, "classic", hip_unified_classic)
CONFORMS("hip", MAPPING_STRUCTURED, "fused", hip_structured_fused)
CONFORMS("hip", MAPPING_UNSTRUCTURED, "fused", hip_unstructured_fused)
CONFORMS("hip", MAPPING_UNSTRUCTURED, "blocked", hip_unstructured_blocked)
CONFORMS("hip", MAPPING_UNSTRUCTURED, "blocked:3", hip_unstructured_blocked3)
CONFORMS("hip", MAPPING_UNSTRUCTURED, "blocked:8", hip_unstructured_blocked8)
CONFORMS("hip", MAPPING_STRUCTURED, "blocked:8", hip_structured_blocked8)
CONFORMS("omp", MAPPING_STRUCTURED, "plain", omp_structured_plain)
CONFORMS("omp", MAPPING_UNSTRUCTURED, "plain", omp_unstructured_plain)
CONFORMS("omp", MAPPING_UNIFIED, "plain", omp_unified_plain)
CONFORMS("hip", MAPPING_STRUCTURED, "plain", hip_structured_plain)
CONFORMS("hip", MAPPING_UNSTRUCTURED, "plain", hip_unstructured_plain)
CONFORMS("hip", MAPPING_UNIFIED, "plain", hip_unified_plain)
CONFORMS("omp", MAPPING_UNIFIED, "classic", omp_unified_classic)
CONFORMS("omp", MAPPING_UNIFIED, "blocked:4", omp_unified_blocked)

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

static void test_classic_is_the_blog(void **state) {
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

TEST_MODULE(conformance) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classic_is_the_blog),
        cmocka_unit_test(test_serial_classic),
        cmocka_unit_test(test_serial_fused),
        cmocka_unit_test(test_serial_blocked),
        cmocka_unit_test(test_threads_classic),
        cmocka_unit_test(test_threads_fused),
        cmocka_unit_test(test_threads_blocked),
        cmocka_unit_test(test_omp_structured_classic),
        cmocka_unit_test(test_omp_unstructured_classic),
        cmocka_unit_test(test_omp_structured_fused),
        cmocka_unit_test(test_omp_unstructured_fused),
        cmocka_unit_test(test_omp_structured_blocked),
        cmocka_unit_test(test_omp_unstructured_blocked),
        cmocka_unit_test(test_omp_unstructured_blocked_16),
        cmocka_unit_test(test_hip_structured_classic),
        cmocka_unit_test(test_hip_unstructured_classic),
        cmocka_unit_test(test_hip_unified_classic),
        cmocka_unit_test(test_hip_structured_fused),
        cmocka_unit_test(test_hip_unstructured_fused),
        cmocka_unit_test(test_hip_unstructured_blocked),
        cmocka_unit_test(test_hip_unstructured_blocked3),
        cmocka_unit_test(test_hip_unstructured_blocked8),
        cmocka_unit_test(test_hip_structured_blocked8),
        cmocka_unit_test(test_omp_structured_plain),
        cmocka_unit_test(test_omp_unstructured_plain),
        cmocka_unit_test(test_omp_unified_plain),
        cmocka_unit_test(test_hip_structured_plain),
        cmocka_unit_test(test_hip_unstructured_plain),
        cmocka_unit_test(test_hip_unified_plain),
        cmocka_unit_test(test_omp_unified_classic),
        cmocka_unit_test(test_omp_unified_blocked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
