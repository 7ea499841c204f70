#include "core/system.h"

#include <inttypes.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "core/crash.h"
#include "core/paths.h"
#include "core/text.h"

int64_t clock_now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

int64_t awake_clock_at(struct awake_clock *clock, int64_t now_ns) {
    static const int64_t gap_ns = 1000000000;
    const int64_t passed_ns = now_ns - clock->last_ns;
    clock->last_ns = now_ns;
    clock->awake_ns += passed_ns < gap_ns ? passed_ns : 0;
    return clock->awake_ns;
}

int64_t clock_awake_ns(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct awake_clock clock;
    pthread_mutex_lock(&mutex);
    const int64_t awake_ns = awake_clock_at(&clock, clock_now_ns());
    pthread_mutex_unlock(&mutex);
    return awake_ns;
}

/* ---- memory --------------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t nine_tenths(uint64_t bytes) {
    return bytes - bytes / 10;
}

/* Reads a kernel file, truncated to `size`; "" if it can't be read. Returns `text`. */
static char *read_text(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "re");
    text[file ? fread(text, 1, size - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
    return text;
}

/* The first number that `format` matches in a line of the file; UINT64_MAX if there is none. */
static uint64_t read_number(const char *folder, const char *name, const char *format,
                            uint64_t unit) {
    char path[PATH_SIZE], text[8192], *rest = text;
    uint64_t number;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    read_text(path, text, sizeof text);
    for (const char *line; (line = strsep(&rest, "\n"));)
        if (sscanf(line, format, &number) == 1 && number < UINT64_MAX / unit)
            return number * unit;
    return UINT64_MAX;
}

/* Memory that the group may still allocate. Unused page cache counts as free. */
static uint64_t read_memory_limit(const char *folder, bool second) {
    const uint64_t limit =
        read_number(folder, second ? "memory.max" : "memory.limit_in_bytes", "%" SCNu64, 1);
    const uint64_t used =
        read_number(folder, second ? "memory.current" : "memory.usage_in_bytes", "%" SCNu64, 1);
    const uint64_t kept =
        read_number(folder, "memory.stat",
                    second ? "inactive_file %" SCNu64 : "total_inactive_file %" SCNu64, 1);
    if (limit == UINT64_MAX || used == UINT64_MAX)
        return limit;
    return limit - least(limit, used - least(used, kept == UINT64_MAX ? 0 : kept));
}

/* Whole processors: a fraction of one would periodically throttle all threads. */
static uint64_t read_cpu_limit(const char *folder, bool second) {
    const uint64_t quota =
        read_number(folder, second ? "cpu.max" : "cpu.cfs_quota_us", "%" SCNu64, 1);
    const uint64_t period = read_number(folder, second ? "cpu.max" : "cpu.cfs_period_us",
                                        second ? "%*u %" SCNu64 : "%" SCNu64, 1);
    return quota == UINT64_MAX || period == 0 ? UINT64_MAX : quota < period ? 1 : quota / period;
}

/* The lowest limit of this process's group and its ancestors. */
static uint64_t least_limit(const char *groups, const char *root, const char *controller,
                            uint64_t (*read)(const char *folder, bool second)) {
    char text[16384], folder[sizeof text + PATH_SIZE], *rest = read_text(groups, text, sizeof text);
    uint64_t limit = UINT64_MAX;
    for (char *path; (path = strsep(&rest, "\n"));) { /* "4:cpu,cpuacct:/a/b" */
        strsep(&path, ":");
        char *controllers = strsep(&path, ":");
        if (!path)
            continue;
        const bool second = !*controllers; /* version 2 names no controllers */
        const char *listed = strsep(&controllers, ",");
        while (listed && strcmp(listed, controller) != 0)
            listed = strsep(&controllers, ",");
        if (!second && !listed)
            continue;
        for (char *end = path + strlen(path); end; end = strrchr(path, '/')) { /* "/a/b" */
            *end = '\0';
            const int length = snprintf(folder, sizeof folder, "%s%s%s%s", root, second ? "" : "/",
                                        second ? "" : controller, path);
            limit = length < PATH_SIZE - 32 ? least(limit, read(folder, second)) : limit;
        }
    }
    return limit;
}

uint64_t cgroup_memory_limit(const char *groups, const char *root) {
    return least_limit(groups, root, "memory", read_memory_limit);
}

uint64_t cgroup_cpu_limit(const char *groups, const char *root) {
    return least_limit(groups, root, "cpu", read_cpu_limit);
}

int cpus_usable(void) {
    cpu_set_t set;
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return (int)least((uint64_t)count, cgroup_cpu_limit("/proc/self/cgroup", "/sys/fs/cgroup"));
}

uint64_t memory_usable(void) {
    const uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    uint64_t bytes = nine_tenths(pages * (uint64_t)sysconf(_SC_PAGESIZE));
    bytes = least(bytes, read_number("/proc", "meminfo", "MemAvailable: %" SCNu64 " kB", 1024));
    bytes = least(bytes, nine_tenths(cgroup_memory_limit("/proc/self/cgroup", "/sys/fs/cgroup")));
    static const struct {
        enum __rlimit_resource resource;
        const char *used;
    } limits[] = {{RLIMIT_AS, "VmSize: %" SCNu64 " kB"}, {RLIMIT_DATA, "VmData: %" SCNu64 " kB"}};
    for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
        struct rlimit own;
        if (getrlimit(limits[l].resource, &own) || own.rlim_cur == RLIM_INFINITY)
            continue;
        const uint64_t used = read_number("/proc/self", "status", limits[l].used, 1024);
        bytes = least(bytes, nine_tenths(own.rlim_cur -
                                         (used == UINT64_MAX ? 0 : least(used, own.rlim_cur))));
    }
    return bytes;
}

