/* A sandbox for a process that runs user code. A crash, an endless loop, a call of exit or
 * excessive output ends only that process. Its last line on standard error names the function:
 * "laplacian: signal 11 (Segmentation fault)".
 *
 * Output is forwarded to standard error, up to a limit, and never blocks. The process can neither
 * start other processes nor send them signals. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum { SANDBOX_NAME_SIZE = 24 };

/* The time limits apply to a single call, memory and output to the whole process. */
struct sandbox_limits {
    double cpu_seconds, wall_seconds;
    uint64_t memory_bytes; /* resident, beyond the amount at sandbox_begin */
    uint64_t output_bytes;
};

/* Sandboxes this process permanently and captures its standard output and error. Call it once, from
 * the first thread, before user code is loaded. STATUS_INTERNAL if it fails. */
enum status sandbox_begin(const struct sandbox_limits *wanted, struct error *error);

/* Why the sandboxed child died; "" after a normal exit. `status` is from waitpid, `line` is the
 * child's last line. Also "" for exits that the sandbox does not report, such as signal 15. */
const char *sandbox_exit_reason(int status, const char *line);

/* Marks the user's function `name` as running in this thread; NULL: none. The name must stay valid.
 * Without a sandbox, only stores the name. */
void sandbox_enter(const char *name);

/* Stops counting the memory that this process uses now. */
void sandbox_forget_memory(void);

/* Ends this process like a crash: the running function can't continue, because of `why`. */
void sandbox_fail(const char *why);

/* Registers the block and thread numbers of the running function, for the line of a crash. Both
 * pointers must stay valid. */
void sandbox_place(const unsigned *block, const unsigned *thread);

/* Hides memory from the running function, as a GPU hides the host's: an access ends this process
 * with a line that contains `name`, which must stay valid. Whole pages, and only a few ranges at a
 * time. Without a sandbox it does nothing. */
void sandbox_hide(void *memory, size_t bytes, const char *name);
void sandbox_show(void); /* all of it, again */

/* Stores the name of the running function in `name`, SANDBOX_NAME_SIZE bytes, for a second process
 * that maps it; "" if none. NULL: in this process only. */
void sandbox_share(char *name);
