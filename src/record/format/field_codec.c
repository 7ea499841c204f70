/* Stores a field: each cell as its difference from what its neighbours or the field before suggest.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/format/sample_codec.h"

/* The low bits of a float that are not kept. */
enum { DROPPED_BITS = 15, HIGHEST = 0x7fffffff >> DROPPED_BITS };

static const uint32_t sign_bit = 0x80000000u;

/* What a cell's magnitude is expected to be. The writer takes what fits a field best. */
enum guess {
    GUESS_LEFT,         /* as its left neighbour's */
    GUESS_PLANE,        /* on the plane through its left, lower and lower left neighbours */
    GUESS_BEFORE,       /* as it was in the field before */
    GUESS_BEFORE_PLANE, /* as it was, changed as its neighbours have changed */
    GUESS_COUNT
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

static void code_downsample(struct codec *codec, struct downsample *now,
                            const struct downsample *before, int room) {
    now->i0 = (int)codec_number(codec, now->i0, before->i0, 0, MESH_MAX_SIDE, "bad part of grid");
    now->i1 = (int)codec_number(codec, now->i1, before->i1, 0, MESH_MAX_SIDE, "bad part of grid");
    now->j0 = (int)codec_number(codec, now->j0, before->j0, 0, MESH_MAX_SIDE, "bad part of grid");
    now->j1 = (int)codec_number(codec, now->j1, before->j1, 0, MESH_MAX_SIDE, "bad part of grid");
    now->cols = (int)codec_number(codec, now->cols, before->cols, 0, FIELD_MAX_CELLS,
                                  "the field has too many columns");
    now->rows = (int)codec_number(codec, now->rows, before->rows, 0, FIELD_MAX_CELLS,
                                  "the field has too many rows");
    if ((int64_t)now->cols * now->rows > room)
        codec_fail(codec, "the field has too many cells");
    if (now->cols > 0 && (now->i1 <= now->i0 || now->j1 <= now->j0))
        codec_fail(codec, "the field shows an empty part of the grid");
}

/* ---- guesses -------------------------------------------------------------------------------- */

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

static int guess_at(enum guess guess, const struct field *field, const struct field *before, int c,
                    int r) {
    switch (guess) {
    case GUESS_PLANE:
        return plane_at(field, c, r);
    case GUESS_BEFORE:
        return rounded_cell_at(before, c, r);
    case GUESS_BEFORE_PLANE:
        return rounded_cell_at(before, c, r) + plane_at(field, c, r) - plane_at(before, c, r);
    default:
        return c > 0 ? rounded_cell_at(field, c - 1, r) : rounded_cell_at(field, c, r - 1);
    }
}

/* The guess whose misses take the fewest bits, or about so: over every eighth row. */
static enum guess best_guess(const struct field *field, const struct field *before, int guesses) {
    enum guess best = GUESS_LEFT;
    long lowest = LONG_MAX;
    for (int guess = GUESS_LEFT; guess < guesses; guess++) {
        long bits = 0;
        for (int r = 0; r < field->downsample.rows; r += 8)
            for (int c = 0; c < field->downsample.cols; c++) {
                const int miss =
                    rounded_cell_at(field, c, r) - guess_at((enum guess)guess, field, before, c, r);
                bits += miss ? 33 - __builtin_clz((unsigned)abs(miss)) : 0;
            }
        if (bits < lowest) {
            best = (enum guess)guess;
            lowest = bits;
        }
    }
    return best;
}

/* ---- cells ---------------------------------------------------------------------------------- */

static void code_magnitudes(struct codec *codec, struct field *field, const struct field *before,
                            enum guess guess) {
    for (int r = 0; r < field->downsample.rows && !codec->failed; r++)
        for (int c = 0; c < field->downsample.cols; c++) {
            float *cell = &field->cells[c + r * field->downsample.cols];
            const int expected = guess_at(guess, field, before, c, r);
            const int64_t coded = codec_number(codec, codec->reading ? 0 : magnitude_of(*cell),
                                               expected, 0, HIGHEST, "bad cell");
            if (codec->reading)
                *cell = cell_of(codec->failed ? 0 : (int)coded, false);
        }
}

/* Up to 32 signs in one number, as their difference from those of the field before. */
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

void field_code(struct codec *codec, struct field *field, const struct field *before, int room) {
    code_downsample(codec, &field->downsample, &before->downsample, room);
    field->iteration = (long)codec_number(codec, field->iteration, before->iteration, 0,
                                          INT64_C(1) << 56, "bad count");
    field->min = (float)codec_double(codec, (double)field->min, (double)before->min);
    field->max = (float)codec_double(codec, (double)field->max, (double)before->max);
    field->smallest_nonzero = (float)codec_double(codec, (double)field->smallest_nonzero,
                                                  (double)before->smallest_nonzero);
    if (codec->failed)
        return;
    const bool same =
        memcmp(&field->downsample, &before->downsample, sizeof before->downsample) == 0;
    const int guesses = same ? GUESS_COUNT : GUESS_BEFORE;
    enum guess guess = codec->reading ? GUESS_LEFT : best_guess(field, before, guesses);
    guess = (enum guess)codec_number(codec, (int)guess, 0, 0, guesses - 1, "unknown guess");
    code_magnitudes(codec, field, before, guess);
    code_signs(codec, field, before, same);
}
