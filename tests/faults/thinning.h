/* Where every run is slow, as under a sanitizer, not every point is tried. */
#ifndef JACOBI_TESTS_FAULTS_THINNING_H
#define JACOBI_TESTS_FAULTS_THINNING_H

#include <stdlib.h>

/* Every how many-th point is tried: JACOBI_TORTURE_STEP of the environment, or each. */
static inline int thinning(void) {
    const char *step = getenv("JACOBI_TORTURE_STEP");
    return step && atoi(step) > 1 ? atoi(step) : 1;
}

#endif
