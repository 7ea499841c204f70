/* The program and the operating system: time, memory, threads. */
#ifndef JACOBI_CORE_SYSTEM_H
#define JACOBI_CORE_SYSTEM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* The commit that this program was built from, "1a2b3c4", "-dirty" behind it if something was
 * changed since; "unknown" without a repository. */
extern const char build_commit[];

/* The host's monotonic clock, in ns since an origin that stays fixed while the machine is up. */
int64_t clock_now_ns(void);

/* Bytes of host memory that this process may take without driving the machine into swap or being
 * killed for it: the least of what the kernel calls available, nine tenths of the machine's and of
 * the control group's memory, and the process's own limit. */
uint64_t memory_usable(void);

/* Whole pages, for free(): large ones if `bytes` fill a quarter of one and the system has them, so
 * that neither a walk across rows nor a copy needs a page table entry for every 4 KiB. What they
 * hold is undefined. NULL: there is no memory. */
void *alloc_pages(size_t bytes);

/* Between the two calls the process keeps freed memory for the next allocation of any size.
 * Otherwise glibc returns the pages, and the next use faults in and clears each page again. Calls
 * nest; the last release returns all free memory. Threads are covered after memory_share. */
void memory_keep_freed(void);
void memory_release_freed(void);

/* Makes all threads allocate from one arena. Call it before the first thread starts: glibc trims
 * the 64 MiB heaps of other arenas whatever mallopt asks. */
void memory_share(void);

/* The least memory limit of this process's control group and of those around it, version 1 or 2;
 * UINT64_MAX if there is none. `groups` is the file that names the group, as /proc/self/cgroup, and
 * `root` the folder of all groups, as /sys/fs/cgroup. */
uint64_t cgroup_memory_limit(const char *groups, const char *root);

/* Starts a thread, and any that it starts, with all signals blocked, so that they come to the
 * caller, except those of a crash: a fault whose signal is blocked ends the process before a
 * handler can give the terminal back. Returns what pthread_create does. */
int thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument);

/* From now on the calling thread computes only when a processor has little else to do: beside a
 * thread that computes, 0.3 % of its time. */
void thread_lower_priority(void);

/* How many more threads this process may have, up to `wanted`: it starts them and lets them end,
 * which takes some microseconds each. OpenMP's runtime ends the process if it gets too few. */
int thread_limit(int wanted);

/* A number that only grows, and threads that wait until it has. */
struct sequence_counter {
    atomic_long value;
    pthread_mutex_t mutex;
    pthread_cond_t risen;
};

/* At 0. */
void sequence_counter_init(struct sequence_counter *gate);

/* Nobody may wait any more. */
void sequence_counter_finish(struct sequence_counter *gate);

/* Sets the value, unless it is higher already, and wakes those who wait. What the caller wrote
 * before is seen by whoever comes through. */
void sequence_counter_raise(struct sequence_counter *gate, long value);

/* Blocks until the value is `value` or more; looks at it for some microseconds before it sleeps. */
void sequence_counter_wait(struct sequence_counter *gate, long value);

#endif
