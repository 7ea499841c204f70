#include "kernels.h"

/* Before the run: the arrays go to the device. */
void enter(long nx, long ny, double *U, double *AU, double *RES, double *RHS) {
    const long N = nx * ny;
#pragma omp target enter data map(to : U[:N], RHS[:N]) map(alloc : AU[:N])
}

/* After the run: the arrays are released. */
void leave(long nx, long ny, double *U, double *AU, double *RES, double *RHS) {
    const long N = nx * ny;
#pragma omp target exit data map(release : U[:N], RHS[:N], AU[:N])
}
