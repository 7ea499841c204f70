/* What happens to the terminal when the program crashes: it is given back first. */
#ifndef JACOBI_UI_CRASH_H
#define JACOBI_UI_CRASH_H

#include <stddef.h>
#include <termios.h>

/* From now on SEGV, BUS, FPE, ILL and ABRT write `bytes` (copied, at most 512) to `fd`, set its
 * modes to `before`, say which signal it was, and die by it. */
void crash_guard(int fd, const struct termios *before, const char *bytes, size_t count);

/* The signals are handled as before. */
void crash_unguard(void);

#endif
