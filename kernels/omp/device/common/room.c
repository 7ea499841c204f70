#include <omp.h>

#include "kernels/omp/device/common/target.h"

bool target_has_room(size_t bytes) {
    void *memory = omp_target_alloc(bytes, omp_get_default_device());
    omp_target_free(memory, omp_get_default_device());
    return memory != NULL;
}
