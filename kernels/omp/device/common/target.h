/* The target regions: device code, compiled into the modules only. One file per phase, with the
 * same names as in the other back ends; shapes as in module.h. */
#ifndef JACOBI_KERNELS_OMP_DEVICE_COMMON_TARGET_H
#define JACOBI_KERNELS_OMP_DEVICE_COMMON_TARGET_H

#include <omp.h>

#include "kernels/omp/module.h"

/* Laplacian walks over tiles. A GPU's thread takes a tile one column wide: the arithmetic
 * that finds it is spread over several unknowns, whose loads are under way together, while its
 * neighbours take the columns beside it. A processor's core takes a tile one row high and walks
 * along it with its vector unit. */
enum { TILE_ROWS = OFFLOAD_IS_GPU ? 8 : 1, TILE_COLS = OFFLOAD_IS_GPU ? 1 : 4096 };

static inline int tile_end(int begin, int size, int limit) {
    return begin + size < limit ? begin + size : limit;
}

void target_laplacian(const struct mesh *mesh, const double *U, double *AU);
void target_laplacian_structured(const struct mesh *mesh, const double *U, double *AU);
void target_boundary(const struct mesh *mesh, const double *U, double *AU);
void target_boundary_structured(const struct mesh *mesh, const double *U, double *AU);
void target_update(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                   double *U);
void target_update_structured(const struct mesh *mesh, const double *RHS, const double *AU,
                              double *RES, double *U);
double target_norm(const struct mesh *mesh, const double *RES, struct offload_sums *sums);
double target_norm_structured(const struct mesh *mesh, const double *RES,
                              struct offload_sums *sums);

double target_fused(const struct mesh *mesh, const double *RHS, const double *U, double *U_next,
                    struct offload_sums *sums);
double target_fused_structured(const struct mesh *mesh, const double *RHS, const double *U,
                               double *U_next, struct offload_sums *sums);

void target_blocked(const struct mesh *mesh, int depth, const double *RHS, const double *U,
                    double *U_next, double *norms, struct offload_window *window);
void target_blocked_structured(const struct mesh *mesh, int depth, const double *RHS,
                               const double *U, double *U_next, double *norms,
                               struct offload_window *window);
struct offload_window *target_open_window(const struct mesh *mesh, int depth);
void target_close_window(struct offload_window *window);
extern const struct offload_depths target_depths;

void target_downsample(const struct mesh *mesh, const struct downsample *downsample,
                       const double *U, float *cells);

/* Mapping for the whole run. */
bool target_has_free_memory(size_t bytes);
void target_enter_classic(size_t N, double *U, double *AU, double *RES, double *RHS);
void target_exit_classic(size_t N, double *U, double *AU, double *RES, double *RHS);
void target_enter_fused(size_t N, double *U, double *U_next, double *RHS);
void target_exit_fused(size_t N, double *U, double *U_next, double *RHS);
void target_update_from(size_t N, double *U);
void *target_alloc_unified(size_t bytes);
void target_free_unified(void *memory);
struct offload_sums *target_open_sums(void);
void target_close_sums(struct offload_sums *sums);

#endif
