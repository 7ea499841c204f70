/* Mapping, and the table that a module of target regions exports (kernels/omp/module.h). */
#include <omp.h>
#include <pthread.h>
#include <string.h>

#include "kernels/omp/device/common/target.h"

_Thread_local struct device_scratch *target_scratch;

extern const struct offload_module offload_module __attribute__((visibility("default")));

static void choose_device(int device, struct device_scratch *scratch) {
    omp_set_default_device(device);
    target_scratch = scratch;
}

static bool run_on_device(void) {
    int there = 0;
#pragma omp target map(tofrom : there)
    there = !omp_is_initial_device();
    return there;
}

/* ---- device addresses of mapped memory ----
 *
 * The runtime looks up the device address of each host address that a region gets: about 3 µs per
 * launch for all arguments. A run's memory keeps its device address, so these are cached. */

enum { KEPT_MAX = 64 };

static struct kept {
    const char *host, *there;
    size_t bytes;
    int device;
} kept[KEPT_MAX];
static int kept_count;
static pthread_mutex_t kept_mutex = PTHREAD_MUTEX_INITIALIZER;

void target_keep(const void *host, size_t bytes) {
    const int device = omp_get_default_device();
    const char *there = omp_get_mapped_ptr(host, device);
    pthread_mutex_lock(&kept_mutex);
    if (there && kept_count < KEPT_MAX)
        kept[kept_count++] = (struct kept){host, there, bytes, device};
    pthread_mutex_unlock(&kept_mutex);
}

void target_forget(const void *host) {
    const int device = omp_get_default_device();
    pthread_mutex_lock(&kept_mutex);
    for (int k = 0; k < kept_count; k++)
        if (kept[k].host == host && kept[k].device == device)
            kept[k--] = kept[--kept_count];
    pthread_mutex_unlock(&kept_mutex);
}

void *target_address(const void *host) {
    const int device = omp_get_default_device();
    const char *const at = host, *there = NULL;
    pthread_mutex_lock(&kept_mutex);
    for (int k = 0; k < kept_count && at && !there; k++)
        if (kept[k].device == device && at >= kept[k].host && at < kept[k].host + kept[k].bytes)
            there = kept[k].there + (at - kept[k].host);
    pthread_mutex_unlock(&kept_mutex);
    if (at && !there)
        there = omp_get_mapped_ptr(host, device);
    return (void *)(there ? there : at);
}

static void keep_array(size_t N, const real *array) {
    target_keep(array, N * sizeof *array);
}

/* ---- mapping ---- */

/* Unstructured mapping: the arrays reach the device before the loop and are released after it. */
static void target_enter_classic(size_t N, real *U, real *AU, real *RES, real *RHS) {
#pragma omp target enter data map(to : U[:N], AU[:N], RES[:N], RHS[:N])
    keep_array(N, U);
    keep_array(N, AU);
    keep_array(N, RES);
    keep_array(N, RHS);
}

static void target_exit_classic(size_t N, real *U, real *AU, real *RES, real *RHS) {
    target_forget(U);
    target_forget(AU);
    target_forget(RES);
    target_forget(RHS);
#pragma omp target exit data map(release : U[:N], AU[:N], RES[:N], RHS[:N])
}

/* U_next is written before it is read, so it is allocated and not copied. */
static void target_enter_fused(size_t N, real *U, real *U_next, real *RHS) {
#pragma omp target enter data map(to : U[:N], RHS[:N]) map(alloc : U_next[:N])
    keep_array(N, U);
    keep_array(N, U_next);
    keep_array(N, RHS);
}

static void target_exit_fused(size_t N, real *U, real *U_next, real *RHS) {
    target_forget(U);
    target_forget(U_next);
    target_forget(RHS);
#pragma omp target exit data map(release : U[:N], RHS[:N], U_next[:N])
}

static void target_enter_array(size_t bytes, void *array) {
    char *const mapped = array;
#pragma omp target enter data map(to : mapped[:bytes])
    target_keep(array, bytes);
}

static void target_exit_array(size_t bytes, void *array) {
    char *const mapped = array;
    target_forget(array);
#pragma omp target exit data map(release : mapped[:bytes])
}

static void target_update_to(size_t bytes, void *values) {
    char *const mapped = values;
#pragma omp target update to(mapped[:bytes])
}

static bool target_read(size_t bytes, void *to, const void *array) {
    const void *there = target_address(array);
    if (there == array) /* unified: no copy is reported */
        return memmove(to, array, bytes);
    return omp_target_memcpy(to, there, bytes, 0, 0, omp_get_initial_device(),
                             omp_get_default_device()) == 0;
}

/* Copies from device to device; both devices hold their array. */
static bool target_copy(size_t N, real *to, int to_device, const real *from, int from_device) {
    real *there = omp_get_mapped_ptr(to, to_device);
    const real *here = omp_get_mapped_ptr(from, from_device);
    return there && here &&
           omp_target_memcpy(there, here, N * sizeof *to, 0, 0, to_device, from_device) == 0;
}

