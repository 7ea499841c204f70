#include "kernels/cpu/methods.h"

#include "kernels/cpu/row.h"
#include "kernels/cpu/transfer.h"

/* u⁺ = weight*(u + RES*D⁻¹ - u⁻) + u⁻: Update's step, extended in the previous step's direction. */
void chebyshev_update_row(void *method_step, int j) {
    const struct method_step *level = method_step;
    const size_t Nx = (size_t)level->mesh->Nx, begin = (size_t)j * Nx;
    const double factor = level->mesh->factor, weight = level->weight;
    const real *restrict RHS = level->RHS, *restrict AU = level->AU, *restrict U = level->U;
    real *restrict RES = level->RES, *restrict other = level->other;
#pragma omp simd
    for (size_t id = begin; id < begin + Nx; id++) {
        const double r_res = RHS[id] - AU[id];
        const double step = r_res * factor;
        RES[id] = r_res;
        const double further = weight * (U[id] + step - other[id]);
        other[id] = further + other[id];
    }
}

void colour_update_row(void *method_step, int j) {
    const struct method_step *level = method_step;
    const size_t Nx = (size_t)level->mesh->Nx, begin = (size_t)j * Nx;
    const double factor = level->mesh->factor;
    for (size_t id = begin; id < begin + Nx; id++)
        level->RES[id] = level->RHS[id] - level->AU[id];
    for (size_t i = (size_t)(j + (int)level->colour) % 2; i < Nx; i += 2) {
        const double step = level->RES[begin + i] * factor;
        level->U[begin + i] += step;
    }
}

/* All neighbours of a colour have the other colour, so the rows may be in any order. */
void sweep_row(void *method_step, int j) {
    const struct method_step *level = method_step;
    const struct mesh *mesh = level->mesh;
    const int Nx = mesh->Nx;
    const struct stencil by = stencil_of(mesh);
    real *U = level->U + (size_t)j * (size_t)Nx;
    const real *RHS = level->RHS + (size_t)j * (size_t)Nx;
    for (int i = (j + (int)level->colour) % 2; i < Nx; i += 2) {
        const double l = i > 0 ? U[i - 1] : 0, r = i < Nx - 1 ? U[i + 1] : 0;
        const double d = j > 0 ? U[i - Nx] : 0, u = j < mesh->Ny - 1 ? U[i + Nx] : 0;
        real r_res;
        U[i] = cpu_relax(&by, l, r, d, u, U[i], RHS[i], &r_res);
    }
}

/* ---- between levels ------------------------------------------------------------------------ */

/* `restricted` and `prolonged` work along columns first, in the same way for neighbouring columns.
 * The weights along a row differ, but are the same in each of TRANSFER_ROWS rows. COLUMNS columns
 * of the coarser grid fit in the L1 cache. */
enum { COLUMNS = 256, TAPS = 4 };

/* A grid has at most twice as many intervals as the next coarser one. So a coarser unknown's hat
 * covers at most TAPS finer unknowns, and the next hat begins at most two unknowns later. */
CPU_CLONES
void restriction_rows(void *method_step, int part) {
    const struct method_step *level = method_step;
    const real *RHS = level->RHS, *AU = level->AU;
    const int fine_Nx = level->mesh->Nx, fine_Ny = level->mesh->Ny;
    const int Nx = level->coarser->Nx, Ny = level->coarser->Ny;
    const int first_row = part * TRANSFER_ROWS, end = first_row + TRANSFER_ROWS;
    for (int begin = 0; begin < Nx; begin += COLUMNS) {
        const int count = begin + COLUMNS < Nx ? COLUMNS : Nx - begin;
        const int from = hat_of(begin, Nx, fine_Nx).first;
        double weights[TAPS][COLUMNS], share = 1;
        int first[COLUMNS], width = 0;
        for (int I = 0; I < count; I++) {
            const struct hat hat = hat_of(begin + I, Nx, fine_Nx);
            for (int k = 0; k < TAPS; k++)
                weights[k][I] = hat.first + k < hat.last ? hat_weight(&hat, hat.first + k) : 0;
            first[I] = hat.first - from;
            width = hat.last - from;
            share = hat.share;
        }
        for (int J = first_row; J < end && J < Ny; J++) {
            const struct hat in_y = hat_of(J, Ny, fine_Ny);
            const double both = share * in_y.share;
            const size_t to = (size_t)begin + (size_t)J * (size_t)Nx;
            double columns[2 * COLUMNS + TAPS] = {0};
            for (int j = in_y.first; j < in_y.last; j++) {
                const double weight = hat_weight(&in_y, j);
                const size_t id = (size_t)from + (size_t)j * (size_t)fine_Nx;
#pragma omp simd
                for (int i = 0; i < width; i++) {
                    const double product = weight * (RHS[id + (size_t)i] - AU[id + (size_t)i]);
                    columns[i] += product;
                }
            }
#pragma omp simd
            for (int I = 0; I < count; I++) {
                double sum = 0;
                for (int k = 0; k < TAPS; k++) {
                    const double product = weights[k][I] * columns[first[I] + k];
                    sum += product;
                }
                level->coarser_RHS[to + (size_t)I] = both * sum;
                level->coarser_U[to + (size_t)I] = 0;
            }
        }
    }
}

