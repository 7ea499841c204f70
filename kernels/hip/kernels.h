/* The kernels: their numbers, names and arguments, and the launch geometry of a pass. */
#pragma once

#include "kernels/hip/driver.h"
#include "solver/mesh.h"
#include "solver/run_id.h"

enum hip_kernel {
    KERNEL_LAPLACIAN,
    KERNEL_BOUNDARY,
    KERNEL_UPDATE,
    KERNEL_NORM,
    KERNEL_PLAIN_LAPLACIAN,
    KERNEL_PLAIN_BOUNDARY,
    KERNEL_PLAIN_UPDATE,
    KERNEL_PLAIN_NORM,
    KERNEL_DOWNSAMPLE,
    KERNEL_AWAIT,
    KERNEL_FUSED,
    KERNEL_FUSED_OF_SLAB,
    KERNEL_CHEBYSHEV_FUSED,
    KERNEL_BLOCKED4,
    KERNEL_BLOCKED4_ANY,
    KERNEL_BLOCKED8,
    KERNEL_BLOCKED8_ANY,
    KERNEL_CORRECT,
    KERNEL_REMAINDER,
    KERNELS_OF_FLOAT, /* the kernels from here on are compiled for double only */
    KERNEL_CHEBYSHEV_UPDATE = KERNELS_OF_FLOAT,
    KERNEL_COLOUR_UPDATE,
    KERNEL_SWEEP,
    KERNEL_RESTRICTION,
    KERNEL_PROLONGATION,
    KERNEL_TRIAD,
    KERNEL_MULTIPLY_ADD,
    KERNEL_COUNT
};

struct hip_kernel_signature {
    const char *name;
    const char *arguments; /* one letter each: i int, l long, d double, r real, p pointer; the host
                              gives reals as doubles */
};

extern const struct hip_kernel_signature hip_kernel_signatures[KERNEL_COUNT];

/* How the kernels divide the work. device/ has the same constants. */
enum {
    PACK_BYTES = 16,    /* of neighbouring unknowns, loaded in one access */
    LAPLACIAN_ROWS = 4, /* per thread */
    STATE_BYTES = 12,   /* struct pass_state without `ready` */
    LIMIT_AT = 16,      /* byte offset, after that, of the limit at which Norm stops */
    FUSED_BLOCK = 256,  /* threads per block, a pack of columns each */
    BLOCKED_DEPTH_MAX = 8,
    BLOCKED_BLOCKS_MAX = 32, /* per multiprocessor, as requested or tried */
};

struct hip_blocked_kernel {
    enum hip_kernel kernel; /* if dx = dy and nothing is damped */
    enum hip_kernel any;    /* for every mesh */
    int depth;              /* maximum iterations per pass */
};

/* All blocked kernels in order of their depth; the last entry's depth is 0. */
extern const struct hip_blocked_kernel hip_blocked_kernels[];

/* The unknowns of a pack at that precision. */
static inline unsigned hip_pack(enum precision precision) {
    return PACK_BYTES / (unsigned)precision_bytes(precision);
}

/* The launch geometry of a pass. */
struct hip_geometry {
    unsigned rows;   /* rows of the grid per block */
    unsigned blocks; /* in the whole pass */
    unsigned strips; /* of columns, side by side */
    unsigned each;   /* blocks per multiprocessor, rounded up */
};

/* `pack`: hip_pack; `blocks`: per multiprocessor. */
struct hip_geometry hip_geometry_fused(const struct mesh *mesh, unsigned pack,
                                       unsigned multiprocessors, unsigned blocks);

/* `columns`: of the grid, per lane of a wave; `depth`: the kernel's; `wave`: threads per wave;
 * `waves`: per block; `resident`: blocks that run concurrently on each multiprocessor; `ends`: the
 * slab's ends at which neighbours wait for rows; `blocks`: maximum per multiprocessor, if the
 * columns allow; 0: the best number by a model. */
struct hip_geometry hip_geometry_blocked(const struct mesh *mesh, unsigned columns, int depth,
                                         unsigned wave, unsigned waves, unsigned multiprocessors,
                                         unsigned resident, unsigned ends, unsigned blocks);
