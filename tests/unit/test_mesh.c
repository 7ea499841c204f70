/* The mesh: spacing, residual, spectral radius, and the cells of a downsample. */
#include "tests/fixtures/support.h"

#include "solver/mesh.h"

TEST(spacing) {
    const struct mesh mesh = mesh_make(3, 7);
    assert_close(mesh.dx, 0.25, 0);
    assert_close(mesh.dy, 0.125, 0);
    assert_close(mesh.factor, 1 / (2 * 16.0 + 2 * 64.0), 1e-15);
    assert_int_equal(mesh_unknowns(&mesh), 21);
    assert_close(mesh_x(&mesh, 0), -0.25, 0);
    assert_close(mesh_y(&mesh, 6), 0.375, 0);
}

TEST(residual_is_scaled) {
    const struct mesh mesh = mesh_make(3, 7);
    const double residual = mesh_residual(&mesh, 8.0);
    assert_close(residual, sqrt(8.0 / 32) / 21, 1e-15);
    assert_close(residual * measure_scale(MEASURE_RMS, &mesh, 3), sqrt(8.0 / 21), 1e-15);
    assert_close(residual * measure_scale(MEASURE_RELATIVE, &mesh, 3), residual / 3, 1e-15);
    assert_true(measure_scale(MEASURE_BLOG, &mesh, 3) == 1);
}

/* For a square grid it is cos(pi/(N+1)); with one unknown, one step removes the error. */
TEST(spectral_radius) {
    const struct mesh square = mesh_make(5, 5), one = mesh_make(1, 1);
    assert_close(mesh_spectral_radius(&square), sqrt(3) / 2, 1e-15);
    assert_true(fabs(mesh_spectral_radius(&one)) < 1e-15);
}

/* Damped, the error of mode (i, j) is multiplied by 1 - ω + ω(cos θi + cos θj)/2, θ = iπ/6. */
TEST(damped_spectral_radius) {
    static const double omegas[] = {0.1, 0.8, 1, 1.01, 1.5};
    for_each(row, omegas) {
        const double omega = *row;
        const struct mesh mesh = mesh_damped(mesh_make(5, 5), omega);
        double slowest = 0;
        for (int i = 1; i <= 5; i++)
            for (int j = 1; j <= 5; j++)
                slowest = fmax(
                    slowest,
                    fabs(1 - omega + omega * (cos(i * acos(-1) / 6) + cos(j * acos(-1) / 6)) / 2));
        assert_close(mesh_spectral_radius(&mesh), slowest, 1e-14);
        assert_close(mesh.factor, omega / 144, 1e-15);
    }
}

TEST(reduction_spans_tile_the_grid) {
    for (int count = 1; count <= 40; count++) {
        int next = 3;
        for (int index = 0; index < count; index++) {
            int first, last;
            downsample_span(3, 100, count, index, &first, &last);
            assert_int_equal(first, next);
            assert_true(last > first);
            next = last;
        }
        assert_int_equal(next, 100);
    }
}

/* More cells than unknowns: each cell still shows one. */
TEST(reduction_spans_repeat_unknowns) {
    for (int index = 0; index < 7; index++) {
        int first, last;
        downsample_span(0, 3, 7, index, &first, &last);
        assert_true(first >= 0 && last <= 3);
        assert_int_equal(last - first, 1);
    }
}

TEST_MODULE(mesh, NULL, NULL)
