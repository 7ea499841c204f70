/* The back ends that compute in the host's own memory: serial and threads.
 *
 * Each supplies its kernels as plain functions over arrays, and shares the code for memory, times
 * and the choice of a depth. There is no device memory, so `structured` and `unstructured` are the
 * same, and nothing is ever copied. Times are measured by the host's clock around each call. */
#pragma once

#include "kernels/cpu/sync_engine.h"
#include "solver/backend.h"

struct cpu_kernels {
    const char *name; /* the back end's name */

    /* Sets the number of threads for the calls below by the calling thread. Called before each of
     * them. NULL if there is nothing to choose. */
    void (*use_threads)(int count);

    /* As in struct sync_ops. */
    void (*for_rows)(int rows, void (*work)(void *context, int row), void *context);

    struct kernels phases; /* the `work` of `blocked` is a struct cpu_window */
};

/* The functions of struct backend, for `threads` threads. */
enum status cpu_probe(int threads, struct device_list *devices);
enum status cpu_supports(const struct engine_spec *spec, struct error *error);
struct footprint cpu_footprint(const struct engine_spec *spec, int threads);
enum status cpu_open(const struct cpu_kernels *kernels, int threads, const struct engine_spec *spec,
                     struct event_log *events, struct engine **engine, struct error *error);
enum status cpu_open_single(const struct cpu_kernels *kernels, int threads,
                            const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error);
