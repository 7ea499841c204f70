#include "kernels/omp/omp.h"

static enum status omp_probe(struct device_list *devices, struct error *why_not) {
    devices->count = 0;
    return error_set(why_not, STATUS_UNAVAILABLE, "not built into this program");
}

const struct backend omp_backend = {
    .name = "omp",
    .title = "OpenMP offload",
    .needs = "",
    .probe = omp_probe,
};
