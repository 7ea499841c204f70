/* A number that only grows, and threads that wait until it has. */
#ifndef JACOBI_CORE_GATE_H
#define JACOBI_CORE_GATE_H

#include <pthread.h>
#include <stdatomic.h>

struct gate {
    atomic_long value;
    pthread_mutex_t mutex;
    pthread_cond_t risen;
};

/* At 0. */
void gate_init(struct gate *gate);

/* Nobody may wait any more. */
void gate_finish(struct gate *gate);

/* Sets the value, unless it is higher already, and wakes those who wait. What the caller wrote
 * before is seen by whoever comes through. */
void gate_raise(struct gate *gate, long value);

/* Blocks until the value is `value` or more; looks at it for some microseconds before it sleeps. */
void gate_wait(struct gate *gate, long value);

#endif
