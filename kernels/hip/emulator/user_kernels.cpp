/* The table of the user's own kernels (exercises/hip.h), whose files are compiled beside this one,
 * and of the program's that run beside them. What the user has not written is not there. */
#include "hip.h"
#include "table.h"

#pragma weak Laplacian
#pragma weak BoundaryConditions
#pragma weak Update
#pragma weak Norm
#pragma weak Fused

static const int BLOCK_MAX = 1024;

const struct emulator_kernel emulator_kernels[] = {
    kernel<Laplacian>("Laplacian", BLOCK_MAX),
    kernel<BoundaryConditions>("BoundaryConditions", BLOCK_MAX),
    kernel<Update>("Update", BLOCK_MAX),
    kernel<Norm>("Norm", BLOCK_MAX),
    kernel<Fused>("Fused", BLOCK_MAX),
    {},
};
