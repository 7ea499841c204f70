/* Checks in a thread of its own whether plans can run here, so that the screen need not wait:
 * asking a back end for the first time may load its libraries. */
#ifndef JACOBI_UI_APP_CHECKER_H
#define JACOBI_UI_APP_CHECKER_H

#include <stdbool.h>

#include "ui/panels/screen.h"

/* As many as a menu has rows. */
enum { CHECKS_MAX = MENU_ROWS_MAX };

struct checker;

/* Starts the thread, which asks `source` if that knows (source_ops.check), and else this process;
 * NULL if that fails. */
struct checker *checker_create(struct source *source);

/* Waits for a check that is being made. NULL is allowed. */
void checker_destroy(struct checker *checker);

/* Asks whether each of `count` plans can run; forgets what was asked before. Never blocks for
 * longer than a lock. */
void checker_ask(struct checker *checker, const struct plan *plans, int count);

/* Whether plan `index` of those asked about has been checked; then *status and *error are the
 * answer. */
bool checker_answer(struct checker *checker, int index, enum status *status, struct error *error);

/* Becomes readable when there are new answers; checker_seen empties it. */
int checker_descriptor(const struct checker *checker);
void checker_seen(struct checker *checker);

#endif
