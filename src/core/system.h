/* The operating system's services: time, memory, threads. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* The commit from which this program was built, "1a2b3c4" or "1a2b3c4-dirty"; "unknown" without a
 * repository. */
extern const char build_commit[];

/* The CPU's name as the system reports it, at most 63 bytes; "CPU" if it reports none. */
const char *cpu_name(void);

/* The host's monotonic clock, in ns from an origin that is fixed until the machine reboots. */
int64_t clock_now_ns(void);

/* A clock that excludes the time in which the process was stopped, as by Ctrl-Z: a gap of a second
 * or more between two readings counts as a stop. For time limits that are checked more often. */
struct awake_clock {
    int64_t last_ns, awake_ns;
};

/* Reads the clock at `now_ns` of clock_now_ns; or the process's, now, in any thread. */
int64_t awake_clock_at(struct awake_clock *clock, int64_t now_ns);
int64_t clock_awake_ns(void);

/* Bytes of host memory that this process may allocate without swapping or being killed. It is the
 * smallest of the kernel's available memory, nine tenths of the machine's memory, and nine tenths
 * of the remainders under the limits of the control group and the process (ulimit -v, -d). */
uint64_t memory_usable(void);

/* Allocates whole uninitialised pages, to be freed with free(). Uses huge pages, which need fewer
 * page table entries, if `bytes` is at least a quarter of one. NULL: out of memory. */
void *alloc_pages(size_t bytes);

/* Requests huge pages for memory that has not been touched yet. */
void memory_use_large_pages(void *memory, size_t bytes);

/* Between the two calls, the process keeps freed memory for later allocations of any size.
 * Otherwise glibc returns the pages, and the next use faults in and clears each page again. Calls
 * nest; the last release returns all free memory. Threads are covered after process_init. */
void memory_keep_freed(void);
void memory_release_freed(void);

/* The smallest remainder under the memory limits of this process's control group and its ancestors,
 * version 1 or 2; UINT64_MAX if there is none. `groups` is the file that names the group, such as
 * /proc/self/cgroup. `root` is the folder of all groups, such as /sys/fs/cgroup. */
uint64_t cgroup_memory_limit(const char *groups, const char *root);

/* The same for processors: the quota as a whole number, at least 1. */
uint64_t cgroup_cpu_limit(const char *groups, const char *root);

/* The number of processors that this process may use, by its affinity and its control group. */
int cpus_usable(void);

/* Starts a thread with all signals blocked except those of a crash: a blocked fault would end the
 * process before a handler restores the terminal. Returns pthread_create's result. */
int thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument);

/* Lowers the calling thread's priority: next to a busy thread it gets 0.3 % of the processor. */
void thread_lower_priority(void);

/* The number of further threads with stacks of that size (0: the usual one) that this process may
 * have, up to `wanted`. Starts and ends them, which takes a few µs each. */
int thread_limit(int wanted, size_t stack_bytes);

/* Checks that a team of `count` OpenMP threads can be started: the runtime ends the process if it
 * gets too few. `setting` sets how many. With `starts` the team starts now, and the runtime keeps
 * it. A number that was possible before is not checked again, except once with `starts`. */
enum status thread_check_team(int count, const char *setting, bool starts, struct error *error);

/* A monotonic counter on which threads wait. */
struct sequence_counter {
    atomic_long value;
    pthread_mutex_t mutex;
    pthread_cond_t risen;
};

/* Begins and ends the use of the counter; no thread may then be waiting. */
void sequence_counter_init(struct sequence_counter *counter);
void sequence_counter_finish(struct sequence_counter *counter);

/* Raises the counter to `value`, unless it is higher already, and wakes waiting threads. They see
 * the caller's earlier writes. */
void sequence_counter_raise(struct sequence_counter *counter, long value);

/* Blocks until the counter is at least `value`: spins for a few µs, then sleeps. */
void sequence_counter_wait(struct sequence_counter *counter, long value);
