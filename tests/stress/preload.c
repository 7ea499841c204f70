/* Preloaded by tests/stress/stress.py between any program and its libraries, and between these
 * (LD_PRELOAD): the n-th allocation fails, or clocks jump.
 *
 *   STRESS_MEMORY=N     only allocation N fails; N+: also all after it
 *   STRESS_COUNT=FD     receives one byte if an allocation failed
 *   STRESS_CLOCK=S      after a second the realtime clock (not the monotonic one) is S seconds off,
 *                       and after two seconds it is right again */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static long fail_at;
static bool and_after;
static int told_to = -1;
static atomic_long made;

/* ---- memory -----------------------------------------------------------------------------------
 */

__attribute__((constructor)) static void begin(void) {
    const char *memory = getenv("STRESS_MEMORY"), *count = getenv("STRESS_COUNT");
    char *end = "";
    told_to = count ? atoi(count) : -1;
    fail_at = memory ? strtol(memory, &end, 10) : 0;
    and_after = *end == '+';
}

static bool fails(void) {
    if (fail_at == 0)
        return false;
    const long number = atomic_fetch_add(&made, 1) + 1;
    if (number < fail_at || (number > fail_at && !and_after))
        return false;
    if (number == fail_at)
        syscall(SYS_write, told_to, "!", 1);
    errno = ENOMEM;
    return true;
}

#define FAILING(name, parameters, call)                                                            \
    void *name parameters {                                                                        \
        return fails() ? NULL : call;                                                              \
    }

FAILING(malloc, (size_t size), __libc_malloc(size))
FAILING(calloc, (size_t count, size_t size), __libc_calloc(count, size))
FAILING(realloc, (void *old, size_t size), __libc_realloc(old, size))
FAILING(aligned_alloc, (size_t alignment, size_t size), __libc_memalign(alignment, size))
FAILING(memalign, (size_t alignment, size_t size), __libc_memalign(alignment, size))

int posix_memalign(void **to, size_t alignment, size_t size) {
    void *memory = fails() ? NULL : __libc_memalign(alignment, size);
    if (!memory)
        return ENOMEM;
    *to = memory;
    return 0;
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    if (fails())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
    __attribute__((alias("mmap")));

/* ---- clocks -----------------------------------------------------------------------------------
 */

static long off_seconds(void) {
    static _Atomic long began;
    const char *text = getenv("STRESS_CLOCK");
    struct timespec now;
    if (!text)
        return 0;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    long first = 0;
    if (atomic_compare_exchange_strong(&began, &first, now.tv_sec))
        first = now.tv_sec;
    return now.tv_sec == first + 1 || now.tv_sec == first + 2 ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    const int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += off_seconds();
    return result;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    *now = (struct timeval){at.tv_sec, at.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}
