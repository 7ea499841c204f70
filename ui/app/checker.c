#include "ui/app/checker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/system.h"

struct answer {
    bool there;
    enum status status;
    struct error error;
};

struct checker {
    pthread_t thread;
    struct source *source; /* that knows what can run */
    int wake;              /* eventfd */

    pthread_mutex_t mutex; /* guards the rest */
    pthread_cond_t asked;
    struct plan plans[CHECKS_MAX];
    struct answer answers[CHECKS_MAX];
    int count, next;
    unsigned generation; /* of the question */
    bool quit;
};

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
        answer.status = source_check(checker->source, &plan, &answer.error);
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
    checker->source = source;
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
