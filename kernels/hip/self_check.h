/* Some optimisations are faster on most devices, but not correct or faster with every driver.
 * Before the first use of one on a device, a small problem is solved with and without it, and
 * results and times are compared. The answer is cached for this commit and driver, in
 * $XDG_CACHE_HOME/jacobi-tui/self-check.json, and shown by --list and --doctor. */
#pragma once

#include "kernels/hip/devices.h"

enum hip_faster {
    FASTER_GRAPHS,  /* replayed iterations against launched ones: the same bits in less time */
    FASTER_DEPTH,   /* passes of blocked:8, whose levels need the most registers, against those of
                       blocked:4: U and residuals agree as docs/method.md specifies; the tuner
                       compares times */
    FASTER_COPIES4, /* blocked:4 with rows copied past registers: the same bits in less time */
    FASTER_COPIES8, /* the same of blocked:8 */
    FASTER_COUNT
};

/* The check for the kernel that makes passes of that depth. */
static inline enum hip_faster hip_faster_copies(int depth) {
    return depth > 4 ? FASTER_COPIES8 : FASTER_COPIES4;
}

/* Sets *uses. Fails only if the normal way fails. */
enum status hip_self_check(const struct hip_gpu *gpu, enum hip_faster faster, bool *uses,
                           struct error *error);

void hip_self_check_keep(const struct hip_gpu *gpu, enum hip_faster faster, bool uses,
                         const char *words);

/* Writes the cached answers to the note of `device`: "graphs used: …; blocked:8 not used: …". */
void hip_self_check_describe(const struct hip_gpu *gpu, struct device *device);
