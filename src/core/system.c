#include "core/system.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/process.h"

int64_t clock_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* ---- memory --------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t nine_tenths(uint64_t bytes) {
    return bytes - bytes / 10;
}

/* The first line of `path` that `format` can read a number of; UINT64_MAX if there is none. */
static uint64_t read_number(const char *path, const char *format, uint64_t unit) {
    FILE *file = fopen(path, "re");
    char line[256];
    uint64_t number;
    uint64_t found = UINT64_MAX;
    while (file && found == UINT64_MAX && fgets(line, sizeof line, file))
        if (sscanf(line, format, &number) == 1 && number < UINT64_MAX / unit)
            found = number * unit;
    if (file)
        fclose(file);
    return found;
}

uint64_t memory_usable(void) {
    static const char *const groups[] = {"/sys/fs/cgroup/memory.max",
                                         "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    const uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    uint64_t bytes = nine_tenths(pages * (uint64_t)sysconf(_SC_PAGESIZE));
    bytes = least(bytes, read_number("/proc/meminfo", "MemAvailable: %" SCNu64 " kB", 1024));
    for (int g = 0; g < 2; g++)
        bytes = least(bytes, nine_tenths(read_number(groups[g], "%" SCNu64, 1)));
    struct rlimit own;
    if (getrlimit(RLIMIT_AS, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
        bytes = least(bytes, own.rlim_cur);
    return bytes;
}

/* ---- threads -------------------------------------------------------------------------------- */

int thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument) {
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (int number = 1; number < SIGRTMIN; number++)
        if (signal_is_of_a_crash(number))
            sigdelset(&blocked, number);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    const int failed = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}
