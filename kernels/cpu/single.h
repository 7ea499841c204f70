/* A real is a float (real.h). */
typedef float real;

#define WIDE_FROM_LEFT(left, here)                                                                 \
    __builtin_shufflevector(left, here, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,    \
                            29, 30)
#define WIDE_FROM_RIGHT(here, right)                                                               \
    __builtin_shufflevector(here, right, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)

/* The names that both copies define. */
#define refine_add_row refine_add_row_single
#define refine_residual_row refine_residual_row_single
#define cpu_downsample_row cpu_downsample_row_single
#define cpu_iteration_of cpu_iteration_of_single
#define cpu_blocked_flops cpu_blocked_flops_single
#define cpu_iterate_rows cpu_iterate_rows_single
#define cpu_add_row cpu_add_row_single
#define cpu_rows cpu_rows_single
#define cpu_relax_grid_rows cpu_relax_grid_rows_single
#define cpu_last_cache cpu_last_cache_single
#define cpu_streams cpu_streams_single
#define cpu_window_bytes cpu_window_bytes_single
#define cpu_window_open cpu_window_open_single
#define cpu_window_of cpu_window_of_single
#define cpu_strips cpu_strips_single
#define cpu_open cpu_open_single
#define cpu_footprint cpu_footprint_single
#define cpu_supports cpu_supports_single
#define cpu_probe cpu_probe_single
#define sync_init sync_init_single
#define sync_allocate sync_allocate_single
#define sync_release sync_release_single
#define sync_fill sync_fill_single
#define sync_bytes sync_bytes_single
#define serial_kernels serial_kernels_single
#define serial_laplacian serial_laplacian_single
#define serial_boundary serial_boundary_single
#define serial_update serial_update_single
#define serial_norm serial_norm_single
#define serial_fused serial_fused_single
#define serial_blocked serial_blocked_single
#define threads_kernels threads_kernels_single
#define threads_laplacian threads_laplacian_single
#define threads_boundary threads_boundary_single
#define threads_update threads_update_single
#define threads_norm threads_norm_single
#define threads_fused threads_fused_single
#define threads_blocked threads_blocked_single
#define omp_engine_open omp_engine_open_single
#define omp_teams omp_teams_single
