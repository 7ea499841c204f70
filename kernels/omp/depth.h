/* How deep a blocked pass should be on a device. */
#ifndef JACOBI_KERNELS_OMP_DEPTH_H
#define JACOBI_KERNELS_OMP_DEPTH_H

#include "kernels/omp/module.h"

/* Fills in a blocked schedule's depth where it is left open: the fastest of `depths` in a short
 * trial on the spec's device, which is remembered in the user's cache folder. */
enum status omp_depth_choose(struct engine_spec *spec, const struct offload_depths *depths,
                             struct error *error);

#endif
