#include "remote/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/text.h"

enum { HEAD_SIZE = 64, CRC_DIGITS = 8 };

/* ---- writing -------------------------------------------------------------------------------- */

static size_t pieces_of(size_t size) {
    return size ? (size + LINE_DATA - 1) / LINE_DATA : 1;
}

size_t line_room(size_t size) {
    return pieces_of(size) * (HEAD_SIZE + text_base64_size(LINE_DATA));
}

size_t line_write(char *to, const char *mark, const struct message *message) {
    const size_t pieces = pieces_of(message->size);
    char *at = to;
    for (size_t piece = 0; piece < pieces; piece++) {
        const size_t from = piece * LINE_DATA;
        const size_t left = message->size - from;
        char *crc = at + strlen(mark), *text = crc + CRC_DIGITS;
        memcpy(at, mark, strlen(mark)); /* NOLINT(bugprone-not-null-terminated-result) */
        at = text + sprintf(text, " %c %u %zu %zu", message->kind, message->number, piece, pieces);
        if (left > 0)
            *at++ = ' ';
        if (left > 0)
            at += text_base64(at, message->bytes + from, left < LINE_DATA ? left : LINE_DATA);
        char sum[CRC_DIGITS + 1];
        snprintf(sum, sizeof sum, "%08lx", crc32(0, (uint8_t *)text, (uInt)(at - text)));
        memcpy(crc, sum, CRC_DIGITS);
        *at++ = '\n';
    }
    return (size_t)(at - to);
}

/* ---- reading -------------------------------------------------------------------------------- */

static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* False if it is no base64, or longer than LINE_DATA bytes. */
static bool base64_read(const char *text, size_t length, uint8_t *bytes, size_t *size) {
    size_t pads = 0;
    *size = 0;
    while (pads < 2 && pads < length && text[length - 1 - pads] == '=')
        pads++;
    if (length % 4 != 0 || length / 4 * 3 > LINE_DATA)
        return false;
    for (size_t k = 0; k < length; k += 4) {
        unsigned triple = 0;
        for (size_t d = k; d < k + 4; d++) {
            const int digit = d < length - pads ? base64_digit(text[d]) : 0;
            if (digit < 0)
                return false;
            triple = triple << 6 | (unsigned)digit;
        }
        for (int shift = 16; shift >= 0; shift -= 8)
            bytes[(*size)++] = (uint8_t)(triple >> shift);
    }
    *size -= pads;
    return true;
}

void line_give(struct line_reader *reader, const char *bytes, size_t size) {
    reader->input = bytes;
    reader->input_size = size;
}

/* Adds a piece to the message being put together. Whether it is complete. */
static bool add_piece(struct line_reader *reader, char kind, unsigned number, unsigned piece,
                      unsigned pieces, const char *text) {
    struct message *message = &reader->message;
    uint8_t bytes[LINE_DATA + 3];
    size_t size;
    const bool fits = piece == 0 || (piece == reader->next_piece && number == message->number &&
                                     kind == message->kind);
    if (!fits || pieces > LINE_PIECES_MAX || !base64_read(text, strlen(text), bytes, &size)) {
        reader->next_piece = 0;
        return false;
    }
    if (piece == 0)
        reader->size = 0;
    if (reader->size + size > reader->room || !reader->bytes) {
        const size_t room = 2 * reader->room + LINE_DATA;
        uint8_t *more = realloc(reader->bytes, room);
        reader->next_piece = 0;
        reader->no_memory |= !more;
        if (!more)
            return false;
        reader->bytes = more;
        reader->room = room;
    }
    memcpy(reader->bytes + reader->size, bytes, size);
    reader->size += size;
    *message = (struct message){kind, number, reader->bytes, reader->size};
    reader->next_piece = piece + 1 < pieces ? piece + 1 : 0;
    return piece + 1 == pieces;
}

/* Reads what stands behind a mark; false if it is no piece of ours. */
static bool read_piece(struct line_reader *reader, const char *crc, enum line_found *found) {
    const char *text = crc + CRC_DIGITS;
    char kind;
    unsigned number, piece, pieces;
    unsigned long sum;
    int head = 0;
    if (strlen(crc) < CRC_DIGITS + 1 || sscanf(crc, "%8lx", &sum) != 1 ||
        crc32(0, (const uint8_t *)text, (uInt)strlen(text)) != sum ||
        sscanf(text, " %c %u %u %u%n", &kind, &number, &piece, &pieces, &head) != 4)
        return false;
    text += head;
    *found = add_piece(reader, kind, number, piece, pieces, text + (*text == ' ')) ? LINE_MESSAGE
                                                                                   : LINE_NONE;
    return true;
}

/* What the line is; a piece that does not complete its message is LINE_NONE. There may be several
 * marks in it: somebody else's line need not have ended where ours began. */
static enum line_found read_line(struct line_reader *reader) {
    char *line = reader->line;
    enum line_found found = LINE_OTHER;
    while (reader->used > 0 && strchr("\r ", line[reader->used - 1]))
        reader->used--;
    line[reader->used] = '\0';
    for (const char *mark = strstr(line, reader->mark); mark; mark = strstr(mark, reader->mark)) {
        mark += strlen(reader->mark);
        if (read_piece(reader, mark, &found))
            return found;
    }
    return LINE_OTHER;
}

enum line_found line_take(struct line_reader *reader) {
    while (reader->input_size > 0) {
        const char *end = memchr(reader->input, '\n', reader->input_size);
        const size_t length = end ? (size_t)(end - reader->input) : reader->input_size;
        const size_t left = LINE_SIZE - reader->used, taken = length < left ? length : left;
        memcpy(reader->line + reader->used, reader->input, taken);
        for (size_t k = reader->used; k < reader->used + taken; k++)
            if (!reader->line[k])
                reader->line[k] = '?';
        reader->used += taken;
        reader->input += length + (end != NULL);
        reader->input_size -= length + (end != NULL);
        if (!end)
            return LINE_NONE;
        const enum line_found found = read_line(reader);
        reader->used = 0;
        if (found)
            return found;
    }
    return LINE_NONE;
}

void line_reader_finish(struct line_reader *reader) {
    free(reader->bytes);
    *reader = (struct line_reader){.mark = reader->mark};
}