CPU_CLONES
void prolongation_rows(void *method_step, int part) {
    const struct method_step *level = method_step;
    const int Nx = level->mesh->Nx, Ny = level->mesh->Ny;
    const int coarse_Nx = level->coarser->Nx, coarse_Ny = level->coarser->Ny;
    const int first_row = part * TRANSFER_ROWS, end = first_row + TRANSFER_ROWS;
    for (int begin = 0; begin < Nx; begin += COLUMNS) {
        const int count = begin + COLUMNS < Nx ? COLUMNS : Nx - begin;
        double right[COLUMNS];
        const real outside[COLUMNS + 1] = {0};
        int before[COLUMNS], last = 0;
        const int from = place_between(begin, Nx, coarse_Nx, right);
        for (int i = 0; i < count; i++) {
            const int I = place_between(begin + i, Nx, coarse_Nx, &right[i]);
            before[i] = I - from;
            last = I + 1;
        }
        /* The coarser columns [from, last]; columns on the boundary are 0. */
        const int left = from < 0 ? 0 : from,
                  width = (last < coarse_Nx ? last + 1 : coarse_Nx) - left;
        double columns[COLUMNS + 1] = {0};
        for (int j = first_row; j < end && j < Ny; j++) {
            double up;
            const int J = place_between(j, Ny, coarse_Ny, &up);
            const real *row = level->coarser_U + left + (long)J * coarse_Nx;
            const real *lower = J >= 0 ? row : outside;
            const real *upper = J + 1 < coarse_Ny ? row + coarse_Nx : outside;
            double *inside = columns + (left - from);
            real *to = level->U + begin + (long)j * Nx;
#pragma omp simd
            for (int I = 0; I < width; I++) {
                const double on_column = up * (upper[I] - lower[I]);
                inside[I] = lower[I] + on_column;
            }
#pragma omp simd
            for (int i = 0; i < count; i++) {
                const double a = columns[before[i]], b = columns[before[i] + 1];
                const double on_row = right[i] * (b - a);
                to[i] += a + on_row;
            }
        }
    }
}

/* ---- fused --------------------------------------------------------------------------------- */

/* `next` holds the iterate before U, and then the one after it. */
CPU_CLONES
static double chebyshev_span(const struct mesh *mesh, double weight, int count,
                             const real *restrict RHS, const real *restrict down,
                             const real *restrict here, const real *restrict up,
                             real *restrict next) {
    const struct stencil by = stencil_of(mesh);
    double sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < count; i++) {
        real r_res;
        const double relaxed =
            cpu_relax(&by, here[i - 1], here[i + 1], down[i], up[i], here[i], RHS[i], &r_res);
        const double further = weight * (relaxed - next[i]);
        next[i] = further + next[i];
        sum += r_res * r_res;
    }
    return sum;
}

/* Relaxes one unknown, also at a boundary. Returns RES². */
static double chebyshev_edge(const struct mesh *mesh, double weight, int i, int j, const real *RHS,
                             const real *U, real *other) {
    const size_t id = (size_t)i + (size_t)j * (size_t)mesh->Nx;
    real r_res;
    const double relaxed = cpu_relax_at(mesh, i, j, RHS, U, &r_res);
    const double further = weight * (relaxed - other[id]);
    other[id] = further + other[id];
    return r_res * r_res;
}

double chebyshev_fused_sum(const struct mesh *mesh, double weight, int part, const real *RHS,
                           const real *U, real *other) {
    enum { PIECE = 128 };
    const int Nx = mesh->Nx, Ny = mesh->Ny, first = part * CPU_ROWS;
    const int last = first + CPU_ROWS < Ny ? first + CPU_ROWS : Ny;
    double sum = 0;
    const unsigned before = cpu_drop_subnormals();
    /* The rows advance together, each a piece behind the row below it; row.c gives the reasons. */
    const int pieces = (Nx + PIECE - 1) / PIECE;
    for (int step = 0; step < pieces + last - first - 1; step++)
        for (int j = first; j < last; j++) {
            const int begin = (step - (j - first)) * PIECE;
            if (begin < 0 || begin >= Nx)
                continue;
            const bool inside = j > 0 && j < Ny - 1;
            const int end = begin + PIECE < Nx ? begin + PIECE : Nx;
            const int from = begin > 0 ? begin : 1, to = end < Nx ? end : Nx - 1;
            const size_t row = (size_t)j * (size_t)Nx, id = row + (size_t)from;
            const bool spans = inside && to > from;
            if (spans)
                sum += chebyshev_span(mesh, weight, to - from, RHS + id, U + id - Nx, U + id,
                                      U + id + Nx, other + id);
            for (int i = begin; i < end && !spans; i++)
                sum += chebyshev_edge(mesh, weight, i, j, RHS, U, other);
            if (spans && begin == 0)
                sum += chebyshev_edge(mesh, weight, 0, j, RHS, U, other);
            if (spans && end == Nx)
                sum += chebyshev_edge(mesh, weight, Nx - 1, j, RHS, U, other);
        }
    cpu_keep_subnormals(before);
    return sum;
}

void chebyshev_fused_rows(void *method_step, int part) {
    const struct method_step *level = method_step;
    double *sums = level->work;
    sums[part] =
        chebyshev_fused_sum(level->mesh, level->weight, part, level->RHS, level->U, level->other);
}
