/* The depth that `blocked` chooses, and the cache that remembers it. */
#include "kernels/backends.h"
#include "tests/fixtures/support.h"

#include <stdio.h>
#include <unistd.h>

#include "solver/depth.h"
#include "tests/fixtures/runs.h"

static char folder[] = "/tmp/jacobi-depth-XXXXXX";
static char file[128];

static int make_folder(void **state) {
    if (!mkdtemp(folder))
        return 1;
    snprintf(file, sizeof file, "%s/jacobi-tui/depths.json", folder);
    return setenv("XDG_CACHE_HOME", folder, 1);
}

static int remove_folder(void **state) {
    unlink(file);
    strcpy(strrchr(file, '/'), "/lock");
    unlink(file);
    *strrchr(file, '/') = '\0';
    rmdir(file);
    return rmdir(folder);
}

TEST(cache_remembers) {
    assert_int_equal(depth_cache_find("a"), 0);
    depth_cache_store("a", 12);
    depth_cache_store("b", 3);
    depth_cache_store("a", 24);
    assert_int_equal(depth_cache_find("a"), 24);
    assert_int_equal(depth_cache_find("b"), 3);
}

static void write_file(const char *text) {
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

TEST(broken_cache_is_ignored) {
    depth_cache_store("a", 12); /* makes the folder */
    const char *const broken[] = {"",
                                  "{\"a\": 12",
                                  "[1, 2]",
                                  "{\"a\": 0}",
                                  "{\"a\": -3}",
                                  "{\"a\": 1000000}",
                                  "{\"a\": \"12\"}"};
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        write_file(broken[k]);
        assert_int_equal(depth_cache_find("a"), 0);
    }
    depth_cache_store("a", 7);
    assert_int_equal(depth_cache_find("a"), 7);
}

static int chosen_depth(const char *backend) {
    const struct lane_spec spec =
        run_spec("blog", 65, 40, backend, MAPPING_UNSTRUCTURED, "blocked");
    struct computed_lane *lane = run_open(&spec);
    const struct schedule schedule = lane->engine->spec.run.schedule;
    const uint64_t tried = lane->engine->depths_tried;
    run_close(lane);
    assert_int_equal(schedule.kind, SCHEDULE_BLOCKED);
    assert_true(tried >> schedule.depth & 1 && tried >> 8 & 1 && tried >> 16 & 1);
    return schedule.depth;
}

/* What is found once is kept: a second run uses it, whatever the clock would say now. */
static void check_choice_is_kept(const char *backend) {
    write_file("{}");
    const int depth = chosen_depth(backend), other = depth == 8 ? 16 : 8;
    assert_in_range(depth, 1, SCHEDULE_MAX_DEPTH);
    char text[512] = "", planted[600], key[400];
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    assert_true(fread(text, 1, sizeof text - 1, in) > 0);
    fclose(in);
    assert_int_equal(sscanf(text, "{ \"%399[^\"]\"", key), 1);
    assert_int_equal(depth_cache_find(key), depth);
    snprintf(planted, sizeof planted, "{\"%s\": %d}", key, other);
    write_file(planted);
    assert_int_equal(chosen_depth(backend), other);
}

/* A depth that was asked for is not said to be the best of some. */
TEST(nothing_is_tried_if_a_depth_is_given) {
    const struct lane_spec spec =
        run_spec("blog", 65, 40, "serial", MAPPING_UNSTRUCTURED, "blocked:8");
    struct computed_lane *lane = run_open(&spec);
    const uint64_t tried = lane->engine->depths_tried;
    run_close(lane);
    assert_true(tried == 0);
}

TEST(choice_is_kept) {
    check_choice_is_kept("serial");
}

TEST(choice_is_kept_for_omp) {
    struct device_list devices;
    struct error error;
    if (backend_find("omp")->probe(&devices, &error)) {
        print_message("can't run here: %s\n", error.message);
        skip();
    }
    check_choice_is_kept("omp");
}

TEST(no_cache_folder) {
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    assert_in_range(chosen_depth("serial"), 1, SCHEDULE_MAX_DEPTH);
    setenv("XDG_CACHE_HOME", folder, 1);
}

TEST_MODULE(depth, make_folder, remove_folder)
