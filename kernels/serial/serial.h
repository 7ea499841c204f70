/* `serial`: the seed's CPU code path, phase by phase. The oracle that every other back end is
 * compared with. */
#ifndef JACOBI_KERNELS_SERIAL_H
#define JACOBI_KERNELS_SERIAL_H

#include "kernels/cpu/engine.h"

extern const struct backend serial_backend;

/* The kernels, shaped as struct host_kernels describes. */
void serial_laplacian(const struct mesh *mesh, const double *U, double *AU);
void serial_boundary(const struct mesh *mesh, const double *U, double *AU);
void serial_update(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                   double *U);
double serial_norm(const struct mesh *mesh, const double *RES);
double serial_fused(const struct mesh *mesh, const double *RHS, const double *U, double *U_next);
void serial_blocked(const struct mesh *mesh, int depth, const double *RHS, const double *U,
                    double *U_next, double *sums, void *work);
void *serial_blocked_open(const struct mesh *mesh, int depth);
void serial_downsample(const struct mesh *mesh, const struct downsample *downsample,
                       const double *U, float *cells);

#endif
