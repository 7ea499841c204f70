/* Checks in a thread of its own whether plans can run here, so that the screen need not wait: the
 * first query to a back end may load its libraries. */
#ifndef JACOBI_UI_APP_PLAN_VALIDATOR_H
#define JACOBI_UI_APP_PLAN_VALIDATOR_H

#include <stdbool.h>

#include "ui/panels/screen.h"

struct plan_validator;

/* Starts the thread. It checks plans with `source` if that can (source_ops.check), else in this
 * process. It writes `wake`, an eventfd, with each result. NULL if that fails. */
struct plan_validator *plan_validator_create(struct source *source, int wake);

/* Waits for the current check. NULL is allowed. */
void plan_validator_destroy(struct plan_validator *validator);

/* Requests a check of each of `count` plans; drops the previous request. Never blocks for longer
 * than a lock. */
void plan_validator_ask(struct plan_validator *validator, const struct plan *plans, int count);

/* Whether plan `index` of the request has been checked; *error is then the result. */
bool plan_validator_answer(struct plan_validator *validator, int index, struct error *error);

#endif
