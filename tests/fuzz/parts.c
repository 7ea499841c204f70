#include "tests/fuzz/parts.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "record/format/stream.h"

enum { FILE_MAX = 1 << 20 };

struct file {
    uint8_t bytes[FILE_MAX];
    size_t size;
};

static void add(struct file *file, const uint8_t *bytes, size_t size) {
    if (size > FILE_MAX - file->size)
        size = FILE_MAX - file->size;
    memcpy(file->bytes + file->size, bytes, size);
    file->size += size;
}

size_t parts_store(uint8_t *to, const uint8_t *bytes, size_t size) {
    const uint8_t head[] = {0x78, 0x01, 1, size & 0xff, size >> 8, ~size & 0xff, ~size >> 8 & 0xff};
    const uLong sum = adler32(adler32(0, NULL, 0), bytes, (uInt)size);
    memcpy(to, head, sizeof head);
    memcpy(to + sizeof head, bytes, size);
    for (int k = 0; k < 4; k++)
        to[sizeof head + size + k] = (uint8_t)(sum >> (24 - 8 * k));
    return size + STORE_MORE;
}

/* Appends the first line, with its checksum in place of any existing one. */
static void add_line(struct file *file, const uint8_t *bytes, size_t size) {
    static const char crc[] = ",\"crc32\":\"01234567\"}", name[] = ",\"crc32\":\"";
    const size_t begin = file->size;
    char end[sizeof crc + 1];
    if (size >= sizeof crc && memcmp(bytes + size - (sizeof crc - 1), name, sizeof name - 1) == 0)
        size -= sizeof crc - 1;
    add(file, bytes, size);
    add(file, (const uint8_t *)name, sizeof name - 1);
    const uLong sum = crc32(0, file->bytes + begin, (uInt)(file->size - begin));
    add(file, (const uint8_t *)end, (size_t)snprintf(end, sizeof end, "%08lx\"}\n", sum));
}

static void pack(struct file *file, const uint8_t *bytes, size_t size) {
    const uint8_t *end = memchr(bytes, '\n', size);
    const size_t line = end ? (size_t)(end - bytes) : size;
    struct frame frame = {0};
    add_line(file, bytes, line);
    for (size_t at = line + 1; at + 3 <= size;) {
        size_t length = bytes[at + 1] | (size_t)bytes[at + 2] << 8;
        if (length > size - at - 3)
            length = size - at - 3;
        if (FILE_MAX - file->size < FRAME_HEAD_SIZE + STORE_MORE + length)
            break;
        uint8_t *to = file->bytes + file->size;
        frame.kind = (enum frame_kind)(bytes[at] % FRAME_RECORDED_KINDS);
        frame.number++;
        frame.raw = (uint32_t)length;
        frame.stored = (uint32_t)parts_store(to + FRAME_HEAD_SIZE, bytes + at + 3, length);
        file->size += frame_put_head(to, &frame);
        frame.time_ns += 100000000;
        at += 3 + length;
    }
}

const uint8_t *parts_pack(const uint8_t *bytes, size_t size, size_t *file_size) {
    static struct file file;
    file.size = 0;
    if (size > 0 && bytes[0])
        pack(&file, bytes + 1, size - 1);
    else if (size > 0)
        add(&file, bytes + 1, size - 1);
    *file_size = file.size;
    return file.bytes;
}
