/* Crashes: one handler, which reports before the process dies of the signal. */
#ifndef JACOBI_CORE_CRASH_H
#define JACOBI_CORE_CRASH_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether that signal comes from a crash: SEGV, BUS, FPE, ILL, ABRT, TRAP, SYS. */
bool signal_is_of_a_crash(int number);

/* Writes a report; calls only what is safe in a signal handler. */
typedef void crash_reporter(int number, const siginfo_t *info);

/* From now on `report` is called if a thread crashes: for the first one that does, while others
 * wait. Handlers of others, as of a sanitizer, are replaced. NULL: nothing is reported. Returns
 * the reporter before. */
crash_reporter *crash_install(crash_reporter *report);

/* Gives the calling thread a stack for handlers, if it has none: it may be the stack that ran out.
 * A few threads get one. */
void crash_take_stack(void);

/* For work without a screen: reports a crash, and SIGXCPU, in one line. A sanitizer's handlers
 * stay.
 */
void crash_install_headless(void);

/* What SIGXCPU means, for the user. */
extern const char out_of_time[];

/* ---- for reporters: a line that needs neither memory nor locks; what has no room is cut off */

struct crash_line {
    char text[256];
    size_t used;
};

void crash_add(struct crash_line *line, const char *text);
void crash_add_number(struct crash_line *line, unsigned number);

/* Writes it, with a newline. */
void crash_write(struct crash_line *line, int fd);

#endif
