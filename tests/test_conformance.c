/* Every back end × mapping × schedule that can run here does the same mathematics as serial
 * classic: the residual of every iterate within 1e-10 relative while it is above 1e-9, U within
 * 1e-13, the same stopping iteration. What can't run here is skipped, by name. */
#include "tests/support.h"

#include <stdio.h>

#include "tests/runs.h"

struct result {
    long iterations;
    double *residuals;
    double *U;
};

static double mean(const double *U, int Nx, int i0, int i1, int j0, int j1) {
    double sum = 0;
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++)
            sum += U[i + (size_t)j * Nx];
    return sum / ((double)(i1 - i0) * (j1 - j0));
}

/* The cells of a picture are the means of the unknowns they cover. */
static void check_reduction(struct lane *lane, const double *U) {
    enum { COLS = 70, ROWS = 3 }; /* more than 64 columns, and more than some grids have unknowns */
    const struct mesh *mesh = &lane->spec.engine.mesh;
    const struct reduction reduction = {
        .i0 = mesh->Nx / 3, .i1 = mesh->Nx, .j0 = mesh->Ny / 3, .j1 = mesh->Ny, COLS, ROWS};
    float cells[COLS * ROWS];
    assert_int_equal(lane_reduce(lane, &reduction, cells, NULL), STATUS_OK);
    for (int c = 0; c < COLS * ROWS; c++) {
        int i0, i1, j0, j1;
        reduction_span(reduction.i0, reduction.i1, COLS, c % COLS, &i0, &i1);
        reduction_span(reduction.j0, reduction.j1, ROWS, c / COLS, &j0, &j1);
        const double wanted = mean(U, mesh->Nx, i0, i1, j0, j1);
        if (!(fabs(cells[c] - wanted) <= 1e-6 * (1 + fabs(wanted))))
            fail_msg("cell %d is %.9g, should be %.9g", c, (double)cells[c], wanted);
    }
}

/* Runs `spec` in batches of varying length, so that stopping inside a batch is tried too. */
static struct result run(const struct lane_spec *spec) {
    struct lane *lane = run_open(spec);
    struct result result = {.residuals = calloc((size_t)spec->iterations, sizeof(double)),
                            .U = calloc(mesh_unknowns(&spec->engine.mesh), sizeof(double))};
    for (long batch = 1; result.iterations < spec->iterations; batch = batch % 17 + 1) {
        const long left = spec->iterations - result.iterations;
        long done = 0;
        struct error error = {0};
        if (engine_advance(lane->engine, batch < left ? batch : left, spec->tolerance,
                           result.residuals + result.iterations, &done, &error))
            fail_msg("%s", error.message);
        assert_true(done >= 1 && done <= batch);
        result.iterations += done;
        if (!(result.residuals[result.iterations - 1] > spec->tolerance))
            break;
    }
    assert_int_equal(lane->engine->ops->read(lane->engine, result.U, NULL), STATUS_OK);
    check_reduction(lane, result.U);
    lane_close(lane);
    return result;
}

static void release(struct result *result) {
    free(result->residuals);
    free(result->U);
}

static void compare(const struct lane_spec *spec, const char *name) {
    struct lane_spec reference = *spec;
    reference.choices[0] = backend_find("serial");
    reference.engine.mapping = MAPPING_UNSTRUCTURED;
    reference.engine.schedule = (struct schedule){.kind = SCHEDULE_CLASSIC};
    reference.engine.device = 0;
    struct result wanted = run(&reference), got = run(spec);
    if (got.iterations != wanted.iterations)
        fail_msg("%s: %ld iterations, should be %ld", name, got.iterations, wanted.iterations);
    for (long k = 0; k < wanted.iterations; k++)
        if (wanted.residuals[k] > 1e-9 &&
            !(fabs(got.residuals[k] - wanted.residuals[k]) <= 1e-10 * wanted.residuals[k]))
            fail_msg("%s: residual %ld is %.17g, should be %.17g", name, k, got.residuals[k],
                     wanted.residuals[k]);
    for (size_t id = 0; id < mesh_unknowns(&spec->engine.mesh); id++)
        if (!(fabs(got.U[id] - wanted.U[id]) <= 1e-13))
            fail_msg("%s: U[%zu] is %.17g, should be %.17g", name, id, got.U[id], wanted.U[id]);
    release(&wanted);
    release(&got);
}

static const struct {
    const char *problem;
    int nx, ny;
    long iterations;
    double tolerance;
} cases[] = {
    {"blog", 64, 64, 5000, 1e-5},   {"blog", 1, 1, 10, 1e-5},      {"blog", 1, 9, 200, 1e-5},
    {"blog", 3, 2, 200, 1e-5},      {"blog", 37, 61, 600, 1e-4},   {"noise", 100, 60, 300, 0},
    {"charges", 50, 51, 400, 1e-5}, {"hot-plate", 33, 17, 500, 0}, {"manufactured", 31, 31, 300, 0},
    {"blog", 2, 2, 100, 1e-9},      {"noise", 5, 300, 100, 0},     {"blog", 300, 5, 200, 1e-5},
};

static void check_all(const char *backend, enum mapping mapping, const char *schedule) {
    char name[96];
    int ran = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct lane_spec spec =
            run_spec(cases[c].problem, cases[c].nx, cases[c].ny, backend, mapping, schedule);
        spec.iterations = cases[c].iterations;
        spec.tolerance = cases[c].tolerance;
        snprintf(name, sizeof name, "%s/%s/%s %s %d×%d", backend, mapping_name(mapping), schedule,
                 cases[c].problem, cases[c].nx, cases[c].ny);
        struct error why_not = {0};
        if (backend_check(spec.choices[0], &spec.engine, &why_not)) {
            print_message("can't run here: %s: %s\n", name, why_not.message);
            break;
        }
        compare(&spec, name);
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
CONFORMS("threads", MAPPING_UNSTRUCTURED, "classic", threads_classic)
CONFORMS("omp", MAPPING_STRUCTURED, "classic", omp_structured_classic)
CONFORMS("omp", MAPPING_UNSTRUCTURED, "classic", omp_unstructured_classic)
CONFORMS("omp", MAPPING_STRUCTURED, "fused", omp_structured_fused)
CONFORMS("omp", MAPPING_UNSTRUCTURED, "fused", omp_unstructured_fused)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_serial_classic),
        cmocka_unit_test(test_serial_fused),
        cmocka_unit_test(test_threads_classic),
        cmocka_unit_test(test_omp_structured_classic),
        cmocka_unit_test(test_omp_unstructured_classic),
        cmocka_unit_test(test_omp_structured_fused),
        cmocka_unit_test(test_omp_unstructured_fused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
