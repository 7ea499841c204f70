#include "kernels/omp/device/common/target.h"

/* Unstructured mapping: the arrays reach the device before the loop and are released after it. */
void target_enter_classic(size_t N, double *U, double *AU, double *RES, double *RHS) {
#pragma omp target enter data map(to : U[:N], AU[:N], RES[:N], RHS[:N])
}

void target_exit_classic(size_t N, double *U, double *AU, double *RES, double *RHS) {
#pragma omp target exit data map(release : U[:N], AU[:N], RES[:N], RHS[:N])
}

/* U_next is written before it is read, so it is allocated and not copied. */
void target_enter_fused(size_t N, double *U, double *U_next, double *RHS) {
#pragma omp target enter data map(to : U[:N], RHS[:N]) map(alloc : U_next[:N])
}

void target_exit_fused(size_t N, double *U, double *U_next, double *RHS) {
#pragma omp target exit data map(release : U[:N], RHS[:N], U_next[:N])
}

void target_update_from(size_t N, double *U) {
#pragma omp target update from(U[:N])
}
