/* Fields to bytes and back, with one description for both directions.
 *
 * A table has a row for each field of a struct. codec_fields writes or reads the fields of a table,
 * so that writer and reader always agree; a new field needs only a new row. A field is stored as
 * its difference from the same field of an earlier struct (`before`), which is short if little has
 * changed. Numbers are LEB128 varints of the zigzagged difference. Doubles are varints of the
 * byte-reversed exclusive or.
 *
 * Failures are sticky: after the first one nothing is read or written, and every function returns
 * `before`. A description therefore checks `failed` only at its end, and before loops whose bounds
 * it has just read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codec {
    bool reading;
    uint8_t *bytes;     /* output, or input (never changed) */
    size_t size;        /* room, or the number of bytes to read */
    size_t at;          /* the next byte */
    const char *failed; /* the reason in words; NULL: no failure */
};

struct codec codec_writer(uint8_t *bytes, size_t room);
struct codec codec_reader(const uint8_t *bytes, size_t size);

/* Marks the codec as failed unless it has failed before. `what` must outlive the codec. */
void codec_fail(struct codec *codec, const char *what);

/* Writing: stores `value`, clamped to [min, max], and returns it. Reading: returns the stored
 * value; outside [min, max] the codec fails with `what`. */
int64_t codec_number(struct codec *codec, int64_t value, int64_t before, int64_t min, int64_t max,
                     const char *what);

/* Any double, including NaN and infinities, bit by bit. */
double codec_double(struct codec *codec, double value, double before);

/* Text of at most size - 1 bytes. Reading sanitises it (text_sanitize). */
void codec_text(struct codec *codec, char *text, size_t size, const char *before, const char *what);

/* ---- Tables */

enum codec_type {
    CODEC_NUMBER,  /* an integer, an enum or a bool within [min, max] */
    CODEC_REAL,    /* any double */
    CODEC_BOUNDED, /* a finite double within [min, max] */
    CODEC_FLOAT,   /* any float */
    CODEC_TEXT,    /* an array of char */
};

struct codec_field {
    const char *what; /* for messages; NULL ends a table */
    enum codec_type type;
    size_t offset, size;
    int64_t min, max;
};

#define CODEC_FIELD(type, kind, member, min, max)                                                  \
    {"bad " #member, kind, offsetof(type, member), sizeof(((type *)0)->member), min, max}
#define NUMBER(type, member, min, max) CODEC_FIELD(type, CODEC_NUMBER, member, min, max)
#define CHOICE(type, member, count) CODEC_FIELD(type, CODEC_NUMBER, member, 0, (count) - 1)
#define FLAG(type, member) CODEC_FIELD(type, CODEC_NUMBER, member, 0, 1)
#define COUNT(type, member) CODEC_FIELD(type, CODEC_NUMBER, member, 0, CODEC_COUNT_MAX)
#define BYTES(type, member) CODEC_FIELD(type, CODEC_NUMBER, member, 0, INT64_MAX)
#define REAL(type, member) CODEC_FIELD(type, CODEC_REAL, member, 0, 0)
#define BOUNDED(type, member, min, max) CODEC_FIELD(type, CODEC_BOUNDED, member, min, max)
#define FLOAT(type, member) CODEC_FIELD(type, CODEC_FLOAT, member, 0, 0)
#define TEXT(type, member) CODEC_FIELD(type, CODEC_TEXT, member, 0, 0)

/* Larger than any real count, but small enough that a sum of several does not overflow. A GPU moves
 * as many bytes in a few hours: BYTES are unsigned. */
#define CODEC_COUNT_MAX (INT64_C(1) << 56)

/* Writes or reads the fields of the struct at `now`; `before` is another struct of its type. */
void codec_fields(struct codec *codec, void *now, const void *before,
                  const struct codec_field *fields);

/* Like codec_fields, preceded by the number of fields, so that tables can be extended at the end.
 * Fields missing from an older record are taken from `before`. A record with more fields than the
 * table is refused. */
void codec_record(struct codec *codec, void *now, const void *before,
                  const struct codec_field *fields);
