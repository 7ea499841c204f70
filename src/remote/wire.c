#include "remote/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "build_info.h"

enum { CRC_SIZE = 4, DATA_MAX = 940, LINE_HEAD = 16 };

static const char program_name[] = "jacobi-tui ";

char *handshake_print(char *buffer) {
    snprintf(buffer, HANDSHAKE_SIZE, "%s%s, protocol %d", program_name, BUILD_VERSION,
             PROTOCOL_VERSION);
    return buffer;
}

const char *handshake_find(const char *line) {
    const char *at = strstr(line, program_name);
    return at && strstr(at, ", protocol ") ? at + strlen(program_name) : NULL;
}

/* ---- writing -------------------------------------------------------------------------------- */

enum { ESCAPE = '=', CHANGED_BIT = 0x40 };

static bool is_escaped(uint8_t byte) {
    return byte <= ' ' || byte == ESCAPE || byte == 0x7f;
}

static char *escape(char *to, const uint8_t *bytes, size_t size) {
    for (size_t k = 0; k < size; k++) {
        if (is_escaped(bytes[k]))
            *to++ = ESCAPE;
        *to++ = (char)(is_escaped(bytes[k]) ? bytes[k] ^ CHANGED_BIT : bytes[k]);
    }
    return to;
}

/* The CRC of the character after the mark and of the data. */
static void make_crc(uint8_t crc[CRC_SIZE], char begins, const uint8_t *bytes, size_t size) {
    const uLong sum = crc32(crc32(0, (const uint8_t *)&begins, 1), bytes, (uInt)size);
    for (int k = 0; k < CRC_SIZE; k++)
        crc[k] = (uint8_t)(sum >> (8 * k));
}

size_t wire_room(size_t size) {
    return 2 * size + (size / (DATA_MAX / 2) + 1) * LINE_HEAD;
}

size_t wire_write(char *to, const char *mark, const uint8_t *frame, size_t size) {
    char *at = to;
    for (size_t from = 0, count; from < size; from += count) {
        const char begins = from == 0 ? ' ' : '+';
        uint8_t crc[CRC_SIZE];
        count = 0;
        for (size_t length = 0; from + count < size && length < DATA_MAX; count++)
            length += is_escaped(frame[from + count]) ? 2 : 1;
        make_crc(crc, begins, frame + from, count);
        at = stpcpy(at, mark);
        *at++ = begins;
        at = escape(at, crc, CRC_SIZE);
        at = escape(at, frame + from, count);
        *at++ = '\n';
    }
    return (size_t)(at - to);
}

/* ---- reading -------------------------------------------------------------------------------- */

bool framer_init(struct framer *framer, const char *mark) {
    uint8_t *bytes = framer->bytes ? framer->bytes : malloc(frame_room(FRAME_RAW_MAX));
    *framer = (struct framer){.mark = mark, .bytes = bytes};
    return bytes != NULL;
}

void framer_push(struct framer *framer, const char *bytes, size_t size) {
    framer->input = bytes;
    framer->input_size = size;
}

/* Adds a line's data to the frame. FRAMER_FRAME if that completes the frame. */
static enum framer_found add_data(struct framer *framer, char begins, const uint8_t *data,
                                  size_t size) {
    if (begins == ' ')
        framer->size = 0;
    framer->is_open =
        (framer->is_open || begins == ' ') && size <= frame_room(FRAME_RAW_MAX) - framer->size;
    if (!framer->is_open)
        return FRAMER_NONE;
    memcpy(framer->bytes + framer->size, data, size);
    framer->size += size;
    const char *wrong = frame_read(framer->bytes, framer->size, &framer->frame);
    framer->is_open = wrong == frame_cut_short;
    return wrong ? FRAMER_NONE : FRAMER_FRAME;
}

/* Reads the text after a mark; false if the line is not ours. */
static bool read_data(struct framer *framer, const char *text, enum framer_found *found) {
    uint8_t bytes[WIRE_LINE_MAX], crc[CRC_SIZE];
    size_t size = 0;
    const char begins = *text;
    if (begins != ' ' && begins != '+')
        return false;
    while (*++text) {
        const bool is_escape = *text == ESCAPE && text[1];
        text += is_escape;
        bytes[size++] = (uint8_t)(is_escape ? *text ^ CHANGED_BIT : *text);
    }
    if (size < CRC_SIZE)
        return false;
    make_crc(crc, begins, bytes + CRC_SIZE, size - CRC_SIZE);
    if (memcmp(crc, bytes, CRC_SIZE) != 0)
        return false;
    *found = add_data(framer, begins, bytes + CRC_SIZE, size - CRC_SIZE);
    return true;
}

/* Classifies the line: FRAMER_NONE if it does not complete its frame. It may contain several marks,
 * because a foreign line may not have ended before ours began. */
static enum framer_found read_line(struct framer *framer) {
    char *line = framer->line;
    enum framer_found found = FRAMER_OTHER;
    while (framer->used > 0 && strchr("\r ", line[framer->used - 1]))
        framer->used--;
    line[framer->used] = '\0';
    for (const char *mark = strstr(line, framer->mark); mark; mark = strstr(mark, framer->mark)) {
        mark += strlen(framer->mark);
        if (read_data(framer, mark, &found))
            return found;
    }
    return FRAMER_OTHER;
}

enum framer_found framer_next(struct framer *framer) {
    while (framer->input_size > 0) {
        const char *end = memchr(framer->input, '\n', framer->input_size);
        const size_t length = end ? (size_t)(end - framer->input) : framer->input_size;
        const size_t left = WIRE_LINE_MAX - framer->used, taken = length < left ? length : left;
        memcpy(framer->line + framer->used, framer->input, taken);
        for (size_t k = framer->used; k < framer->used + taken; k++)
            if (!framer->line[k])
                framer->line[k] = '?';
        framer->used += taken;
        framer->input += length + (end != NULL);
        framer->input_size -= length + (end != NULL);
        if (!end)
            return FRAMER_NONE;
        const enum framer_found found = read_line(framer);
        framer->used = 0;
        if (found)
            return found;
    }
    return FRAMER_NONE;
}

void framer_finish(struct framer *framer) {
    free(framer->bytes);
    framer->bytes = NULL;
}
