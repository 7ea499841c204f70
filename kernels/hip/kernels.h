/* The kernels by number and name, and the arguments that the host gives them. */
#ifndef JACOBI_HIP_KERNELS_H
#define JACOBI_HIP_KERNELS_H

enum hip_kernel {
    KERNEL_LAPLACIAN,
    KERNEL_BOUNDARY,
    KERNEL_UPDATE,
    KERNEL_NORM,
    KERNEL_DOWNSAMPLE,
    KERNEL_FUSED,
    KERNEL_BLOCKED4,
    KERNEL_BLOCKED8,
    KERNEL_TRIAD,
    KERNEL_MULTIPLY_ADD,
    KERNEL_COUNT
};

struct hip_kernel_signature {
    const char *name;
    const char *arguments; /* a letter each: i int, l long, d double, p pointer */
};

extern const struct hip_kernel_signature hip_kernel_signatures[KERNEL_COUNT];

/* What the host must know of how the kernels share out the work; device/ says the same. */
enum {
    LAPLACIAN_ROWS = 4,  /* a thread's */
    FUSED_BLOCK = 256,   /* threads */
    FUSED_COLUMNS = 512, /* a block's */
    BLOCKED_COLUMNS = 4, /* a lane's */
};

#endif
