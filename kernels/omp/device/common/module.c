/* The table that a module of target regions exports (kernels/omp/module.h). */
#include <omp.h>

#include "kernels/omp/device/common/target.h"

static void choose_device(int device) {
    omp_set_default_device(device);
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
    .open_scratch = target_open_sums,
    .close_scratch = target_close_sums,
    .open_window = target_open_window,
    .close_window = target_close_window,
    .depths = &target_depths,
    .phases =
        {
            [MAPPING_STRUCTURED] =
                {
                    .laplacian = target_laplacian_structured,
                    .boundary = target_boundary_structured,
                    .update = target_update_structured,
                    .norm = target_norm_structured,
                    .fused = target_fused_structured,
                    .blocked = target_blocked_structured,
                },
            [MAPPING_UNSTRUCTURED] =
                {
                    .laplacian = target_laplacian,
                    .boundary = target_boundary,
                    .update = target_update,
                    .norm = target_norm,
                    .fused = target_fused,
                    .blocked = target_blocked,
                },
            /* As if mapped for the whole run, but there is nothing to be copied. */
            [MAPPING_UNIFIED] =
                {
                    .laplacian = target_laplacian,
                    .boundary = target_boundary,
                    .update = target_update,
                    .norm = target_norm,
                    .fused = target_fused,
                    .blocked = target_blocked,
                },
        },
    .plain =
        {
            [MAPPING_STRUCTURED] =
                {
                    .laplacian = target_plain_laplacian_structured,
                    .boundary = target_plain_boundary_structured,
                    .update = target_plain_update_structured,
                    .norm = target_plain_norm_structured,
                },
            [MAPPING_UNSTRUCTURED] =
                {
                    .laplacian = target_plain_laplacian,
                    .boundary = target_plain_boundary,
                    .update = target_plain_update,
                    .norm = target_plain_norm,
                },
            [MAPPING_UNIFIED] =
                {
                    .laplacian = target_plain_laplacian,
                    .boundary = target_plain_boundary,
                    .update = target_plain_update,
                    .norm = target_plain_norm,
                },
        },
    .methods =
        {
            [MAPPING_STRUCTURED] = &target_methods_structured,
            [MAPPING_UNSTRUCTURED] = &target_methods,
            [MAPPING_UNIFIED] = &target_methods,
        },
    .downsample = target_downsample,
};
