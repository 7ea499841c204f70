/* Transfer between a grid and the next coarser one: Restriction and Prolongation for one unknown.
 * Device code includes this, too; HIP's defines TRANSFER_FUNCTION first. CPUs compute many unknowns
 * together with the same bits (methods.c): first along columns, where all columns have the same
 * weights.
 *
 * Both grids are on the same square. In units of 1/((coarse + 1)*(fine + 1)) of its side, unknown i
 * of the finer grid is at (i + 1)*(coarse + 1), unknown I of the coarser at (I + 1)*(fine + 1). A
 * product and its addition to a sum are in separate expressions. Otherwise a compiler could use a
 * multiply-add, which rounds once instead of twice, and the bits would differ between devices. */
#pragma once

#ifndef TRANSFER_FUNCTION
#define TRANSFER_FUNCTION static inline
#endif

/* The unknowns per side of both grids. */
struct grids {
    int fine_Nx, fine_Ny, coarse_Nx, coarse_Ny;
};

/* The finer unknowns [first, last) between a coarser unknown's neighbours, in one direction. */
struct hat {
    int first, last;
    unsigned at, step; /* position of the coarser unknown; distance of the finer ones */
    double per_unit, share;
};

TRANSFER_FUNCTION struct hat hat_of(int index, int coarse_count, int fine_count) {
    const unsigned coarse = (unsigned)coarse_count + 1, fine = (unsigned)fine_count + 1;
    const unsigned before = (unsigned)index * fine;
    struct hat hat = {index, index + 1, (unsigned)index + 1, 1, 0, 1};
    if (coarse == fine) /* this direction is not coarsened */
        return hat;
    hat.first = (int)(before / coarse);
    hat.last = (int)((before + 2 * fine - 1) / coarse);
    hat.at = before + fine;
    hat.step = coarse;
    hat.per_unit = 1.0 / fine;
    hat.share = (double)coarse / fine;
    return hat;
}

/* 1 at its own position, 0 at its neighbours'. */
TRANSFER_FUNCTION double hat_weight(const struct hat *hat, int i) {
    const unsigned place = ((unsigned)i + 1) * hat->step;
    const double lost = (place > hat->at ? place - hat->at : hat->at - place) * hat->per_unit;
    return 1.0 - lost;
}

/* RHS of the coarser grid at (I, J): RHS - AU of the finer one, averaged. */
TRANSFER_FUNCTION double restricted(const struct grids *grids, int I, int J, const double *RHS,
                                    const double *AU) {
    const struct hat in_x = hat_of(I, grids->coarse_Nx, grids->fine_Nx);
    const struct hat in_y = hat_of(J, grids->coarse_Ny, grids->fine_Ny);
    double sum = 0;
    for (int i = in_x.first; i < in_x.last; i++) {
        double column = 0;
        for (int j = in_y.first; j < in_y.last; j++) {
            const long id = i + (long)j * grids->fine_Nx;
            const double part = hat_weight(&in_y, j) * (RHS[id] - AU[id]);
            column += part;
        }
        column *= hat_weight(&in_x, i);
        sum += column;
    }
    return in_x.share * in_y.share * sum;
}

/* The coarser unknown before a finer one (-1: the boundary). *part is the finer one's position
 * between it and the next coarser one, from 0 to 1. */
TRANSFER_FUNCTION int place_between(int index, int fine_count, int coarse_count, double *part) {
    const unsigned fine = (unsigned)fine_count + 1;
    const unsigned place = ((unsigned)index + 1) * ((unsigned)coarse_count + 1);
    *part = 0;
    if (fine_count == coarse_count)
        return index;
    *part = (double)(place % fine) / fine;
    return (int)(place / fine) - 1;
}

/* U of the coarser grid at the finer grid's (i, j), interpolated. */
TRANSFER_FUNCTION double prolonged(const struct grids *grids, int i, int j, const double *U) {
    const int Nx = grids->coarse_Nx, Ny = grids->coarse_Ny;
    double right, up;
    const int I = place_between(i, grids->fine_Nx, Nx, &right);
    const int J = place_between(j, grids->fine_Ny, Ny, &up);
    const double *at = U + I + (long)J * Nx;
    const int left = I >= 0, next = I + 1 < Nx, down = J >= 0, above = J + 1 < Ny;
    const double a = left && down ? at[0] : 0, b = next && down ? at[1] : 0;
    const double c = left && above ? at[Nx] : 0, d = next && above ? at[Nx + 1] : 0;
    const double on_left = up * (c - a), on_right = up * (d - b);
    const double before = a + on_left, after = b + on_right, on_row = right * (after - before);
    return before + on_row;
}
