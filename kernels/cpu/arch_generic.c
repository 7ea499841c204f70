#include <string.h>

#include "kernels/cpu/arch.h"

void host_stream(double *to, const double *from, int count) {
    memcpy(to, from, (size_t)count * sizeof *to);
}

void host_stream_end(void) {
}

unsigned host_drop_subnormals(void) {
    return 0;
}

void host_keep_subnormals(unsigned before) {
    (void)before;
}
