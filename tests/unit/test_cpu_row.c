/* The rows of fused and the passes of blocked against the plain formula, including streamed rows:
 * whole runs use those only on grids that are too large for a test. */
#include "tests/fixtures/reference.h"

#include "kernels/cpu/row.h"
#include "kernels/cpu/strip.h"
#include "solver/phase.h"

/* The interior rows need more than one group of CPU_ROWS rows. */
enum { ROWS = 3 * CPU_ROWS + 2 };

static double value(size_t k) {
    return sin(0.37 * (double)k) + 0.01 * (double)(k % 13);
}

static void check(const struct mesh *mesh, const double *RHS, const double *U, const double *next,
                  double sum) {
    const size_t N = mesh_unknowns(mesh);
    owned_memory double *wanted = malloc(N * sizeof *wanted);
    assert_non_null(wanted);
    assert_close(sum, iterate_as_the_blog(mesh, RHS, U, wanted), 1e-13);
    for (size_t id = 0; id < N; id++)
        if (!(fabs(next[id] - wanted[id]) <= 1e-15))
            fail_msg("%d × %d, [%zu]", mesh->Nx, mesh->Ny, id);
}

static void check_grid(int Nx, int Ny, int offset) {
    const struct mesh mesh = mesh_make(Nx, Ny);
    const size_t N = mesh_unknowns(&mesh);
    owned_memory double *arrays = malloc((3 * N + 24) * sizeof *arrays);
    double *U = arrays + offset, *RHS = U + N, *next = RHS + N;
    for (size_t id = 0; id < N; id++) {
        U[id] = value(id);
        RHS[id] = 100 * value(3 * id + 1);
    }
    next[N] = 42;
    for (int stream = 0; stream < 2; stream++) {
        double sum = 0;
        memset(next, 0xff, N * sizeof *next); /* NaN */
        for (int j = 0; j < Ny; j += cpu_rows())
            sum += cpu_relax_grid_rows(&mesh, j, mesh.Ny, stream, RHS, U, next);
        check(&mesh, RHS, U, next, sum);
    }
    assert_true(next[N] == 42);
}

TEST(grids_of_any_size_anywhere) {
    const int lengths[] = {1,   2,   3,   4,   9,   17,  120, 127, 128,
                           129, 130, 131, 255, 256, 257, 258, 1001};
    for_each(length, lengths)
        for (int offset = 0; offset < 8; offset++)
            for (int Ny = 1; Ny <= ROWS; Ny++)
                check_grid(*length, Ny, offset);
}

/* A pass over two bands, of one or two strips, must equal `depth` iterations. */
static void check_strips(const struct mesh *mesh, int most, int depth, int width, bool streams) {
    const size_t N = mesh_unknowns(mesh);
    /* Separate allocations, so that a sanitizer detects reads beyond the end. */
    owned_memory double *U = malloc(N * sizeof *U);
    owned_memory double *RHS = malloc(N * sizeof *RHS);
    owned_memory double *arrays = malloc((3 * N + 8) * sizeof *arrays);
    double sums[SCHEDULE_MAX_DEPTH] = {0};
    double *next = arrays + N % 8, *here = next + N, *to = here + N;
    owned_memory struct cpu_window *window =
        cpu_window_open(mesh, most, aligned_alloc(CACHE_LINE, cpu_window_bytes(mesh, most, 1)));
    assert_true(U && RHS && arrays && window);
    for (size_t id = 0; id < N; id++) {
        here[id] = U[id] = value(id);
        RHS[id] = 100 * value(3 * id + 1);
    }
    memset(next, 0xff, N * sizeof *next); /* NaN */
    window->width = width < window->width ? width : window->width;
    window->streams = streams;
    double *const work = cpu_window_of(window, 0);
    memset(work, 0xff, cpu_window_bytes(mesh, most, 1) - CACHE_LINE);
    for (int band = 0; band < 2; band++)
        cpu_strips(mesh, window, depth, mesh->Ny / 3 * band, band ? mesh->Ny : mesh->Ny / 3, RHS, U,
                   next, sums, work);
    for (int k = 0; k < depth; k++) {
        assert_close(sums[k], iterate_as_the_blog(mesh, RHS, here, to), 1e-12);
        memcpy(here, to, N * sizeof *here);
    }
    for (size_t id = 0; id < N; id++)
        if (!(fabs(next[id] - here[id]) <= 1e-14))
            fail_msg("%d × %d, depth %d of %d, strips of %d: [%zu] is %.17g, should be %.17g",
                     mesh->Nx, mesh->Ny, depth, most, width, id, next[id], here[id]);
}

TEST(strips) {
    static const int sides[] = {1, 5, 6, 7, 8, 61, 127, 129, 300};
    enum { SIDES = count_of(sides) };
    for (int shape = 0; shape < SIDES * SIDES; shape++) {
        const struct mesh mesh = mesh_make(sides[shape % SIDES], sides[shape / SIDES]);
        const struct mesh damped = mesh_damped(mesh, 0.8);
        check_strips(&mesh, 3, 3, 1024, shape % 2);
        check_strips(&mesh, 24, 24, 64, true);
        check_strips(&mesh, 17, 1 + shape % 17, 64, false);
        check_strips(&damped, 8, 8, 64, true);
    }
    const struct mesh deepest = mesh_make(200, 200);
    check_strips(&deepest, SCHEDULE_MAX_DEPTH, SCHEDULE_MAX_DEPTH, 64, false);
}

TEST(subnormals_come_back) {
    volatile double tiny = 0x1p-1022;
    const unsigned before = cpu_drop_subnormals();
    cpu_keep_subnormals(before);
    assert_true(tiny / 2 > 0);
}

TEST_MODULE(cpu_row, NULL, NULL)
