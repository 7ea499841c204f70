/* A sandbox for a process that runs the user's code. A crash, an endless loop, a call of exit or
 * too much output ends that process alone; its last line on standard error names the function:
 * "laplacian: signal 11 (Segmentation fault)".
 *
 * Output is forwarded to standard error, up to a limit, and never blocks. The process can neither
 * start others nor send them signals. */
#ifndef JACOBI_CORE_SANDBOX_H
#define JACOBI_CORE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum { SANDBOX_NAME_SIZE = 24 };

/* Time limits are for a single call, memory and output for the whole process. */
struct sandbox_limits {
    double cpu_seconds, wall_seconds;
    uint64_t memory_bytes; /* resident, beyond those at sandbox_begin */
    uint64_t output_bytes;
};

/* Sandboxes this process for good. Call it once, from the first thread, before the user's code is
 * loaded. It captures standard output and error. STATUS_INTERNAL if it fails. */
enum status sandbox_begin(const struct sandbox_limits *wanted, struct error *error);

/* Why the sandboxed child died; empty after a normal exit. `status` is waitpid's, `line` the
 * child's last line. Also empty for ends that the sandbox does not report, such as signal 15. */
const char *sandbox_exit_reason(int status, const char *line);

/* This thread now runs the user's function `name`, which must stay valid; NULL: no longer. Without
 * a sandbox it only stores the name. */
void sandbox_enter(const char *name);

/* Memory that this process has now no longer counts. */
void sandbox_forget_memory(void);

/* Ends this process as a crash does: the running function can't continue, because of `why`. */
void sandbox_fail(const char *why);

/* Where the running function keeps the numbers of its block and thread, for a crash's line; both
 * must stay valid. */
void sandbox_place(const unsigned *block, const unsigned *thread);

/* Hides memory from the running function, as a GPU hides the host's: an access ends this process
 * with a line that contains `name`, which must stay valid. Whole pages; a few at a time. Without a
 * sandbox it does nothing. */
void sandbox_hide(void *memory, size_t bytes, const char *name);

/* Shows all hidden memory. */
void sandbox_show(void);

/* Where the name is kept, for a second process that maps it: SANDBOX_NAME_SIZE bytes, "" if none.
 * NULL: in this process alone. */
void sandbox_share(char *name);

#endif
