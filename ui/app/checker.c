#include "ui/app/checker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/system.h"
#include "kernels/backends.h"

struct answer {
    bool there;
    enum status status;
    struct error error;
};

struct checker {
    pthread_t thread;
    int wake; /* eventfd */

    pthread_mutex_t mutex; /* guards the rest */
    pthread_cond_t asked;
    struct plan plans[CHECKS_MAX];
    struct answer answers[CHECKS_MAX];
    int count, next;
    unsigned generation; /* of the question */
    bool quit;
};

/* A lane can run when one of the back ends that it may take can run it. */
static enum status check_lane(const struct lane_spec *spec, struct error *error) {
    for (int c = 0; c < spec->choice_count; c++)
        if (backend_check(spec->choices[c], &spec->engine, error) == STATUS_OK)
            return STATUS_OK;
    return error->status;
}

static enum status check(const struct plan *plan, struct error *error) {
    if (plan_check_recorded(plan, error))
        return error->status;
    for (int l = 0; l < plan->lane_count; l++)
        if (!*plan->recordings[l].path && check_lane(&plan->lanes[l], error))
            return error->status;
    return STATUS_OK;
}

/* Waits for a plan to check and copies it; false: the end. */
static bool take(struct checker *checker, struct plan *plan, int *index, unsigned *generation) {
    pthread_mutex_lock(&checker->mutex);
    while (!checker->quit && checker->next >= checker->count)
        pthread_cond_wait(&checker->asked, &checker->mutex);
    const bool quit = checker->quit;
    if (!quit) {
        *index = checker->next++;
        *plan = checker->plans[*index];
        *generation = checker->generation;
    }
    pthread_mutex_unlock(&checker->mutex);
    return !quit;
}

static void *run(void *argument) {
    struct checker *checker = argument;
    struct plan plan;
    int index;
    unsigned generation;
    while (take(checker, &plan, &index, &generation)) {
        struct answer answer = {.there = true};
        answer.status = check(&plan, &answer.error);
        pthread_mutex_lock(&checker->mutex);
        if (generation == checker->generation)
            checker->answers[index] = answer;
        pthread_mutex_unlock(&checker->mutex);
        eventfd_write(checker->wake, 1);
    }
    return NULL;
}

static void release(struct checker *checker) {
    if (checker->wake >= 0)
        close(checker->wake);
    pthread_mutex_destroy(&checker->mutex);
    pthread_cond_destroy(&checker->asked);
    free(checker);
}

struct checker *checker_create(void) {
    struct checker *checker = calloc(1, sizeof *checker);
    if (!checker)
        return NULL;
    pthread_mutex_init(&checker->mutex, NULL);
    pthread_cond_init(&checker->asked, NULL);
    checker->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (checker->wake < 0 || thread_start(&checker->thread, run, checker)) {
        release(checker);
        return NULL;
    }
    return checker;
}

void checker_destroy(struct checker *checker) {
    if (!checker)
        return;
    pthread_mutex_lock(&checker->mutex);
    checker->quit = true;
    pthread_cond_signal(&checker->asked);
    pthread_mutex_unlock(&checker->mutex);
    pthread_join(checker->thread, NULL);
    release(checker);
}

void checker_ask(struct checker *checker, const struct plan *plans, int count) {
    pthread_mutex_lock(&checker->mutex);
    checker->count = count < CHECKS_MAX ? count : CHECKS_MAX;
    checker->next = 0;
    checker->generation++;
    memcpy(checker->plans, plans, (size_t)checker->count * sizeof *plans);
    memset(checker->answers, 0, sizeof checker->answers);
    pthread_cond_signal(&checker->asked);
    pthread_mutex_unlock(&checker->mutex);
}

bool checker_answer(struct checker *checker, int index, enum status *status, struct error *error) {
    pthread_mutex_lock(&checker->mutex);
    const bool there = index < checker->count && checker->answers[index].there;
    if (there) {
        *status = checker->answers[index].status;
        *error = checker->answers[index].error;
    }
    pthread_mutex_unlock(&checker->mutex);
    return there;
}

int checker_descriptor(const struct checker *checker) {
    return checker->wake;
}

void checker_seen(struct checker *checker) {
    eventfd_t ignored;
    eventfd_read(checker->wake, &ignored);
}
