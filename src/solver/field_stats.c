#include "solver/field_stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "solver/sine_transform.h"

const struct field_stats field_stats_none = {NAN, NAN, NAN};

const char *const field_kind_titles[FIELD_KIND_COUNT] = {
    [FIELD_U] = "U",
    [FIELD_RESIDUAL] = "|RES|",
    [FIELD_SIGN] = "sign of RES",
    [FIELD_ERROR] = "|error|",
};

/* The data to inspect, and a buffer for one row. */
struct reader {
    const struct problem *problem;
    const struct mesh *mesh;
    const double *U, *RHS;
    enum field_kind kind;
    double *zeros, *values; /* Nx each */
};

/* Computes row j of RES, or of U - exact. */
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

/* Computes only the smooth modes of RES, rows first; by Parseval the rest of sum(RES²) is rough. */
static bool measure_roughness(struct reader *reader, struct field_stats *stats) {
    const struct mesh *mesh = reader->mesh;
    const int k_count = mesh->Nx / 2, l_count = mesh->Ny / 2;
    const size_t stride = (size_t)k_count;
    struct sine_transform *along_x = sine_transform_create(mesh->Nx, k_count);
    struct sine_transform *along_y = sine_transform_create(mesh->Ny, l_count);
    double *rows = calloc((size_t)mesh->Ny * (stride + 2), sizeof *rows);
    const bool ready = along_x && along_y && rows;
    double whole = 0, smooth = 0;
    for (int j = 0; j < mesh->Ny && ready; j++) {
        read_row(reader, j);
        for (int i = 0; i < mesh->Nx; i++)
            whole += reader->values[i] * reader->values[i];
        sine_transform_run(along_x, reader->values, rows + (size_t)j * stride);
    }
    for (int k = 0; k < k_count && ready; k++) {
        double *column = rows + (size_t)mesh->Ny * stride, *modes = column + mesh->Ny;
        for (int j = 0; j < mesh->Ny; j++)
            column[j] = rows[(size_t)k + (size_t)j * stride];
        sine_transform_run(along_y, column, modes);
        for (int l = 0; l < l_count; l++)
            smooth += modes[l] * modes[l];
    }
    stats->rough_share = whole > 0 ? fmax(0, 1 - smooth / whole) : NAN;
    free(along_x);
    free(along_y);
    free(rows);
    return ready;
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
