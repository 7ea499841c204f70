/* Between a grid and the next coarser one: what Restriction and Prolongation make of one unknown.
 * serial, threads and the target regions of omp call these; hip has them in
 * device/methods.hip.
 *
 * Both grids lie on the same square. In units of 1/((coarse + 1)*(fine + 1)) of its side, unknown i
 * of the finer grid lies at (i + 1)*(coarse + 1), unknown I of the coarser at (I + 1)*(fine + 1). A
 * product and the sum that it goes into are never in one expression: rounded once instead of twice,
 * iterates would not have the bits that they have on other devices. */
#ifndef JACOBI_KERNELS_CPU_TRANSFER_H
#define JACOBI_KERNELS_CPU_TRANSFER_H

#include "solver/mesh.h"

/* The finer unknowns [first, last) that lie between a coarser one's neighbours, in one direction.
 */
struct hat {
    int first, last;
    unsigned at, step; /* where it lies; from one finer unknown to the next */
    double per_unit, share;
};

static inline struct hat hat_of(int index, int coarse_count, int fine_count) {
    const unsigned coarse = (unsigned)coarse_count + 1, fine = (unsigned)fine_count + 1;
    const unsigned before = (unsigned)index * fine, after = before + 2 * fine - 1;
    if (coarse == fine) /* this direction keeps its unknowns */
        return (struct hat){index, index + 1, (unsigned)index + 1, 1, 0, 1};
    return (struct hat){.first = (int)(before / coarse),
                        .last = (int)(after / coarse),
                        .at = before + fine,
                        .step = coarse,
                        .per_unit = 1.0 / fine,
                        .share = (double)coarse / fine};
}

/* 1 at its own place, 0 at its neighbours'. */
static inline double hat_weight(const struct hat *hat, int i) {
    const unsigned place = ((unsigned)i + 1) * hat->step;
    const double lost = (place > hat->at ? place - hat->at : hat->at - place) * hat->per_unit;
    return 1.0 - lost;
}

/* RHS of the coarser grid at (I, J): RHS - AU of the finer one, averaged. */
static inline double restricted(const struct mesh *fine, const struct mesh *coarse, int I, int J,
                                const double *RHS, const double *AU) {
    const struct hat in_x = hat_of(I, coarse->Nx, fine->Nx), in_y = hat_of(J, coarse->Ny, fine->Ny);
    double sum = 0;
    for (int j = in_y.first; j < in_y.last; j++) {
        double row = 0;
        for (int i = in_x.first; i < in_x.last; i++) {
            const size_t id = (size_t)i + (size_t)j * (size_t)fine->Nx;
            const double part = hat_weight(&in_x, i) * (RHS[id] - AU[id]);
            row += part;
        }
        row *= hat_weight(&in_y, j);
        sum += row;
    }
    return in_x.share * in_y.share * sum;
}

/* The coarser unknown before a finer one (-1: the boundary), and how much of the way to the next
 * one it lies from it. */
static inline int place_between(int index, int fine_count, int coarse_count, double *part) {
    const unsigned fine = (unsigned)fine_count + 1;
    const unsigned place = ((unsigned)index + 1) * ((unsigned)coarse_count + 1);
    *part = 0;
    if (fine_count == coarse_count)
        return index;
    *part = (double)(place % fine) / fine;
    return (int)(place / fine) - 1;
}

/* U of the coarser grid at the finer grid's (i, j), interpolated. */
static inline double prolonged(const struct mesh *fine, const struct mesh *coarse, int i, int j,
                               const double *U) {
    const int Nx = coarse->Nx, Ny = coarse->Ny;
    double right, up;
    const int I = place_between(i, fine->Nx, Nx, &right), J = place_between(j, fine->Ny, Ny, &up);
    const size_t id = (size_t)(I + 1) + (size_t)(J + 1) * (size_t)Nx; /* of (I + 1, J + 1) */
    const int has_left = I >= 0, has_right = I + 1 < Nx, has_down = J >= 0, has_up = J + 1 < Ny;
    const double a = has_left && has_down ? U[id - 1 - (size_t)Nx] : 0;
    const double b = has_right && has_down ? U[id - (size_t)Nx] : 0;
    const double c = has_left && has_up ? U[id - 1] : 0, d = has_right && has_up ? U[id] : 0;
    const double on_lower = right * (b - a), on_upper = right * (d - c);
    const double lower = a + on_lower, upper = c + on_upper, on_column = up * (upper - lower);
    return lower + on_column;
}

#endif