void *alloc_pages(size_t bytes) {
    enum { LARGE_PAGE = 2 << 20 };
    const bool is_large = bytes >= (size_t)LARGE_PAGE / 4;
    const size_t page = is_large ? LARGE_PAGE : (size_t)sysconf(_SC_PAGESIZE);
    const size_t whole = (bytes + page - 1) / page * page;
    void *memory = aligned_alloc(page, whole);
    if (memory && is_large)
        memory_use_large_pages(memory, whole);
    return memory;
}

void memory_use_large_pages(void *memory, size_t bytes) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)memory + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
    if (first < end)
        madvise((char *)memory + (first - (uintptr_t)memory), end - first, MADV_HUGEPAGE);
}

static pthread_mutex_t keepers_mutex = PTHREAD_MUTEX_INITIALIZER;
static int keepers;

void memory_keep_freed(void) {
    pthread_mutex_lock(&keepers_mutex);
    if (keepers++ == 0) {
        mallopt(M_MMAP_MAX, 0); /* older glibc versions reject a threshold above 32 MiB */
        mallopt(M_TRIM_THRESHOLD, -1);
    }
    pthread_mutex_unlock(&keepers_mutex);
}

void memory_release_freed(void) {
    /* glibc's values. It raises the thresholds to these as large blocks are freed. */
    enum { MMAPS_MAX = 65536, MMAP_THRESHOLD = 32 << 20, TRIM_THRESHOLD = 64 << 20 };
    pthread_mutex_lock(&keepers_mutex);
    /* Other allocators, such as a sanitizer's, have no options and nothing to trim. */
    if (--keepers == 0 && mallopt(M_MMAP_MAX, MMAPS_MAX)) {
        mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD);
        mallopt(M_TRIM_THRESHOLD, TRIM_THRESHOLD);
        malloc_trim(0);
    }
    pthread_mutex_unlock(&keepers_mutex);
}

/* ---- threads -------------------------------------------------------------------------------- */

