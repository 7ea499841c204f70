/* Finds out in a thread of its own whether plans can run here, so that the screen need not wait:
 * asking a back end for the first time may load its libraries. */
#ifndef JACOBI_UI_APP_PLAN_VALIDATOR_H
#define JACOBI_UI_APP_PLAN_VALIDATOR_H

#include <stdbool.h>

#include "ui/panels/screen.h"

struct plan_validator;

/* Starts the thread, which asks `source` if that knows (source_ops.check), and else this process.
 * `wake`, an eventfd, is written with each answer. NULL if that fails. */
struct plan_validator *plan_validator_create(struct source *source, int wake);

/* Waits for a check that is being made. NULL is allowed. */
void plan_validator_destroy(struct plan_validator *validator);

/* Asks whether each of `count` plans can run; forgets what was asked before. Never blocks for
 * longer than a lock. */
void plan_validator_ask(struct plan_validator *validator, const struct plan *plans, int count);

/* Whether plan `index` of those asked about has been checked; then *error is the answer. */
bool plan_validator_answer(struct plan_validator *validator, int index, struct error *error);

#endif
