/* A guard for a process that runs what others wrote: a crash, an endless loop, a call of exit or a
 * flood of output is told in one line that names what was running, and ends that process alone.
 *
 * The line is the last that goes to standard error: "laplacian: signal 11 (Segmentation fault)".
 * What is printed meanwhile is passed on to standard error, up to a limit, and never blocks. New
 * processes can't be started, and no signal be sent to others. */
#ifndef JACOBI_CORE_SANDBOX_H
#define JACOBI_CORE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

enum { SANDBOX_NAME_SIZE = 24 };

/* For each single call of what is guarded; memory and output for the whole process. */
struct sandbox_limits {
    double cpu_seconds, wall_seconds;
    uint64_t memory_bytes; /* resident during a call, beyond what is when the guard begins */
    uint64_t output_bytes;
};

/* Begins to guard this process, for good: to be called once, by its first thread, before what is
 * guarded is loaded. Standard output and error become the guard's. STATUS_INTERNAL if that can't be
 * done. */
enum status sandbox_begin(const struct sandbox_limits *wanted, struct error *error);

/* Why a guarded process whose end is `status`, as waitpid tells it, has ended: its last line, which
 * is `line`, or what that would have said if all signals had not been blocked, as posix_spawn and
 * system do. "" of other ends, as by signal 15, which come without a word. */
const char *sandbox_exit_reason(int status, const char *line);

/* From now on this thread runs others' code, called `name` in messages, which must stay; NULL: no
 * longer. Without a guard it does nothing but remember the name. */
void sandbox_enter(const char *name);

/* What this process has taken up to now does not count. */
void sandbox_forget_memory(void);

/* Ends this process, as a crash does: what is running can't go on, because of `why`. */
void sandbox_fail(const char *why);

/* Where what is running keeps the numbers of its block and thread, which a crash's line then tells;
 * both must stay. */
void sandbox_place(const unsigned *block, const unsigned *thread);

/* Hides memory from what is running, as a GPU does with the host's: whoever reads or writes it ends
 * this process, with a line that has `name` in it, which must stay. Whole pages; a few at a time.
 * Without a guard it does nothing. */
void sandbox_hide(void *memory, size_t bytes, const char *name);

/* From now on nothing is hidden. */
void sandbox_show(void);

/* Where the name is kept, for a second process that maps it: SANDBOX_NAME_SIZE bytes, "" if none.
 * NULL: in this process alone. */
void sandbox_share(char *name);

#endif
