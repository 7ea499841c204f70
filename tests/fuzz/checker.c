/* The checker of menus, without its thread: answers when and as the fuzzer's bytes say. */
#include "tests/fuzz/checker.h"

#include <string.h>

#include "ui/app/checker.h"

struct checker {
    int count;
    bool answered[CHECKS_MAX];
    struct error errors[CHECKS_MAX];
};

static struct checker only;

void fuzz_checker_answer(int index, const char *refusal) {
    if (index < 0 || index >= only.count)
        return;
    only.answered[index] = true;
    only.errors[index] = (struct error){0};
    if (refusal)
        error_set(&only.errors[index], STATUS_UNAVAILABLE, "%s", refusal);
}

struct checker *checker_create(struct source *source) {
    return &only;
}

void checker_destroy(struct checker *checker) {
}

void checker_ask(struct checker *checker, const struct plan *plans, int count) {
    checker->count = count < CHECKS_MAX ? count : CHECKS_MAX;
    memset(checker->answered, 0, sizeof checker->answered);
}

bool checker_answer(struct checker *checker, int index, enum status *status, struct error *error) {
    if (index >= checker->count || !checker->answered[index])
        return false;
    *status = checker->errors[index].status;
    *error = checker->errors[index];
    return true;
}

int checker_descriptor(const struct checker *checker) {
    return -1;
}

void checker_seen(struct checker *checker) {
}
