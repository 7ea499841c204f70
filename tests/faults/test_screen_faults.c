/* Every call into a back end fails in turn while the screen shows the run: the screen stays with
 * the reason, keys still work, the terminal is given back, and the exit status is the one that the
 * manual names. Arguments: the program with tests/faults/faults.c linked in, and the folder of the
 * fake GPU drivers, if they are there. */
#include "tests/fixtures/support.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/system.h"
#include "kernels/backends.h"
#include "tests/faults/endings.h"
#include "tests/fixtures/pty.h"

enum { POINTS_MAX = 2000 };

static char *program, *fake;

static int temporary(void) {
    char path[] = "/tmp/jacobi-fault-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    unlink(path);
    return fd;
}

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

/* Waits until the run has come to its end, and leaves; `first` is a key to be typed before.
 * *finished: nothing had failed when it left. */
static int leave(struct pty *pty, const char *fault, const char *first, bool *finished) {
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    int status = 0;
    while (waitpid(pty->pid, &status, WNOHANG) == 0) {
        if (clock_now_ns() > end)
            fail_on_screen(pty, fault);
        pty_pump(pty, 20);
        if (!has_ended(pty))
            continue;
        *finished = pty_shows(pty, "finished:");
        if (write(pty->fd, *first ? first : "q", 1) != 1)
            break;
        first += *first != '\0';
    }
    pty->pid = 0;
    pty_pump(pty, 20);
    return status;
}

/* `late`: it was left after the run had been seen to finish, or while the roof was measured: what
 * fails then may come too late to be told. */
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

/* Whether the call that was to fail was reached. */
static bool run_with(const char *backend, const char *schedule, const char *kind, long n,
                     const char *on) {
    char fault[64], number[64], home[] = "XDG_CACHE_HOME=/nonexistent", library[4200], mark = '\0';
    const char *const argv[] = {program,  "--backend",   backend,     "--schedule", schedule,
                                "--grid", "16",          "--problem", "hot-plate",  "--iterations",
                                "8",      "--tolerance", "0",         NULL};
    const int fd = temporary();
    snprintf(fault, sizeof fault, "JACOBI_FAULT=%s:%ld%s", kind, n, on);
    snprintf(number, sizeof number, "JACOBI_FAULT_FD=%d", fd);
    snprintf(library, sizeof library, "LD_LIBRARY_PATH=%s", fake ? fake : "");
    char *variables[] = {fault, number, home, strcmp(backend, "hip") == 0 ? library : NULL, NULL};
    struct pty pty;
    pty_open(&pty, &(struct pty_start){.term = "xterm-256color",
                                       .cols = 100,
                                       .rows = 30,
                                       .argv = (char *const *)argv,
                                       .variables = variables});
    const bool roof = strcmp(schedule, "fused") == 0;
    bool finished = false;
    /* f: the roofline measures the roof */
    const int status = leave(&pty, fault, roof ? "f" : "", &finished);
    if (pread(fd, &mark, 1, 0) != 1)
        mark = '\0';
    close(fd);
    check(fault, mark, status, roof || finished, &pty);
    pty_close(&pty);
    return mark != '\0';
}

static long fail_in_turn(const char *backend, const char *schedule, const char *on, long step) {
    long points = 0;
    step *= fault_step();
    while (points < POINTS_MAX && run_with(backend, schedule, "backend", 1 + points * step, on))
        points++;
    return points;
}

static void fail_calls(const char *backend) {
    static const char *const schedules[] = {"classic", "fused", "blocked:4"};
    struct device_list devices;
    if (strcmp(backend, "hip") == 0 ? !fake
                                    : backend_find(backend)->probe(&devices, NULL) != STATUS_OK)
        skip();
    for (size_t s = 0; s < sizeof schedules / sizeof *schedules; s++) {
        const long once = fail_in_turn(backend, schedules[s], "", 1);
        const long on = fail_in_turn(backend, schedules[s], "+", 5);
        assert_true(run_with(backend, schedules[s], "nan", 1, ""));
        assert_true(run_with(backend, schedules[s], "inf", 1, ""));
        print_message("%-8s %-10s on the screen: %ld calls failed once, %ld from then on\n",
                      backend, schedules[s], once, on);
        assert_true(once > 0 && on > 0);
    }
}

static void test_serial(void **state) {
    (void)state;
    fail_calls("serial");
}

static void test_threads(void **state) {
    (void)state;
    fail_calls("threads");
}

static void test_omp(void **state) {
    (void)state;
    fail_calls("omp");
}

static void test_hip(void **state) {
    (void)state;
    fail_calls("hip");
}

TEST_MODULE(faults_screen) {
    if (argc < 2)
        return 77;
    program = argv[1];
    fake = argc > 2 ? argv[2] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_serial),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_omp),
        cmocka_unit_test(test_hip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
