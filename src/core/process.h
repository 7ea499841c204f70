/* What the process inherits and how it ends: standard descriptors, signals, its output. */
#ifndef JACOBI_CORE_PROCESS_H
#define JACOBI_CORE_PROCESS_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

/* Call first: reserves fds 0–2, sets signal dispositions, prepares what libomp needs. A closed fd
 * is opened on /dev/null in the wrong direction, so that using it still fails. SIGPIPE and SIGXFSZ
 * are ignored, SIGCHLD is not. Process 1 goes on as its child, and waits for all that ends. False
 * if /dev/null can't be opened: then no error can be printed. */
bool process_init(void);

/* Flushes `file`. STATUS_INTERNAL, with `what` as its name, if that or an earlier write failed. */
enum status process_flush(FILE *file, const char *what, struct error *error);

/* For reports: standard output, which from now on is standard error to everybody else: what
 * libraries print does not get between the lines. */
FILE *process_output(void);

/* At the end: flushes and closes standard output. */
enum status process_close_output(struct error *error);

/* How a launcher of parallel programs has started this process, as one of several: or another of
 * which this one has inherited the variables. */
struct launch {
    const char *launcher; /* "mpirun -n", "srun -n" */
    const char *variable; /* that holds the rank */
    int rank;             /* which of them this is, from 0 */
    int count;            /* of them; 0: unknown */
};

/* False if it is the only one. */
bool process_is_launched(struct launch *launch);

/* From now on it is the only one, and so are the processes that it starts. */
void process_ignore_launcher(void);

/* ---- Progress of long work: one line, which `main` shows. Any thread may call these. */

/* From now on `show` gets each line, and NULL when it is to be wiped; without a terminal at
 * standard error nothing happens. */
void progress_switch_on(void (*show)(const char *line));
bool progress_is_on(void);

/* Replaces the line, at most five times per second and only after half a second of work. */
void progress_update(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same at once, for work that reports only once. */
void progress_announce(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Wipes the line: call it before anything else is written, and at the end. */
void progress_end(void);

/* ---- signals */

/* The signals that would now end the process, other than by a crash: those that can be caught and
 * have their default action. */
void signals_that_end(sigset_t *set);

/* For work without a screen: SIGINT, SIGTERM and SIGHUP set the flag; a second one of the same kind
 * kills. A signal that is ignored stays so. After the first, blocking calls are interrupted again
 * and again (EINTR): a report that nobody reads can't delay the end. */
void interrupt_install(void);

/* True once such a signal has arrived. */
const atomic_bool *interrupt_flag(void);

/* The first of them, 0 for none. */
int interrupt_signal(void);

/* For a screen that waits for long work: until interrupt_by_key_end the key q and signals that
 * would end the process make interrupt_is_wanted true. Such signals wait until then. What else is
 * typed after some tenths of a second is dropped. */
void interrupt_by_key(void);

/* Whether q was typed. */
bool interrupt_by_key_end(void);

/* Whether long work is to end, by the flag or for the screen. */
bool interrupt_is_wanted(void);

#endif
