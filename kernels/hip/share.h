/* How a pass's work is shared out among blocks. */
#ifndef JACOBI_HIP_SHARE_H
#define JACOBI_HIP_SHARE_H

#include "kernels/hip/stream.h"
#include "solver/mesh.h"

enum { BLOCKED_DEPTH_MAX = 8 };

struct hip_blocked_kernel {
    enum hip_kernel kernel;
    int depth; /* iterations it can make in a pass; it may be asked for fewer */
    int waves; /* a block's */
};

/* All of them, the shallowest first; ended by one whose depth is 0. */
extern const struct hip_blocked_kernel hip_blocked_kernels[];

/* The shallowest that can make `depth` iterations; the deepest where none can. */
const struct hip_blocked_kernel *hip_blocked_kernel_for(int depth);

struct hip_geometry {
    unsigned rows;   /* of the grid, a block's */
    unsigned blocks; /* of the whole pass */
};

struct hip_geometry hip_geometry_fused(const struct mesh *mesh, int multiprocessors);
struct hip_geometry hip_geometry_blocked(const struct mesh *mesh, const struct hip_stream *stream,
                                         int depth);

#endif
