#include "kernels/cpu/methods.h"

#include "kernels/cpu/row.h"

/* A product and the sum that it goes into are never in one expression here: rounded once instead of
 * twice, iterates would not have the bits that they have on other devices. */

/* u⁺ = weight*(u + RES*D⁻¹ - u⁻) + u⁻: Update's step, and further in the same direction. */
void chebyshev_update_row(void *method_rows, int j) {
    const struct method_rows *rows = method_rows;
    const size_t Nx = (size_t)rows->mesh->Nx, begin = (size_t)j * Nx;
    const double factor = rows->mesh->factor, weight = rows->weight;
    const double *restrict RHS = rows->RHS, *restrict AU = rows->AU, *restrict U = rows->U;
    double *restrict RES = rows->RES, *restrict other = rows->other;
#pragma omp simd
    for (size_t id = begin; id < begin + Nx; id++) {
        const double r_res = RHS[id] - AU[id];
        const double step = r_res * factor;
        RES[id] = r_res;
        const double further = weight * (U[id] + step - other[id]);
        other[id] = further + other[id];
    }
}

void colour_update_row(void *method_rows, int j) {
    const struct method_rows *rows = method_rows;
    const size_t Nx = (size_t)rows->mesh->Nx, begin = (size_t)j * Nx;
    const double factor = rows->mesh->factor;
    for (size_t id = begin; id < begin + Nx; id++)
        rows->RES[id] = rows->RHS[id] - rows->AU[id];
    for (size_t i = (size_t)(j + (int)rows->colour) % 2; i < Nx; i += 2) {
        const double step = rows->RES[begin + i] * factor;
        rows->U[begin + i] += step;
    }
}

/* A colour's neighbours are all of the other one, so rows can be made in any order. */
void sweep_row(void *method_rows, int j) {
    const struct method_rows *rows = method_rows;
    const struct mesh *mesh = rows->mesh;
    const int Nx = mesh->Nx;
    double *U = rows->U + (size_t)j * (size_t)Nx;
    const double *RHS = rows->RHS + (size_t)j * (size_t)Nx;
    for (int i = (j + (int)rows->colour) % 2; i < Nx; i += 2) {
        const double l = i > 0 ? U[i - 1] : 0, r = i < Nx - 1 ? U[i + 1] : 0;
        const double d = j > 0 ? U[i - Nx] : 0, u = j < mesh->Ny - 1 ? U[i + Nx] : 0;
        double r_res;
        U[i] = cpu_relax(mesh, l, r, d, u, U[i], RHS[i], &r_res);
    }
}

/* ---- from level to level ------------------------------------------------------------------- */

/* The finer unknowns that an unknown of the coarser level lies among, in one direction, and how
 * much of each it takes: 1 at its own place, 0 at its neighbours'. Together they take `share`
 * times 1. */
struct hat {
    int first, last; /* [first, last) */
    long at, coarse; /* own place, and a finer unknown's step, in units of 1/(coarse*fine) */
    double per_unit, share;
};

static struct hat hat_of(int index, int coarse_count, int fine_count) {
    const long coarse = coarse_count + 1, fine = fine_count + 1;
    return (struct hat){
        .first = (int)(index * fine / coarse),
        .last = (int)(((index + 2) * fine + coarse - 1) / coarse) - 1,
        .at = (index + 1) * fine,
        .coarse = coarse,
        .per_unit = 1.0 / (double)fine,
        .share = (double)coarse / (double)fine,
    };
}

static double hat_weight(const struct hat *hat, int i) {
    const long apart = (i + 1) * hat->coarse - hat->at;
    const double lost = (double)(apart < 0 ? -apart : apart) * hat->per_unit;
    return 1.0 - lost;
}

void restriction_row(void *method_rows, int J) {
    const struct method_rows *rows = method_rows;
    const struct mesh *fine = rows->mesh, *coarse = rows->coarser;
    const struct hat in_y = hat_of(J, coarse->Ny, fine->Ny);
    for (int I = 0; I < coarse->Nx; I++) {
        const struct hat in_x = hat_of(I, coarse->Nx, fine->Nx);
        double sum = 0;
        for (int j = in_y.first; j < in_y.last; j++) {
            double row = 0;
            for (int i = in_x.first; i < in_x.last; i++) {
                const size_t id = (size_t)i + (size_t)j * (size_t)fine->Nx;
                const double part = hat_weight(&in_x, i) * (rows->RHS[id] - rows->AU[id]);
                row += part;
            }
            row *= hat_weight(&in_y, j);
            sum += row;
        }
        const size_t id = (size_t)I + (size_t)J * (size_t)coarse->Nx;
        rows->coarser_RHS[id] = in_x.share * in_y.share * sum;
        rows->coarser_U[id] = 0;
    }
}

