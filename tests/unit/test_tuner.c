/* The tuner's results, and the cache that stores them. */
#include <sched.h>

#include "core/json.h"
#include "kernels/cpu/roof.h"
#include "solver/tuner.h"
#include "tests/fixtures/folder.h"
#include "tests/fixtures/runs.h"

static int begin(void **state) {
    return setenv("XDG_CACHE_HOME", folder_path, 1) || mkdir("jacobi-tui", 0700);
}

static void write_cache(const char *text) {
    file_write_text("jacobi-tui/tuner.json", "%s", text);
}

/* ---- autotuning ----------------------------------------------------------------------------- */

struct times {
    double seconds[SCHEDULE_MAX_DEPTH + 1]; /* for each candidate */
    int measured;                           /* number of measurements */
};

static enum status look_up(void *context, int value, double *seconds, struct error *why) {
    struct times *times = context;
    times->measured++;
    *seconds = times->seconds[value];
    return STATUS_OK;
}

/* The depth that autotuning of 4, 8 and 16 finds; -1 if it reports other candidates. */
static int tuned_depth(const char *device, struct times *times) {
    static const struct autotune_choice depths = {TUNING_DEPTH, {4, 8, 16}};
    const struct autotune plan = {device, &depths, 1, 2, look_up, times, NULL, 0, 0};
    struct engine_spec spec = {.run.schedule = {.kind = SCHEDULE_BLOCKED},
                               .mesh = mesh_make(64, 64)};
    uint64_t depths_tried = 0;
    struct tuning tried = {0};
    times->measured = 0;
    assert_ok(autotune(&plan, &spec, &depths_tried, &tried, &error));
    const uint64_t wanted = spec.run.schedule.depth ? 1 << 4 | 1 << 8 | 1 << 16 : 0;
    return depths_tried == wanted ? spec.run.schedule.depth : -1;
}

TEST(the_fastest_is_found_once_per_device) {
    struct times eight = {.seconds = {[4] = 3, [8] = 2, [16] = 4}};
    struct times sixteen = {.seconds = {[4] = 3, [8] = 2, [16] = 1}};
    write_cache("");
    assert_int_equal(tuned_depth("one", &eight), 8);
    assert_int_equal(eight.measured, 6);
    assert_int_equal(tuned_depth("a \"quoted\" one", &sixteen), 16);
    assert_int_equal(tuned_depth("one", &sixteen), 8);
    assert_int_equal(sixteen.measured, 0);
}

TEST(what_cannot_be_timed_stays_open) {
    struct times none = {.seconds = {[4] = INFINITY, [8] = INFINITY, [16] = INFINITY}};
    struct times one = {.seconds = {[4] = INFINITY, [8] = INFINITY, [16] = 1}};
    write_cache("");
    assert_int_equal(tuned_depth("one", &none), 0);
    assert_int_equal(tuned_depth("one", &one), 16);
}

/* A value that is not a candidate doesn't count either. */
TEST(broken_caches_count_as_empty) {
    struct times times = {.seconds = {[4] = 1, [8] = 2, [16] = 3}};
    char key[400], text[600];
    write_cache("");
    tuned_depth("one", &times);
    cJSON *cache = json_cache_read("tuner.json");
    print_to(key, "%s", cache->child->string);
    cJSON_Delete(cache);
    print_to(text, "{\"%s\": {\"depth\": 8}}", key);
    write_cache(text);
    assert_int_equal(tuned_depth("one", &times), 8);
    for_each_word(broken, "", "{", "[1, 2]", "{\"%s\": 8}", "{\"%s\": {}}",
                  "{\"%s\": {\"depth\": \"8\"}}", "{\"%s\": {\"depth\": 5}}",
                  "{\"%s\": {\"depth\": 1e99}}") {
        const char *const hole = strstr(broken, "%s");
        print_to(text, "%.*s%s%s", hole ? (int)(hole - broken) : 200, broken, hole ? key : "",
                 hole ? hole + 2 : "");
        write_cache(text);
        assert_int_equal(tuned_depth("one", &times), 4);
        assert_int_equal(times.measured, 6);
        assert_int_equal(tuned_depth("one", &times), 4);
        assert_int_equal(times.measured, 0);
    }
}

TEST(no_cache_folder) {
    struct times times = {.seconds = {[4] = 1, [8] = 2, [16] = 3}};
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    for (int run = 0; run < 2; run++) {
        assert_int_equal(tuned_depth("one", &times), 4);
        assert_int_equal(times.measured, 6);
    }
    setenv("XDG_CACHE_HOME", folder_path, 1);
}

