#include "common.h"

/* Downsamples U on [i0, i1) × [j0, j1) to cols × rows cells for the screen, each the sum of the
 * unknowns that it covers (see struct downsample). The array may hold a slab: its row 0 is
 * row `first` of the problem. Only its rows from `begin` to end - 1 count, so a cell may
 * cover none. `kept`, unless it is NULL, is added: in mixed precision it holds U, and `U`
 * the correction. There is one block per cell. The block's threads walk the cell's unknowns
 * row by row, side by side, and add them up in shared memory. Only the sums leave the
 * device. */
extern "C" __global__ __launch_bounds__(BLOCK_MAX) void Downsample(
    const int stride, const int first, const int begin, const int end, const int i0, const int i1,
    const int j0, const int j1, const int cols, const int rows, const real *__restrict__ U,
    const double *__restrict__ kept, double *__restrict__ sums) {
    __shared__ double shared[BLOCK_MAX];
    const long col = blockIdx.x % cols, row = blockIdx.x / cols;
    const int left = i0 + (int)(col * (i1 - i0) / cols);
    const int right = i0 + (int)((col + 1) * (i1 - i0) / cols);
    const int down = j0 + (int)(row * (j1 - j0) / rows) - first;
    const int up = j0 + (int)((row + 1) * (j1 - j0) / rows) - first;
    const int width = right > left ? right - left : 1; /* at least one unknown */
    const int last = up > down ? up : down + 1;
    const int below = down > begin ? down : begin, above = last < end ? last : end;

    double sum = 0;
    for (long n = threadIdx.x; n < (long)width * (above - below); n += blockDim.x) {
        const long id = left + n % width + (below + n / width) * stride;
        sum += kept ? kept[id] + U[id] : U[id];
    }
    sum = sum_block(sum, shared);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}
