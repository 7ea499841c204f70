/* What must not shake the program: every way to end it on every kind of terminal, every signal,
 * windows that nobody can draw, a storm of sizes, a terminal that takes nothing, and each of its
 * own calls failing while it holds a terminal.
 *
 * Arguments: the program, and the one with tests/faults/faults.c linked in. JACOBI_TESTS=full
 * tries every combination instead of a selection that has each value of each. */
#include "tests/fixtures/support.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/crash.h"
#include "core/process.h"
#include "core/system.h"
#include "tests/faults/launch.h"
#include "tests/fixtures/pty.h"

static char *program, *faulty;

static const char *const endless[] = {"--backend",  "serial",      "--grid", "64", "--iterations",
                                      "1000000000", "--tolerance", "0",      NULL};

static void open_it(struct pty *pty, char *path, struct pty_start start) {
    const char *argv[16] = {path};
    for (int w = 0; endless[w]; w++)
        argv[w + 1] = endless[w];
    start.argv = (char *const *)argv;
    start.cols = 100;
    start.rows = 30;
    pty_open(pty, &start);
}

/* ---- every end on every terminal */

static const char *const terms[] = {"xterm-256color", "xterm", "screen",      "tmux-256color",
                                    "linux",          "vt100", "xterm-kitty", "no-such-terminal"};
static const char *const locales[] = {"C.UTF-8", "C"};
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT};

enum { TERMS = 8, LOCALES = 2, ENDS = 6, COMBINATIONS = TERMS * LOCALES * 2 * ENDS };

static void end_by(const char *term, const char *locale, bool no_color, int number) {
    char variable[] = "NO_COLOR=1", *variables[] = {no_color ? variable : NULL, NULL};
    struct pty pty;
    open_it(&pty, program,
            (struct pty_start){.term = term, .locale = locale, .variables = variables});
    pty_wait_for(&pty, "/iteration");
    const bool is_crash = signal_is_of_a_crash(number);
    if (is_crash)
        pty_prepare_crash(&pty);
    kill(pty.pid, number);
    const int status = pty_wait(&pty);
    const bool right = is_crash ? WIFSIGNALED(status) && WTERMSIG(status) == number
                                : WIFEXITED(status) && WEXITSTATUS(status) == 128 + number;
    if (!right)
        fail_msg("%s, %s, %s: signal %d ends it with %x", term, locale,
                 no_color ? "NO_COLOR" : "colours", number, (unsigned)status);
    if (is_crash)
        pty_wait_for(&pty, "Backtrace");
    pty_assert_given_back(&pty);
    pty_close(&pty);
}

TEST(ends_on_every_terminal) {
    const bool all = tests_are_full();
    int tried = 0;
    for (int c = 0; c < COMBINATIONS; c++) {
        const int t = c % TERMS, e = c / TERMS % ENDS, l = c / TERMS / ENDS % LOCALES;
        const bool no_color = c / TERMS / ENDS / LOCALES;
        if (!all && (t + e + 3 * l + 3 * no_color) % ENDS != 0)
            continue;
        end_by(terms[t], locales[l], no_color, ends[e]);
        tried++;
    }
    print_message("%d of %d combinations of terminal, locale, NO_COLOR and signal\n", tried,
                  COMBINATIONS);
}

TEST(dumb_terminal) {
    struct pty pty;
    open_it(&pty, program, (struct pty_start){.term = "dumb"});
    pty_wait_for(&pty, "--headless");
    pty_end(&pty, 2);
}

/* ---- every signal */

static void end_by_number(int number) {
    struct pty pty;
    open_it(&pty, program, (struct pty_start){.term = "xterm-256color"});
    pty_wait_for(&pty, "/iteration");
    print_message("signal %d\n", number);
    if (signal_is_of_a_crash(number))
        pty_prepare_crash(&pty);
    kill(pty.pid, number);
    const int status = pty_wait(&pty);
    const int told = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (told != 128 + number)
        fail_msg("signal %d ends it with %d", number, told);
    if (number == SIGXCPU)
        pty_wait_for(&pty, "limit on processor time");
    pty_assert_given_back(&pty);
    pty_close(&pty);
}

/* Whatever ends a process gives the terminal back first. */
TEST(every_signal) {
    static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP,  SIGTTIN, SIGTTOU, SIGCHLD,
                                 SIGCONT, SIGURG,  SIGWINCH, SIGPIPE, SIGXFSZ};
    int tried = 0;
    for (int number = 1; number <= SIGRTMAX; number++) {
        bool other = number > SIGSYS && number < SIGRTMIN; /* the C library's own */
        for (size_t o = 0; o < sizeof others / sizeof *others; o++)
            other |= others[o] == number;
        if (other || (number > SIGRTMIN && number < SIGRTMAX))
            continue;
        end_by_number(number);
        tried++;
    }
    print_message("%d signals\n", tried);
}