/* A folder that belongs to someone else may contain links to the caller's files. */
TEST(cache_of_another_user) {
    struct times times = {.seconds = {[4] = 1, [8] = 2, [16] = 3}};
    file_write_text("letter", "dear\n");
    assert_int_equal(
        unlink("jacobi-tui/tuner.json") | symlink("../letter", "jacobi-tui/tuner.json"), 0);
    if (chown("jacobi-tui", 54321, 54321) != 0)
        skip(); /* only root can */
    assert_int_equal(tuned_depth("one", &times), 4);
    assert_string_equal(folder_text("letter"), "dear\n");
    assert_int_equal(chown("jacobi-tui", geteuid(), getegid()) | unlink("jacobi-tui/tuner.json"),
                     0);
}

/* A run's depth is one of the candidates, and a second run has the same. A requested depth is not
 * reported as the best of several. */
static void check_depth(const char *backend) {
    const struct lane_spec given = run_of("%s/unstructured/blocked:8 --grid 65x40", backend);
    const struct lane_spec open = run_of("%s/unstructured/blocked --grid 65x40", backend);
    int first = 0;
    for (int run = 0; run < 2; run++) {
        owned_run lane = run_open(&open);
        const int depth = lane->engine->spec.run.schedule.depth;
        assert_true(lane->engine->depths_tried >> depth & lane->engine->depths_tried >> 8 & 1);
        assert_true(first == 0 || depth == first);
        first = depth;
    }
    owned_run lane = run_open(&given);
    assert_true(lane->engine->depths_tried == 0);
}

TEST(depth_of_runs) {
    check_depth("serial");
    if (backend_is_here("omp"))
        check_depth("omp");
}

/* ---- peaks ---------------------------------------------------------------------------------- */

static struct roof probed;

static enum status probe_roof(int device, const struct tuning *tuning, struct roof *roof,
                              struct error *why) {
    *roof = probed;
    return STATUS_OK;
}

/* Figures distorted by contention are returned, but not cached. */
TEST(roofs_are_kept_by_device) {
    static const struct backend backend = {.name = "one", .measure_roof = probe_roof};
    const struct device a = {.name = "a"}, b = {.name = "b \"quoted\""};
    const struct run_id run = {.tuning.threads = 2};
    struct roof roof = {0};
    write_cache("[1]");
    assert_int_equal(tuner_find_roof(&backend, &a, &run).origin, ROOF_UNKNOWN);
    assert_true(isnan(tuner_find_roof(&backend, &a, &run).gflops));
    probed = (struct roof){ROOF_MEASURED, 26.5, 150, .contended = true};
    assert_ok(tuner_measure_roof(&backend, &a, &run, &roof, &error));
    assert_true(roof.contended && roof.gflops == 150);
    assert_int_equal(tuner_find_roof(&backend, &a, &run).origin, ROOF_UNKNOWN);
    probed.contended = false;
    assert_ok(tuner_measure_roof(&backend, &a, &run, &roof, &error));
    probed.gflops = -1; /* no roof: counts as missing */
    assert_ok(tuner_measure_roof(&backend, &b, &run, &roof, &error));
    assert_close(tuner_find_roof(&backend, &a, &run).bandwidth_gbs, 26.5, 1e-12);
    assert_int_equal(tuner_find_roof(&backend, &a, &run).origin, ROOF_MEASURED);
    assert_int_equal(tuner_find_roof(&backend, &b, &run).origin, ROOF_UNKNOWN);
}

/* A roof of two cores is not one core's. Machines that share the cache differ in the same way. */
TEST(roofs_are_kept_by_number_of_cores) {
    static const struct backend backend = {.name = "one", .measure_roof = probe_roof};
    const struct device device = {.name = "host device"};
    const struct run_id run = {.tuning.threads = 0};
    struct roof roof = {0};
    cpu_set_t all, one;
    write_cache("");
    probed = (struct roof){ROOF_MEASURED, 26.5, 150, false};
    assert_ok(tuner_measure_roof(&backend, &device, &run, &roof, &error));
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2)
        skip();
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(tuner_find_roof(&backend, &device, &run).origin, ROOF_UNKNOWN);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_int_equal(tuner_find_roof(&backend, &device, &run).origin, ROOF_MEASURED);
}

/* Bounds that any machine exceeds, and none reaches: they detect a wrong unit. */
TEST(host_roof_is_of_this_world) {
    struct roof roof = {0};
    assert_ok(cpu_roof_measure(1, &roof, &error));
    assert_int_equal(roof.origin, ROOF_MEASURED);
    assert_true(roof.bandwidth_gbs > 0.02 && roof.bandwidth_gbs < 5000);
    assert_true(roof.gflops > 0.01 && roof.gflops < 5000);
}

TEST_MODULE(tuner, begin, NULL)
