/* Makes one call of the program fail, as its environment requests. JACOBI_FAULT="alloc:7" means the
 * 7th allocation, "file:3" the 3rd operation on a file, a terminal or a thread, "backend:4" the 4th
 * call into a back end, "offload:2" the 2nd request to the OpenMP runtime for device memory,
 * "driver:5" the 5th call of a fake GPU driver. "nan:1" and "inf:1" set U(5, 4) of the 1st run that
 * a back end opens to that value. "alloc:7+" means that call and all after it. "alloc:?" fails no
 * call and records each one.
 *
 * Linked into a test build of the program with the linker's --wrap, so that only calls from our own
 * code are counted. The requested call writes its mark to JACOBI_FAULT_FD; a survey writes a struct
 * fault_hit per call. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum fault_kind {
    FAULT_ALLOC,
    FAULT_FILE,
    FAULT_BACKEND,
    FAULT_OFFLOAD,
    FAULT_DRIVER,
    FAULT_NAN,
    FAULT_INF,
    FAULT_KIND_COUNT
};

/* Counts a call; returns whether it must fail. The mark is its exit status in the manual as a
 * digit, or '!' if the manual allows several. */
bool fault_comes(enum fault_kind kind, char mark);

/* A call that might have failed: its place in the program, as a hash of the call stack that is the
 * same in each process of this program. */
struct fault_hit {
    uint64_t stack;
    int64_t process;
};

/* Returns in a copy of the program to be run with a fault (launch.h), or immediately if no server
 * is requested. */
void fault_serve(void);
