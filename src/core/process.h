/* What the process inherits and how it ends: standard descriptors, signals, its output. */
#ifndef JACOBI_CORE_PROCESS_H
#define JACOBI_CORE_PROCESS_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

/* Before anything else: opens those of the descriptors 0 to 2 that are closed, so that no file of
 * ours ever becomes standard output or error. They are opened on /dev/null the wrong way round:
 * reading from standard input and writing to the others fails as if they were closed. And ignores
 * SIGPIPE and SIGXFSZ, so that EPIPE and EFBIG are errors like others, no longer ignores SIGCHLD,
 * as some parents have it, so that it hears how children end, and removes what a killed process of
 * this one's number left of OpenMP's runtime. False if /dev/null is needed and can't be opened:
 * then there is nowhere to say so. */
bool process_init(void);

/* Writes out what `file` still holds. STATUS_INTERNAL, with `what` as its name, if that or anything
 * that was printed there before failed. */
enum status process_flush(FILE *file, const char *what, struct error *error);

/* At the end: flushes and closes standard output. */
enum status process_close_output(struct error *error);

/* How a launcher of parallel programs has started this process, as one of several. */
struct launch {
    const char *launcher; /* "mpirun -n", "srun -n" */
    int rank;             /* which of them this is, from 0 */
    int count;            /* of them; 0: not told */
};

/* False if it is the only one. */
bool process_is_launched(struct launch *launch);

/* ---- progress of long work: one line on standard error, if that is a terminal and nothing else is
 * shown there. Only `main` switches it on; until then, and in pipes and logs, nothing is written.
 * Any thread may tell. */

void progress_switch_on(void);
bool progress_is_on(void);

/* Replaces the line, five times per second at most and not before half a second has passed since
 * the work began: short work has none. */
void progress_update(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same at once, for work that can't tell again until it is done. */
void progress_announce(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Wipes the line, if there is one: before something else is written, and at the end. What is told
 * after that is new work. */
void progress_end(void);

/* ---- signals */

/* The signals that would now end the process, other than by a crash: those that can be caught, have
 * no handler, and whose default action that is. One that is ignored, as SIGHUP below nohup, is none
 * of them. */
void signals_that_end(sigset_t *set);

/* For work without a screen: lets a signal ask it to end. From now on SIGINT, SIGTERM and SIGHUP
 * set the flag; a second one of the same kind kills as usual. One that is ignored stays so. From
 * the first signal on, calls that block are interrupted again and again (EINTR): a report that
 * nobody reads can't hold up the end. */
void interrupt_install(void);

/* Becomes true when such a signal has come. */
const atomic_bool *interrupt_flag(void);

/* The signal that came first, 0 for none. */
int interrupt_signal(void);

#endif
