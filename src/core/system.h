/* The program and the operating system: time, memory, threads. */
#ifndef JACOBI_CORE_SYSTEM_H
#define JACOBI_CORE_SYSTEM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* The commit that this program was built from, "1a2b3c4" or "1a2b3c4-dirty"; "unknown" without a
 * repository. */
extern const char build_commit[];

/* The CPU's name as the system reports it, at most 63 bytes; "CPU" if it reports none. */
const char *cpu_name(void);

/* The host's monotonic clock, in ns since an origin that stays fixed while the machine is up. */
int64_t clock_now_ns(void);

/* The same less the time in which the process was stopped, as by Ctrl-Z: a second or more between
 * two calls counts as such. For limits on time that are looked at more often. Any thread may call.
 */
int64_t clock_awake_ns(void);

/* Bytes of host memory that this process may allocate without swapping or being killed. It is the
 * least of the kernel's available memory, nine tenths of the machine's, and nine tenths of the
 * remainders under the control group's limit and the process's own (ulimit -v, -d). */
uint64_t memory_usable(void);

/* Allocates whole pages, undefined, for free(): huge pages if `bytes` fill a quarter of one, to
 * spare page table entries. NULL: out of memory. */
void *alloc_pages(size_t bytes);

/* Asks for huge pages where none of the memory has been touched yet. */
void memory_use_large_pages(void *memory, size_t bytes);

/* Between the two calls the process keeps freed memory for the next allocation of any size.
 * Otherwise glibc returns the pages, and the next use faults in and clears each page again. Calls
 * nest; the last release returns all free memory. Threads are covered after memory_share. */
void memory_keep_freed(void);
void memory_release_freed(void);

/* Makes all threads allocate from one arena. Call it before the first thread starts: glibc trims
 * the 64 MiB heaps of other arenas whatever mallopt asks. */
void memory_share(void);

/* The least that the memory limits of this process's control group and of those around it leave,
 * version 1 or 2; UINT64_MAX if there is none. `groups` is the file that names the group, as
 * /proc/self/cgroup, and `root` the folder of all groups, as /sys/fs/cgroup. */
uint64_t cgroup_memory_limit(const char *groups, const char *root);

/* The same of processors: the quota as a whole number, at least 1. */
uint64_t cgroup_cpu_limit(const char *groups, const char *root);

/* How many processors this process may use, by its affinity and its control group. */
int cpus_usable(void);

/* Starts a thread with all signals blocked but those of a crash: a blocked fault would end the
 * process before a handler restores the terminal. Returns pthread_create's result. */
int thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument);

/* Lowers the calling thread's priority: next to a busy thread it gets 0.3 % of the processor. */
void thread_lower_priority(void);

/* How many more threads this process may have, up to `wanted`. Starts and ends them, a few µs each.
 * OpenMP's runtime ends the process if it gets too few. */
int thread_limit(int wanted);

/* A number that only grows, on which threads wait. */
struct sequence_counter {
    atomic_long value;
    pthread_mutex_t mutex;
    pthread_cond_t risen;
};

/* At 0. */
void sequence_counter_init(struct sequence_counter *counter);

/* No thread may wait any more. */
void sequence_counter_finish(struct sequence_counter *counter);

/* Sets the value, unless it is higher already, and wakes waiting threads, which see the caller's
 * earlier writes. */
void sequence_counter_raise(struct sequence_counter *counter, long value);

/* Blocks until the counter is at least `value`: spins for a few µs, then sleeps. */
void sequence_counter_wait(struct sequence_counter *counter, long value);

#endif