static int start_thread(pthread_t *thread, const pthread_attr_t *attributes,
                        void *(*run)(void *argument), void *argument) {
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (int number = 1; number < SIGRTMIN; number++)
        if (signal_is_of_a_crash(number))
            sigdelset(&blocked, number);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    const int failed = pthread_create(thread, attributes, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

int thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument) {
    return start_thread(thread, NULL, run, argument);
}

void thread_lower_priority(void) {
    /* On Linux, both apply to a single thread. Next to a busy thread, SCHED_IDLE gets 0.3 % of a
     * processor. The lowest priority, for systems that forbid SCHED_IDLE, gets 1.4 %. */
    const struct sched_param none = {0};
    if (sched_setscheduler(gettid(), SCHED_IDLE, &none) != 0)
        setpriority(PRIO_PROCESS, (id_t)gettid(), 19);
}

static void *pass_lock(void *lock) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return NULL;
}

int thread_limit(int wanted, size_t stack_bytes) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t attributes;
    pthread_t *threads = wanted > 0 ? malloc((size_t)wanted * sizeof *threads) : NULL;
    int started = 0;
    pthread_attr_init(&attributes);
    if (stack_bytes > 0)
        pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_mutex_lock(&lock); /* no thread ends before the last has started */
    while (threads && started < wanted &&
           start_thread(&threads[started], &attributes, pass_lock, &lock) == 0)
        started++;
    pthread_mutex_unlock(&lock);
    pthread_attr_destroy(&attributes);
    for (int t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    free(threads);
    return started;
}

/* The size of a thread's stack (OMP_STACKSIZE). Only LLVM's runtime has this function. */
extern __attribute__((weak)) size_t kmp_get_stacksize_s(void);

enum status thread_check_team(int count, const char *setting, bool starts, struct error *error) {
    static atomic_int most[2]; /* of the teams checked so far; [true]: with `starts` */
    if (count <= 1 || count <= atomic_load(&most[starts]))
        return STATUS_OK;
    const size_t stack_bytes = kmp_get_stacksize_s ? kmp_get_stacksize_s() : 0;
    const int possible = 1 + thread_limit(count - 1, stack_bytes);
    if (possible < count)
        return error_set(error, STATUS_UNAVAILABLE,
                         "only %d of %d threads can be started here (ulimit -u, -v, "
                         "OMP_STACKSIZE): %s sets how many",
                         possible, count, setting);
    atomic_store(&most[false], count);
    if (starts)
        atomic_store(&most[true], count);
    return STATUS_OK;
}

/* ---- sequence counters ---------------------------------------------------------------------- */

void sequence_counter_init(struct sequence_counter *counter) {
    atomic_init(&counter->value, 0);
    pthread_mutex_init(&counter->mutex, NULL);
    pthread_cond_init(&counter->risen, NULL);
}

void sequence_counter_finish(struct sequence_counter *counter) {
    pthread_cond_destroy(&counter->risen);
    pthread_mutex_destroy(&counter->mutex);
}

void sequence_counter_raise(struct sequence_counter *counter, long value) {
    pthread_mutex_lock(&counter->mutex);
    if (value > atomic_load_explicit(&counter->value, memory_order_relaxed))
        atomic_store_explicit(&counter->value, value, memory_order_release);
    pthread_cond_broadcast(&counter->risen);
    pthread_mutex_unlock(&counter->mutex);
}

void sequence_counter_wait(struct sequence_counter *counter, long value) {
    enum { PATIENCE_NS = 50000 };
    const int64_t start = clock_now_ns();
    while (atomic_load_explicit(&counter->value, memory_order_acquire) < value) {
        if (clock_now_ns() - start < PATIENCE_NS) {
            sched_yield();
            continue;
        }
        pthread_mutex_lock(&counter->mutex);
        while (atomic_load_explicit(&counter->value, memory_order_acquire) < value)
            pthread_cond_wait(&counter->risen, &counter->mutex);
        pthread_mutex_unlock(&counter->mutex);
    }
}

static char cpu[64] = "CPU";

static void read_cpu(void) {
    char text[4096], *line = strstr(read_text("/proc/cpuinfo", text, sizeof text), "model name");
    if (line && sscanf(line, "model name : %63[^\n]", cpu) == 1)
        text_sanitize(cpu);
}

const char *cpu_name(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_cpu);
    return cpu;
}
