/* Restores the terminal before the program ends in a crash, and reports its last activity. */
#pragma once

#include <stddef.h>

#include "ui/terminal/tty.h"

/* From now on a crash (core/crash.h) writes `bytes` (copied, at most 512) to the terminal (not
 * copied) and restores its modes and output. It reports the signal, the hint and a backtrace on
 * standard error. If the process exits meanwhile, the terminal is restored, too. */
void crash_guard_terminal(const struct tty *tty, const char *bytes, size_t count);

enum { CRASH_HINT_SIZE = 512 };

/* Sets the report's line about the program and its current activity; copied. */
void crash_set_hint(const char *hint);

/* Restores the previous handling of crashes. */
void crash_unguard_terminal(void);
