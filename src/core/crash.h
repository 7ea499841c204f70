/* Crashes: one handler writes a report before the signal ends the process. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether the signal indicates a crash: SEGV, BUS, FPE, ILL, ABRT, TRAP, SYS. */
bool signal_is_of_a_crash(int number);

/* Writes a report. Calls only functions that are safe in a signal handler. */
typedef void crash_reporter(int number, const siginfo_t *info);

/* Installs `report` for crashes in any thread. Only the first thread that crashes calls it; others
 * wait. Existing handlers, such as a sanitizer's, are replaced. NULL: no report. Returns the
 * previous reporter. */
crash_reporter *crash_install(crash_reporter *report);

/* Gives the calling thread an alternate signal stack if it has none, because its own may have
 * overflowed. Only a few threads get one. */
void crash_take_stack(void);

/* For work without a screen: reports a crash, or SIGXCPU, in one line. A sanitizer's handlers
 * stay. */
void crash_install_headless(void);

extern const char out_of_time[]; /* the message for SIGXCPU */

/* ---- for reporters: a line built without allocation or locks, truncated if it is too long */

struct crash_line {
    char text[256];
    size_t used;
};

void crash_add(struct crash_line *line, const char *text);
void crash_add_number(struct crash_line *line, unsigned number);
void crash_write(struct crash_line *line, int fd);
