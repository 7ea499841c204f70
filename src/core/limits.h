/* How long, and with how much memory, others' code and other processes may go on: the program's own
 * limits, in one table.
 *
 * The environment variable JACOBI_LIMITS sets some of them: "check=60,memory=0.5", NAME=NUMBER with
 * commas between. Each number is above 0 and at most 1e6. Processes that this one starts inherit
 * it. What messages say of a limit is what it is set to. */
#ifndef JACOBI_CORE_LIMITS_H
#define JACOBI_CORE_LIMITS_H

#include <stdint.h>

#include "core/status.h"

/* In seconds but for the memory, which is in GB. */
enum limit {
    LIMIT_COMPILE, /* "compile": the compiler of the user's kernels; its processor time, too */
    LIMIT_CHECK,   /* "check": their check as a whole */
    LIMIT_CALL,    /* "call": one call of a kernel in the check, by the clock, */
    LIMIT_CPU,     /* "cpu": and by its processor time */
    LIMIT_MEMORY,  /* "memory": what it may take */
    LIMIT_RUN,     /* "run": one call of a kernel in a run */
    LIMIT_SILENCE, /* "silence": until it is told that nothing comes from the other side */
    LIMIT_ANSWER,  /* "answer": what the other side may take to say whether a run is possible */
    LIMIT_END,     /* "end": what the other side may take to end; COMMAND has twice as long */
    LIMIT_TRIAL,   /* "trial": of rows sent from GPU to GPU before a run */
    LIMIT_DOCTOR,  /* "doctor": what one part may take that --doctor looks at */
    LIMIT_REPLY,   /* "reply": what the terminal may take to say whether it has pixels */
    LIMIT_COUNT
};

double limit_of(enum limit limit);

/* The same in ns. */
int64_t limit_ns(enum limit limit);

/* Reads JACOBI_LIMITS: to be called once, before there are other threads. STATUS_BAD_INPUT, with
 * what is allowed; then all limits are as they were. */
enum status limits_read(struct error *error);

#endif
