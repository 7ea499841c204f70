#include "ui/app/job_thread.h"

#include <sys/eventfd.h>

#include "core/system.h"

static void *run_jobs(void *argument) {
    struct job_thread *jobs = argument;
    if (jobs->is_background)
        thread_lower_priority();
    pthread_mutex_lock(&jobs->mutex);
    while (!jobs->quits)
        if (jobs->work(jobs->owner))
            eventfd_write(jobs->wake, 1);
        else
            pthread_cond_wait(&jobs->asked, &jobs->mutex);
    pthread_mutex_unlock(&jobs->mutex);
    return NULL;
}

bool job_thread_start(struct job_thread *jobs, bool is_background, int wake,
                      bool (*work)(void *owner), void *owner) {
    *jobs = (struct job_thread){
        .is_background = is_background, .wake = wake, .work = work, .owner = owner};
    pthread_mutex_init(&jobs->mutex, NULL);
    pthread_cond_init(&jobs->asked, NULL);
    return thread_start(&jobs->thread, run_jobs, jobs) == 0;
}

void job_thread_ask(struct job_thread *jobs) {
    pthread_cond_signal(&jobs->asked);
}

void job_thread_stop(struct job_thread *jobs) {
    pthread_mutex_lock(&jobs->mutex);
    jobs->quits = true;
    pthread_cond_signal(&jobs->asked);
    pthread_mutex_unlock(&jobs->mutex);
    pthread_join(jobs->thread, NULL);
    pthread_mutex_destroy(&jobs->mutex);
    pthread_cond_destroy(&jobs->asked);
}
