#include "ui/terminal/crash.h"

#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/process.h"

enum { SIGNALS = 32, STACK_SIZE = 1 << 16, FRAMES_MAX = 40 };

/* A signal handler has nothing but globals to know things from. */
static struct {
    int fd, nothing; /* the terminal; where other threads' frames go after a crash */
    struct termios before;
    char bytes[512];
    size_t count;
    char about[2][CRASH_ABOUT_SIZE]; /* one can be told while the other is written */
    atomic_int told;
    atomic_bool has_crashed;           /* what is told stays as it is */
    struct sigaction actions[SIGNALS]; /* by number */
    char stack[STACK_SIZE];
} guard = {.fd = -1, .nothing = -1};

/* The terminal may be slow, but not for ever. */
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

/* Only calls that are safe in a signal handler. */
static void give_back(int number) {
    const char digits[] = {(char)('0' + number / 10), (char)('0' + number % 10), '\n', '\0'};
    atomic_store(&guard.has_crashed, true);
    const char *const report[] = {"jacobi-tui: crashed by signal ", digits,
                                  guard.about[atomic_load(&guard.told)],
                                  "Backtrace, for a report of this:\n"};
    void *frames[FRAMES_MAX];
    const int terminal = dup(guard.fd);
    dup2(guard.nothing, guard.fd);
    put_bytes(terminal, guard.bytes, guard.count);
    tcsetattr(terminal, TCSANOW, &guard.before);
    for (size_t r = 0; r < sizeof report / sizeof *report; r++)
        put_bytes(STDERR_FILENO, report[r], strlen(report[r]));
    backtrace_symbols_fd(frames, backtrace(frames, FRAMES_MAX), STDERR_FILENO);
    raise(number); /* blocked until we return, and the action is the default again */
}

/* For a library that ends the process, as ncurses does if its memory runs out. */
static void give_back_at_exit(void) {
    if (guard.fd < 0)
        return;
    crash_put_bytes();
    tcsetattr(guard.fd, TCSANOW, &guard.before);
}

void crash_guard(int fd, const struct termios *before, const char *bytes, size_t count) {
    void *frame;
    backtrace(&frame, 1); /* the first call loads a library, which a handler must not */
    static bool registered;
    if (!registered)
        registered = atexit(give_back_at_exit) == 0;
    guard.fd = fd;
    guard.nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    guard.before = *before;
    guard.count = count < sizeof guard.bytes ? count : sizeof guard.bytes;
    memcpy(guard.bytes, bytes, guard.count);
    const stack_t stack = {.ss_sp = guard.stack, .ss_size = STACK_SIZE};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = give_back};
    action.sa_flags = (int)(SA_RESETHAND | SA_ONSTACK);
    sigemptyset(&action.sa_mask);
    for (int number = 1; number < SIGNALS; number++)
        if (signal_is_of_a_crash(number))
            sigaction(number, &action, &guard.actions[number]);
}

void crash_put_bytes(void) {
    put_bytes(guard.fd, guard.bytes, guard.count);
}

void crash_describe(const char *about) {
    if (atomic_load(&guard.has_crashed))
        return;
    const int next = !atomic_load(&guard.told);
    const size_t length = strnlen(about, sizeof guard.about[next] - 2);
    memcpy(guard.about[next], about, length);
    memcpy(guard.about[next] + length, "\n", 2);
    atomic_store(&guard.told, next);
}

void crash_unguard(void) {
    for (int number = 1; number < SIGNALS; number++)
        if (signal_is_of_a_crash(number))
            sigaction(number, &guard.actions[number], NULL);
    if (guard.nothing >= 0)
        close(guard.nothing);
    guard.fd = guard.nothing = -1;
}
