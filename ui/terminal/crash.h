/* Gives the terminal back before the program dies of a crash, and reports what was running. */
#ifndef JACOBI_UI_TERMINAL_CRASH_H
#define JACOBI_UI_TERMINAL_CRASH_H

#include <stddef.h>
#include <termios.h>

/* From now on a crash (core/crash.h) writes `bytes` (copied, at most 512) to `fd`, sets its modes
 * to `before`, and reports on standard error the signal, the hint, and where it was (a backtrace).
 * If the process exits meanwhile, the terminal is given back, too. */
void crash_guard_terminal(int fd, const struct termios *before, const char *bytes, size_t count);

enum { CRASH_HINT_SIZE = 512 };

/* Sets the report's line about the program and what it was doing; copied. */
void crash_set_hint(const char *hint);

/* Crashes are handled as before. */
void crash_unguard_terminal(void);

#endif
