#include <stdlib.h>

#include "kernels/omp/device/common/target.h"

/* The downsample clause needs no place of its own on the device. */
struct offload_sums *target_open_sums(void) {
    return calloc(1, sizeof(struct offload_sums));
}

void target_close_sums(struct offload_sums *sums) {
    free(sums);
}
