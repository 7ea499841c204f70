/* The table of the program's kernels that run in the place of those the user has not written, and
 * beside them: the blog's four as it prints them, and Fused, which the user's may be called too. */
#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)
#include "../device/plain.hip"
#define Fused ProgramFused
#include "../device/fused.hip"
#undef Fused
#include "table.h"

extern const struct emulator_kernel program_kernels[] = {
    kernel<PlainLaplacian>("PlainLaplacian", BLOCK_SIZE),
    kernel<PlainBoundaryConditions>("PlainBoundaryConditions", BLOCK_SIZE),
    kernel<PlainUpdate>("PlainUpdate", BLOCK_SIZE),
    kernel<PlainNorm>("PlainNorm", NORM_BLOCK_SIZE),
    kernel<ProgramFused>("Fused", BLOCK),
    {},
};

#pragma clang attribute pop
