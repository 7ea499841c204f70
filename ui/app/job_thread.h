/* A thread that works for the screen's, so that this never waits. */
#ifndef JACOBI_UI_APP_JOB_THREAD_H
#define JACOBI_UI_APP_JOB_THREAD_H

#include <pthread.h>
#include <stdbool.h>

struct job_thread {
    pthread_mutex_t mutex; /* guards what both threads use */

    pthread_cond_t asked;
    pthread_t thread;
    bool (*work)(void *owner);
    void *owner;
    int wake; /* an eventfd of the caller's, written when something is done */
    bool is_background, quits;
};

/* Starts the thread. It calls `work` with the mutex held until that returns false: nothing is to be
 * done; then it sleeps. `is_background`: it has only what others leave of the processors. False if
 * there is no thread. */
bool job_thread_start(struct job_thread *jobs, bool is_background, int wake,
                      bool (*work)(void *owner), void *owner);

/* Wakes it up; the caller holds the mutex. */
void job_thread_ask(struct job_thread *jobs);

/* Waits for what is being done, and ends the thread. */
void job_thread_stop(struct job_thread *jobs);

#endif
