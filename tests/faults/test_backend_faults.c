/* Every call into a back end fails in turn, and every call of the HIP back end to its driver, once
 * and from then on: what must be true then is in endings.h; here the exit status is the very one
 * that the manual names. A replay makes no such call at all.
 *
 * Arguments: the program with tests/faults/faults.c linked in, and the folder of the fake CUDA
 * driver, if there is one. */
#include "tests/fixtures/support.h"

#include <stdio.h>

#include "kernels/backends.h"
#include "tests/faults/endings.h"

static char *program, *fake;

/* Each run in which a back end is called in a way of its own; a %s takes the back end's name. */
static const struct {
    const char *what, *line;
} runs[] = {
    {"classic", "--headless --format json --backend %s --grid 12x9 --iterations 3"},
    {"fused", "--headless --format json --backend %s --grid 12x9 --iterations 3 --schedule fused "
              "--mapping structured"},
    {"blocked", "--headless --format json --backend %s --grid 12x9 --iterations 9 --schedule "
                "blocked:4"},
    {"record", "--headless --backend %s --grid 12x9 --iterations 3 --record new.rec"},
    {"picture", "--headless --backend %s --grid 12x9 --iterations 3 --screenshot new.svg"},
    {"comparison", "--headless --grid 12x9 --iterations 3 --tolerance 0 --compare %s,serial/"
                   "unstructured/fused"},
};

enum { RUNS = sizeof runs / sizeof *runs };

static const char *line_of(int run, const char *backend) {
    static char line[256];
    snprintf(line, sizeof line, runs[run].line, backend); /* NOLINT: the table's own formats */
    return line;
}

static bool is_there(const char *backend) {
    struct device_list devices;
    return backend_find(backend)->probe(&devices, NULL) == STATUS_OK;
}

static void fail_calls(const char *backend, const char *kind) {
    for (int r = 0; r < RUNS; r++) {
        const char *line = line_of(r, backend);
        const long once = endings_fail_in_turn(line, kind, "", 1);
        const long on = endings_fail_in_turn(line, kind, "+", 5);
        print_message("%-8s %-10s %4ld calls (%s) failed once, %4ld from then on\n", backend,
                      runs[r].what, once, kind, on);
        assert_true(once > 0 && on > 0);
    }
}

static void test_serial(void **state) {
    (void)state;
    fail_calls("serial", "backend");
}

static void test_threads(void **state) {
    (void)state;
    if (!is_there("threads"))
        skip();
    fail_calls("threads", "backend");
}

static void test_omp(void **state) {
    (void)state;
    if (!is_there("omp"))
        skip();
    fail_calls("omp", "backend");
}

/* Memory on the device that the program asks the runtime for by name. */
static void test_offload(void **state) {
    (void)state;
    if (!is_there("omp"))
        skip();
    const long room = endings_fail_in_turn(line_of(0, "omp"), "offload", "+", 1);
    const long unified = endings_fail_in_turn(
        "--headless --backend omp --mapping unified --grid 12x9 --iterations 3", "offload", "", 1);
    print_message("omp      %ld, unified %ld requests for memory on the device refused\n", room,
                  unified);
    assert_true(room > 0 && unified > 0);
}

static void test_hip(void **state) {
    (void)state;
    if (!fake)
        skip();
    setenv("LD_LIBRARY_PATH", fake, 1);
    fail_calls("hip", "backend");
    fail_calls("hip", "driver");
    unsetenv("LD_LIBRARY_PATH");
}

static void test_replay(void **state) {
    (void)state;
    assert_int_equal(
        endings_fail_in_turn("--headless --replay good.rec --format json", "backend", "+", 1), 0);
}

static int begin(void **state) {
    (void)state;
    return endings_begin(program);
}

static int end(void **state) {
    (void)state;
    return endings_end();
}

int main(int argc, char *argv[]) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_serial), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_omp),    cmocka_unit_test(test_offload),
        cmocka_unit_test(test_hip),    cmocka_unit_test(test_replay),
    };
    if (argc < 2)
        return 2;
    program = argv[1];
    fake = argc > 2 ? argv[2] : NULL;
    return cmocka_run_group_tests(tests, begin, end);
}
