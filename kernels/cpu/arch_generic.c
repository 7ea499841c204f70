/* Stores past the caches, and subnormal numbers (kernels/cpu/row.h), on machines other than x86-64:
 * plain C. */
#include <string.h>

#include "kernels/cpu/row.h"

void cpu_stream(double *to, const double *from, int count) {
    memcpy(to, from, (size_t)count * sizeof *to);
}

void cpu_stream_end(void) {
}

unsigned cpu_drop_subnormals(void) {
    return 0;
}

void cpu_keep_subnormals(unsigned before) {
    (void)before;
}
