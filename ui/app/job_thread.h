/* A worker thread for the screen's thread, which therefore never waits. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* The first member of the thread's data. After a request for work, signal `asked`. */
struct job_thread {
    pthread_mutex_t mutex; /* guards the data */
    pthread_cond_t asked;
    pthread_t thread;
    bool (*work)(void *owner); /* does a job of the data; called with the mutex; false: none left */
    int wake;                  /* an eventfd of the caller's, written for each completed job */
    bool is_background;        /* the thread uses only otherwise idle processor time */
    bool quits;
};

/* Allocates the data, `size` bytes that begin with `jobs` and zeros, and starts the thread. NULL if
 * there is no memory or no thread. */
void *job_thread_start(size_t size, struct job_thread jobs);

/* Waits for the current job, and ends the thread. */
void job_thread_stop(struct job_thread *jobs);
