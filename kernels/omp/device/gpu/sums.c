#include <string.h>

#include "kernels/omp/device/common/target.h"
#include "kernels/omp/device/gpu/pinned.h"

struct offload_sums *target_open_sums(void) {
    struct offload_sums *sums = pinned_alloc(sizeof *sums);
    if (!sums)
        return NULL;
    memset(sums, 0, sizeof *sums);
#pragma omp target enter data map(to : sums[:1])
    return sums;
}

void target_close_sums(struct offload_sums *sums) {
#pragma omp target exit data map(release : sums[:1])
    pinned_free(sums);
}
