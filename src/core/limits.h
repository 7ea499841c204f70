/* The program's limits on time and memory, and on a recording's size, in one table.
 *
 * The environment variable JACOBI_LIMITS sets some of them: "check=60,memory=0.5", a list of
 * NAME=NUMBER separated by commas. Each number is above 0 and at most 1e6. Child processes inherit
 * the variable. Messages name the limit in force. */
#pragma once

#include <stdint.h>

#include "core/status.h"

/* In seconds, except the memory, which is in GB, and the recording, which is in MiB. */
enum limit {
    LIMIT_COMPILE,   /* "compile": compiling user kernels, elapsed and processor time */
    LIMIT_CHECK,     /* "check": the whole check of user kernels */
    LIMIT_CALL,      /* "call": one call of a kernel in the check, elapsed time */
    LIMIT_CPU,       /* "cpu": the same, processor time */
    LIMIT_MEMORY,    /* "memory": resident memory of that call */
    LIMIT_RUN,       /* "run": one call of a kernel in a run */
    LIMIT_SILENCE,   /* "silence": time without a message until the peer counts as silent */
    LIMIT_ANSWER,    /* "answer": for the peer to report whether a run is possible */
    LIMIT_END,       /* "end": for the peer to exit; COMMAND has twice as long */
    LIMIT_DOCTOR,    /* "doctor": one part of --doctor, a back end in --list, a screen's start */
    LIMIT_REPLY,     /* "reply": for the terminal to report whether it supports pixels */
    LIMIT_TITLE,     /* "title": duration of the title screen after a start without options */
    LIMIT_LOCK,      /* "lock": for another process to release the lock on the cache */
    LIMIT_MEET,      /* "meet": for the other MPI processes to start, in whole seconds */
    LIMIT_RECORDING, /* "recording": the size that a recording never reaches, at most 256 */
    LIMIT_COUNT
};

double limit_of(enum limit limit);
int64_t limit_ns(enum limit limit);

/* Reads JACOBI_LIMITS. Call it once, before other threads start. STATUS_BAD_INPUT, with the allowed
 * values, leaves all limits unchanged. */
enum status limits_read(struct error *error);
