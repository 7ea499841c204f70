#include "kernels/hip/kernels.h"

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
