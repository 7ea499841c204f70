#include <stdlib.h>
#include <string.h>

#include "ui/app/background.h"
#include "ui/app/job_thread.h"

struct answer {
    bool is_known;
    struct error error;
};

struct plan_validator {
    struct job_thread jobs; /* its mutex guards everything but the source */
    struct source *source;  /* the source to check against */
    struct plan plans[MENU_ROWS_MAX];
    struct answer answers[MENU_ROWS_MAX];
    int count, next;
    unsigned generation; /* of the request */
};

/* Checks the next plan; returns false if there is none. */
static bool check_plan(void *owner) {
    struct plan_validator *validator = owner;
    if (validator->next >= validator->count)
        return false;
    const int index = validator->next++;
    const unsigned generation = validator->generation;
    const struct plan plan = validator->plans[index];
    struct answer answer = {.is_known = true};
    pthread_mutex_unlock(&validator->jobs.mutex);
    if (!source_check(validator->source, &plan, &answer.error))
        answer.error.status = STATUS_OK; /* one of several choices may have failed */
    pthread_mutex_lock(&validator->jobs.mutex);
    if (generation == validator->generation)
        validator->answers[index] = answer;
    return true;
}

struct plan_validator *plan_validator_create(struct source *source, int wake) {
    struct plan_validator *validator =
        job_thread_start(sizeof *validator, (struct job_thread){.wake = wake, .work = check_plan});
    if (validator)
        validator->source = source;
    return validator;
}

void plan_validator_destroy(struct plan_validator *validator) {
    if (!validator)
        return;
    job_thread_stop(&validator->jobs);
    free(validator);
}

void plan_validator_ask(struct plan_validator *validator, const struct plan *plans, int count) {
    pthread_mutex_lock(&validator->jobs.mutex);
    validator->count = count < MENU_ROWS_MAX ? count : MENU_ROWS_MAX;
    validator->next = 0;
    validator->generation++;
    memcpy(validator->plans, plans, (size_t)validator->count * sizeof *plans);
    memset(validator->answers, 0, sizeof validator->answers);
    pthread_cond_signal(&validator->jobs.asked);
    pthread_mutex_unlock(&validator->jobs.mutex);
}

bool plan_validator_answer(struct plan_validator *validator, int index, struct error *error) {
    pthread_mutex_lock(&validator->jobs.mutex);
    const bool is_known = index < validator->count && validator->answers[index].is_known;
    if (is_known)
        *error = validator->answers[index].error;
    pthread_mutex_unlock(&validator->jobs.mutex);
    return is_known;
}
