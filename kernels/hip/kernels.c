#include "kernels/hip/kernels.h"

#include <math.h>

const struct hip_kernel_signature hip_kernel_signatures[KERNEL_COUNT] = {
    [KERNEL_LAPLACIAN] = {"Laplacian", "iiiddpp"},
    [KERNEL_BOUNDARY] = {"BoundaryConditions", "iiddpp"},
    [KERNEL_UPDATE] = {"Update", "lidpppp"},
    [KERNEL_NORM] = {"Norm", "lipp"},
    [KERNEL_DOWNSAMPLE] = {"Downsample", "iiiiiiipp"},
    [KERNEL_FUSED] = {"Fused", "iiiiiddddpppppp"},
    [KERNEL_BLOCKED4] = {"Blocked4", "iiiiiddddpppppp"},
    [KERNEL_BLOCKED8] = {"Blocked8", "iiiiiddddpppppp"},
    [KERNEL_TRIAD] = {"Triad", "ldppp"},
    [KERNEL_MULTIPLY_ADD] = {"MultiplyAdd", "iddp"},
};

const struct hip_blocked_kernel hip_blocked_kernels[] = {
    {KERNEL_BLOCKED4, 4, 2},
    {KERNEL_BLOCKED8, 8, 4},
    {0},
};

const struct hip_blocked_kernel *hip_blocked_kernel_for(int depth) {
    const struct hip_blocked_kernel *kernel = hip_blocked_kernels;
    while (kernel->depth < depth && kernel[1].depth)
        kernel++;
    return kernel;
}

static unsigned divide_up(unsigned a, unsigned b) {
    return (a + b - 1) / b;
}

/* FUSED_BLOCKS per multiprocessor: all of them run at once, so none has to wait for another's end.
 * Measured on an H200: more blocks, or fewer, are slower. */
struct hip_geometry hip_geometry_fused(const struct mesh *mesh, unsigned multiprocessors) {
    enum { FUSED_BLOCKS = 4 };
    const unsigned Ny = (unsigned)mesh->Ny;
    const unsigned strips = divide_up((unsigned)mesh->Nx, FUSED_COLUMNS);
    unsigned chunks = FUSED_BLOCKS * multiprocessors / strips;
    chunks = chunks < 1 ? 1 : chunks > Ny ? Ny : chunks;
    const unsigned rows = divide_up(Ny, chunks);
    return (struct hip_geometry){.rows = rows, .blocks = strips * divide_up(Ny, rows)};
}

/* Tries every way of cutting the strips into chunks of rows, and takes the one of least cost: the
 * time of a pass, in steps of a block that has a multiprocessor to itself. A block makes a few
 * steps more than it has rows, until its assembly line is full. Blocks that share a multiprocessor
 * slow each other down, but by less than their number. */
struct hip_geometry hip_geometry_blocked(const struct mesh *mesh,
                                         const struct hip_blocked_kernel *kernel, unsigned wave,
                                         unsigned multiprocessors, unsigned resident) {
    const double lone = 1.5; /* n blocks on a multiprocessor take 1.5 + n for a step */
    const unsigned Ny = (unsigned)mesh->Ny, fill = 5 * (unsigned)kernel->waves;
    const unsigned halo = divide_up((unsigned)kernel->depth, BLOCKED_COLUMNS);
    const unsigned strips = divide_up((unsigned)mesh->Nx, (wave - 2 * halo) * BLOCKED_COLUMNS);
    const unsigned at_once = multiprocessors * resident;
    struct hip_geometry best = {.rows = Ny, .blocks = strips};
    double least = INFINITY;
    for (unsigned chunks = 1; chunks <= Ny && chunks <= 4096; chunks++) {
        const unsigned rows = divide_up(Ny, chunks), blocks = strips * divide_up(Ny, rows);
        const unsigned rounds = blocks / at_once, rest = blocks % at_once;
        const double full_rounds = rounds * (lone + resident);
        const double last_round = rest ? lone + divide_up(rest, multiprocessors) : 0;
        const double cost = (rows + fill) * (full_rounds + last_round);
        if (cost < least) {
            least = cost;
            best = (struct hip_geometry){.rows = rows, .blocks = blocks};
        }
    }
    return best;
}
