/* The engine of the back ends that compute in the host's own memory: serial and threads.
 *
 * Each supplies its kernels as plain functions over arrays; everything else (memory, times, the
 * going back of a blocked pass) is here once. There is no device memory, so `structured` and
 * `unstructured` are the same and nothing is ever copied. Times are the host's clock around each
 * call, and say so.
 */
#ifndef JACOBI_KERNELS_CPU_ENGINE_H
#define JACOBI_KERNELS_CPU_ENGINE_H

#include "solver/backend.h"

struct host_kernels {
    const char *name; /* the back end's */

    /* How many threads the calls below are to use when made by the calling thread; NULL where there
     * is nothing to choose. Called before each of them. */
    void (*use_threads)(int count);

    /* Fills U and RHS with the problem's start and clears the other two arrays (either may be
     * NULL), each row by the thread that will work on it. */
    void (*initialize)(const struct problem *problem, const struct mesh *mesh, double *U,
                       double *RHS, double *other1, double *other2);

    /* The seed's four; U, AU, RHS, RES hold Nx*Ny values. Norm returns sum(RES²). */
    void (*laplacian)(const struct mesh *mesh, const double *U, double *AU);
    void (*boundary)(const struct mesh *mesh, const double *U, double *AU);
    void (*update)(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                   double *U);
    double (*norm)(const struct mesh *mesh, const double *RES);

    /* One whole iteration from U to U_next; returns sum(RES²) of U. */
    double (*fused)(const struct mesh *mesh, const double *RHS, const double *U, double *U_next);

    /* `depth` whole iterations from U to U_next in one pass; sums[k] = sum(RES²) before the k-th.
     * `work` is what blocked_open returned. */
    void (*blocked)(const struct mesh *mesh, int depth, const double *RHS, const double *U,
                    double *U_next, double *sums, void *work);

    /* Scratch for `blocked` at up to that depth, NULL where there is no memory; freed by free(). */
    void *(*blocked_open)(const struct mesh *mesh, int depth);

    void (*downsample)(const struct mesh *mesh, const struct downsample *downsample,
                       const double *U, float *cells);
};

/* The parts of a struct backend that are the same for both. */
enum status host_probe(int cores, struct device_list *devices);
enum status host_supports(const struct engine_spec *spec, struct error *why_not);
struct footprint host_footprint(const struct engine_spec *spec);
enum status host_open(const struct host_kernels *kernels, const struct engine_spec *spec,
                      struct event_log *events, struct engine **engine, struct error *error);

#endif
