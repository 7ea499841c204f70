/* Every call into a back end fails in turn while the screen shows the run: the
 * screen stays with the reason, keys still work, the terminal is given back,
 * and the exit status is the one that the manual names. Arguments: the program
 * with tests/faults/faults.c linked in, and the folder of the fake GPU drivers,
 * if they are there. */
#include "tests/fixtures/support.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/system.h"
#include "kernels/backends.h"
#include "tests/faults/fault_runner.h"
#include "tests/faults/launch.h"
#include "tests/fixtures/pty.h"

enum { POINTS_MAX = 2000 };

static char *program, *fake;

static bool has_ended(struct pty *pty) {
    return pty_shows(pty, "told to fail") || pty_shows(pty, "could not start") ||
           pty_shows(pty, "solution diverged") || pty_shows(pty, "converged after") ||
           pty_shows(pty, "finished:");
}

static void fail_on_screen(struct pty *pty, const char *fault) {
    for (int row = 0; row < pty->rows; row++)
        print_message("%s\n", pty_row(pty, row));
    fail_msg("%s does not end", fault);
}

/* Waits until the run has come to its end, and leaves; `first` is a key to be
 * typed before. Keys are typed again if nothing comes of them. *finished:
 * nothing had failed when it left. */
static int leave(struct pty *pty, const char *fault, const char *first, bool *finished) {
    enum { PATIENCE_MS = 100 };
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    int status = 0, typed = 0;
    for (enum pty_news news; (news = pty_next(pty, PATIENCE_MS, &status)) != PTY_ENDED;) {
        if (clock_now_ns() > end)
            fail_on_screen(pty, fault);
        if (!pty->alternate || (typed > 0 && !*first && news == PTY_WROTE) || !has_ended(pty))
            continue;
        typed++;
        *finished = pty_shows(pty, "finished:");
        pty_type(pty, *first ? (char[]){*first, '\0'} : "q");
        first += *first != '\0';
    }
    return status;
}

/* `late`: it was left after the run had been seen to finish, or while the roof
 * was measured: what fails then may come too late to be told. */
static void check(const char *fault, char mark, int status, bool late, struct pty *pty) {
    const int wanted = mark == '\0' ? 0 : mark - '0';
    const bool may_differ = strchr(fault, '+') != NULL; /* more than one call has failed */
    const int got = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const bool right = may_differ ? got >= 0 && got <= 4 : got == wanted || (late && got == 0);
    if (!right)
        fail_msg("%s (mark %c): ends with %x", fault, mark ? mark : '-', (unsigned)status);
    if (got > 0 && !pty_shows(pty, "told to fail") && !pty_shows(pty, "too large") &&
        !pty_shows(pty, "U(5, 3) is "))
        fail_msg("%s: no reason is given", fault);
    pty_assert_given_back(pty);
}

static void open_launcher(struct launcher *launcher, const char *backend, const char *schedule) {
    const char *const argv[] = {program,  "--backend",   backend,     "--schedule", schedule,
                                "--grid", "16",          "--problem", "hot-plate",  "--iterations",
                                "8",      "--tolerance", "0",         NULL};
    char library[4200];
    snprintf(library, sizeof library, "LD_LIBRARY_PATH=%s", fake ? fake : "");
    const char *const variables[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8",
                                     "XDG_CACHE_HOME=/nonexistent",
                                     strcmp(backend, "hip") == 0 ? library : NULL, NULL};
    launcher_open(launcher, (char *const *)argv, variables, NULL);
}

/* *told: what the program has told, to be closed. */
static void run_with(struct launcher *launcher, bool roof, const char *fault, int *told) {
    struct launch_on on = {.launcher = launcher, .told = launch_file()};
    struct pty pty;
    snprintf(on.launch.fault, sizeof on.launch.fault, "%s", fault);
    pty_open(&pty,
             &(struct pty_start){.cols = 100, .rows = 30, .begin = launcher_begin, .user = &on});
    bool finished = false;
    const bool survey = strchr(fault, '?') != NULL;
    /* f: the roofline measures the roof */
    const int status = leave(&pty, fault, roof ? "f" : "", &finished);
    check(fault, survey ? '\0' : launch_mark(on.told), status, roof || finished, &pty);
    pty_close(&pty);
    *told = on.told;
}

/* Whether the call that was to fail was reached. */
static bool fail_one(struct launcher *launcher, bool roof, const char *kind, long n,
                     const char *on) {
    char fault[48];
    int told;
    snprintf(fault, sizeof fault, "%s:%ld%s", kind, n, on);
    run_with(launcher, roof, fault, &told);
    const bool reached = launch_mark(told) != '\0';
    close(told);
    return reached;
}

/* All of them, until a run comes through, or the first of each call stack. */
static long fail_in_turn(struct launcher *launcher, bool roof, const char *on, long step) {
    long points = 0, *numbers;
    size_t count;
    int told;
    step *= fault_step();
    while (tests_are_full() && points < POINTS_MAX &&
           fail_one(launcher, roof, "backend", 1 + points * step, on))
        points++;
    if (tests_are_full())
        return points;
    run_with(launcher, roof, "backend:?", &told);
    numbers = launch_points(told, &count);
    for (size_t n = 0; n < count; n += (size_t)step)
        points += fail_one(launcher, roof, "backend", numbers[n], on);
    free(numbers);
    close(told);
    return points;
}

static void fail_calls(const char *backend) {
    static const char *const schedules[] = {"classic", "fused", "blocked:4"};
    struct device_list devices;
    if (strcmp(backend, "hip") == 0 ? !fake
                                    : backend_find(backend)->probe(&devices, NULL) != STATUS_OK)
        skip();
    /* What is above the back ends is the same for all: a sample has each call
     * with one of them. */
    const int step = tests_are_full() || strcmp(backend, "serial") == 0 ? 1 : 5;
    for (size_t s = 0; s < sizeof schedules / sizeof *schedules; s++) {
        const bool roof = strcmp(schedules[s], "fused") == 0;
        struct launcher launcher;
        open_launcher(&launcher, backend, schedules[s]);
        const long once = fail_in_turn(&launcher, roof, "", step);
        const long on = fail_in_turn(&launcher, roof, "+", 5 * step);
        assert_true(fail_one(&launcher, roof, "nan", 1, ""));
        assert_true(fail_one(&launcher, roof, "inf", 1, ""));
        launcher_close(&launcher);
        print_message("%-8s %-10s on the screen: %ld calls failed once, %ld from then on\n",
                      backend, schedules[s], once, on);
        assert_true(once > 0 && on > 0);
    }
}

TEST(serial) {
    fail_calls("serial");
}

TEST(threads) {
    fail_calls("threads");
}

TEST(omp) {
    fail_calls("omp");
}

TEST(hip) {
    fail_calls("hip");
}

TEST_MODULE_WITH_ARGUMENTS(faults_screen) {
    if (argc < 2)
        return 77;
    program = argv[1];
    fake = argc > 2 ? argv[2] : NULL;
    pty_forget_colors();
    return run_file_tests(NULL, NULL);
}
