#include "kernels/hip/hip.h"

static enum status hip_probe(struct device_list *devices, struct error *why_not) {
    devices->count = 0;
    return error_set(why_not, STATUS_UNAVAILABLE, "not built into this program");
}

const struct backend hip_backend = {
    .name = "hip",
    .title = "HIP",
    .needs = "",
    .probe = hip_probe,
};
