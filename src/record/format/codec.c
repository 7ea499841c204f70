#include "record/format/codec.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/text.h"

enum { VARINT_MAX = 10 };

struct codec codec_writer(uint8_t *bytes, size_t room) {
    return (struct codec){.bytes = bytes, .size = room};
}

struct codec codec_reader(const uint8_t *bytes, size_t size) {
    return (struct codec){.reading = true, .bytes = (uint8_t *)bytes, .size = size};
}

void codec_fail(struct codec *codec, const char *what) {
    if (!codec->failed)
        codec->failed = what;
}

static void put_byte(struct codec *codec, uint8_t byte) {
    if (codec->at == codec->size)
        codec_fail(codec, "the record is too large");
    if (!codec->failed)
        codec->bytes[codec->at++] = byte;
}

static void put_varint(struct codec *codec, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        put_byte(codec, (uint8_t)(value | 0x80));
    put_byte(codec, (uint8_t)value);
}

static uint64_t get_varint(struct codec *codec) {
    uint64_t value = 0;
    for (int k = 0; k < VARINT_MAX && codec->at < codec->size && !codec->failed; k++) {
        const uint8_t byte = codec->bytes[codec->at++];
        value |= (uint64_t)(byte & 0x7f) << (7 * k);
        if (byte < 0x80)
            return value;
    }
    codec_fail(codec, "the record ends within a number");
    return 0;
}

int64_t codec_number(struct codec *codec, int64_t value, int64_t before, int64_t min, int64_t max,
                     const char *what) {
    if (!codec->reading) {
        value = value < min ? min : value > max ? max : value;
        const uint64_t difference = (uint64_t)value - (uint64_t)before;
        put_varint(codec, (difference << 1) ^ (0 - (difference >> 63))); /* zigzag */
        return value;
    }
    const uint64_t stored = get_varint(codec);
    const uint64_t difference = (stored >> 1) ^ (0 - (stored & 1));
    const int64_t read = (int64_t)((uint64_t)before + difference);
    if (!codec->failed && (read < min || read > max))
        codec_fail(codec, what);
    return codec->failed ? before : read;
}

static uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

double codec_double(struct codec *codec, double value, double before) {
    if (!codec->reading) {
        put_varint(codec, __builtin_bswap64(bits_of(value) ^ bits_of(before)));
        return value;
    }
    const uint64_t bits = bits_of(before) ^ __builtin_bswap64(get_varint(codec));
    memcpy(&value, &bits, sizeof value);
    return codec->failed ? before : value;
}

/* Stored as the length plus 1, then the bytes; 0 if the text equals `before`. */
void codec_text(struct codec *codec, char *text, size_t size, const char *before,
                const char *what) {
    if (!codec->reading) {
        const bool same = strncmp(text, before, size) == 0;
        const size_t length = same ? 0 : strnlen(text, size - 1);
        put_varint(codec, same ? 0 : length + 1);
        for (size_t k = 0; k < length; k++)
            put_byte(codec, (uint8_t)text[k]);
        return;
    }
    const uint64_t stored = get_varint(codec), length = stored - 1;
    if (stored == 0) {
        if (text != before)
            memmove(text, before, strnlen(before, size - 1) + 1);
    } else if (length >= size || length > codec->size - codec->at) {
        codec_fail(codec, what);
    } else {
        memcpy(text, codec->bytes + codec->at, length);
        text[length] = '\0';
        codec->at += length;
        text_sanitize(text);
    }
}

/* ---- tables --------------------------------------------------------------------------------- */

static int64_t get_integer(const void *at, size_t size) {
    int32_t narrow;
    int64_t wide;
    if (size == sizeof(bool))
        return *(const uint8_t *)at;
    if (size == sizeof narrow)
        return memcpy(&narrow, at, size), narrow;
    return memcpy(&wide, at, sizeof wide), wide;
}

static void set_integer(void *at, size_t size, int64_t value) {
    const int32_t narrow = (int32_t)value;
    if (size == sizeof(bool))
        *(uint8_t *)at = (uint8_t)value;
    else
        memcpy(at, size == sizeof narrow ? (const void *)&narrow : &value, size);
}

static void code_real(struct codec *codec, double *now, double before,
                      const struct codec_field *field) {
    const double min = (double)field->min, max = (double)field->max;
    if (field->type == CODEC_BOUNDED && !codec->reading)
        *now = fmin(fmax(*now, min), max);
    const double value = codec_double(codec, *now, before);
    if (field->type == CODEC_BOUNDED && !(value >= min && value <= max))
        codec_fail(codec, field->what);
    *now = codec->failed ? before : value;
}

static void code_field(struct codec *codec, void *now, const void *before,
                       const struct codec_field *field) {
    switch (field->type) {
    case CODEC_NUMBER:
        set_integer(now, field->size,
                    codec_number(codec, get_integer(now, field->size),
                                 get_integer(before, field->size), field->min, field->max,
                                 field->what));
        break;
    case CODEC_REAL:
    case CODEC_BOUNDED:
        code_real(codec, now, *(const double *)before, field);
        break;
    case CODEC_FLOAT:
        *(float *)now =
            (float)codec_double(codec, (double)*(const float *)now, (double)*(const float *)before);
        break;
    case CODEC_TEXT:
        codec_text(codec, now, field->size, before, field->what);
        break;
    }
}

/* Codes the first `stored` fields; copies the others from `before`. */
static void code_first(struct codec *codec, void *now, const void *before,
                       const struct codec_field *fields, int stored) {
    for (int k = 0; fields[k].what && !codec->failed; k++) {
        void *const at = (char *)now + fields[k].offset;
        const void *const old = (const char *)before + fields[k].offset;
        if (k < stored)
            code_field(codec, at, old, &fields[k]);
        else
            memcpy(at, old, fields[k].size);
    }
}

void codec_fields(struct codec *codec, void *now, const void *before,
                  const struct codec_field *fields) {
    code_first(codec, now, before, fields, INT_MAX);
}

void codec_record(struct codec *codec, void *now, const void *before,
                  const struct codec_field *fields) {
    int count = 0;
    while (fields[count].what)
        count++;
    const int stored =
        (int)codec_number(codec, count, 0, 0, count, "more fields than this program knows");
    code_first(codec, now, before, fields, stored);
}