static void expect_ignored(struct pty *pty, const int *numbers, size_t count, const char *keys) {
    pty_wait_for(pty, "/iteration");
    for (size_t n = 0; n < count; n++)
        kill(pty->pid, numbers[n]);
    pty_type(pty, keys);
    pty_wait_for(pty, "paused at");
    pty_type(pty, "q");
    pty_end(pty, 0);
}

static int run_ignoring(void) {
    const char *argv[16] = {program};
    for (int w = 0; endless[w]; w++)
        argv[w + 1] = endless[w];
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    execv(program, (char *const *)argv);
    return 127;
}

/* As below nohup, where a key that is a signal takes no other key away; and those that would hide
 * an error of writing. */
TEST(signals_that_are_ignored) {
    static const int by_parent[] = {SIGHUP, SIGINT, SIGUSR1}, always[] = {SIGPIPE, SIGXFSZ};
    struct pty pty;
    pty_open(&pty,
             &(struct pty_start){
                 .term = "xterm-256color", .cols = 100, .rows = 30, .function = run_ignoring});
    expect_ignored(&pty, by_parent, 3, " \x03");
    open_it(&pty, program, (struct pty_start){.term = "xterm-256color"});
    expect_ignored(&pty, always, 2, " ");
}

/* ---- sizes */

enum { READABLE_COLS = 1000, READABLE_ROWS = 500 };

static int least_of(int a, int b) {
    return a < b ? a : b;
}

/* The window alone: no test has the memory for such a screen. */
static void set_window(struct pty *pty, int cols, int rows) {
    const struct winsize size = {.ws_col = (unsigned short)cols, .ws_row = (unsigned short)rows};
    pty_resize(pty, least_of(cols, READABLE_COLS), least_of(rows, READABLE_ROWS));
    assert_int_equal(ioctl(pty->fd, TIOCSWINSZ, &size), 0);
}

/* How long the program takes to answer a key, in seconds; the least of some tries. It is told, not
 * tested: that is the machine's affair, too. */
static double time_an_answer(struct pty *pty) {
    double least = LIMIT_SECONDS;
    for (int k = 0; k < (tests_are_full() ? 3 : 1); k++) {
        pty_wait_until_gone(pty, "paused at");
        const int64_t begin = clock_now_ns();
        pty_type(pty, " ");
        pty_wait_for(pty, "paused at");
        const double seconds = 1e-9 * (double)(clock_now_ns() - begin);
        least = seconds < least ? seconds : least;
        pty_type(pty, " ");
    }
    return least;
}

/* Nobody can draw these; the program must neither crash nor take long. */
TEST(impossible_windows) {
    enum { SAMPLE = 3, ALL = 7 };
    static const int sizes[ALL][2] = {{65535, 65535}, {2, 65535},  {65535, 2}, {5000, 5000},
                                      {32768, 32768}, {1000, 500}, {1001, 501}};
    for (int s = 0; s < (tests_are_full() ? ALL : SAMPLE); s++) {
        const int cols = sizes[s][0], rows = sizes[s][1];
        const bool readable = cols > 2 && rows > 2;
        struct pty pty;
        open_it(&pty, program, (struct pty_start){.term = "xterm-256color"});
        pty_wait_for(&pty, "/iteration");
        set_window(&pty, cols, rows);
        if (readable)
            print_message("%d×%d: %.3f s\n", cols, rows, time_an_answer(&pty));
        pty_resize(&pty, 100, 30);
        pty_wait_for(&pty, "/iteration");
        pty_wait_for(&pty, "quit");
        pty_type(&pty, "q");
        pty_end(&pty, 0);
    }
}

static struct winsize window;

static int run_in_window(void) {
    const char *argv[16] = {program};
    for (int w = 0; endless[w]; w++)
        argv[w + 1] = endless[w];
    ioctl(STDIN_FILENO, TIOCSWINSZ, &window);
    execv(program, (char *const *)argv);
    return 127;
}

/* From the start, by the kernel or by the environment; 0×0 is a window whose size is not known. */
TEST(impossible_windows_at_the_start) {
    static const int sizes[][2] = {{65535, 65535}, {2, 65535}, {100, 30}, {0, 0}};
    char lines[] = "LINES=99999", columns[] = "COLUMNS=99999";
    char *variables[] = {lines, columns, NULL};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct pty pty;
        window.ws_col = (unsigned short)sizes[s][0];
        window.ws_row = (unsigned short)sizes[s][1];
        pty_open(&pty, &(struct pty_start){.term = "xterm-256color",
                                           .cols = READABLE_COLS,
                                           .rows = READABLE_ROWS,
                                           .function = run_in_window,
                                           .variables = variables});
        if (window.ws_col == 2) {
            while (!pty.alternate)
                pty_read(&pty);
        } else {
            pty_wait_for(&pty, "/iteration");
        }
        pty_type(&pty, "q");
        pty_end(&pty, 0);
    }
}

