/* Makes one call of the program fail, as its environment asks: JACOBI_FAULT="alloc:7" is the 7th
 * allocation, "file:3" the 3rd operation on a file, a terminal or a thread, "backend:4" the 4th
 * call into a back end, "offload:2" the 2nd request to the OpenMP runtime for memory on a device,
 * "driver:5" the 5th call of a fake GPU driver; "nan:1" and "inf:1" plant that value in U(5, 4) of
 * the 1st run that a back end opens; "alloc:7+" is that one and all after it. "alloc:?" makes no
 * call fail and records each one.
 *
 * Linked into a test build of the program with the linker's --wrap, so that the calls of our own
 * code are counted and nobody else's. When the call asked for comes, its mark is written to
 * JACOBI_FAULT_FD; of a survey, a struct fault_hit for each call.
 */
#ifndef JACOBI_TESTS_FAULTS_FAULTS_H
#define JACOBI_TESTS_FAULTS_FAULTS_H

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

/* Counts a call; whether it is one that has to fail. The mark is the exit status, as a digit, that
 * the manual names for it, or '!' if it names several. */
bool fault_comes(enum fault_kind kind, char mark);

/* A call that might have failed: where in the program it was made, as a hash of the call stack that
 * is the same in each process of this program. */
struct fault_hit {
    uint64_t stack;
    int64_t process;
};

/* Returns in a copy of the program that is to run with a fault (launch.h), or at once if no server
 * is asked for. */
void fault_serve(void);

#endif
