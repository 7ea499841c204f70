#include "tests/fake/kernels.h"

#include <stdlib.h>
#include <string.h>

/* Argument n as a value of that type. */
#define ARGUMENT(type, n) (*(type *)arguments[n])

struct stencil {
    int Nx, Ny;
    long stride;
    double _1bydx2, _1bydy2;
};

static double laplacian_at(const struct stencil *s, const double *U, int i, int j) {
    const long id = i + j * s->stride;
    const double l = i > 0 ? U[id - 1] : 0;
    const double r = i < s->stride - 1 ? U[id + 1] : 0; /* the padding, as the kernels read it */
    const double d = j > 0 ? U[id - s->stride] : 0, u = j < s->Ny - 1 ? U[id + s->stride] : 0;
    return (-l + 2 * U[id] - r) * s->_1bydx2 + (-d + 2 * U[id] - u) * s->_1bydy2;
}

static int on_rim(const struct stencil *s, int i, int j) {
    return i == 0 || j == 0 || i == s->Nx - 1 || j == s->Ny - 1;
}

static void apply(const struct stencil *s, const double *U, double *AU, int rim) {
    for (int j = 0; j < s->Ny; j++)
        for (int i = 0; i < s->Nx; i++)
            if (on_rim(s, i, j) == rim)
                AU[i + j * s->stride] = laplacian_at(s, U, i, j);
}

static void laplacian(unsigned blocks, unsigned threads, void **arguments) {
    const struct stencil s = {ARGUMENT(int, 0), ARGUMENT(int, 1), ARGUMENT(int, 0),
                              ARGUMENT(double, 3), ARGUMENT(double, 4)};
    const long needed = s.Ny > 2 ? (s.Ny + 1) / 4 * (long)s.Nx : 0; /* 4 rows a thread */
    if ((long)blocks * threads >= needed)
        apply(&s, ARGUMENT(double *, 5), ARGUMENT(double *, 6), 0);
}

static void boundary(unsigned blocks, unsigned threads, void **arguments) {
    const struct stencil s = {ARGUMENT(int, 0), ARGUMENT(int, 1), ARGUMENT(int, 0),
                              ARGUMENT(double, 2), ARGUMENT(double, 3)};
    if ((long)blocks * threads >= 2L * s.Nx + 2L * s.Ny)
        apply(&s, ARGUMENT(double *, 4), ARGUMENT(double *, 5), 1);
}

static void update(unsigned blocks, unsigned threads, void **arguments) {
    const double factor = ARGUMENT(double, 2);
    const double *RHS = ARGUMENT(double *, 3), *AU = ARGUMENT(double *, 4);
    double *RES = ARGUMENT(double *, 5), *U = ARGUMENT(double *, 6);
    (void)blocks;
    (void)threads;
    for (long id = 0; id < ARGUMENT(long, 0); id++) {
        RES[id] = RHS[id] - AU[id];
        U[id] += RES[id] * factor;
    }
}

static void norm(unsigned blocks, unsigned threads, void **arguments) {
    const double *RES = ARGUMENT(double *, 2);
    double *sums = ARGUMENT(double *, 3);
    (void)threads;
    memset(sums, 0, blocks * sizeof *sums);
    for (long id = 0; id < ARGUMENT(long, 0); id++)
        sums[id % blocks] += RES[id] * RES[id];
}

