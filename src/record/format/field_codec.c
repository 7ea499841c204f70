/* Stores cells, each as its difference from a prediction by its neighbours or the previous
 * field. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/format/sample_codec.h"

/* The low bits of a float that are dropped. */
enum { DROPPED_BITS = 15, HIGHEST = 0x7fffffff >> DROPPED_BITS };

static const uint32_t sign_bit = 0x80000000u;

/* Predictions of a cell's magnitude. The writer uses the predictor with the smallest error. */
enum predictor {
    PREDICT_LEFT,         /* equal to its left neighbour */
    PREDICT_PLANE,        /* on the plane through its left, lower and lower left neighbours */
    PREDICT_BEFORE,       /* equal to the previous field */
    PREDICT_BEFORE_PLANE, /* the previous field plus the change predicted by its neighbours */
    PREDICTOR_COUNT
};

static uint32_t bits_of(float cell) {
    uint32_t bits;
    memcpy(&bits, &cell, sizeof bits);
    return bits;
}

static int magnitude_of(float cell) {
    return (int)((bits_of(cell) & ~sign_bit) >> DROPPED_BITS);
}

static float cell_of(int magnitude, bool negative) {
    const uint32_t bits = (uint32_t)magnitude << DROPPED_BITS | (negative ? sign_bit : 0);
    float cell;
    memcpy(&cell, &bits, sizeof cell);
    return cell;
}

void field_round(struct field *field) {
    const uint32_t half = 1u << (DROPPED_BITS - 1);
    const int count = field->downsample.cols * field->downsample.rows;
    for (int k = 0; k < count; k++) {
        const float cell = field->cells[k];
        const bool negative = bits_of(cell) & sign_bit;
        const float rounded =
            cell_of((int)(((bits_of(cell) & ~sign_bit) + half) >> DROPPED_BITS), negative);
        field->cells[k] = isnan(cell)      ? NAN
                          : isinf(rounded) ? cell_of(magnitude_of(cell), negative)
                                           : rounded;
    }
}

const struct codec_field downsample_fields[] = {
    NUMBER(struct downsample, i0, 0, MESH_MAX_SIDE),
    NUMBER(struct downsample, i1, 0, MESH_MAX_SIDE),
    NUMBER(struct downsample, j0, 0, MESH_MAX_SIDE),
    NUMBER(struct downsample, j1, 0, MESH_MAX_SIDE),
    NUMBER(struct downsample, cols, 0, FIELD_MAX_CELLS),
    NUMBER(struct downsample, rows, 0, FIELD_MAX_CELLS),
    {.what = NULL},
};

/* ---- predictors ----------------------------------------------------------------------------- */

static int rounded_cell_at(const struct field *field, int c, int r) {
    return c < 0 || r < 0 ? 0 : magnitude_of(field->cells[c + r * field->downsample.cols]);
}

static int plane_at(const struct field *field, int c, int r) {
    if (r == 0)
        return rounded_cell_at(field, c - 1, r);
    return c == 0 ? rounded_cell_at(field, c, r - 1)
                  : rounded_cell_at(field, c - 1, r) + rounded_cell_at(field, c, r - 1) -
                        rounded_cell_at(field, c - 1, r - 1);
}

static int predict(enum predictor predictor, const struct field *field, const struct field *before,
                   int c, int r) {
    switch (predictor) {
    case PREDICT_PLANE:
        return plane_at(field, c, r);
    case PREDICT_BEFORE:
        return rounded_cell_at(before, c, r);
    case PREDICT_BEFORE_PLANE:
        return rounded_cell_at(before, c, r) + plane_at(field, c, r) - plane_at(before, c, r);
    default:
        return c > 0 ? rounded_cell_at(field, c - 1, r) : rounded_cell_at(field, c, r - 1);
    }
}

/* The predictor whose errors need the fewest bits, estimated from every eighth row. */
static enum predictor best_predictor(const struct field *field, const struct field *before,
                                     int count) {
    enum predictor best = PREDICT_LEFT;
    long lowest = LONG_MAX;
    for (int predictor = 0; predictor < count; predictor++) {
        long bits = 0;
        for (int r = 0; r < field->downsample.rows; r += 8)
            for (int c = 0; c < field->downsample.cols; c++) {
                const int miss = rounded_cell_at(field, c, r) -
                                 predict((enum predictor)predictor, field, before, c, r);
                bits += miss ? 33 - __builtin_clz((unsigned)abs(miss)) : 0;
            }
        if (bits < lowest) {
            best = (enum predictor)predictor;
            lowest = bits;
        }
    }
    return best;
}

/* ---- cells ---------------------------------------------------------------------------------- */

static void code_magnitudes(struct codec *codec, struct field *field, const struct field *before,
                            enum predictor predictor) {
    for (int r = 0; r < field->downsample.rows && !codec->failed; r++)
        for (int c = 0; c < field->downsample.cols; c++) {
            float *cell = &field->cells[c + r * field->downsample.cols];
            const int expected = predict(predictor, field, before, c, r);
            const int64_t coded = codec_number(codec, codec->reading ? 0 : magnitude_of(*cell),
                                               expected, 0, HIGHEST, "bad cell");
            if (codec->reading)
                *cell = cell_of(codec->failed ? 0 : (int)coded, false);
        }
}

/* Packs up to 32 signs into a number, stored as the difference from the previous field's. */
static void code_signs(struct codec *codec, struct field *field, const struct field *before,
                       bool same) {
    const int count = field->downsample.cols * field->downsample.rows;
    for (int from = 0; from < count && !codec->failed; from += 32) {
        const int to = from + 32 < count ? from + 32 : count;
        int64_t signs = 0, expected = 0;
        for (int k = from; k < to; k++) {
            signs |= (int64_t)(bits_of(field->cells[k]) >> 31) << (k - from);
            expected |= same ? (int64_t)(bits_of(before->cells[k]) >> 31) << (k - from) : 0;
        }
        signs = codec_number(codec, signs, expected, 0, UINT32_MAX, "bad signs");
        if (codec->reading)
            for (int k = from; k < to; k++)
                field->cells[k] = cell_of(magnitude_of(field->cells[k]), signs >> (k - from) & 1);
    }
}

void cells_code(struct codec *codec, struct field *field, const struct field *before, int room) {
    struct downsample *now = &field->downsample;
    codec_fields(codec, now, &before->downsample, downsample_fields);
    if ((int64_t)now->cols * now->rows > room)
        codec_fail(codec, "the field has too many cells");
    if (now->cols > 0 && (now->i1 <= now->i0 || now->j1 <= now->j0))
        codec_fail(codec, "the field shows an empty part of the grid");
    if (codec->failed)
        return;
    const bool same = memcmp(now, &before->downsample, sizeof *now) == 0;
    const int count = same ? PREDICTOR_COUNT : PREDICT_BEFORE;
    enum predictor predictor = codec->reading ? PREDICT_LEFT : best_predictor(field, before, count);
    predictor = (enum predictor)codec_number(codec, (int)predictor, 0, 0, count - 1,
                                             "unknown predictor of cells");
    code_magnitudes(codec, field, before, predictor);
    code_signs(codec, field, before, same);
}
