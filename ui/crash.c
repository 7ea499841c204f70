#include "ui/crash.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { SIGNALS = sizeof signals / sizeof *signals, STACK_SIZE = 1 << 15 };

/* A signal handler has nothing but globals to know things from. */
static struct {
    int fd;
    struct termios before;
    char bytes[512];
    size_t count;
    struct sigaction actions[SIGNALS];
    char stack[STACK_SIZE];
} guard;

static void put(const char *bytes, size_t count) {
    ssize_t ignored = write(STDERR_FILENO, bytes, count);
    (void)ignored;
}

static void put_signal(int number) {
    const char digits[] = {(char)('0' + number / 10), (char)('0' + number % 10)};
    static const char words[] = "jacobi-tui: crashed by signal ";
    put(words, sizeof words - 1);
    put(digits, sizeof digits);
    put("\n", 1);
}

/* Only calls that are safe in a signal handler. */
static void give_back(int number) {
    ssize_t ignored = write(guard.fd, guard.bytes, guard.count);
    (void)ignored;
    tcsetattr(guard.fd, TCSANOW, &guard.before);
    put_signal(number);
    raise(number); /* blocked until we return, and the action is the default again */
}

void crash_guard(int fd, const struct termios *before, const char *bytes, size_t count) {
    guard.fd = fd;
    guard.before = *before;
    guard.count = count < sizeof guard.bytes ? count : sizeof guard.bytes;
    memcpy(guard.bytes, bytes, guard.count);
    const stack_t stack = {.ss_sp = guard.stack, .ss_size = STACK_SIZE};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = give_back};
    action.sa_flags = (int)(SA_RESETHAND | SA_ONSTACK);
    sigemptyset(&action.sa_mask);
    for (int s = 0; s < SIGNALS; s++)
        sigaction(signals[s], &action, &guard.actions[s]);
}

void crash_unguard(void) {
    for (int s = 0; s < SIGNALS; s++)
        sigaction(signals[s], &guard.actions[s], NULL);
}
