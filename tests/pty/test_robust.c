/* Robustness: every way to end the program on every kind of terminal, every signal, windows too
 * small or large to draw, a storm of resizes, and a terminal that accepts no output.
 *
 * Argument: the program. JACOBI_TESTS=full tries every combination instead of a selection that
 * contains each value of each. */
#include "tests/fixtures/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>

#include "core/crash.h"
#include "core/system.h"

static void open_running(void) {
    pty_run(100, 30, PTY_ENDLESS);
    pty_wait_for("/iteration");
}

/* ---- every end on every terminal */

static const char *const terms[] = {"xterm-256color", "xterm", "screen",      "tmux-256color",
                                    "linux",          "vt100", "xterm-kitty", "no-such-terminal"};
static const char *const locales[] = {"C.UTF-8", "C"};
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT};

enum { TERMS = 8, LOCALES = 2, ENDS = 6, COMBINATIONS = TERMS * LOCALES * 2 * ENDS };

/* Every way to end the process first restores the terminal. */
static void end_by(const char *term, const char *locale, bool no_color, int number) {
    pty_open(&(struct pty_start){.term = term,
                                 .locale = locale,
                                 .line = no_color ? "NO_COLOR=1 " PTY_ENDLESS : PTY_ENDLESS});
    pty_wait_for("/iteration");
    print_message("%s, %s, %s: signal %d\n", term, locale, no_color ? "NO_COLOR" : "colours",
                  number);
    const bool is_crash = signal_is_of_a_crash(number);
    if (is_crash)
        pty_prepare_crash(pty.pid);
    kill(pty.pid, number);
    const int status = pty_wait();
    const int told = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (told != 128 + number || (is_crash && !WIFSIGNALED(status)))
        fail_msg("it ends with %x", (unsigned)status);
    if (is_crash)
        pty_wait_for("Backtrace");
    if (number == SIGXCPU)
        pty_wait_for("CPU time limit reached");
    pty_assert_given_back();
    pty_close();
}

TEST(ends_on_every_terminal) {
    const bool all = tests_are_full();
    for (int c = 0; c < COMBINATIONS; c++) {
        const int t = c % TERMS, e = c / TERMS % ENDS, l = c / TERMS / ENDS % LOCALES;
        const bool no_color = c / TERMS / ENDS / LOCALES;
        if (!all && (t + e + 3 * l + 3 * no_color) % ENDS != 0)
            continue;
        end_by(terms[t], locales[l], no_color, ends[e]);
    }
}

TEST(dumb_terminal) {
    pty_open(&(struct pty_start){.term = "dumb", .line = PTY_ENDLESS});
    pty_wait_for("--headless");
    pty_end(2);
}

/* Sequences of a description that are too long to keep are left out. */
TEST(long_sequences) {
    FILE *file = fopen("long.ti", "w");
    fputs("long|x,\n\tuse=xterm-256color, rmcup@, smcup=", file);
    for (int k = 0; k < 200; k++)
        fputs("\\E[0m", file);
    fputs(",\n", file);
    fclose(file);
    if (system("tic -x -o . long.ti 2>/dev/null") != 0)
        skip();
    pty_open(&(struct pty_start){.term = "long", .line = "TERMINFO=. " PTY_ENDLESS});
    pty_wait_for("Laplacian");
    pty_quit();
}

/* ---- every other signal that ends a process */

TEST(every_other_signal) {
    static const int others[] = {SIGKILL, SIGSTOP, SIGTSTP,  SIGTTIN, SIGTTOU, SIGCHLD,
                                 SIGCONT, SIGURG,  SIGWINCH, SIGPIPE, SIGXFSZ};
    for (int number = 1; number <= SIGRTMAX; number++) {
        bool other = number > SIGSYS && number < SIGRTMIN; /* reserved by the C library */
        for_each(which, others)
            other |= *which == number;
        for (int e = 0; e < ENDS; e++)
            other |= ends[e] == number;
        if (other || (number > SIGRTMIN && number < SIGRTMAX))
            continue;
        end_by("xterm-256color", "C.UTF-8", false, number);
    }
}

static void expect_ignored(const int *numbers, size_t count, const char *keys) {
    pty_wait_for("/iteration");
    for (size_t n = 0; n < count; n++)
        kill(pty.pid, numbers[n]);
    pty_type(keys);
    pty_wait_for("paused at");
    pty_quit();
}

static int run_ignoring(void) {
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGUSR1, SIG_IGN);
    pty_execute(PTY_ENDLESS);
}

