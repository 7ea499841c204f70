#include "kernels/threads/threads.h"

static enum status threads_probe(struct device_list *devices, struct error *why_not) {
    devices->count = 0;
    return error_set(why_not, STATUS_UNAVAILABLE, "not built into this program");
}

const struct backend threads_backend = {
    .name = "threads",
    .title = "threads",
    .needs = "",
    .probe = threads_probe,
};
