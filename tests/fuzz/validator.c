/* The validator of menus, without its thread: the fuzzer's bytes determine its results and their
 * time. */
#include "tests/fuzz/validator.h"

#include <string.h>

#include "ui/app/background.h"

struct plan_validator {
    int count;
    bool answered[MENU_ROWS_MAX];
    struct error errors[MENU_ROWS_MAX];
};

static struct plan_validator only;

void fuzz_validator_answer(int index, const char *refusal) {
    if (index < 0 || index >= only.count)
        return;
    only.answered[index] = true;
    only.errors[index] = (struct error){0};
    if (refusal)
        error_set(&only.errors[index], STATUS_UNAVAILABLE, "%s", refusal);
}

struct plan_validator *plan_validator_create(struct source *source, int wake) {
    return &only;
}

void plan_validator_destroy(struct plan_validator *validator) {
}

void plan_validator_ask(struct plan_validator *validator, const struct plan *plans, int count) {
    validator->count = count < MENU_ROWS_MAX ? count : MENU_ROWS_MAX;
    memset(validator->answered, 0, sizeof validator->answered);
}

bool plan_validator_answer(struct plan_validator *validator, int index, struct error *error) {
    if (index >= validator->count || !validator->answered[index])
        return false;
    *error = validator->errors[index];
    return true;
}
