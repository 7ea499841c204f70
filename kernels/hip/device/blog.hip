/* The host code as AMD teaches HIP: hipMalloc, hipMemcpy, kernel<<<grid, block>>>. The source panel
 * shows it first. The program itself does the same through the driver interface
 * (kernels/hip/stream.c), which loads kernels compiled for several GPUs.
 *
 * tests/unit/test_hip_blog.c runs all of this code. As in a lesson, errors are not handled. U, AU,
 * RHS, RES are host arrays of N doubles; names with d_ are device arrays. */
#include "plain.hip"

/* ---- launches: one thread per unknown */

extern "C" void launch_laplacian(int Nx, int Ny, double _1bydx2, double _1bydy2, double *d_U,
                                 double *d_AU) {
    const int N = Nx * Ny, grid = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    PlainLaplacian<<<grid, BLOCK_SIZE>>>(Nx, Ny, _1bydx2, _1bydy2, d_U, d_AU);
}

extern "C" void launch_boundary(int Nx, int Ny, double _1bydx2, double _1bydy2, double *d_U,
                                double *d_AU) {
    const int N = 2 * Nx + 2 * Ny - 2, grid = (N + BLOCK_SIZE - 1) / BLOCK_SIZE;
    PlainBoundaryConditions<<<grid, BLOCK_SIZE>>>(Nx, Ny, _1bydx2, _1bydy2, d_U, d_AU);
}

extern "C" void launch_update(long N, double factor, double *d_RHS, double *d_AU, double *d_RES,
                              double *d_U) {
    const int grid = (int)((N + BLOCK_SIZE - 1) / BLOCK_SIZE);
    PlainUpdate<<<grid, BLOCK_SIZE>>>(N, factor, d_RHS, d_AU, d_RES, d_U);
}

/* Each block writes one sum; the host adds them up. */
extern "C" double launch_norm(long N, double *d_RES) {
    static const int GRID = 256;
    double sums[GRID], sum = 0, *d_sums;
    hipMalloc((void **)&d_sums, sizeof sums);
    PlainNorm<<<GRID, NORM_BLOCK_SIZE>>>(N, d_RES, d_sums);
    hipMemcpy(sums, d_sums, sizeof sums, hipMemcpyDeviceToHost);
    hipFree(d_sums);
    for (int block = 0; block < GRID; block++)
        sum += sums[block];
    return sum;
}

/* ---- structured mapping: each kernel's arrays are copied around it */

extern "C" void structured_laplacian(int Nx, int Ny, double _1bydx2, double _1bydy2, double *U,
                                     double *AU) {
    const size_t bytes = sizeof(double) * Nx * Ny;
    double *d_U, *d_AU;
    hipMalloc((void **)&d_U, bytes);
    hipMalloc((void **)&d_AU, bytes);
    hipMemcpy(d_U, U, bytes, hipMemcpyHostToDevice);
    hipMemcpy(d_AU, AU, bytes, hipMemcpyHostToDevice);
    launch_laplacian(Nx, Ny, _1bydx2, _1bydy2, d_U, d_AU);
    hipMemcpy(AU, d_AU, bytes, hipMemcpyDeviceToHost);
    hipFree(d_U);
    hipFree(d_AU);
}

extern "C" void structured_boundary(int Nx, int Ny, double _1bydx2, double _1bydy2, double *U,
                                    double *AU) {
    const size_t bytes = sizeof(double) * Nx * Ny;
    double *d_U, *d_AU;
    hipMalloc((void **)&d_U, bytes);
    hipMalloc((void **)&d_AU, bytes);
    hipMemcpy(d_U, U, bytes, hipMemcpyHostToDevice);
    hipMemcpy(d_AU, AU, bytes, hipMemcpyHostToDevice);
    launch_boundary(Nx, Ny, _1bydx2, _1bydy2, d_U, d_AU);
    hipMemcpy(AU, d_AU, bytes, hipMemcpyDeviceToHost);
    hipFree(d_U);
    hipFree(d_AU);
}

extern "C" void structured_update(long N, double factor, double *RHS, double *AU, double *RES,
                                  double *U) {
    const size_t bytes = sizeof(double) * N;
    double *d_RHS, *d_AU, *d_RES, *d_U;
    hipMalloc((void **)&d_RHS, bytes);
    hipMalloc((void **)&d_AU, bytes);
    hipMalloc((void **)&d_RES, bytes);
    hipMalloc((void **)&d_U, bytes);
    hipMemcpy(d_RHS, RHS, bytes, hipMemcpyHostToDevice);
    hipMemcpy(d_AU, AU, bytes, hipMemcpyHostToDevice);
    hipMemcpy(d_U, U, bytes, hipMemcpyHostToDevice);
    launch_update(N, factor, d_RHS, d_AU, d_RES, d_U);
    hipMemcpy(RES, d_RES, bytes, hipMemcpyDeviceToHost);
    hipMemcpy(U, d_U, bytes, hipMemcpyDeviceToHost);
    hipFree(d_RHS);
    hipFree(d_AU);
    hipFree(d_RES);
    hipFree(d_U);
}

extern "C" double structured_norm(long N, double *RES) {
    double *d_RES;
    hipMalloc((void **)&d_RES, sizeof(double) * N);
    hipMemcpy(d_RES, RES, sizeof(double) * N, hipMemcpyHostToDevice);
    const double sum = launch_norm(N, d_RES);
    hipFree(d_RES);
    return sum;
}

/* ---- unstructured mapping: the arrays stay on the device during the whole loop */

extern "C" void unstructured_enter(long N, double *RHS, double *U, double **d_RHS, double **d_U,
                                   double **d_AU, double **d_RES) {
    const size_t bytes = sizeof(double) * N;
    hipMalloc((void **)d_RHS, bytes);
    hipMalloc((void **)d_U, bytes);
    hipMalloc((void **)d_AU, bytes);
    hipMalloc((void **)d_RES, bytes);
    hipMemcpy(*d_RHS, RHS, bytes, hipMemcpyHostToDevice);
    hipMemcpy(*d_U, U, bytes, hipMemcpyHostToDevice);
}

extern "C" void unstructured_exit(long N, double *U, double *d_RHS, double *d_U, double *d_AU,
                                  double *d_RES) {
    hipMemcpy(U, d_U, sizeof(double) * N, hipMemcpyDeviceToHost);
    hipFree(d_RHS);
    hipFree(d_U);
    hipFree(d_AU);
    hipFree(d_RES);
}
