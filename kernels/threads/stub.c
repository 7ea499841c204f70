/* Replaces all other files here if the program was built without OpenMP, and reports why. */
#include "kernels/cpu/row.h"
#include "kernels/threads/threads.h"
#include "threads-absent.h"

static enum status threads_probe(struct device_list *devices, struct error *error) {
    devices->count = 0;
    return error_set(error, STATUS_UNAVAILABLE, "not built into this program: %s",
                     THREADS_ABSENT_BECAUSE);
}

const struct backend threads_backend = {
    .name = "threads",
    .title = "OpenMP threads",
    .needs = "a compiler with OpenMP",
    .advice = "build it with a compiler that has OpenMP (gcc, or clang with libomp-19-dev)",
    .model = MODEL_HOST_LOOPS,
    .probe = threads_probe,
    .blocked_flops = cpu_blocked_flops, /* for recordings */
};
