#include "ui/terminal/crash.h"

#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/crash.h"

enum { FRAMES_MAX = 40 };

/* A signal handler can read only globals. */
static struct {
    const struct tty *tty; /* NULL: not guarded */
    int nothing;           /* the sink for other threads' frames after a crash */
    char bytes[512];
    size_t count;
    char hints[2][CRASH_HINT_SIZE]; /* one can be written while the other is reported */
    atomic_int current;
    atomic_bool has_crashed;  /* the hint must not change any more */
    crash_reporter *reporter; /* the previous one */
} guard = {.nothing = -1};

/* Waits for a slow terminal, but not indefinitely. */
static void put_bytes(int fd, const char *bytes, size_t count) {
    for (int patience = 10; count > 0 && patience > 0;) {
        struct pollfd ready = {.fd = fd, .events = POLLOUT};
        const ssize_t written = poll(&ready, 1, 100) > 0 ? write(fd, bytes, count) : 0;
        if (written <= 0) {
            patience--;
            poll(NULL, 0, 20);
        }
        bytes += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
}

static void give_back(int terminal) {
    put_bytes(terminal, guard.bytes, guard.count);
    tcsetattr(terminal, TCSANOW, &guard.tty->before);
    tty_restore_output(guard.tty);
}

static void report_crash(int number, const siginfo_t *info) {
    struct crash_line line = {.used = 0};
    const char *hint = guard.hints[atomic_load(&guard.current)];
    void *frames[FRAMES_MAX];
    const int terminal = dup(guard.tty->out);
    atomic_store(&guard.has_crashed, true);
    dup2(guard.nothing, guard.tty->out);
    give_back(terminal);
    crash_add(&line, "jacobi-tui: crashed by signal ");
    crash_add_number(&line, (unsigned)number);
    crash_write(&line, STDERR_FILENO);
    put_bytes(STDERR_FILENO, hint, strlen(hint));
    line.used = 0;
    crash_add(&line, "Backtrace for a bug report:");
    crash_write(&line, STDERR_FILENO);
    backtrace_symbols_fd(frames, backtrace(frames, FRAMES_MAX), STDERR_FILENO);
}

/* For a library that ends the process. */
static void give_back_at_exit(void) {
    if (guard.tty)
        give_back(guard.tty->out);
}

void crash_guard_terminal(const struct tty *tty, const char *bytes, size_t count) {
    void *frame;
    backtrace(&frame, 1); /* the first call loads a library, which a handler must not do */
    static bool registered;
    if (!registered)
        registered = atexit(give_back_at_exit) == 0;
    guard.tty = tty;
    guard.nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    guard.count = count < sizeof guard.bytes ? count : sizeof guard.bytes;
    memcpy(guard.bytes, bytes, guard.count);
    guard.reporter = crash_install(report_crash);
}

void crash_set_hint(const char *hint) {
    if (atomic_load(&guard.has_crashed))
        return;
    const int next = !atomic_load(&guard.current);
    const size_t length = strnlen(hint, CRASH_HINT_SIZE - 2);
    memcpy(guard.hints[next], hint, length);
    memcpy(guard.hints[next] + length, "\n", 2);
    atomic_store(&guard.current, next);
}

void crash_unguard_terminal(void) {
    if (!guard.tty)
        return;
    crash_install(guard.reporter);
    if (guard.nothing >= 0)
        close(guard.nothing);
    guard.tty = NULL;
    guard.nothing = -1;
}
