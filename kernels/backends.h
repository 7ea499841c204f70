/* The table of back ends.
 *
 * A back end that was not built, or finds no device, stays in the table and says why. To add one:
 * write kernels/NAME/, export its `const struct backend` (src/solver/backend.h says what that
 * holds), and add a row to the table in kernels/backends.c.
 */
#ifndef JACOBI_KERNELS_BACKENDS_H
#define JACOBI_KERNELS_BACKENDS_H

#include "solver/backend.h"

/* In the order in which `auto` tries them; ended by NULL. */
extern const struct backend *const backends[];

/* NULL if no back end has that name. */
const struct backend *backend_find(const char *name);

#endif
