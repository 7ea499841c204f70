#include "solver/run_id.h"

#include <string.h>

const char *const tuning_names[TUNING_FIELDS] = {
    [TUNING_BLOCK] = "block",
    [TUNING_NORM_BLOCK] = "norm-block",
    [TUNING_NORM_BLOCKS] = "norm-blocks",
    [TUNING_FUSED_BLOCKS] = "fused-blocks",
    [TUNING_BLOCKED_BLOCKS] = "blocked-blocks",
};

const char *const precision_names[PRECISION_COUNT + 1] = {
    [PRECISION_DOUBLE] = "double",
    [PRECISION_SINGLE] = "single",
    [PRECISION_MIXED] = "mixed",
};

int tuning_tried(enum tuning_field field, int bit) {
    return field == TUNING_BLOCKED_BLOCKS ? bit : 1 << bit;
}

unsigned run_id_difference(const struct run_id *a, const struct run_id *b) {
    const bool has_cycle = a->method == METHOD_MULTIGRID && b->method == METHOD_MULTIGRID;
    const bool has_depth = a->schedule.kind == SCHEDULE_BLOCKED;
    const bool schedules_differ = a->schedule.kind != b->schedule.kind ||
                                  (has_depth && a->schedule.depth != b->schedule.depth);
    return (strcmp(a->backend, b->backend) != 0 ? RUN_BACKEND : 0u) |
           (a->mapping != b->mapping ? RUN_MAPPING : 0u) |
           (a->host_memory != b->host_memory ? RUN_HOST_MEMORY : 0u) |
           (schedules_differ ? RUN_SCHEDULE : 0u) | (a->method != b->method ? RUN_METHOD : 0u) |
           (has_cycle && !cycle_equal(a->cycle, b->cycle) ? RUN_CYCLE : 0u) |
           (a->omega != b->omega ? RUN_OMEGA : 0u) |
           (a->devices.count != b->devices.count ? RUN_DEVICES : 0u) |
           (a->user_kernels != b->user_kernels ? RUN_USER_KERNELS : 0u) |
           (a->precision != b->precision ? RUN_PRECISION : 0u);
}

bool run_has_own_omega(const struct run_id *run, int nx, int ny) {
    const struct mesh mesh = mesh_make(nx > 0 ? nx : 1, ny > 0 ? ny : 1);
    return run->omega == OMEGA_OWN || run->omega == method_omega(run->method, run->cycle, &mesh);
}

struct mesh run_mesh(const struct run_id *run, int nx, int ny) {
    const struct mesh mesh = mesh_make(nx, ny);
    return mesh_damped(mesh, run->omega == OMEGA_OWN ? method_omega(run->method, run->cycle, &mesh)
                                                     : run->omega);
}
