/* The table that a module of target regions exports (kernels/omp/module.h). */
#include <omp.h>

#include "kernels/omp/device/common/target.h"

_Thread_local struct device_scratch *target_scratch;

static void choose_device(int device, struct device_scratch *scratch) {
    omp_set_default_device(device);
    target_scratch = scratch;
}

static bool run_on_device(void) {
    int there = 0;
#pragma omp target map(tofrom : there)
    there = !omp_is_initial_device();
    return there;
}

extern const struct offload_module offload_module __attribute__((visibility("default")));

const struct offload_module offload_module = {
    .version = OFFLOAD_MODULE_VERSION,
    .is_gpu = OFFLOAD_IS_GPU,
    .compiler = __clang_version__,
    .choose = choose_device,
    .try_out = run_on_device,
    .has_free_memory = target_has_free_memory,
    .enter_classic = target_enter_classic,
    .exit_classic = target_exit_classic,
    .enter_fused = target_enter_fused,
    .exit_fused = target_exit_fused,
    .update_from = target_update_from,
    .update_to = target_update_to,
    .copy = target_copy,
    .enter_array = target_enter_array,
    .exit_array = target_exit_array,
    .alloc_unified = target_alloc_unified,
    .free_unified = target_free_unified,
#if OFFLOAD_IS_GPU
    .alloc_pinned = target_alloc_pinned,
    .free_pinned = target_free_pinned,
    .measure_clock = target_measure_clock,
#endif
    .open_scratch = target_open_scratch,
    .close_scratch = target_close_scratch,
    .open_work = target_open_work,
    .close_work = target_close_work,
    .depths = &target_depths,
    .phases = {{
                   .laplacian = target_laplacian,
                   .boundary = target_boundary,
                   .update = target_update,
                   .norm = target_norm,
                   .fused = target_fused,
                   .blocked = target_blocked,
               },
               {
                   .laplacian = target_laplacian_structured,
                   .boundary = target_boundary_structured,
                   .update = target_update_structured,
                   .norm = target_norm_structured,
                   .fused = target_fused_structured,
                   .blocked = target_blocked_structured,
               }},
    .plain = {{
                  .laplacian = target_plain_laplacian,
                  .boundary = target_plain_boundary,
                  .update = target_plain_update,
                  .norm = target_plain_norm,
              },
              {
                  .laplacian = target_plain_laplacian_structured,
                  .boundary = target_plain_boundary_structured,
                  .update = target_plain_update_structured,
                  .norm = target_plain_norm_structured,
              }},
    .methods = {target_methods, target_methods_structured},
    .downsample = target_downsample,
};
