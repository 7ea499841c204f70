/* Replaces all other files here if no kernels could be built, and reports the reason. */
#include "hip-absent.h"
#include "kernels/hip/hip.h"

static enum status stub_probe(struct device_list *devices, struct error *error) {
    devices->count = 0;
    return error_set(error, STATUS_UNAVAILABLE, "not built into this program: %s",
                     HIP_ABSENT_BECAUSE);
}

const struct backend hip_backend = {
    .name = "hip",
    .title = "HIP",
    .needs = "an AMD or NVIDIA GPU with its driver",
    .advice = "build it with clang-19 (NVIDIA) or hipcc (AMD)",
    .model = MODEL_KERNEL_LAUNCHES,
    .probe = stub_probe,
    .user_kernels = &(const struct user_kernels_ops){.suffix = ".hip"},
    .blocked_flops = hip_blocked_flops, /* for recordings */
};
