#include "core/crash.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { STACKS = 5, STACK_SIZE = 1 << 16 };

static _Atomic(crash_reporter *) reporter;

bool signal_is_of_a_crash(int number) {
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
           number == SIGABRT || number == SIGTRAP || number == SIGSYS;
}

static void on_crash(int number, siginfo_t *info, void *context) {
    static atomic_int crashed; /* the first thread that crashed */
    crash_reporter *report = atomic_load(&reporter);
    int first = 0;
    if (!atomic_compare_exchange_strong(&crashed, &first, gettid()))
        while (first != gettid()) /* equal: the report itself crashed */
            pause();
    else if (report)
        report(number, info);
    signal(number, SIG_DFL);
    raise(number); /* takes effect when the handler returns: the handler blocks the signal */
}

/* Installs the handler. Existing handlers stay unless `replaces` is set. */
static void set_handler(int number, bool replaces) {
    const struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction now;
    if (replaces || (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL))
        sigaction(number, &action, NULL);
}

void crash_take_stack(void) {
    static char stacks[STACKS][STACK_SIZE];
    static atomic_uint taken;
    stack_t now = {.ss_flags = SS_DISABLE};
    sigaltstack(NULL, &now);
    /* An existing stack may be a sanitizer's, which frees it when the thread ends. */
    const unsigned mine = now.ss_flags & SS_DISABLE ? atomic_fetch_add(&taken, 1) : STACKS;
    if (mine < STACKS)
        sigaltstack(&(stack_t){.ss_sp = stacks[mine], .ss_size = STACK_SIZE}, NULL);
}

static crash_reporter *install(crash_reporter *report, bool replaces) {
    crash_reporter *last = atomic_exchange(&reporter, report);
    crash_take_stack();
    for (int number = 1; number < SIGRTMIN; number++)
        if (signal_is_of_a_crash(number))
            set_handler(number, replaces);
    return last;
}

crash_reporter *crash_install(crash_reporter *report) {
    return install(report, true);
}

/* ---- without a screen */

const char out_of_time[] = "CPU time limit reached (ulimit -t): the recording so far is kept";

static void report_end(int number, const siginfo_t *info) {
    struct crash_line line = {.used = 0};
    crash_add(&line, "jacobi-tui: ");
    if (number == SIGXCPU) {
        crash_add(&line, out_of_time);
    } else {
        crash_add(&line, "crashed by signal ");
        crash_add_number(&line, (unsigned)number);
        crash_add(&line, ", in a back end or its runtime: the recording so far is kept; "
                         "--backend chooses another");
    }
    crash_write(&line, STDERR_FILENO);
}

void crash_install_headless(void) {
    install(report_end, false);
    set_handler(SIGXCPU, false);
}

/* ---- lines */

void crash_add(struct crash_line *line, const char *text) {
    while (*text && line->used + 1 < sizeof line->text)
        line->text[line->used++] = *text++;
}

void crash_add_number(struct crash_line *line, unsigned number) {
    char digits[12] = "";
    size_t first = sizeof digits - 1;
    do
        digits[--first] = (char)('0' + number % 10);
    while (number /= 10);
    crash_add(line, digits + first);
}

void crash_write(struct crash_line *line, int fd) {
    line->text[line->used++] = '\n';
    (void)!write(fd, line->text, line->used);
}