/* Sums U over the cells, counting the rows `own` only. Only the sums are copied. */
static void target_downsample(const struct mesh *mesh, int first, struct row_range own,
                              const struct downsample *downsample, const real *U,
                              const double *base, double *sums) {
    const size_t stride = (size_t)mesh->Nx;
    const int cols = downsample->cols, rows = downsample->rows;
    const int i_begin = downsample->i0, j_begin = downsample->j0;
    const int own_begin = own.begin, own_end = own.end;
    const bool has_base = base != NULL;
    const long width = downsample->i1 - downsample->i0, height = downsample->j1 - downsample->j0;

#pragma omp target teams distribute parallel for collapse(2) map(from : sums[:cols * rows])
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            /* The unknowns under this cell, by the same arithmetic as downsample_span. */
            const int j0 = j_begin - first + (int)(row * height / rows);
            const int j_end = j_begin - first + (int)((row + 1) * height / rows);
            const int i0 = i_begin + (int)(col * width / cols);
            const int i_end = i_begin + (int)((col + 1) * width / cols);
            const int j1 = j_end > j0 ? j_end : j0 + 1, i1 = i_end > i0 ? i_end : i0 + 1;
            const int below = j0 > own_begin ? j0 : own_begin, above = j1 < own_end ? j1 : own_end;

            double sum = 0.0;
            for (int j = below; j < above; j++)
                for (int i = i0; i < i1; i++) {
                    const size_t id = (size_t)i + (size_t)j * stride;
                    sum += has_base ? base[id] + U[id] : U[id];
                }
            sums[col + row * cols] = sum;
        }
}

static void host_for_rows(int rows, void (*work)(void *context, int row), void *context) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; row++)
        work(context, row);
}

static bool target_has_free_memory(size_t bytes) {
    void *memory = omp_target_alloc(bytes, omp_get_default_device());
    omp_target_free(memory, omp_get_default_device());
    return memory != NULL;
}

/* ---- structured mapping: each kernel's arrays are mapped around it ---- */

static const struct kernels *kernels(void) {
    return target_scratch->plain ? &offload_module.plain : &offload_module.tuned;
}

static void target_laplacian_structured(const struct mesh *mesh, const real *U, real *AU) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : U[:N]) map(tofrom : AU[:N])
    kernels()->laplacian(mesh, U, AU);
}

static void target_boundary_structured(const struct mesh *mesh, const real *U, real *AU) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : U[:N]) map(tofrom : AU[:N])
    kernels()->boundary(mesh, U, AU);
}

static void target_update_structured(const struct mesh *mesh, const real *RHS, const real *AU,
                                     real *RES, real *U) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : RHS[:N], AU[:N]) map(from : RES[:N]) map(tofrom : U[:N])
    kernels()->update(mesh, RHS, AU, RES, U);
}

static double target_norm_structured(const struct mesh *mesh, const real *RES) {
    const size_t N = mesh_unknowns(mesh);
    double norm;
#pragma omp target data map(to : RES[:N])
    norm = kernels()->norm(mesh, RES);
    return norm;
}

static double target_fused_structured(const struct mesh *mesh, struct row_range rows,
                                      const real *RHS, const real *U, real *U_next) {
    const size_t N = mesh_unknowns(mesh);
    double norm;
#pragma omp target data map(to : RHS[:N], U[:N]) map(from : U_next[:N])
    norm = kernels()->fused(mesh, rows, RHS, U, U_next);
    return norm;
}

static void target_blocked_structured(const struct mesh *mesh, struct row_range rows, int depth,
                                      const real *RHS, const real *U, real *U_next, double *norms,
                                      void *work) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : RHS[:N], U[:N]) map(from : U_next[:N])
    kernels()->blocked(mesh, rows, depth, RHS, U, U_next, norms, work);
}

static void target_refine_structured(const struct mesh *mesh, const double *RHS, double *U, real *e,
                                     real *g) {
    const size_t N = mesh_unknowns(mesh);
#pragma omp target data map(to : RHS[:N]) map(tofrom : U[:N], e[:N]) map(from : g[:N])
    target_refine(mesh, RHS, U, e, g);
}

/* ---- the table ---- */

const struct offload_module offload_module = {
    .version = OFFLOAD_MODULE_VERSION,
    .is_gpu = OFFLOAD_IS_GPU,
    .compiler = __clang_version__,
    .choose = choose_device,
    .try_out = run_on_device,
    .for_rows = host_for_rows,
    .has_free_memory = target_has_free_memory,
    .enter_classic = target_enter_classic,
    .exit_classic = target_exit_classic,
    .enter_fused = target_enter_fused,
    .exit_fused = target_exit_fused,
    .read = target_read,
    .update_to = target_update_to,
    .copy = target_copy,
    .enter_array = target_enter_array,
    .exit_array = target_exit_array,
    .alloc_unified = target_alloc_unified,
    .free_unified = target_free_unified,
#if OFFLOAD_IS_GPU
    .alloc_pinned = target_alloc_pinned,
    .free_pinned = target_free_pinned,
    .measure_clock = target_measure_clock,
#endif
    .open_scratch = target_open_scratch,
    .close_scratch = target_close_scratch,
    .open_work = target_open_work,
    .close_work = target_close_work,
    .depths = &target_depths,
    .tuned = {.laplacian = target_laplacian,
              .boundary = target_boundary,
              .update = target_update,
              .norm = target_norm,
              .fused = target_fused,
              .blocked = target_blocked},
    .plain = {.laplacian = target_plain_laplacian,
              .boundary = target_plain_boundary,
              .update = target_plain_update,
              .norm = target_plain_norm},
    .structured = {.laplacian = target_laplacian_structured,
                   .boundary = target_boundary_structured,
                   .update = target_update_structured,
                   .norm = target_norm_structured,
                   .fused = target_fused_structured,
                   .blocked = target_blocked_structured},
    .methods = {target_methods, target_methods_structured},
    .refine = {target_refine, target_refine_structured},
    .downsample = target_downsample,
};
