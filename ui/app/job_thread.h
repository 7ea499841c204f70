/* A worker thread for the screen's thread, which therefore never waits. */
#ifndef JACOBI_UI_APP_JOB_THREAD_H
#define JACOBI_UI_APP_JOB_THREAD_H

#include <pthread.h>
#include <stdbool.h>

struct job_thread {
    pthread_mutex_t mutex; /* guards the data that both threads use */

    pthread_cond_t asked;
    pthread_t thread;
    bool (*work)(void *owner);
    void *owner;
    int wake; /* an eventfd of the caller's, written for each completed job */
    bool is_background, quits;
};

/* Starts the thread. It calls `work` with the mutex held until that returns false, which means that
 * no work is left; then it sleeps. `is_background`: it uses only otherwise idle processor time.
 * Returns false if no thread can be created. */
bool job_thread_start(struct job_thread *jobs, bool is_background, int wake,
                      bool (*work)(void *owner), void *owner);

/* Wakes the thread; the caller holds the mutex. */
void job_thread_ask(struct job_thread *jobs);

/* Waits for the current job, and ends the thread. */
void job_thread_stop(struct job_thread *jobs);

#endif
