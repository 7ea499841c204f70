#include "kernels/hip/kernels.h"

#include <math.h>

const struct hip_kernel_signature hip_kernel_signatures[KERNEL_COUNT] = {
    [KERNEL_LAPLACIAN] = {"Laplacian", "iiirrpp"},
    [KERNEL_BOUNDARY] = {"BoundaryConditions", "iirrpp"},
    [KERNEL_UPDATE] = {"Update", "lirpppppp"},
    [KERNEL_NORM] = {"Norm", "lippppp"},
    [KERNEL_PLAIN_LAPLACIAN] = {"PlainLaplacian", "iirrpp"},
    [KERNEL_PLAIN_BOUNDARY] = {"PlainBoundaryConditions", "iirrpp"},
    [KERNEL_PLAIN_UPDATE] = {"PlainUpdate", "lrpppp"},
    [KERNEL_PLAIN_NORM] = {"PlainNorm", "lpp"},
    [KERNEL_DOWNSAMPLE] = {"Downsample", "iiiiiiiiiippp"},
    [KERNEL_AWAIT] = {"Await", "pi"},
    [KERNEL_FUSED] = {"Fused", "iiiiiiiiiddddpppppp"},
    [KERNEL_FUSED_OF_SLAB] = {"FusedOfSlab", "iiiiiiiiiddddpppppp"},
    [KERNEL_CHEBYSHEV_FUSED] = {"ChebyshevFused", "iiiiiiiiiddddppppppr"},
    [KERNEL_CORRECT] = {"Correct", "lppp"},
    [KERNEL_REMAINDER] = {"Remainder", "iiiddpppp"},
    [KERNEL_CHEBYSHEV_UPDATE] = {"ChebyshevUpdate", "lddpppppp"},
    [KERNEL_COLOUR_UPDATE] = {"ColourUpdate", "iiidppppp"},
    [KERNEL_SWEEP] = {"Sweep", "iiidddppp"},
    [KERNEL_RESTRICTION] = {"Restriction", "iiiipppp"},
    [KERNEL_PROLONGATION] = {"Prolongation", "iiiipp"},
    [KERNEL_BLOCKED4] = {"Blocked4", "iiiiiiiiiddddpppppp"},
    [KERNEL_BLOCKED4_ANY] = {"Blocked4Any", "iiiiiiiiiddddpppppp"},
    [KERNEL_BLOCKED8] = {"Blocked8", "iiiiiiiiiddddpppppp"},
    [KERNEL_BLOCKED8_ANY] = {"Blocked8Any", "iiiiiiiiiddddpppppp"},
    [KERNEL_TRIAD] = {"Triad", "ldppp"},
    [KERNEL_MULTIPLY_ADD] = {"MultiplyAdd", "iddp"},
};

const struct hip_blocked_kernel hip_blocked_kernels[] = {
    {KERNEL_BLOCKED4, KERNEL_BLOCKED4_ANY, 4},
    {KERNEL_BLOCKED8, KERNEL_BLOCKED8_ANY, 8},
    {0},
};

static unsigned divide_up(unsigned a, unsigned b) {
    return (a + b - 1) / b;
}

/* Strips of Ny rows in chunks of `rows`. */
static struct hip_geometry geometry_of(unsigned rows, unsigned Ny, unsigned strips,
                                       unsigned multiprocessors) {
    const unsigned blocks = strips * divide_up(Ny, rows);
    return (struct hip_geometry){rows, blocks, strips, divide_up(blocks, multiprocessors)};
}

/* Cuts each strip into the shortest chunks that the number of blocks per multiprocessor allows. */
static struct hip_geometry cut_strips(unsigned Ny, unsigned strips, unsigned multiprocessors,
                                      unsigned each) {
    const unsigned wanted = each * multiprocessors / strips;
    const unsigned rows = divide_up(Ny, wanted < 1 ? 1 : wanted > Ny ? Ny : wanted);
    return geometry_of(rows, Ny, strips, multiprocessors);
}

/* If all blocks run concurrently, no block waits for the end of another. */
struct hip_geometry hip_geometry_fused(const struct mesh *mesh, unsigned pack,
                                       unsigned multiprocessors, unsigned blocks) {
    return cut_strips((unsigned)mesh->Ny, divide_up((unsigned)mesh->Nx, FUSED_BLOCK * pack),
                      multiprocessors, blocks);
}

/* The model tries every way to cut the strips into chunks of rows, and takes the cheapest. A block
 * makes more steps than it has rows: as many as the pass is deep before and after them, and some
 * until rows arrive and its sums are written. A step takes longer the more waves share a scheduler,
 * but less than in proportion. The remaining blocks wait for the next round. A block begins with
 * the rows that a neighbour waits for, so neighbours on both sides need two chunks. */
struct hip_geometry hip_geometry_blocked(const struct mesh *mesh, unsigned columns, int depth,
                                         unsigned wave, unsigned waves, unsigned multiprocessors,
                                         unsigned resident, unsigned ends, unsigned blocks_asked) {
    enum { SCHEDULERS = 4 };  /* per multiprocessor */
    const double lone = 0.67; /* n waves on a scheduler take 0.67 + n for a step (an H200) */
    const unsigned Ny = (unsigned)mesh->Ny, deep = (unsigned)depth, fill = 2 * deep + 14;
    const unsigned owned = columns * wave - 2 * deep;
    const unsigned strips = divide_up((unsigned)mesh->Nx + deep, owned);
    const unsigned at_once = multiprocessors * resident;
    const unsigned full = divide_up(resident * waves, SCHEDULERS);
    struct hip_geometry best = cut_strips(Ny, strips, multiprocessors, blocks_asked);
    double least = INFINITY;
    if (blocks_asked > 0)
        return best;
    for (unsigned chunks = 1 + (ends > 1); chunks <= Ny && chunks <= 4096; chunks++) {
        const struct hip_geometry cut =
            geometry_of(divide_up(Ny, chunks), Ny, strips, multiprocessors);
        const unsigned rounds = cut.blocks / at_once, rest = cut.blocks % at_once;
        const unsigned last = divide_up(divide_up(rest, multiprocessors) * waves, SCHEDULERS);
        const double cost = (cut.rows + fill) * (rounds * (lone + full) + (rest ? lone + last : 0));
        if (cost < least) {
            least = cost;
            best = cut;
        }
    }
    return best;
}
