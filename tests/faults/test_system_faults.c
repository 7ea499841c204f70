/* Every allocation and every operation on a file fails in turn, once and from then on, until a run
 * succeeds. The program must end by itself, with an exit status from the manual, one clear line,
 * and no partial output. Builds with AddressSanitizer also find leaks.
 *
 * The first argument is the program with tests/faults/faults.c linked in. */
#include "tests/fixtures/support.h"

#include "tests/faults/fault_runner.h"

/* Returns the number of failed calls. */
static long fail_calls(const char *what, const char *line) {
    const int step = IS_SANITIZED ? 1 : fault_sample(3); /* sanitizers find leaks */
    const long allocations = fault_runner_fail_each(line, "alloc", "", step);
    const long files = fault_runner_fail_each(line, "file", "", step);
    const long more = fault_runner_fail_each(line, "alloc", "+", 5 * step) +
                      fault_runner_fail_each(line, "file", "+", 5 * step);
    print_message("%-12s %4ld allocations, %4ld operations; %ld from then on\n", what, allocations,
                  files, more);
    assert_true(!tests_are_full() || (allocations > 0 && files > 0));
    return allocations + files + more;
}

TEST(every_run) {
    static const struct {
        const char *what, *line;
    } runs[] = {
        {"headless", "--headless --format json --backend serial --grid 16 --iterations 3"},
        {"compare", "--headless --grid 16 --iterations 3 --tolerance 0 --compare "
                    "serial,serial/unstructured/blocked"},
        {"slabs", "--headless --format json --backend serial --devices 0,0 --grid 16 "
                  "--iterations 3 --schedule fused"},
        {"preset", "--headless --preset good.ini --format csv"},
        {"list", "--list --format json"},
        {"record", "--headless --backend serial --grid 16 --iterations 3 --record new.rec"},
        {"replay", "--headless --replay good.rec --format json"},
        {"side by side", "--headless --compare good.rec,good.rec --format json"},
        {"beside", "--headless --compare serial,good.rec --format json"},
        {"elsewhere", "--headless --on ./there --format json --backend serial --grid 16 "
                      "--iterations 3"},
        {"from here", "--headless --on ./sound --format json --backend serial --grid 16 "
                      "--iterations 3"},
        {"screenshot", "--headless --replay good.rec --screenshot new.svg"},
        {"cast", "--headless --replay good.rec --cast new.asc --size 60x20"},
    };
    long all = 0;
    for_each(run, runs)
        all += fail_calls(run->what, run->line);
    assert_in_range(all, 200, 100000);
}

TEST_MODULE(faults_system, fault_runner_setup, NULL)
