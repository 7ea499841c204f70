/* The engine of the back ends that compute in the host's own memory: serial and threads.
 *
 * Each supplies its kernels as plain functions over arrays; everything else (memory, times, the
 * choice of a depth) is here once. There is no device memory, so `structured` and `unstructured`
 * are the same and nothing is ever copied. Times are the host's clock around each call, and say so.
 */
#ifndef JACOBI_KERNELS_CPU_ENGINE_H
#define JACOBI_KERNELS_CPU_ENGINE_H

#include "solver/backend.h"

struct cpu_kernels {
    const char *name; /* the back end's */

    /* How many threads the calls below are to use if made by the calling thread; NULL if there is
     * nothing to choose. Called before each of them. */
    void (*use_threads)(int count);

    /* Calls work(context, row) for the rows 0 … rows-1: each by the thread that will compute the
     * row, so that the memory which it touches first is near it. */
    void (*for_rows)(int rows, void (*work)(void *context, int row), void *context);

    /* The phases of `classic`; U, AU, RHS, RES hold Nx*Ny values. Norm returns sum(RES²). */
    void (*laplacian)(const struct mesh *mesh, const double *U, double *AU);
    void (*boundary)(const struct mesh *mesh, const double *U, double *AU);
    void (*update)(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                   double *U);
    double (*norm)(const struct mesh *mesh, const double *RES);

    /* One whole iteration of some rows from U to U_next; returns their sum(RES²). */
    double (*fused)(const struct mesh *mesh, struct row_range rows, const double *RHS,
                    const double *U, double *U_next);

    /* `depth` whole iterations of some rows from U to U_next in one pass; sums[k] = their sum(RES²)
     * before the k-th. `work` is what blocked_open returned. */
    void (*blocked)(const struct mesh *mesh, struct row_range rows, int depth, const double *RHS,
                    const double *U, double *U_next, double *sums, void *work);

    /* Scratch for `blocked` at up to that depth, NULL if there is no memory; freed by free(). */
    void *(*blocked_open)(const struct mesh *mesh, int depth);
};

/* The functions of struct backend, for `threads` threads. */
enum status cpu_probe(int threads, struct device_list *devices);
enum status cpu_supports(const struct engine_spec *spec, struct error *error);
struct footprint cpu_footprint(const struct engine_spec *spec, int threads);
enum status cpu_open(const struct cpu_kernels *kernels, int threads, const struct engine_spec *spec,
                     struct event_log *events, struct engine **engine, struct error *error);

#endif
