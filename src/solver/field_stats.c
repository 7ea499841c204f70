#include "solver/field_stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const struct field_stats field_stats_none = {NAN, NAN, NAN};

const char *field_kind_title(enum field_kind kind) {
    static const char *const titles[FIELD_KIND_COUNT] = {
        [FIELD_U] = "U",
        [FIELD_RESIDUAL] = "|RES|",
        [FIELD_SIGN] = "sign of RES",
        [FIELD_ERROR] = "|error|",
    };
    return titles[kind];
}

/* What is looked at, and room for a row of it. */
struct reader {
    const struct problem *problem;
    const struct mesh *mesh;
    const double *U, *RHS;
    enum field_kind kind;
    double *zeros, *values; /* Nx each */
};

/* RES of row j, or U - exact. */
static void read_row(struct reader *reader, int j) {
    const struct mesh *mesh = reader->mesh;
    const size_t Nx = (size_t)mesh->Nx;
    const double *U = reader->U + (size_t)j * Nx, *RHS = reader->RHS + (size_t)j * Nx;
    if (reader->kind == FIELD_ERROR) {
        const double y = mesh_y(mesh, j);
        for (int i = 0; i < mesh->Nx; i++)
            reader->values[i] = U[i] - reader->problem->exact(mesh_x(mesh, i), y);
        return;
    }
    problem_residual_row(mesh, j > 0 ? U - Nx : reader->zeros, U,
                         j < mesh->Ny - 1 ? U + Nx : reader->zeros, RHS, reader->values);
}

static void make_cells(struct reader *reader, const struct downsample *downsample, double *sums,
                       float *cells) {
    const int cols = downsample->cols;
    for (int r = 0; r < downsample->rows; r++) {
        int j0, j1, i0, i1;
        downsample_span(downsample->j0, downsample->j1, downsample->rows, r, &j0, &j1);
        memset(sums, 0, (size_t)cols * sizeof *sums);
        for (int j = j0; j < j1; j++) {
            read_row(reader, j);
            for (int c = 0; c < cols; c++) {
                downsample_span(downsample->i0, downsample->i1, cols, c, &i0, &i1);
                for (int i = i0; i < i1; i++)
                    sums[c] += reader->values[i] * reader->values[i];
            }
        }
        for (int c = 0; c < cols; c++) {
            downsample_span(downsample->i0, downsample->i1, cols, c, &i0, &i1);
            const double value = reader->values[i0];
            cells[c + r * cols] =
                reader->kind == FIELD_SIGN
                    ? (float)((value > 0) - (value < 0))
                    : (float)sqrt(sums[c] / ((double)(i1 - i0) * (double)(j1 - j0)));
        }
    }
}

/* sines[i*count + k-1] = sqrt(2/(n+1)) sin(k(i+1)π/(n+1)): the first `count` sine modes. */
static void fill_sines(int n, int count, double *sines) {
    const double pi = acos(-1.0), scale = sqrt(2.0 / (n + 1));
    double table[2 * (ROUGH_SHARE_SIDE + 1)];
    for (int m = 0; m < 2 * (n + 1); m++)
        table[m] = scale * sin(m * pi / (n + 1));
    for (int i = 0; i < n; i++)
        for (int k = 1; k <= count; k++)
            *sines++ = table[k * (i + 1) % (2 * (n + 1))];
}

/* sums[k] += the sum of values[r]*rows[r*count + k] over four rows r: one store for four products.
 */
static void add_rows(size_t count, const double *values, const double *rows,
                     double *restrict sums) {
    for (size_t k = 0; k < count; k++)
        sums[k] += values[0] * rows[k] + values[1] * rows[count + k] +
                   values[2] * rows[2 * count + k] + values[3] * rows[3 * count + k];
}

/* Transforms RES to its smooth modes alone: by Parseval the rest of sum(RES²) is rough. Rows are
 * taken four at a time, those that are missing are 0. */
static bool measure_roughness(struct reader *reader, struct field_stats *found) {
    enum { ROWS = 4 };
    const struct mesh *mesh = reader->mesh;
    const size_t k_count = (size_t)mesh->Nx / 2, l_count = (size_t)mesh->Ny / 2;
    const size_t x_rows = ((size_t)mesh->Nx + ROWS - 1) / ROWS * ROWS;
    const size_t y_size = l_count * (size_t)mesh->Ny;
    double *sines_x =
        calloc(x_rows * (k_count + 1) + y_size + k_count * (l_count + ROWS) + 1, sizeof *sines_x);
    if (!sines_x)
        return false;
    double *values = sines_x + x_rows * k_count, *sines_y = values + x_rows;
    double *rows = sines_y + y_size, *modes = rows + ROWS * k_count;
    fill_sines(mesh->Nx, (int)k_count, sines_x);
    fill_sines(mesh->Ny, (int)l_count, sines_y);
    double whole = 0, smooth = 0;
    for (int j = 0; j < mesh->Ny; j += ROWS) {
        memset(rows, 0, ROWS * k_count * sizeof *rows);
        for (int r = 0; r < ROWS && j + r < mesh->Ny; r++) {
            read_row(reader, j + r);
            memcpy(values, reader->values, (size_t)mesh->Nx * sizeof *values);
            for (size_t i = 0; i < x_rows; i += ROWS)
                add_rows(k_count, values + i, sines_x + i * k_count, rows + (size_t)r * k_count);
            for (int i = 0; i < mesh->Nx; i++)
                whole += values[i] * values[i];
        }
        for (size_t l = 0; l < l_count; l++) {
            double sines[ROWS] = {0};
            for (int r = 0; r < ROWS && j + r < mesh->Ny; r++)
                sines[r] = sines_y[(size_t)(j + r) * l_count + l];
            add_rows(k_count, sines, rows, modes + l * k_count);
        }
    }
    for (size_t m = 0; m < k_count * l_count; m++)
        smooth += modes[m] * modes[m];
    found->rough_share = whole > 0 ? fmax(0, 1 - smooth / whole) : NAN;
    free(sines_x);
    return true;
}

enum status field_compute(const struct problem *problem, const struct mesh *mesh, const double *U,
                          const double *RHS, enum field_kind kind,
                          const struct downsample *downsample, float *cells,
                          struct field_stats *found, struct error *error) {
    const size_t Nx = (size_t)mesh->Nx;
    double *rows = calloc(2 * Nx + (size_t)downsample->cols, sizeof *rows);
    struct reader reader = {problem, mesh, U, RHS, kind, rows, rows + Nx};
    bool done = rows != NULL;
    *found = field_stats_none;
    if (done)
        make_cells(&reader, downsample, rows + 2 * Nx, cells);
    if (done && kind == FIELD_ERROR)
        found->error_l2 = problem_error(problem, mesh, U, &found->error_max);
    else if (done && mesh->Nx <= ROUGH_SHARE_SIDE && mesh->Ny <= ROUGH_SHARE_SIDE)
        done = measure_roughness(&reader, found);
    free(rows);
    return done ? STATUS_OK : error_set(error, STATUS_INTERNAL, "out of memory");
}
