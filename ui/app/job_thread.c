#include "ui/app/job_thread.h"

#include <stdlib.h>
#include <sys/eventfd.h>

#include "core/system.h"

static void *run_jobs(void *argument) {
    struct job_thread *jobs = argument;
    if (jobs->is_background)
        thread_lower_priority();
    pthread_mutex_lock(&jobs->mutex);
    while (!jobs->quits)
        if (jobs->work(jobs))
            eventfd_write(jobs->wake, 1);
        else
            pthread_cond_wait(&jobs->asked, &jobs->mutex);
    pthread_mutex_unlock(&jobs->mutex);
    return NULL;
}

void *job_thread_start(size_t size, struct job_thread jobs) {
    struct job_thread *owner = calloc(1, size);
    if (!owner)
        return NULL;
    *owner = jobs;
    pthread_mutex_init(&owner->mutex, NULL);
    pthread_cond_init(&owner->asked, NULL);
    if (thread_start(&owner->thread, run_jobs, owner) == 0)
        return owner;
    free(owner);
    return NULL;
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
