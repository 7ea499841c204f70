/* Replaces all other host files here if no target regions could be built, and reports why. */
#include "kernels/omp/omp.h"
#include "omp-paths.h"

static enum status stub_probe(struct device_list *devices, struct error *error) {
    devices->count = 0;
    return error_set(error, STATUS_UNAVAILABLE, "not built into this program: %s",
                     OMP_ABSENT_BECAUSE);
}

const struct backend omp_backend = {
    .name = "omp",
    .title = "OpenMP offload",
    .needs = "clang-19, clang-tools-19 and libomp-19-dev when it is built",
    .advice = "build it with clang-19, clang-tools-19 and libomp-19-dev (scripts/run does)",
    .model = MODEL_TARGET_REGIONS,
    .probe = stub_probe,
    .user_kernels = &(const struct user_kernels_ops){.suffix = ".c"},
    .blocked_flops = omp_blocked_flops, /* for recordings */
};
