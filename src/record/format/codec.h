/* Fields to bytes and back, by one description for both ways.
 *
 * A function that describes a structure calls the functions below once for every field; the codec
 * then writes the fields, or reads them, so that writer and reader can't drift apart. A field is
 * stored as its difference from the same field of an earlier structure (`before`), which is short
 * if little has changed. Numbers are LEB128 varints of the zigzagged difference; doubles are
 * varints of the byte-reversed exclusive or.
 *
 * A failure sticks: from the first one on nothing is read or written any more and every function
 * returns `before`, so a description needs to look at `failed` only at its end, and before loops
 * whose bounds it has just read.
 */
#ifndef JACOBI_RECORD_FORMAT_CODEC_H
#define JACOBI_RECORD_FORMAT_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codec {
    bool reading;
    uint8_t *bytes;     /* written, or to be read (then never changed) */
    size_t size;        /* room, or what there is to read */
    size_t at;          /* the next byte */
    const char *failed; /* what was wrong, in words; NULL while all is well */
};

struct codec codec_writer(uint8_t *bytes, size_t room);
struct codec codec_reader(const uint8_t *bytes, size_t size);

/* Marks the codec as failed, unless it has failed before. `what` must outlive it. */
void codec_fail(struct codec *codec, const char *what);

/* Writing: stores `value` and returns it. Reading: returns what was stored, which is refused
 * (`what` says what it was to be) outside [min, max]. */
int64_t codec_number(struct codec *codec, int64_t value, int64_t before, int64_t min, int64_t max,
                     const char *what);

/* Any double, NaN and infinities too, bit by bit. */
double codec_double(struct codec *codec, double value, double before);

/* Text of at most size - 1 bytes. What is read is made visible (see text_sanitize). */
void codec_text(struct codec *codec, char *text, size_t size, const char *before, const char *what);

#endif
