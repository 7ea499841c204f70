/* The target regions: device code, compiled into the modules only. There is one file per phase,
 * with the same names as in the other back ends. */
#pragma once

#include <omp.h>

#include "kernels/omp/module.h"

/* The memory for the sums and times of the calling thread's regions, as set by `choose`. */
extern _Thread_local struct device_scratch *target_scratch;

/* A region of two loops over the grid: a GPU thread takes single unknowns, a core takes rows. */
#if OFFLOAD_IS_GPU
#define OVER_GRID _Pragma("omp target teams distribute parallel for collapse(2)")
#else
#define OVER_GRID _Pragma("omp target teams distribute parallel for")
#endif

/* ---- start and end of a region, by the device's own clock ----
 *
 * On a GPU a region gets a span, or NULL if it is not timed. At the start and the end of a thread's
 * part of the work, the region selects the parts that read the clock: the first one and some of the
 * last. On the host device these functions do nothing. */

/* Parts are assigned to all threads in turn and start in that order. So the last part to end is
 * among the last SPAN_LAST, which is more than the threads that a GPU runs concurrently. Of these,
 * every SPAN_EVERY-th reads the clock. */
enum { SPAN_EVERY = 128, SPAN_LAST = 1 << 21 };

#if OFFLOAD_IS_GPU
static inline struct offload_span *span_of(enum phase phase) {
    return target_scratch->timed ? &target_scratch->spans[phase] : NULL;
}

static inline void span_begin(struct offload_span *span, bool is_first) {
    if (span && is_first)
        span->begin = __builtin_readsteadycounter();
}

/* The clock only goes forwards, so a span never has to be cleared. `result` is the part's result.
 * The comparison makes the thread wait for it, so that the clock is not read too early.
 */
static inline void span_end(struct offload_span *span, bool is_late, double result) {
    if (span && is_late && result == result)
        __atomic_fetch_max(&span->end, __builtin_readsteadycounter(), __ATOMIC_RELAXED);
}
#else
static inline struct offload_span *span_of(enum phase phase) {
    return NULL;
}

static inline void span_begin(struct offload_span *span, bool is_first) {
}

static inline void span_end(struct offload_span *span, bool is_late, double result) {
}
#endif

/* Whether part `id` of `count` is one of the late parts that read the clock. */
static inline bool is_late(size_t id, size_t count) {
    return id % SPAN_EVERY == 0 && id + SPAN_LAST >= count;
}

/* Caches the device address of memory that `enter` has mapped; call `forget` before `exit`.
 */
void target_keep(const void *host, size_t bytes);
void target_forget(const void *host);

/* The device address of host memory. Returns `host` itself if it is not mapped (as with unified
 * memory) or NULL. */
void *target_address(const void *host);

kernel_stencil target_laplacian, target_boundary, target_plain_laplacian, target_plain_boundary;
kernel_update target_update, target_plain_update;
kernel_norm target_norm, target_plain_norm;
kernel_fused target_fused;
kernel_blocked target_blocked;
void target_refine(const struct mesh *mesh, const double *RHS, double *U, real *e, real *g);
void *target_open_work(const struct mesh *mesh, int depth);
void target_close_work(void *work);
extern const struct offload_depths target_depths;

void target_chebyshev_fused(struct method_step *step);
/* Absent from a module for float. */
extern const offload_method target_methods[METHOD_KERNELS] __attribute__((weak));
extern const offload_method target_methods_structured[METHOD_KERNELS] __attribute__((weak));

void *target_alloc_unified(size_t bytes);
void target_free_unified(void *memory);
#if OFFLOAD_IS_GPU
void *target_alloc_pinned(size_t bytes);
void target_free_pinned(void *memory);
void target_measure_clock(struct offload_clock *clock);
#endif
struct device_scratch *target_open_scratch(void);
void target_close_scratch(struct device_scratch *scratch);
