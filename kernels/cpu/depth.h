/* How deep to block where the user leaves it open. */
#ifndef JACOBI_KERNELS_CPU_DEPTH_H
#define JACOBI_KERNELS_CPU_DEPTH_H

#include "kernels/cpu/engine.h"

/* The depth at which `kernels` are fastest on this grid with that many threads, found by a trial of
 * about a third of a second on some of its rows and then remembered in the user's cache folder. A
 * fixed depth where there is no memory for a trial. */
int host_depth(const struct host_kernels *kernels, const struct mesh *mesh, int threads);

#endif
