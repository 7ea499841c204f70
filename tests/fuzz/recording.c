/* A recording from the web. The first byte chooses: 0, a file as it is; else its parts (the first
 * line, then kind, length in two bytes, contents …), which are packed with right check sums, so
 * that what lies behind these is reached. */
#include "tests/fuzz/fuzz.h"

#include <zlib.h>

#include "record/frame.h"
#include "record/recording.h"

enum { FILE_MAX = 1 << 20, STORE_MORE = 11 };

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

/* The contents as zlib has them where it doesn't deflate: setting up its compressor would take
 * longer than all the rest. Returns their size. */
static size_t store(uint8_t *to, const uint8_t *bytes, size_t size) {
    const uint8_t head[] = {0x78, 0x01, 1, size & 0xff, size >> 8, ~size & 0xff, ~size >> 8 & 0xff};
    const uLong sum = adler32(adler32(0, NULL, 0), bytes, (uInt)size);
    memcpy(to, head, sizeof head);
    memcpy(to + sizeof head, bytes, size);
    for (int k = 0; k < 4; k++)
        to[sizeof head + size + k] = (uint8_t)(sum >> (24 - 8 * k));
    return size + STORE_MORE;
}

static void pack(struct file *file, const uint8_t *bytes, size_t size) {
    const uint8_t *end = memchr(bytes, '\n', size);
    const size_t line = end ? (size_t)(end - bytes) + 1 : size;
    add(file, bytes, line);
    int64_t time_ns = 0;
    for (size_t at = line; at + 3 <= size;) {
        size_t length = bytes[at + 1] | (size_t)bytes[at + 2] << 8;
        if (length > size - at - 3)
            length = size - at - 3;
        if (FILE_MAX - file->size < FRAME_HEAD_SIZE + STORE_MORE + length)
            break;
        uint8_t *to = file->bytes + file->size;
        const size_t stored = store(to + FRAME_HEAD_SIZE, bytes + at + 3, length);
        file->size += frame_seal(to, (enum frame_kind)(bytes[at] % FRAME_KIND_COUNT), time_ns,
                                 stored, length);
        time_ns += 100000000;
        at += 3 + length;
    }
}

/* There and back, as somebody does who looks for the interesting moment. */
static void look_around(struct recording *recording) {
    const int count = recording_sample_count(recording);
    for (int k = 0; k < count && k < 8; k++)
        recording_sample(recording, k);
    recording_sample(recording, count - 1);
    recording_sample(recording, recording_find(recording, 50000000));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static struct file file;
    static struct recording *recording;
    if (!recording)
        recording = recording_create();
    if (size == 0 || !recording)
        return 0;
    file.size = 0;
    if (bytes[0])
        pack(&file, bytes + 1, size - 1);
    else
        add(&file, bytes + 1, size - 1);
    struct error error = {0};
    const enum status status = recording_take(recording, file.bytes, file.size, "fuzz", &error);
    fuzz_check(status, &error);
    if (!status)
        look_around(recording);
    return 0;
}
