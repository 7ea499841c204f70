/* Threads beside the one that owns the terminal. */
#ifndef JACOBI_CORE_THREAD_H
#define JACOBI_CORE_THREAD_H

#include <pthread.h>

/* Starts a thread, and any that it starts, with all signals blocked, so that they come to the
 * caller, except those of a crash: a fault whose signal is blocked ends the process before a
 * handler can give the terminal back. Returns what pthread_create does. */
int thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument);

#endif
