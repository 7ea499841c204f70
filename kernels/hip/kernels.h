/* The kernels: their numbers, names and arguments, and the launch geometry of a pass. */
#ifndef JACOBI_HIP_KERNELS_H
#define JACOBI_HIP_KERNELS_H

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
    KERNELS_OF_FLOAT, /* those that follow are compiled for double alone */
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
    PACK_BYTES = 16,    /* of neighbouring unknowns that a thread loads at once */
    LAPLACIAN_ROWS = 4, /* per thread */
    STATE_BYTES = 12,   /* struct pass_state, without `ready` */
    LIMIT_AT = 16,      /* behind it, at so many bytes: what Norm stops at */
    FUSED_BLOCK = 256,  /* threads per block, a pack of columns each */
    BLOCKED_DEPTH_MAX = 8,
    BLOCKED_BLOCKS_MAX = 32, /* per multiprocessor, of what is asked for or tried */
};

struct hip_blocked_kernel {
    enum hip_kernel kernel; /* if dx = dy and nothing is damped */
    enum hip_kernel any;    /* for every mesh */
    int depth;              /* iterations it can make in a pass; it may be asked for fewer */
};

/* All blocked kernels, the shallowest first; the last entry's depth is 0. */
extern const struct hip_blocked_kernel hip_blocked_kernels[];

/* The shallowest that can make `depth` iterations; the deepest if none can. */
const struct hip_blocked_kernel *hip_blocked_kernel_for(int depth);

/* Waves per block: the stations that share the kernel's iterations, of `levels_max` at most. */
unsigned hip_blocked_waves(const struct hip_blocked_kernel *kernel, int levels_max);

/* The unknowns of a pack in that precision. */
static inline unsigned hip_pack(enum precision precision) {
    return PACK_BYTES / (unsigned)precision_bytes(precision);
}

/* Columns of the grid per lane of a wave. */
unsigned hip_blocked_columns(enum hip_vendor vendor, enum precision precision);

/* The launch geometry of a pass. */
struct hip_geometry {
    unsigned rows;   /* of the grid, per block */
    unsigned blocks; /* of the whole pass */
    unsigned strips; /* that the grid's columns are cut into: blocks side by side */
    unsigned each;   /* blocks per multiprocessor, rounded up */
};

/* `pack`: hip_pack; `blocks`: per multiprocessor. */
struct hip_geometry hip_geometry_fused(const struct mesh *mesh, unsigned pack,
                                       unsigned multiprocessors, unsigned blocks);

/* `columns`: hip_blocked_columns; `depth`: the kernel's; `wave`: threads per wave; `waves`: per
 * block; `resident`: blocks that run at once on each multiprocessor; `ends`: of a slab, at which
 * neighbours wait for rows; `blocks`: per multiprocessor at most, if the columns allow; 0: as many
 * as a model finds best. */
struct hip_geometry hip_geometry_blocked(const struct mesh *mesh, unsigned columns, int depth,
                                         unsigned wave, unsigned waves, unsigned multiprocessors,
                                         unsigned resident, unsigned ends, unsigned blocks);

#endif
