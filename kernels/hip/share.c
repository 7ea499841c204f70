#include "kernels/hip/share.h"

#include <math.h>

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

/* As many blocks as FUSED_BLOCKS a multiprocessor: with all of them running at once none has to
 * wait for another's end. Measured on an H200: more blocks, or fewer, are slower. */
struct hip_geometry hip_geometry_fused(const struct mesh *mesh, int multiprocessors) {
    enum { FUSED_BLOCKS = 4 };
    const unsigned Ny = (unsigned)mesh->Ny;
    const unsigned strips = divide_up((unsigned)mesh->Nx, FUSED_COLUMNS);
    unsigned chunks = FUSED_BLOCKS * (unsigned)(multiprocessors > 0 ? multiprocessors : 1) / strips;
    chunks = chunks < 1 ? 1 : chunks > Ny ? Ny : chunks;
    const unsigned rows = divide_up(Ny, chunks);
    return (struct hip_geometry){.rows = rows, .blocks = strips * divide_up(Ny, rows)};
}

/* The time of a pass in which every strip is cut into chunks of that many rows, in steps of a block
 * that has a multiprocessor to itself. A block makes a few steps more than it has rows, until its
 * assembly line is full; blocks that share a multiprocessor slow each other down, but by less than
 * they are. */
static double blocked_cost(unsigned strips, unsigned chunks, unsigned rows, unsigned more,
                           unsigned multiprocessors, unsigned at_once) {
    const double alone = 1.5; /* a lone block's step lasts as long as 2.5 blocks add to others' */
    const unsigned all = multiprocessors * at_once, blocks = strips * chunks;
    const unsigned rounds = blocks / all, rest = blocks % all;
    const double whole = rounds * (alone + at_once);
    const double last = rest ? alone + divide_up(rest, multiprocessors) : 0;
    return (rows + more) * (whole + last);
}

struct hip_geometry hip_geometry_blocked(const struct mesh *mesh, const struct hip_stream *stream,
                                         int depth) {
    const struct hip_blocked_kernel *kernel = hip_blocked_kernel_for(depth);
    const unsigned wave = (unsigned)stream->gpu->wave, waves = (unsigned)kernel->waves;
    const unsigned halo = divide_up((unsigned)kernel->depth, BLOCKED_COLUMNS);
    const unsigned strips = divide_up((unsigned)mesh->Nx, (wave - 2 * halo) * BLOCKED_COLUMNS);
    const unsigned multiprocessors =
        stream->gpu->multiprocessors > 0 ? (unsigned)stream->gpu->multiprocessors : 1;
    const unsigned at_once =
        hip_stream_resident_blocks(stream, kernel->kernel, waves * wave) / multiprocessors;
    const unsigned Ny = (unsigned)mesh->Ny, more = 5 * waves;
    struct hip_geometry best = {.rows = Ny, .blocks = strips};
    double least = INFINITY;
    for (unsigned chunks = 1; chunks <= Ny && chunks <= 4096; chunks++) {
        const unsigned rows = divide_up(Ny, chunks);
        const double cost =
            blocked_cost(strips, divide_up(Ny, rows), rows, more, multiprocessors, at_once);
        if (cost < least) {
            least = cost;
            best = (struct hip_geometry){.rows = rows, .blocks = strips * divide_up(Ny, rows)};
        }
    }
    return best;
}
