/* Every call into a back end fails in turn, and every call of the HIP back end to its driver, once
 * and from then on. fault_runner.h defines the checks; here the exit status must be exactly the one
 * in the manual. A replay makes no such call at all.
 *
 * Arguments: the program with tests/faults/faults.c linked in; then, if there are fake drivers,
 * their folder and the GPUs that they can simulate (tests/fixtures/fake/driver.h). */
#include "tests/faults/fault_runner.h"
#include "tests/fixtures/runs.h"

static char *fake;
static const char *nvidia, *amd; /* one available GPU of each vendor, or NULL */

/* One run per distinct use of a back end; a %s takes the back end's name. Norm is small, since the
 * kernels of `hip` run on the CPU here. Fields can't be small, so only every `step`th of their
 * driver calls fails. */
static const struct {
    const char *what, *line;
    int step;
} runs[] = {
    {"classic", "--headless --format json --backend %s --grid 12x9 --iterations 3", 1},
    {"fused",
     "--headless --format json --backend %s --grid 12x9 --iterations 3 --schedule fused --mapping "
     "structured",
     1},
    {"blocked",
     "--headless --format json --backend %s --grid 12x9 --iterations 9 --schedule blocked:4", 1},
    {"record", "--headless --backend %s --grid 12x9 --iterations 3 --record new.rec", 7},
    {"picture", "--headless --backend %s --grid 12x9 --iterations 3 --screenshot new.svg", 7},
    {"comparison",
     "--headless --grid 12x9 --iterations 3 --tolerance 0 --compare %s,serial/unstructured/"
     "fused",
     1},
};

enum { RUNS = count_of(runs) };

static const char *line_of(int run, const char *backend) {
    static char line[256];
    print_to(line, runs[run].line, backend); /* NOLINT: the table's own formats */
    return format_append(line, sizeof line, "%s",
                         strcmp(backend, "hip") == 0 ? " --norm-blocks 2 --norm-block 32" : "");
}

/* Returns the number of failed calls. */
static long fail_calls_of(const char *backend, int run, const char *kind, int step) {
    const char *line = line_of(run, backend);
    const long once = fault_runner_fail_each(line, kind, "", step);
    const long on = fault_runner_fail_each(line, kind, "+", 5 * step);
    print_message("%-8s %-10s %4ld calls (%s) failed once, %ld from then on\n", backend,
                  runs[run].what, once, kind, on);
    assert_true(!tests_are_full() || (once > 0 && on > 0));
    return once + on;
}

/* The code above the back ends is common, so a sample covers each call with only one of them. A
 * non-finite value in the field must end the run in every schedule of each back end. */
static void fail_backend(const char *backend) {
    enum { SCHEDULES = 3 };
    long planted = 0, failed = 0;
    const bool every = tests_are_full() || strcmp(backend, "serial") == 0;
    for (int run = 0; run < RUNS; run++)
        failed += fail_calls_of(backend, run, "backend", every ? 1 : 3);
    assert_true(failed > 10);
    const int lines = every ? RUNS : SCHEDULES;
    for (int r = 0; r < lines; r++) {
        planted += fault_runner_fail_each(line_of(r, backend), "nan", "", 1);
        planted += fault_runner_fail_each(line_of(r, backend), "inf", "", 1);
    }
    print_message("%-8s %ld runs with NaN or infinity in the field\n", backend, planted);
    assert_true(planted >= 2 * lines);
}

TEST(backends_on_the_cpu) {
    for_each_word(name, "serial", "threads", "omp")
        if (backend_is_here(name))
            fail_backend(name);
        else
            print_message("can't run here: %s\n", name);
}

/* Device memory that the program requests explicitly from the runtime. */
TEST(offload) {
    if (!backend_is_here("omp"))
        skip();
    const long room = fault_runner_fail_each(line_of(0, "omp"), "offload", "+", 1);
    const long unified = fault_runner_fail_each(
        "--headless --backend omp --mapping unified --grid 12x9 --iterations 3", "offload", "", 1);
    print_message("omp      %ld, unified %ld requests for memory on the device refused\n", room,
                  unified);
    assert_true(room > 0 && unified > 0);
}

TEST(hip) {
    if (!fake)
        skip();
    setenv("LD_LIBRARY_PATH", fake, 1);
    fail_backend("hip");
    unsetenv("LD_LIBRARY_PATH");
}

/* The wave width doesn't affect the driver calls, so one GPU per vendor is enough. A sample covers
 * each call of the first run, and some of the others, which call from mostly the same places. */
static void fail_driver_of(const char *vendor, const char *gpu) {
    if (!gpu) {
        print_message("NOT TESTED: %s's driver, for this build has no code objects for it\n",
                      vendor);
        skip();
    }
    setenv("LD_LIBRARY_PATH", fake, 1);
    setenv("FAKE_GPU", gpu, 1);
    print_message("%s, %s:\n", vendor, gpu);
    long failed = 0;
    for (int run = 0; run < RUNS; run++)
        failed +=
            fail_calls_of("hip", run, "driver", fault_sample(run == 0 ? 1 : 5) * runs[run].step);
    assert_true(failed > 50);
    unsetenv("FAKE_GPU");
    unsetenv("LD_LIBRARY_PATH");
}

TEST(driver_of_nvidia) {
    fail_driver_of("NVIDIA", nvidia);
}

TEST(driver_of_amd) {
    fail_driver_of("AMD", amd);
}

TEST(replay) {
    assert_int_equal(
        fault_runner_fail_each("--headless --replay good.rec --format json", "backend", "+", 1), 0);
}

static const char *first_with(const char *prefix, char *const *names) {
    while (*names && strncmp(*names, prefix, strlen(prefix)) != 0)
        names++;
    return *names;
}

TEST_MODULE_WITH_ARGUMENTS(faults_backend) {
    fake = argc > 2 ? argv[2] : NULL;
    nvidia = argc > 3 ? first_with("sm_", argv + 3) : NULL;
    amd = argc > 3 ? first_with("gfx", argv + 3) : NULL;
    return run_file_tests(fault_runner_setup, NULL);
}
