/* How deep a blocked pass should be on a device. */
#ifndef JACOBI_HIP_DEPTH_H
#define JACOBI_HIP_DEPTH_H

#include "solver/engine.h"

/* *depth as a blocked pass will really use it: the user's, cut to what the kernels can, or, where
 * that is left open (0), the fastest in a short trial on this device, which is remembered in the
 * user's cache folder. */
enum status hip_depth_choose(const struct engine_spec *spec, int *depth, struct error *error);

#endif
