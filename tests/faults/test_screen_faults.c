/* Every call into a back end fails in turn while the screen shows the run. The screen must remain
 * and show the reason, keys must work, the terminal must be restored, and the exit status must be
 * the one in the manual. Arguments: the program with tests/faults/faults.c linked in, and the
 * folder of the fake GPU drivers, if there are any. */
#include "tests/fixtures/pty.h"

#include "core/system.h"
#include "tests/faults/fault_runner.h"
#include "tests/faults/launch.h"
#include "tests/fixtures/runs.h"

static char *fake;

static bool has_ended(void) {
    return pty_shows("told to fail") || pty_shows("could not start") ||
           pty_shows("solution diverged") || pty_shows("converged after") || pty_shows("finished:");
}

/* Waits until the run has ended, and quits; types key `first` before that. Repeats keys that have
 * no effect. *finished: no call had failed when it quit. */
static int leave(const char *fault, const char *first, bool *finished) {
    enum { PATIENCE_MS = 100 };
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    int status = 0, typed = 0;
    for (enum pty_news news; (news = pty_next(PATIENCE_MS, &status)) != PTY_ENDED;) {
        if (clock_now_ns() > end)
            pty_fail("%s does not end", fault);
        if (!pty.alternate || (typed > 0 && !*first && news == PTY_WROTE) || !has_ended())
            continue;
        typed++;
        *finished = pty_shows("finished:");
        pty_type(*first ? (char[]){*first, '\0'} : "q");
        first += *first != '\0';
    }
    return status;
}

/* `late`: it quit after the run had finished, or while the roof was measured. Such a failure may
 * come too late to be reported. */
static void check(const char *fault, char mark, int status, bool late) {
    const int wanted = mark == '\0' ? 0 : mark - '0';
    const bool may_differ = strchr(fault, '+') != NULL; /* more than one call may have failed */
    const int got = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const bool right = may_differ ? got >= 0 && got <= 4 : got == wanted || (late && got == 0);
    if (!right)
        fail_msg("%s (mark %c): ends with %x", fault, mark ? mark : '-', (unsigned)status);
    if (got > 0 && !pty_shows("told to fail") && !pty_shows("too large") &&
        !pty_shows("U(5, 3) is "))
        fail_msg("%s: no reason is given", fault);
    pty_assert_given_back();
}

struct screen_run {
    struct launcher launcher;
    bool roof;
};

static void open_launcher(struct launcher *launcher, const char *line, const char *library) {
    char variable[4200];
    print_to(variable, "LD_LIBRARY_PATH=%s", library ? library : "");
    const char *const variables[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8",
                                     "XDG_CACHE_HOME=/nonexistent", library ? variable : NULL,
                                     NULL};
    launcher_open(launcher, line, variables);
}

static void open_with_fault(struct launch_on *on, const char *fault) {
    print_to(on->launch.fault, "%s", fault);
    pty_open(&(struct pty_start){.begin = launcher_begin, .user = on});
}

static int run_with(void *user, const char *fault) {
    struct screen_run *run = user;
    struct launch_on on = {.launcher = &run->launcher, .told = launch_file()};
    bool finished = false;
    const bool survey = strchr(fault, '?') != NULL;
    open_with_fault(&on, fault);
    /* f: opens the roofline, which measures the roof */
    const int status = leave(fault, run->roof ? "f" : "", &finished);
    check(fault, survey ? '\0' : launch_mark(on.told), status, run->roof || finished);
    pty_close();
    return on.told;
}

static void plant(struct screen_run *run, const char *fault) {
    const int told = run_with(run, fault);
    assert_int_not_equal(launch_mark(told), '\0');
    close(told);
}

static void fail_calls(const char *backend) {
    long failed = 0;
    if (strcmp(backend, "hip") == 0 ? !fake : !backend_is_here(backend))
        return;
    /* The code above the back ends is common, so a sample covers each call with only one of
     * them. */
    const int step = strcmp(backend, "serial") == 0 ? 1 : fault_sample(5);
    for_each_word(schedule, "classic", "fused", "blocked:4") {
        struct screen_run run = {.roof = strcmp(schedule, "fused") == 0};
        open_launcher(
            &run.launcher,
            PRINT("--backend %s --schedule %s --grid 16 --problem hot-plate --iterations 8 "
                  "--tolerance 0",
                  backend, schedule),
            strcmp(backend, "hip") == 0 ? fake : NULL);
        const long once = fail_each(run_with, &run, "backend", "", step);
        const long on = fail_each(run_with, &run, "backend", "+", 5 * step);
        plant(&run, "nan:1");
        plant(&run, "inf:1");
        launcher_close(&run.launcher);
        print_message("%-8s %-10s on the screen: %ld calls failed once, %ld from then on\n",
                      backend, schedule, once, on);
        assert_true(!tests_are_full() || (once > 0 && on > 0));
        failed += once + on;
    }
    assert_true(failed > 8);
}

TEST(backends_fail) {
    for_each_word(name, "serial", "threads", "omp", "hip")
        fail_calls(name);
}

/* ---- the program's own calls */

/* Types q once there is a screen, and repeats it if it has no effect. */
static int quit(const char *fault) {
    enum { PATIENCE_MS = 20 };
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    bool typed = false;
    int status = 0;
    for (enum pty_news news; (news = pty_next(PATIENCE_MS, &status)) != PTY_ENDED;) {
        if (clock_now_ns() > end)
            pty_fail("%s does not end", fault);
        if (news == PTY_SILENT || (pty.alternate && !typed))
            pty_type("q");
        typed |= pty.alternate;
    }
    return status;
}

/* Quits immediately after the start. */
static int quit_with(void *user, const char *fault) {
    struct launch_on on = {.launcher = user, .told = launch_file()};
    open_with_fault(&on, fault);
    const int status = quit(fault);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 2 || pty_shows("ended with status 0"))
        if (!(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGHUP))
            fail_msg("%s: ends with %x", fault, (unsigned)status);
    /* If writing to the terminal has failed, only its modes can be restored. */
    assert_int_equal(pty.after.c_lflag, pty.before.c_lflag);
    assert_int_equal(pty.after.c_oflag, pty.before.c_oflag);
    if (strncmp(fault, "alloc", 5) == 0)
        pty_assert_given_back();
    pty_close();
    return on.told;
}

TEST(allocations_and_files) {
    const int step = IS_SANITIZED ? 1 : fault_sample(3); /* sanitizers find leaks */
    struct launcher launcher;
    open_launcher(&launcher, PTY_ENDLESS, NULL);
    const long allocations = fail_each(quit_with, &launcher, "alloc", "", step);
    const long files = fail_each(quit_with, &launcher, "file", "", step);
    launcher_close(&launcher);
    print_message("on the screen: %ld allocations, %ld operations failed\n", allocations, files);
    assert_true(allocations > 0 && files > 0);
}

TEST_MODULE_WITH_ARGUMENTS(faults_screen) {
    fake = argc > 2 ? argv[2] : NULL;
    pty_forget_colors();
    return run_file_tests(NULL, NULL);
}
