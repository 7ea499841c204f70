/* One run on several grids at once: how many iterations more does a finer grid need? */
#ifndef JACOBI_SESSION_SIZES_H
#define JACOBI_SESSION_SIZES_H

#include "session/session.h"

/* Starts the plan's one lane, and beside it the same on `count` ≤ BESIDE_MAX other grids. The
 * samples are those of the plan's own run; of the others they hold the residuals (`beside`, in the
 * order given). They take turns, none disturbing another's times. Commands go to all, but for the
 * view. The session has finished when all have, and failed when one has. */
enum status sizes_start(const struct plan *plan, const struct mesh *others, int count,
                        const struct view *view, struct source **source, struct error *error);

#endif
