/* What every test program includes first: cmocka with the headers it wants before it. */
#ifndef JACOBI_TESTS_SUPPORT_H
#define JACOBI_TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* |a - b| ≤ tolerance * |b| */
#define assert_close(a, b, tolerance)                                                              \
    do {                                                                                           \
        const double a_ = (a), b_ = (b);                                                           \
        if (!(fabs(a_ - b_) <= (tolerance)*fabs(b_)))                                              \
            fail_msg("%s is %.17g, should be %.17g within %g", #a, a_, b_, (double)(tolerance));   \
    } while (0)

#endif
