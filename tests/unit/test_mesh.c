/* The mesh: spacing, residual, spectral radius, and the cells of a downsample. */
#include "tests/fixtures/support.h"

#include "solver/engine.h"
#include "solver/mesh.h"

static void test_spacing(void **state) {
    (void)state;
    const struct mesh mesh = mesh_make(3, 7);
    assert_close(mesh.dx, 0.25, 0);
    assert_close(mesh.dy, 0.125, 0);
    assert_close(mesh.factor, 1 / (2 * 16.0 + 2 * 64.0), 1e-15);
    assert_int_equal(mesh_unknowns(&mesh), 21);
    assert_close(mesh_x(&mesh, 0), -0.25, 0);
    assert_close(mesh_y(&mesh, 6), 0.375, 0);
}

static void test_residual_is_scaled(void **state) {
    (void)state;
    const struct mesh mesh = mesh_make(3, 7);
    assert_close(mesh_residual(&mesh, 8.0), sqrt(8.0 / 32) / 21, 1e-15);
}

/* For a square grid it is cos(pi/(N+1)); for one unknown there is no error left after a step. */
static void test_spectral_radius(void **state) {
    (void)state;
    const struct mesh square = mesh_make(5, 5), one = mesh_make(1, 1);
    assert_close(mesh_spectral_radius(&square), sqrt(3) / 2, 1e-15);
    assert_true(fabs(mesh_spectral_radius(&one)) < 1e-15);
}

static void test_reduction_spans_tile_the_grid(void **state) {
    (void)state;
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
static void test_reduction_spans_repeat_unknowns(void **state) {
    (void)state;
    for (int index = 0; index < 7; index++) {
        int first, last;
        downsample_span(0, 3, 7, index, &first, &last);
        assert_true(first >= 0 && last <= 3);
        assert_int_equal(last - first, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spacing),
        cmocka_unit_test(test_residual_is_scaled),
        cmocka_unit_test(test_spectral_radius),
        cmocka_unit_test(test_reduction_spans_tile_the_grid),
        cmocka_unit_test(test_reduction_spans_repeat_unknowns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