/* Like under nohup, where an ignored signal's key must not discard other keys; and signals that
 * would hide a write error. */
TEST(signals_that_are_ignored) {
    static const int by_parent[] = {SIGHUP, SIGINT, SIGUSR1}, always[] = {SIGPIPE, SIGXFSZ};
    pty_open(&(struct pty_start){.function = run_ignoring});
    expect_ignored(by_parent, 3, " \x03");
    pty_run(100, 30, PTY_ENDLESS);
    expect_ignored(always, 2, " ");
}

/* ---- sizes */

enum { READABLE_COLS = 1000, READABLE_ROWS = 500 };

static int least_of(int a, int b) {
    return a < b ? a : b;
}

/* Sets only the window's size: no test has the memory for such a screen. */
static void set_window(int cols, int rows) {
    const struct winsize size = {.ws_col = (unsigned short)cols, .ws_row = (unsigned short)rows};
    pty_resize(least_of(cols, READABLE_COLS), least_of(rows, READABLE_ROWS));
    assert_int_equal(ioctl(pty.fd, TIOCSWINSZ, &size), 0);
}

/* Such windows can't be drawn; the program must not crash, and answers keys. */
TEST(impossible_windows) {
    enum { SAMPLE = 3, ALL = 7 };
    static const int sizes[ALL][2] = {{65535, 65535}, {2, 65535},  {65535, 2}, {5000, 5000},
                                      {32768, 32768}, {1000, 500}, {1001, 501}};
    for (int s = 0; s < (tests_are_full() ? ALL : SAMPLE); s++) {
        const int cols = sizes[s][0], rows = sizes[s][1];
        const bool readable = cols > 2 && rows > 2;
        open_running();
        set_window(cols, rows);
        if (readable)
            PTY_PLAY({" ", "paused at"}, {" ", "!paused at"});
        pty_resize(100, 30);
        PTY_PLAY({.shows = "/iteration"}, {.shows = "quit"});
        pty_quit();
    }
}

static struct winsize window;

static int run_in_window(void) {
    ioctl(STDIN_FILENO, TIOCSWINSZ, &window);
    pty_execute("LINES=99999 COLUMNS=99999 " PTY_ENDLESS);
}

/* From the start, by the kernel or the environment; 0×0 means a window of unknown size. */
TEST(impossible_windows_at_the_start) {
    static const int sizes[][2] = {{65535, 65535}, {2, 65535}, {100, 30}, {0, 0}};
    for (size_t s = 0; s < count_of(sizes); s++) {
        window.ws_col = (unsigned short)sizes[s][0];
        window.ws_row = (unsigned short)sizes[s][1];
        pty_open(&(struct pty_start){
            .cols = READABLE_COLS, .rows = READABLE_ROWS, .function = run_in_window});
        if (window.ws_col == 2) {
            while (!pty.alternate)
                pty_read();
        } else {
            pty_wait_for("/iteration");
        }
        pty_quit();
    }
}

TEST(storm_of_sizes) {
    unsigned seed = 1;
    open_running();
    for (int k = 0; k < 1000; k++) {
        seed = seed * 1103515245 + 12345;
        pty_resize(1 + (int)(seed >> 8) % 500, 1 + (int)(seed >> 20) % 200);
        if (k % 4 == 0) /* the next size comes while this one is drawn */
            pty_read();
    }
    pty_resize(100, 30);
    PTY_PLAY({.shows = "/iteration"}, {.shows = "quit"});
    pty_quit();
}

/* ---- a terminal that accepts nothing */

/* Fills it with bytes that it ignores. */
static void fill_terminal(void) {
    static const char nothing[4096];
    const int fd = open(ptsname(pty.fd), O_WRONLY | O_NOCTTY | O_NONBLOCK);
    assert_true(fd >= 0);
    while (write(fd, nothing, sizeof nothing) > 0)
        continue;
    assert_int_equal(errno, EAGAIN);
    close(fd);
}

/* The program also reads keys while it can't write. */
TEST(reader_that_stops) {
    int unread = 1;
    open_running();
    fill_terminal();
    pty_type(" ");
    for (const int64_t end = clock_now_ns() + INT64_C(1000000000) * LIMIT_SECONDS; unread > 0;) {
        assert_int_equal(ioctl(pty.slave, FIONREAD, &unread), 0);
        assert_true(clock_now_ns() < end);
        poll(NULL, 0, 1);
    }
    pty_wait_for("paused at");
    pty_quit();
}

TEST_MODULE(robust, NULL, NULL)
