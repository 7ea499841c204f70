#include "record/field_codec.h"

#include <math.h>
#include <string.h>

/* The low bits of a float that are not kept. */
enum { DROPPED_BITS = 13, HIGHEST = 0x7fffffff >> DROPPED_BITS };

static const uint32_t sign_bit = 0x80000000u;

/* Floats in their order as integers: 0 is 0, -x is minus x's. */
static int32_t to_ordered(float cell) {
    uint32_t bits;
    memcpy(&bits, &cell, sizeof bits);
    const int32_t magnitude = (int32_t)((bits & ~sign_bit) >> DROPPED_BITS);
    return bits & sign_bit ? -magnitude : magnitude;
}

static float from_ordered(int32_t ordered) {
    const uint32_t magnitude = (uint32_t)(ordered < 0 ? -ordered : ordered) << DROPPED_BITS;
    const uint32_t bits = magnitude | (ordered < 0 ? sign_bit : 0);
    float cell;
    memcpy(&cell, &bits, sizeof cell);
    return cell;
}

static float round_cell(float cell) {
    uint32_t bits;
    memcpy(&bits, &cell, sizeof bits);
    const uint32_t sign = bits & sign_bit;
    const uint32_t rounded = (bits & ~sign_bit) + (1u << (DROPPED_BITS - 1));
    float result = from_ordered((int32_t)(rounded >> DROPPED_BITS));
    if (isnan(cell))
        return NAN;
    if (isinf(result) && isfinite(cell))
        result = from_ordered((int32_t)((bits & ~sign_bit) >> DROPPED_BITS));
    return sign && result != 0 ? -result : result;
}

void field_round(struct field *field) {
    const int count = field->reduction.cols * field->reduction.rows;
    for (int k = 0; k < count; k++)
        field->cells[k] = round_cell(field->cells[k]);
}

static bool same_cells(const struct reduction *a, const struct reduction *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

static void code_reduction(struct codec *codec, struct reduction *now,
                           const struct reduction *before) {
    now->i0 = (int)codec_number(codec, now->i0, before->i0, 0, MESH_MAX_SIDE, "bad part of grid");
    now->i1 = (int)codec_number(codec, now->i1, before->i1, 0, MESH_MAX_SIDE, "bad part of grid");
    now->j0 = (int)codec_number(codec, now->j0, before->j0, 0, MESH_MAX_SIDE, "bad part of grid");
    now->j1 = (int)codec_number(codec, now->j1, before->j1, 0, MESH_MAX_SIDE, "bad part of grid");
    now->cols = (int)codec_number(codec, now->cols, before->cols, 0, FIELD_MAX_CELLS,
                                  "the field has too many columns");
    now->rows = (int)codec_number(codec, now->rows, before->rows, 0, FIELD_MAX_CELLS,
                                  "the field has too many rows");
    if ((int64_t)now->cols * now->rows > FIELD_MAX_CELLS)
        codec_fail(codec, "the field has too many cells");
    if (now->cols > 0 && (now->i1 <= now->i0 || now->j1 <= now->j0))
        codec_fail(codec, "the field shows an empty part of the grid");
}

/* What a cell is expected to be: as in the frame before, else like its neighbour. */
static int32_t expected(const struct field *field, const struct field *before, bool same, int k) {
    if (same)
        return to_ordered(before->cells[k]);
    const int cols = field->reduction.cols;
    return k % cols > 0 ? to_ordered(field->cells[k - 1])
           : k > 0      ? to_ordered(field->cells[k - cols])
                        : 0;
}

static void code_cells(struct codec *codec, struct field *field, const struct field *before,
                       bool same) {
    const int count = field->reduction.cols * field->reduction.rows;
    for (int k = 0; k < count && !codec->failed; k++) {
        const int32_t value = codec->reading ? 0 : to_ordered(field->cells[k]);
        const int32_t guess = expected(field, before, same, k);
        const int64_t coded = codec_number(codec, value, guess, -HIGHEST, HIGHEST, "bad cell");
        if (codec->reading)
            field->cells[k] = from_ordered((int32_t)coded);
    }
}

void field_code(struct codec *codec, struct field *field, const struct field *before) {
    code_reduction(codec, &field->reduction, &before->reduction);
    field->iteration = (long)codec_number(codec, field->iteration, before->iteration, 0,
                                          INT64_C(1) << 56, "bad count");
    field->min = (float)codec_double(codec, (double)field->min, (double)before->min);
    field->max = (float)codec_double(codec, (double)field->max, (double)before->max);
    field->smallest_nonzero = (float)codec_double(codec, (double)field->smallest_nonzero,
                                                  (double)before->smallest_nonzero);
    if (!codec->failed)
        code_cells(codec, field, before, same_cells(&field->reduction, &before->reduction));
}
