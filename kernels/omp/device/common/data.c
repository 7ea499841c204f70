#include <pthread.h>

#include "kernels/omp/device/common/target.h"

/* ---- where mapped memory is on the device ----
 *
 * A region that is given a host's address has the runtime look up where that is mapped: some 3 µs
 * for all arguments, every time. What is mapped for a run stays where it is. */

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

static void keep_array(size_t N, const double *array) {
    target_keep(array, N * sizeof *array);
}

/* ---- mapping ---- */

/* Unstructured mapping: the arrays reach the device before the loop and are released after it. */
void target_enter_classic(size_t N, double *U, double *AU, double *RES, double *RHS) {
#pragma omp target enter data map(to : U[:N], AU[:N], RES[:N], RHS[:N])
    keep_array(N, U);
    keep_array(N, AU);
    keep_array(N, RES);
    keep_array(N, RHS);
}

void target_exit_classic(size_t N, double *U, double *AU, double *RES, double *RHS) {
    target_forget(U);
    target_forget(AU);
    target_forget(RES);
    target_forget(RHS);
#pragma omp target exit data map(release : U[:N], AU[:N], RES[:N], RHS[:N])
}

/* U_next is written before it is read, so it is allocated and not copied. */
void target_enter_fused(size_t N, double *U, double *U_next, double *RHS) {
#pragma omp target enter data map(to : U[:N], RHS[:N]) map(alloc : U_next[:N])
    keep_array(N, U);
    keep_array(N, U_next);
    keep_array(N, RHS);
}

void target_exit_fused(size_t N, double *U, double *U_next, double *RHS) {
    target_forget(U);
    target_forget(U_next);
    target_forget(RHS);
#pragma omp target exit data map(release : U[:N], RHS[:N], U_next[:N])
}

void target_enter_array(size_t N, double *array) {
#pragma omp target enter data map(to : array[:N])
    keep_array(N, array);
}

void target_exit_array(size_t N, double *array) {
    target_forget(array);
#pragma omp target exit data map(release : array[:N])
}

void target_update_from(size_t N, double *U) {
#pragma omp target update from(U[:N])
}

void target_update_to(size_t N, double *U) {
#pragma omp target update to(U[:N])
}

/* From device to device, where both hold the arrays. */
bool target_copy(size_t N, double *to, int to_device, const double *from, int from_device) {
    double *there = omp_get_mapped_ptr(to, to_device);
    const double *here = omp_get_mapped_ptr(from, from_device);
    return there && here &&
           omp_target_memcpy(there, here, N * sizeof *to, 0, 0, to_device, from_device) == 0;
}

/* Those of a pass whose norm comes by itself. */
void target_fetch_spans(void) {
    struct offload_span *spans = target_scratch->spans;
#pragma omp target update from(spans[:OFFLOAD_PHASES])
}

/* Sums of U over cells, of the rows `own`; the sums alone are copied. */
void target_downsample(const struct mesh *mesh, int first, struct row_range own,
                       const struct downsample *downsample, const double *U, double *sums) {
    const size_t stride = (size_t)mesh->Nx;
    const int cols = downsample->cols, rows = downsample->rows;
    const int i_begin = downsample->i0, j_begin = downsample->j0;
    const int own_begin = own.begin, own_end = own.end;
    const long width = downsample->i1 - downsample->i0, height = downsample->j1 - downsample->j0;

#pragma omp target teams distribute parallel for collapse(2) map(from : sums[:cols * rows])
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++) {
            /* The unknowns under this cell; the same arithmetic as downsample_span. */
            const int j0 = j_begin - first + (int)(row * height / rows);
            const int j_end = j_begin - first + (int)((row + 1) * height / rows);
            const int i0 = i_begin + (int)(col * width / cols);
            const int i_end = i_begin + (int)((col + 1) * width / cols);
            const int j1 = j_end > j0 ? j_end : j0 + 1, i1 = i_end > i0 ? i_end : i0 + 1;
            const int below = j0 > own_begin ? j0 : own_begin, above = j1 < own_end ? j1 : own_end;

            double sum = 0.0;
            for (int j = below; j < above; j++)
                for (int i = i0; i < i1; i++)
                    sum += U[(size_t)i + (size_t)j * stride];
            sums[col + row * cols] = sum;
        }
}

bool target_has_free_memory(size_t bytes) {
    void *memory = omp_target_alloc(bytes, omp_get_default_device());
    omp_target_free(memory, omp_get_default_device());
    return memory != NULL;
}
