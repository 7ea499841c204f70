#include "tests/conform.h"

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
struct conform_run conform_run(const struct lane_spec *spec) {
    struct lane *lane = run_open(spec);
    struct conform_run result = {.residuals = calloc((size_t)spec->iterations, sizeof(double)),
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

void conform_release(struct conform_run *run) {
    free(run->residuals);
    free(run->U);
}

struct conform_run conform_reference(const struct lane_spec *spec) {
    struct lane_spec reference = *spec;
    reference.choices[0] = backend_find("serial");
    reference.engine.mapping = MAPPING_UNSTRUCTURED;
    reference.engine.schedule = (struct schedule){.kind = SCHEDULE_CLASSIC};
    reference.engine.device = 0;
    return conform_run(&reference);
}

void assert_conforms(const struct lane_spec *spec, const char *name) {
    struct conform_run wanted = conform_reference(spec), got = conform_run(spec);
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
    conform_release(&wanted);
    conform_release(&got);
}
