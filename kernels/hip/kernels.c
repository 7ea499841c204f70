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
    [KERNEL_FUSED] = {"Fused", "iiiiiiiiddddpppppp"},
    [KERNEL_CHEBYSHEV_FUSED] = {"ChebyshevFused", "iiiiiiiiddddppppppr"},
    [KERNEL_CORRECT] = {"Correct", "lppp"},
    [KERNEL_REMAINDER] = {"Remainder", "iiiddpppp"},
    [KERNEL_CHEBYSHEV_UPDATE] = {"ChebyshevUpdate", "lddpppppp"},
    [KERNEL_COLOUR_UPDATE] = {"ColourUpdate", "iiidppppp"},
    [KERNEL_SWEEP] = {"Sweep", "iiidddppp"},
    [KERNEL_RESTRICTION] = {"Restriction", "iiiipppp"},
    [KERNEL_PROLONGATION] = {"Prolongation", "iiiipp"},
    [KERNEL_BLOCKED4] = {"Blocked4", "iiiiiiiiddddpppppp"},
    [KERNEL_BLOCKED4_ANY] = {"Blocked4Any", "iiiiiiiiddddpppppp"},
    [KERNEL_BLOCKED8] = {"Blocked8", "iiiiiiiiddddpppppp"},
    [KERNEL_BLOCKED8_ANY] = {"Blocked8Any", "iiiiiiiiddddpppppp"},
    [KERNEL_TRIAD] = {"Triad", "ldppp"},
    [KERNEL_MULTIPLY_ADD] = {"MultiplyAdd", "iddp"},
};

const struct hip_blocked_kernel hip_blocked_kernels[] = {
    {KERNEL_BLOCKED4, KERNEL_BLOCKED4_ANY, 4},
    {KERNEL_BLOCKED8, KERNEL_BLOCKED8_ANY, 8},
    {0},
};

const struct hip_blocked_kernel *hip_blocked_kernel_for(int depth) {
    const struct hip_blocked_kernel *kernel = hip_blocked_kernels;
    while (kernel->depth < depth && kernel[1].depth)
        kernel++;
    return kernel;
}

unsigned hip_blocked_waves(const struct hip_blocked_kernel *kernel, int levels_max) {
    const int stations = kernel->depth / levels_max;
    return stations < 2 ? 2 : (unsigned)stations;
}

unsigned hip_blocked_columns(enum hip_vendor vendor, enum precision precision) {
    return vendor == VENDOR_AMD ? 4 : 2 * hip_pack(precision);
}

static unsigned divide_up(unsigned a, unsigned b) {
    return (a + b - 1) / b;
}

/* Cuts each strip into chunks of as few rows as so many blocks per multiprocessor allow. */
static struct hip_geometry cut_strips(unsigned Ny, unsigned strips, unsigned multiprocessors,
                                      unsigned each) {
    const unsigned wanted = each * multiprocessors / strips;
    const unsigned rows = divide_up(Ny, wanted < 1 ? 1 : wanted > Ny ? Ny : wanted);
    const unsigned blocks = strips * divide_up(Ny, rows);
    return (struct hip_geometry){.rows = rows,
                                 .blocks = blocks,
                                 .strips = strips,
                                 .each = divide_up(blocks, multiprocessors)};
}

/* If all blocks run at once, none has to wait for another's end. */
struct hip_geometry hip_geometry_fused(const struct mesh *mesh, unsigned pack,
                                       unsigned multiprocessors, unsigned blocks) {
    return cut_strips((unsigned)mesh->Ny, divide_up((unsigned)mesh->Nx, FUSED_BLOCK * pack),
                      multiprocessors, blocks);
}

/* The model tries every way of cutting the strips into chunks of rows, and takes the one of least
 * cost. A block makes more steps than it has rows: as many as the pass is deep before and after,
 * and some until rows come in and its sums are out. A step takes longer the more waves share a
 * scheduler, but by less than their number; what blocks leave over waits for the next round.
 *
 * The boundary rows' blocks start whenever there is room, at the latest after the first round. Room
 * is what the last round leaves over, or a last chunk so much shorter than the others that its
 * blocks, which begin last, and the boundary's together take no longer than one of those. */
struct hip_geometry hip_geometry_blocked(const struct mesh *mesh, unsigned columns, int depth,
                                         unsigned wave, unsigned waves, unsigned multiprocessors,
                                         unsigned resident, unsigned ends, unsigned blocks_asked) {
    enum { SCHEDULERS = 4 };  /* of a multiprocessor */
    const double lone = 0.67; /* n waves on a scheduler take 0.67 + n for a step (an H200) */
    const unsigned Ny = (unsigned)mesh->Ny, deep = (unsigned)depth, fill = 2 * deep + 14;
    const unsigned owned = columns * wave - 2 * deep;
    const unsigned strips = divide_up((unsigned)mesh->Nx + deep, owned);
    const unsigned at_once = multiprocessors * resident;
    const unsigned boundary = strips * ends, boundary_steps = ends ? deep + fill : 0;
    const unsigned full = divide_up(resident * waves, SCHEDULERS);
    struct hip_geometry best = cut_strips(Ny, strips, multiprocessors, blocks_asked);
    double least = INFINITY;
    best.oversubscribed = best.blocks + boundary > at_once;
    if (blocks_asked > 0)
        return best;
    for (unsigned tried = 2; tried <= 2 * Ny + 1 && tried <= 8192; tried++) {
        const unsigned shorter = tried % 2 ? boundary_steps : 0;
        const unsigned rows = divide_up(Ny + shorter, tried / 2), chunks = divide_up(Ny, rows);
        const unsigned blocks = strips * chunks;
        const unsigned rounds = blocks / at_once, rest = blocks % at_once;
        const unsigned last = divide_up(divide_up(rest, multiprocessors) * waves, SCHEDULERS);
        const unsigned places = at_once * (rounds + (rest > 0));
        const unsigned over = blocks + boundary > places ? blocks + boundary - places : 0;
        const bool gives_way =
            places > at_once && over <= strips && chunks * rows - Ny >= boundary_steps;
        double cost = (rows + fill) * (rounds * (lone + full) + (rest ? lone + last : 0));
        if (over > 0 && !gives_way)
            cost += boundary_steps * (lone + full);
        if (cost < least) {
            least = cost;
            best = (struct hip_geometry){.rows = rows,
                                         .blocks = blocks,
                                         .strips = strips,
                                         .each = divide_up(blocks, multiprocessors),
                                         .oversubscribed = blocks + boundary > at_once};
        }
    }
    return best;
}
