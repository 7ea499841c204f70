/* The target regions: device code, compiled into the modules only. One file per phase, with the
 * same names as in the other back ends; shapes as in module.h. */
#ifndef JACOBI_KERNELS_OMP_DEVICE_COMMON_TARGET_H
#define JACOBI_KERNELS_OMP_DEVICE_COMMON_TARGET_H

#include <omp.h>

#include "kernels/omp/module.h"

/* ---- when regions ran, by the device's own clock ----
 *
 * A GPU's region takes a span, NULL if nobody asks, and says at the beginning and at the end of a
 * thread's part whether that part is one to look at: the first of all, and late ones. Elsewhere it
 * comes to nothing. */

/* Parts are dealt out to all threads in turn and taken up in that order, so that the last to end is
 * among the last SPAN_LAST: more than a GPU has threads at once. Of these, every so-many-th is
 * looked at. */
enum { SPAN_EVERY = 128, SPAN_LAST = 1 << 21 };

#if OFFLOAD_IS_GPU
static inline struct offload_span *span_of(struct device_scratch *scratch, enum phase phase) {
    return scratch->timed ? &scratch->spans[phase] : NULL;
}

static inline void span_begin(struct offload_span *span, bool is_first) {
    if (span && is_first)
        span->begin = __builtin_readsteadycounter();
}

/* The clock only goes forwards, so a span never has to be cleared. `result` is what the part has
 * computed: that it is a number has to be known first, so that the clock is not read ahead of it.
 */
static inline void span_end(struct offload_span *span, bool is_late, double result) {
    if (span && is_late && result == result)
        __atomic_fetch_max(&span->end, __builtin_readsteadycounter(), __ATOMIC_RELAXED);
}
#else
static inline struct offload_span *span_of(struct device_scratch *scratch, enum phase phase) {
    (void)scratch, (void)phase;
    return NULL;
}

static inline void span_begin(struct offload_span *span, bool is_first) {
    (void)span, (void)is_first;
}

static inline void span_end(struct offload_span *span, bool is_late, double result) {
    (void)span, (void)is_late, (void)result;
}
#endif

/* Whether part `id` of `count` is one of the late ones that are looked at. */
static inline bool is_late(size_t id, size_t count) {
    return id % SPAN_EVERY == 0 && id + SPAN_LAST >= count;
}

/* Memory that `enter` has mapped for the run is kept in mind from then on; `forget` before `exit`.
 */
void target_keep(const void *host, size_t bytes);
void target_forget(const void *host);

/* Where the host's memory is on the device; itself if it is mapped nowhere, as unified memory, or
 * NULL. */
void *target_address(const void *host);

void target_laplacian(const struct mesh *mesh, const double *U, double *AU,
                      struct device_scratch *scratch);
void target_laplacian_structured(const struct mesh *mesh, const double *U, double *AU,
                                 struct device_scratch *scratch);
void target_boundary(const struct mesh *mesh, const double *U, double *AU,
                     struct device_scratch *scratch);
void target_boundary_structured(const struct mesh *mesh, const double *U, double *AU,
                                struct device_scratch *scratch);
void target_update(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                   double *U, struct device_scratch *scratch);
void target_update_structured(const struct mesh *mesh, const double *RHS, const double *AU,
                              double *RES, double *U, struct device_scratch *scratch);
double target_norm(const struct mesh *mesh, const double *RES, struct device_scratch *scratch);
double target_norm_structured(const struct mesh *mesh, const double *RES,
                              struct device_scratch *scratch);

void target_plain_laplacian(const struct mesh *mesh, const double *U, double *AU,
                            struct device_scratch *scratch);
void target_plain_laplacian_structured(const struct mesh *mesh, const double *U, double *AU,
                                       struct device_scratch *scratch);
void target_plain_boundary(const struct mesh *mesh, const double *U, double *AU,
                           struct device_scratch *scratch);
void target_plain_boundary_structured(const struct mesh *mesh, const double *U, double *AU,
                                      struct device_scratch *scratch);
void target_plain_update(const struct mesh *mesh, const double *RHS, const double *AU, double *RES,
                         double *U, struct device_scratch *scratch);
void target_plain_update_structured(const struct mesh *mesh, const double *RHS, const double *AU,
                                    double *RES, double *U, struct device_scratch *scratch);
double target_plain_norm(const struct mesh *mesh, const double *RES,
                         struct device_scratch *scratch);
double target_plain_norm_structured(const struct mesh *mesh, const double *RES,
                                    struct device_scratch *scratch);

double target_fused(const struct mesh *mesh, struct row_range rows, const double *RHS,
                    const double *U, double *U_next, struct device_scratch *scratch);
double target_fused_structured(const struct mesh *mesh, struct row_range rows, const double *RHS,
                               const double *U, double *U_next, struct device_scratch *scratch);

void target_blocked(const struct mesh *mesh, struct row_range rows, int depth, const double *RHS,
                    const double *U, double *U_next, double *norms, struct device_scratch *scratch,
                    struct offload_window *window);
void target_blocked_structured(const struct mesh *mesh, struct row_range rows, int depth,
                               const double *RHS, const double *U, double *U_next, double *norms,
                               struct device_scratch *scratch, struct offload_window *window);
struct offload_window *target_open_window(const struct mesh *mesh, int depth);
void target_close_window(struct offload_window *window);
extern const struct offload_depths target_depths;

double target_chebyshev_fused(const struct mesh *mesh, double weight, const double *RHS,
                              const double *U, double *other, struct device_scratch *scratch);
extern const struct offload_methods target_methods, target_methods_structured;

void target_downsample(const struct mesh *mesh, int first, struct row_range rows,
                       const struct downsample *downsample, const double *U, double *sums);

/* Mapping for the whole run. */
bool target_has_free_memory(size_t bytes);
void target_enter_classic(size_t N, double *U, double *AU, double *RES, double *RHS);
void target_exit_classic(size_t N, double *U, double *AU, double *RES, double *RHS);
void target_enter_fused(size_t N, double *U, double *U_next, double *RHS);
void target_exit_fused(size_t N, double *U, double *U_next, double *RHS);
void target_update_from(size_t N, double *U);
void target_update_to(size_t N, double *U);
bool target_copy(size_t N, double *to, int to_device, const double *from, int from_device);
void target_enter_array(size_t N, double *array);
void target_exit_array(size_t N, double *array);
void *target_alloc_unified(size_t bytes);
void target_free_unified(void *memory);
#if OFFLOAD_IS_GPU
void *target_alloc_pinned(size_t bytes);
void target_free_pinned(void *memory);
void target_measure_clock(struct offload_clock *clock);
#endif
struct device_scratch *target_open_sums(void);
void target_close_sums(struct device_scratch *scratch);
void target_fetch_spans(struct device_scratch *scratch);

#endif
