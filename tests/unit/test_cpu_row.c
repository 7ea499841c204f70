/* The rows of fused and blocked against the plain formula, the streamed ones too: whole runs meet
 * those only on grids that are too large for a test. */
#include "tests/fixtures/support.h"

#include "kernels/cpu/row.h"
#include "kernels/cpu/strip.h"

/* CPU_ROWS rows more than once between the lowest and the highest. */
enum { ROWS = 3 * CPU_ROWS + 2 };

static double value(size_t k) {
    return sin(0.37 * (double)k) + 0.01 * (double)(k % 13);
}

/* A neighbour outside the grid counts as 0. */
static double U_at(const struct mesh *mesh, const double *U, int i, int j) {
    const bool inside = i >= 0 && i < mesh->Nx && j >= 0 && j < mesh->Ny;
    return inside ? U[i + (size_t)j * mesh->Nx] : 0.0;
}

static void check(const struct mesh *mesh, const double *RHS, const double *U, const double *next,
                  double sum) {
    double wanted_sum = 0;
    for (int j = 0; j < mesh->Ny; j++)
        for (int i = 0; i < mesh->Nx; i++) {
            const size_t id = (size_t)i + (size_t)j * (size_t)mesh->Nx;
            const double c = U[id];
            const double AU =
                (-U_at(mesh, U, i - 1, j) + 2 * c - U_at(mesh, U, i + 1, j)) * mesh->_1bydx2 +
                (-U_at(mesh, U, i, j - 1) + 2 * c - U_at(mesh, U, i, j + 1)) * mesh->_1bydy2;
            const double RES = RHS[id] - AU;
            if (!(fabs(next[id] - (c + RES * mesh->factor)) <= 1e-15))
                fail_msg("%d × %d, (%d, %d)", mesh->Nx, mesh->Ny, i, j);
            wanted_sum += RES * RES;
        }
    assert_close(sum, wanted_sum, 1e-13);
}

static void check_grid(int Nx, int Ny, int offset) {
    const struct mesh mesh = mesh_make(Nx, Ny);
    const size_t N = mesh_unknowns(&mesh);
    double *arrays = malloc((3 * N + 24) * sizeof *arrays);
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
    free(arrays);
}

static void test_grids_of_any_size_anywhere(void **state) {
    (void)state;
    const int lengths[] = {1,   2,   3,   4,   9,   17,  120, 127, 128,
                           129, 130, 131, 255, 256, 257, 258, 1001};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int offset = 0; offset < 8; offset++)
            for (int Ny = 1; Ny <= ROWS; Ny++)
                check_grid(lengths[l], Ny, offset);
}

/* What a pass sends past the caches are the bits that it would store. */
static void test_strips_stream_the_same(void **state) {
    static const int sides[] = {1, 7, 8, 9, 61, 131};
    enum { SIDES = sizeof sides / sizeof *sides, DEPTH = 3 };
    (void)state;
    for (int shape = 0; shape < SIDES * SIDES; shape++) {
        const struct mesh mesh = mesh_make(sides[shape % SIDES], sides[shape / SIDES]);
        const size_t N = mesh_unknowns(&mesh);
        double *arrays = malloc((4 * N + 8) * sizeof *arrays), sums[2][DEPTH] = {{0}};
        double *U = arrays + shape % 8, *RHS = U + N;
        struct cpu_window *window = cpu_window_open(
            &mesh, DEPTH, aligned_alloc(CACHE_LINE, cpu_window_bytes(&mesh, DEPTH, 1)));
        assert_true(arrays && window);
        for (size_t id = 0; id < 4 * N; id++)
            U[id] = value(id);
        for (int stream = 0; stream < 2; stream++) {
            struct blocking blocking = window->blocking;
            blocking.streams = stream;
            cpu_strips(&mesh, &blocking, DEPTH, 0, mesh.Ny, RHS, U, RHS + N + stream * N,
                       sums[stream], cpu_window_of(window, 0));
        }
        assert_memory_equal(RHS + N, RHS + 2 * N, N * sizeof *U);
        assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
        free(window);
        free(arrays);
    }
}

static void test_subnormals_come_back(void **state) {
    (void)state;
    volatile double tiny = 0x1p-1022;
    const unsigned before = cpu_drop_subnormals();
    cpu_keep_subnormals(before);
    assert_true(tiny / 2 > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grids_of_any_size_anywhere),
        cmocka_unit_test(test_strips_stream_the_same),
        cmocka_unit_test(test_subnormals_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