TEST(storm_of_sizes) {
    struct pty pty;
    unsigned seed = 1;
    open_it(&pty, program, (struct pty_start){.term = "xterm-256color"});
    pty_wait_for(&pty, "/iteration");
    for (int k = 0; k < 1000; k++) {
        seed = seed * 1103515245 + 12345;
        pty_resize(&pty, 1 + (int)(seed >> 8) % 500, 1 + (int)(seed >> 20) % 200);
        if (k % 4 == 0) /* the next size comes while this one is being drawn */
            pty_read(&pty);
    }
    pty_resize(&pty, 100, 30);
    pty_wait_for(&pty, "/iteration");
    pty_wait_for(&pty, "quit");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
}

/* ---- a terminal that takes nothing */

/* A writer holds the terminal for a moment, too: it is full if it takes nothing many times over. */
static void wait_until_full(struct pty *pty) {
    enum { REFUSALS = 50 };
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    for (int refusals = 0; refusals < REFUSALS; poll(NULL, 0, 1)) {
        struct pollfd room = {.fd = pty->slave, .events = POLLOUT};
        refusals = poll(&room, 1, 0) == 0 ? refusals + 1 : 0;
        if (clock_now_ns() > end)
            fail_msg("the terminal is never full");
    }
}

TEST(reader_that_stops) {
    struct pty pty;
    open_it(&pty, program, (struct pty_start){.term = "xterm-256color"});
    pty_wait_for(&pty, "/iteration");
    wait_until_full(&pty);
    pty_wait_for(&pty, "/iteration");
    pty_type(&pty, " ");
    pty_wait_for(&pty, "paused at");
    pty_type(&pty, "q");
    pty_end(&pty, 0);
}

/* ---- its own calls */

static void open_launcher(struct launcher *launcher) {
    const char *const variables[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8",
                                     "XDG_CACHE_HOME=/nonexistent", NULL};
    const char *argv[16] = {faulty};
    for (int w = 0; endless[w]; w++)
        argv[w + 1] = endless[w];
    launcher_open(launcher, (char *const *)argv, variables, NULL);
}

/* As soon as there is a screen, and again if nothing comes of that. */
static int quit(struct pty *pty, const char *fault) {
    enum { PATIENCE_MS = 20 };
    const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS;
    bool typed = false;
    int status = 0;
    for (enum pty_news news; (news = pty_next(pty, PATIENCE_MS, &status)) != PTY_ENDED;) {
        if (clock_now_ns() > end)
            fail_msg("%s does not end", fault);
        if (news == PTY_SILENT || (pty->alternate && !typed))
            pty_type(pty, "q");
        typed |= pty->alternate;
    }
    return status;
}

/* Quits as soon as it runs. *told: what the program has told, to be closed. */
static void quit_with(struct launcher *launcher, const char *fault, int *told) {
    struct launch_on on = {.launcher = launcher, .told = launch_file()};
    struct pty pty;
    snprintf(on.launch.fault, sizeof on.launch.fault, "%s", fault);
    pty_open(&pty,
             &(struct pty_start){.cols = 100, .rows = 30, .begin = launcher_begin, .user = &on});
    const int status = quit(&pty, fault);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 2 || pty_shows(&pty, "ended with status 0"))
        if (!(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGHUP))
            fail_msg("%s: ends with %x", fault, (unsigned)status);
    /* Where writing to the terminal has failed, its modes are all that can be given back. */
    assert_int_equal(pty.after.c_lflag, pty.before.c_lflag);
    assert_int_equal(pty.after.c_oflag, pty.before.c_oflag);
    if (strncmp(fault, "alloc", 5) == 0)
        pty_assert_given_back(&pty);
    pty_close(&pty);
    *told = on.told;
}

/* False: it came to an end before the fault did. */
static bool fail_one(struct launcher *launcher, const char *kind, long n) {
    char fault[48];
    int told;
    snprintf(fault, sizeof fault, "%s:%ld", kind, n);
    quit_with(launcher, fault, &told);
    const bool reached = launch_mark(told) != '\0';
    close(told);
    return reached;
}

/* One call after the other until a run comes through, or the first from each call stack. */
static int fail_in_turn(const char *kind) {
    struct launcher launcher;
    char fault[48];
    int told, points = 0;
    size_t count = 0;
    open_launcher(&launcher);
    while (tests_are_full() && points < 2000 && fail_one(&launcher, kind, points + 1))
        points++;
    if (!tests_are_full()) {
        snprintf(fault, sizeof fault, "%s:?", kind);
        quit_with(&launcher, fault, &told);
        long *numbers = launch_points(told, &count);
        for (size_t n = 0; n < count; n++)
            points += fail_one(&launcher, kind, numbers[n]);
        free(numbers);
        close(told);
    }
    launcher_close(&launcher);
    return points;
}

TEST(calls_that_fail) {
    if (!faulty)
        skip();
    const int allocations = fail_in_turn("alloc"), files = fail_in_turn("file");
    print_message("on the screen: %d allocations, %d operations failed\n", allocations, files);
    assert_true(allocations > 0 && files > 0);
}

TEST_MODULE_WITH_ARGUMENTS(robust) {
    if (argc < 2)
        return 77;
    program = argv[1];
    faulty = argc > 2 ? argv[2] : NULL;
    pty_forget_colors();
    return run_file_tests(NULL, NULL);
}