static void downsample(unsigned blocks, unsigned threads, void **arguments) {
    const int stride = ARGUMENT(int, 0), i0 = ARGUMENT(int, 1), i1 = ARGUMENT(int, 2);
    const int j0 = ARGUMENT(int, 3), j1 = ARGUMENT(int, 4), cols = ARGUMENT(int, 5);
    const long rows = ARGUMENT(int, 6);
    const double *U = ARGUMENT(double *, 7);
    float *cells = ARGUMENT(float *, 8);
    (void)threads;
    for (long cell = 0; cell < (long)blocks; cell++) {
        const long col = cell % cols, row = cell / cols;
        const long left = i0 + col * (i1 - i0) / cols, below = j0 + row * (j1 - j0) / rows;
        long right = i0 + (col + 1) * (i1 - i0) / cols, above = j0 + (row + 1) * (j1 - j0) / rows;
        right = right > left ? right : left + 1;
        above = above > below ? above : below + 1;
        double sum = 0;
        for (long j = below; j < above; j++)
            for (long i = left; i < right; i++)
                sum += U[i + j * stride];
        cells[cell] = (float)(sum / (double)((right - left) * (above - below)));
    }
}

/* One iteration; returns sum(RES²). */
static double pass(const struct stencil *s, double factor, const double *RHS, const double *U,
                   double *next) {
    double sum = 0;
    for (int j = 0; j < s->Ny; j++)
        for (int i = 0; i < s->Nx; i++) {
            const long id = i + j * s->stride;
            const double r_res = RHS[id] - laplacian_at(s, U, i, j);
            next[id] = U[id] + r_res * factor;
            sum += r_res * r_res;
        }
    return sum;
}

static void copy_columns(const struct stencil *s, double *to, const double *from) {
    for (int j = 0; j < s->Ny; j++)
        memcpy(to + j * s->stride, from + j * s->stride, (size_t)s->Nx * sizeof *to);
}

/* Arguments 5 … 14 of Fused and Blocked. `depth` iterations, U left alone; the padding of U_next is
 * not written, as by the kernels. */
static void passes(int depth, void **arguments) {
    const struct stencil s = {ARGUMENT(int, 0), ARGUMENT(int, 1), ARGUMENT(int, 2),
                              ARGUMENT(double, 5), ARGUMENT(double, 6)};
    const size_t count = (size_t)s.stride * (size_t)s.Ny;
    const double factor = ARGUMENT(double, 7), limit = ARGUMENT(double, 8);
    const double *RHS = ARGUMENT(double *, 9);
    double *sums = ARGUMENT(double *, 13);
    unsigned *stopped = ARGUMENT(unsigned *, 14) + 1;
    double *U = malloc(2 * count * sizeof *U), *next = U + count;
    if (*stopped || !U) {
        free(U);
        return;
    }
    memcpy(U, ARGUMENT(double *, 10), count * sizeof *U);
    for (int k = 0; k < depth; k++) {
        sums[k] = pass(&s, factor, RHS, U, next);
        *stopped |= !(sums[k] > limit);
        copy_columns(&s, U, next);
    }
    copy_columns(&s, ARGUMENT(double *, 11), U);
    free(U);
}

static void fused(unsigned blocks, unsigned threads, void **arguments) {
    const long strips = (ARGUMENT(int, 0) + 511) / 512;
    const long rows = (long)blocks / strips * ARGUMENT(int, 3);
    if (threads == 256 && rows >= ARGUMENT(int, 1))
        passes(1, arguments);
}

static void blocked(unsigned blocks, unsigned threads, void **arguments) {
    (void)blocks;
    (void)threads;
    passes(ARGUMENT(int, 3), arguments);
}

static void nothing(unsigned blocks, unsigned threads, void **arguments) {
    (void)blocks;
    (void)threads;
    (void)arguments;
}

fake_kernel fake_kernel_find(const char *name) {
    static const struct {
        const char *name;
        fake_kernel kernel;
    } kernels[] = {
        {"Laplacian", laplacian},   {"BoundaryConditions", boundary},
        {"Update", update},         {"Norm", norm},
        {"Downsample", downsample}, {"Fused", fused},
        {"Blocked4", blocked},      {"Blocked8", blocked},
        {"Triad", nothing},         {"MultiplyAdd", nothing},
    };
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (strcmp(kernels[k].name, name) == 0)
            return kernels[k].kernel;
    return NULL;
}
