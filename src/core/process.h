/* Inherited state and exit of the process: standard descriptors, signals, output. */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "core/status.h"

/* Call first: reserves fds 0–2, sets signal dispositions, prepares for libomp. A closed fd is
 * opened on /dev/null in the wrong direction, so that its use still fails. SIGPIPE and SIGXFSZ are
 * ignored, SIGCHLD is not. Process 1 continues as its child and reaps all processes. Until
 * process_close_output, an exit by others gets a message and STATUS_UNAVAILABLE. False if /dev/null
 * can't be opened: then no error can be printed. */
bool process_init(void);

/* Removes the file in shared memory that LLVM's OpenMP runtime leaves when process `pid` is killed.
 */
void process_remove_file(pid_t pid);

/* STATUS_BAD_INPUT if the stacks of this process and its threads are too small, STATUS_INTERNAL if
 * another user's file stops OpenMP. Call it before the configuration is made. */
enum status process_check(struct error *error);

/* Reports on standard error if the driver that is about to be called does not return within
 * LIMIT_DOCTOR. If true, the caller ends this by timer_delete. */
bool process_watch_driver(timer_t *watch);

/* Flushes `file`. STATUS_INTERNAL, naming it `what`, if this or an earlier write failed. */
enum status process_flush(FILE *file, const char *what, struct error *error);

/* Standard output for reports. Redirects other writes to standard output to standard error, so that
 * library messages can't mix with the report. */
FILE *process_output(void);

/* Also flushes. Call it at the end. */
enum status process_close_output(struct error *error);

/* How a launcher of parallel programs started this process: as one of several. The variables may
 * also be inherited from such a process. */
struct launch {
    const char *launcher; /* "mpirun -n", "srun -n" */
    const char *variable; /* contains the rank */
    int rank;             /* of this process, from 0 */
    int count;            /* number of processes; 0: unknown */
};

/* False if there is only one process. */
bool process_is_launched(struct launch *launch);

/* From now on, this process and its children each count as a single process. */
void process_ignore_launcher(void);

/* ---- Progress of long work: one line, which `main` shows. Any thread may call these functions. */

/* Passes each line to `show`, and NULL when the line is to be wiped. Has no effect unless standard
 * error is a terminal. */
void progress_switch_on(void (*show)(const char *line));
bool progress_is_on(void);

enum progress_kind {
    PROGRESS_STEP, /* shown after half a second of work, at most five times per second */
    PROGRESS_NEWS, /* shown immediately */
};

/* Replaces the line. */
void progress_update(enum progress_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Wipes the line. Call it before any other output, and at the end. */
void progress_end(void);

/* ---- signals */

/* The signals that would now end the process, without those of a crash: they can be caught and have
 * their default action. */
void signals_that_end(sigset_t *set);

/* For work without a screen: SIGINT, SIGTERM and SIGHUP set the flag. A second one kills, unless it
 * follows within half a second: then it repeats the first. Ignored signals stay ignored. After the
 * first signal, blocking calls are interrupted repeatedly (EINTR), so that an unread pipe can't
 * delay the exit. */
void interrupt_install(void);

const atomic_bool *interrupt_flag(void);
int interrupt_signal(void); /* the first of these signals; 0: none */

/* For a screen that waits for long work. Until interrupt_by_key_end, the key q and signals that
 * would end the process make interrupt_is_wanted true. Such signals stay blocked until then. After
 * some tenths of a second, other keys are dropped. */
void interrupt_by_key(void);
bool interrupt_by_key_end(void); /* whether q was typed */

/* Whether long work should end, because of the flag, the key or a blocked signal. */
bool interrupt_is_wanted(void);
