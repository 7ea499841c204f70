/* Some optimisations are faster on most devices, but not correct or faster with every driver.
 * Before one is first used on a device, a small problem is solved both ways, and results and times
 * are compared. The answer is kept for this commit and that driver, in
 * $XDG_CACHE_HOME/jacobi-tui/self-check.json, and shown by --list and --doctor. */
#ifndef JACOBI_HIP_SELF_CHECK_H
#define JACOBI_HIP_SELF_CHECK_H

#include "kernels/hip/devices.h"

enum hip_faster {
    FASTER_GRAPHS, /* iterations replayed, against launched: the same bits in less time */
    FASTER_DEPTH,  /* passes of blocked:8, whose levels need the most registers, against those of
                      blocked:4: U and residuals as docs/method.md promises; the tuner compares
                      times */
    FASTER_COUNT
};

/* Sets *uses. Fails only if the usual way does. */
enum status hip_self_check(const struct hip_gpu *gpu, enum hip_faster faster, bool *uses,
                           struct error *error);

/* Keeps an answer, and words about it. */
void hip_self_check_keep(const struct hip_gpu *gpu, enum hip_faster faster, bool uses,
                         const char *words);

/* Writes into gpu->device's copy what is known: "graphs used: …; blocked:8 not used: …". */
void hip_self_check_describe(const struct hip_gpu *gpu, struct device *device);

#endif
