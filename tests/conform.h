/* The conformance rule, as an assertion. */
#ifndef JACOBI_TESTS_CONFORM_H
#define JACOBI_TESTS_CONFORM_H

#include "tests/support.h"

#include "tests/runs.h"

/* A run: the residual of each iterate and the last U. */
struct conform_run {
    long iterations;
    double *residuals;
    double *U;
};

/* Runs `spec` in batches of varying length, so that stopping inside a batch is tried too, and
 * checks that pictures of the result show the means of the unknowns that they cover. */
struct conform_run conform_run(const struct lane_spec *spec);

/* The same problem by `serial classic`. */
struct conform_run conform_reference(const struct lane_spec *spec);

void conform_release(struct conform_run *run);

/* Fails, with `name` in the message, unless `spec` does the same mathematics as `serial classic`:
 * the same stopping iteration, the residual of every iterate within 1e-10 relative while it is
 * above 1e-9, U within 1e-13. */
void assert_conforms(const struct lane_spec *spec, const char *name);

#endif
