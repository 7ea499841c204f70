#include "core/thread.h"

#include <signal.h>

static const int of_a_crash[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};

int thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument) {
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t s = 0; s < sizeof of_a_crash / sizeof *of_a_crash; s++)
        sigdelset(&blocked, of_a_crash[s]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    const int failed = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}
