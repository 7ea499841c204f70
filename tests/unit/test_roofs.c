/* The roof of a device: its measurement, and the cache that remembers it. */
#include "tests/fixtures/support.h"

#include <stdio.h>

#include "kernels/cpu/roof.h"
#include "session/roofs.h"
#include "tests/fixtures/folder.h"
#include "tests/fixtures/runs.h"

static int begin(void **state) {
    return folder_enter(state) || setenv("XDG_CACHE_HOME", folder_path, 1);
}

static void write_cache(const char *text) {
    FILE *file = fopen("jacobi-tui/roofs.json", "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

TEST(cache_keeps_each_device_apart) {
    struct roof roof = {0};
    const struct roof a = {.origin = ROOF_MEASURED, .bandwidth_gbs = 26.5, .gflops = 150},
                      b = {.origin = ROOF_MEASURED, .bandwidth_gbs = 4060, .gflops = 34000};
    assert_false(roof_cache_find("a", &roof));
    assert_int_equal(roof.origin, ROOF_UNKNOWN);
    assert_true(roof_cache_store("a", &a));
    assert_true(roof_cache_store("b \"quoted\"", &b));
    assert_true(roof_cache_find("a", &roof));
    assert_close(roof.bandwidth_gbs, 26.5, 1e-12);
    assert_true(roof_cache_find("b \"quoted\"", &roof));
    assert_close(roof.gflops, 34000, 1e-12);
    assert_int_equal(roof.origin, ROOF_MEASURED);
    assert_false(roof_cache_find("c", &roof));
}

TEST(broken_caches_count_as_empty) {
    static const char *const broken[] = {
        "",
        "{",
        "[1]",
        "{\"a\": 3}",
        "{\"a\": {\"bandwidth_gbs\": -1, \"gflops\": 2}}",
        "{\"a\": {\"bandwidth_gbs\": \"1\", \"gflops\": 2}}",
        "{\"a\": {\"bandwidth_gbs\": 1e999, \"gflops\": 2}}",
        "{\"a\": {\"gflops\": 2}}",
    };
    const struct roof kept = {.origin = ROOF_MEASURED, .bandwidth_gbs = 2, .gflops = 3};
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        struct roof roof = {0};
        write_cache(broken[k]);
        assert_false(roof_cache_find("a", &roof));
        assert_true(roof_cache_store("a", &kept));
        assert_true(roof_cache_find("a", &roof));
    }
}

TEST(no_folder_for_a_cache) {
    const struct roof roof = {.origin = ROOF_MEASURED, .bandwidth_gbs = 2, .gflops = 3};
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    assert_false(roof_cache_store("a", &roof));
    setenv("XDG_CACHE_HOME", folder_path, 1);
}

/* Figures that any machine exceeds and none reaches: a wrong unit would show. */
TEST(host_roof_is_of_this_world) {
    struct roof roof = {0};
    struct error error = {0};
    if (cpu_roof_measure(1, &roof, &error))
        fail_msg("%s", error.message);
    assert_int_equal(roof.origin, ROOF_MEASURED);
    assert_true(roof.bandwidth_gbs > 0.02 && roof.bandwidth_gbs < 5000);
    assert_true(roof.gflops > 0.01 && roof.gflops < 5000);
}

/* A figure that others spoiled is shown, but not kept. */
TEST(a_lane_measures_once) {
    const struct lane_spec spec = run_spec("blog", 8, 8, "serial", MAPPING_UNSTRUCTURED, "classic");
    struct computed_lane *lane = run_open(&spec);
    struct roof first;
    assert_int_equal(roof_recall(lane).origin, ROOF_UNKNOWN);
    assert_true(isnan(roof_recall(lane).gflops));
    assert_int_equal(roof_measure(lane, &first, NULL), STATUS_OK);
    assert_int_equal(first.origin, ROOF_MEASURED);
    const struct roof second = roof_recall(lane);
    assert_int_equal(second.origin, first.contended ? ROOF_UNKNOWN : ROOF_MEASURED);
    if (!first.contended)
        assert_close(second.bandwidth_gbs, first.bandwidth_gbs, 1e-9);
    run_close(lane);
}

TEST_MODULE(roofs, begin, folder_leave)
