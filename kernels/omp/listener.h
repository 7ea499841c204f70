/* The listener: turns what the OpenMP runtime tells its tool (OMPT) into events.
 *
 * The program is its own tool (tool.c): it exports `ompt_start_tool`, which libomp finds when it
 * starts, whoever makes the first OpenMP call; no environment variable is needed. (libomptarget
 * reports to libomp only if it can open it by its bare name: see loader.c.) Callbacks come on the
 * thread that meets the target region, and are delivered to the listener that this thread has set.
 */
#ifndef JACOBI_KERNELS_OMP_LISTENER_H
#define JACOBI_KERNELS_OMP_LISTENER_H

#include <omp-tools.h>

#include "solver/events.h"

enum { LISTENER_ARRAYS = 8 };

/* A mapped array: host addresses, and the device's while it is there. */
struct listened_array {
    enum array array;
    const char *host;
    size_t bytes;
    const void *device;
};

struct listener {
    struct event_log *log; /* NULL: count, but report nothing */
    struct mesh mesh;      /* for the kernels' minimum bytes */
    bool is_gpu;           /* launches are asynchronous: a kernel's time is its region's */

    int array_count;
    struct listened_array arrays[LISTENER_ARRAYS];

    uint64_t kernels, copies; /* so far; a region that ran on the host counts none */

    int64_t region_start_ns, data_ns; /* of the target region that is open */
    int64_t start_ns, submit_ns;      /* of the operation and the launch that are open */
    bool submitted;
};

/* Asks the runtime for its callbacks, with the lookup that it gave its tool. */
void listener_start(ompt_function_lookup_t lookup);

/* Whether the runtime accepted all callbacks that a listener needs. */
bool listener_possible(void);

/* From now on this thread's regions are reported to `listener`; NULL: to nobody. */
void listener_set(struct listener *listener);

/* Names an array, for attributing its copies. */
void listener_name(struct listener *listener, enum array array, const void *host, size_t bytes);

#endif
