/* How a pass's work is shared out among blocks. */
#ifndef JACOBI_HIP_SHARE_H
#define JACOBI_HIP_SHARE_H

#include "kernels/hip/queue.h"
#include "solver/mesh.h"

enum { BLOCKED_DEPTH_MAX = 8 };

struct blocked_kernel {
    enum kernel kernel;
    int depth; /* iterations it can make in a pass; it may be asked for fewer */
    int waves; /* a block's */
};

/* All of them, the shallowest first; ended by one whose depth is 0. */
extern const struct blocked_kernel blocked_kernels[];

/* The shallowest that can make `depth` iterations; the deepest where none can. */
const struct blocked_kernel *blocked_kernel_for(int depth);

struct share {
    unsigned rows;   /* of the grid, a block's */
    unsigned blocks; /* of the whole pass */
};

struct share share_fused(const struct mesh *mesh, int multiprocessors);
struct share share_blocked(const struct mesh *mesh, const struct queue *queue, int depth);

#endif
