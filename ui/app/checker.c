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
    struct source *source; /* that knows what can run; NULL: this process does */
    int wake;              /* eventfd */

    pthread_mutex_t mutex; /* guards the rest */
    pthread_cond_t asked;
    struct plan plans[CHECKS_MAX];
    struct answer answers[CHECKS_MAX];
    int count, next;
    unsigned generation; /* of the question */
    bool quit;
};

/* A lane can run if one of the back ends that it may take can run it. */
static enum status check_plan(const struct plan *plan, struct error *error) {
    if (plan_check_recorded(plan, error))
        return error->status;
    for (int l = 0; l < plan->lane_count; l++) {
        const struct lane_spec *spec = &plan->lanes[l];
        bool runs = *plan->recordings[l].path;
        for (int c = 0; c < spec->choice_count && !runs; c++)
            runs = backend_check(spec->choices[c], &spec->engine, error) == STATUS_OK;
        if (!runs)
            return error->status;
    }
    return STATUS_OK;
}

static void *checker_run(void *argument) {
    struct checker *checker = argument;
    pthread_mutex_lock(&checker->mutex);
    while (!checker->quit) {
        if (checker->next >= checker->count) {
            pthread_cond_wait(&checker->asked, &checker->mutex);
            continue;
        }
        const int index = checker->next++;
        const unsigned generation = checker->generation;
        const struct plan plan = checker->plans[index];
        pthread_mutex_unlock(&checker->mutex);
        struct answer answer = {.there = true};
        struct source *source = checker->source;
        answer.status = source ? source->ops->check(source, &plan, &answer.error)
                               : check_plan(&plan, &answer.error);
        pthread_mutex_lock(&checker->mutex);
        if (generation == checker->generation)
            checker->answers[index] = answer;
        eventfd_write(checker->wake, 1);
    }
    pthread_mutex_unlock(&checker->mutex);
    return NULL;
}

static void checker_free(struct checker *checker) {
    if (checker->wake >= 0)
        close(checker->wake);
    pthread_mutex_destroy(&checker->mutex);
    pthread_cond_destroy(&checker->asked);
    free(checker);
}

struct checker *checker_create(struct source *source) {
    struct checker *checker = calloc(1, sizeof *checker);
    if (!checker)
        return NULL;
    pthread_mutex_init(&checker->mutex, NULL);
    pthread_cond_init(&checker->asked, NULL);
    checker->source = source && source->ops->check ? source : NULL;
    checker->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (checker->wake < 0 || thread_start(&checker->thread, checker_run, checker)) {
        checker_free(checker);
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
    checker_free(checker);
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
