/* `hip`: HIP on AMD GPUs, and the same kernels through the CUDA driver on NVIDIA GPUs.
 *
 * backend.c is the interface to the program, devices.c finds the GPUs, and driver.c opens the
 * vendors' libraries. engine.c is common to all schedules; classic.c, plain.c and passes.c add
 * theirs. stream.c has a GPU's queue, graph.c its recorded launches, timer.c its clock and vector.c
 * its arrays. The kernels are in device/. */
#pragma once

#include <math.h>

#include "solver/backend.h"

extern const struct backend hip_backend;

/* Measures the roof for the back end: roof.c. */
enum status hip_measure_roof(int device, const struct tuning *tuning, struct roof *roof,
                             struct error *error);

/* Whether all weights of that mesh are 1/4, so that the faster kernel can be used. */
static inline bool hip_blocked_is_even(const struct mesh *mesh) {
    return mesh->_1bydx2 == mesh->_1bydy2 && fabs(4 * mesh->factor * mesh->_1bydx2 - 1) < 1e-15;
}

/* Operations per unknown (device/blocked.hip); a pass's first level reads RHS and has 3 more. */
static inline int hip_blocked_flops(const struct mesh *mesh, int depth, bool on_gpu) {
    (void)on_gpu; /* the emulator runs the same kernel */
    return (hip_blocked_is_even(mesh) ? 6 : 11) * depth + 3;
}
