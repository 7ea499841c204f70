/* The crash guard: gives the terminal back before the program dies of a crash, and says what was
 * running. */
#ifndef JACOBI_UI_TERMINAL_CRASH_H
#define JACOBI_UI_TERMINAL_CRASH_H

#include <stddef.h>
#include <termios.h>

/* From now on the signals of a crash (core/process.h) write `bytes` (copied, at most 512) to `fd`,
 * set its modes to `before`, say on standard error which signal it was, what was running, and where
 * in the program (a backtrace), and die by it. If the process exits meanwhile, the terminal is
 * given back, too. */
void crash_guard(int fd, const struct termios *before, const char *bytes, size_t count);

/* Writes those bytes now, as is needed if there is no memory to do it in a finer way. */
void crash_put_bytes(void);

enum { CRASH_ABOUT_SIZE = 512 };

/* Sets the report's line about the program and what it was doing; copied. */
void crash_describe(const char *about);

/* Ends the guard: the signals are handled as before. */
void crash_unguard(void);

#endif
