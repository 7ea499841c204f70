/* `hip`: HIP on AMD GPUs, and the same kernels through the CUDA driver on NVIDIA GPUs.
 *
 * backend.c is the interface to the program, devices.c finds the GPUs, driver.c opens the vendors'
 * libraries. engine.c is common to all schedules; classic.c, plain.c and passes.c add theirs.
 * stream.c, graph.c, timer.c and vector.c are a GPU's queue, recorded launches, its clock and its
 * arrays. The kernels are in device/.
 */
#ifndef JACOBI_KERNELS_HIP_H
#define JACOBI_KERNELS_HIP_H

#include <math.h>

#include "solver/backend.h"

extern const struct backend hip_backend;

/* Its measure_roof: roof.c. */
enum status hip_measure_roof(int device, const struct tuning *tuning, struct roof *roof,
                             struct error *error);

/* Whether that mesh's weights are all 1/4, so that the faster kernel will do. */
static inline bool hip_blocked_is_even(const struct mesh *mesh) {
    return mesh->_1bydx2 == mesh->_1bydy2 && fabs(4 * mesh->factor * mesh->_1bydx2 - 1) < 1e-15;
}

/* As device/blocked.hip has them: the first level of a pass, which reads RHS, has 3 more. */
static inline int hip_blocked_flops(const struct mesh *mesh, int depth, bool on_gpu) {
    (void)on_gpu; /* emulated, it is the same kernel */
    return (hip_blocked_is_even(mesh) ? 6 : 11) * depth + 3;
}

#endif