/* The coarser unknown before a finer one and, of the way to the next, how far it lies from it. */
static int place_between(int index, int fine_count, int coarse_count, double *part) {
    const long fine = fine_count + 1, place = (index + 1L) * (coarse_count + 1);
    *part = (double)(place % fine) / (double)fine;
    return (int)(place / fine) - 1;
}

void prolongation_row(void *method_rows, int j) {
    const struct method_rows *rows = method_rows;
    const struct mesh *fine = rows->mesh, *coarse = rows->coarser;
    const int Nx = coarse->Nx, Ny = coarse->Ny;
    double up, right;
    const int J = place_between(j, fine->Ny, Ny, &up);
    const double *below = rows->coarser_U + (ptrdiff_t)J * Nx, *above = below + Nx;
    for (int i = 0; i < fine->Nx; i++) {
        const int I = place_between(i, fine->Nx, Nx, &right);
        const double a = I >= 0 && J >= 0 ? below[I] : 0,
                     b = I + 1 < Nx && J >= 0 ? below[I + 1] : 0;
        const double c = I >= 0 && J + 1 < Ny ? above[I] : 0;
        const double d = I + 1 < Nx && J + 1 < Ny ? above[I + 1] : 0;
        const double on_lower = right * (b - a), on_upper = right * (d - c);
        const double lower = a + on_lower, upper = c + on_upper, on_column = up * (upper - lower);
        rows->U[(size_t)i + (size_t)j * (size_t)fine->Nx] += lower + on_column;
    }
}

/* ---- fused --------------------------------------------------------------------------------- */

/* `next` holds the iterate before U until it holds the one after it. */
CPU_CLONES
static double chebyshev_span(const struct mesh *mesh, double weight, int count,
                             const double *restrict RHS, const double *restrict down,
                             const double *restrict here, const double *restrict up,
                             double *restrict next) {
    const struct mesh local = *mesh;
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < count; i++) {
        double r_res;
        const double relaxed =
            cpu_relax(&local, here[i - 1], here[i + 1], down[i], up[i], here[i], RHS[i], &r_res);
        const double further = weight * (relaxed - next[i]);
        next[i] = further + next[i];
        sum += r_res * r_res;
    }
    return sum;
}

void chebyshev_fused_rows(void *method_rows, int part) {
    enum { PIECE = 256 };
    const struct method_rows *rows = method_rows;
    const struct mesh *mesh = rows->mesh;
    const int Nx = mesh->Nx, Ny = mesh->Ny, first = part * CPU_ROWS;
    const int last = first + CPU_ROWS < Ny ? first + CPU_ROWS : Ny;
    double sum = 0;
    const unsigned before = cpu_drop_subnormals();
    /* The rows advance together, as in row.c: memory is asked for several streams at a time. */
    for (int begin = 0; begin < Nx; begin += PIECE)
        for (int j = first; j < last; j++) {
            const bool inside = j > 0 && j < Ny - 1;
            const int end = begin + PIECE < Nx ? begin + PIECE : Nx;
            const int from = inside && begin == 0 ? 1 : begin,
                      to = inside && end == Nx ? Nx - 1 : end;
            const double *U = rows->U + (size_t)j * (size_t)Nx;
            const double *RHS = rows->RHS + (size_t)j * (size_t)Nx;
            double *next = rows->other + (size_t)j * (size_t)Nx;
            if (inside && to > from)
                sum += chebyshev_span(mesh, rows->weight, to - from, RHS + from, U + from - Nx,
                                      U + from, U + from + Nx, next + from);
            for (int i = begin; i < end; i++) {
                if (inside && i >= from && i < to)
                    i = to; /* done above */
                if (i >= end)
                    break;
                const double l = i > 0 ? U[i - 1] : 0, r = i < Nx - 1 ? U[i + 1] : 0;
                const double d = j > 0 ? U[i - Nx] : 0, u = j < Ny - 1 ? U[i + Nx] : 0;
                double r_res;
                const double relaxed = cpu_relax(mesh, l, r, d, u, U[i], RHS[i], &r_res);
                const double further = rows->weight * (relaxed - next[i]);
                next[i] = further + next[i];
                sum += r_res * r_res;
            }
        }
    cpu_keep_subnormals(before);
    rows->sums[part] = sum;
}
