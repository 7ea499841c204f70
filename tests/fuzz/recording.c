/* A recording from the web. The first byte chooses: 0, a file as it is; else its parts (the first
 * line, then kind, length in two bytes, contents …), which are packed with right check sums, so
 * that what lies behind these is reached. */
#include "tests/fuzz/fuzz.h"

#include "record/frame.h"
#include "record/recording.h"

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

static void pack(struct file *file, const uint8_t *bytes, size_t size) {
    const uint8_t *end = memchr(bytes, '\n', size);
    const size_t line = end ? (size_t)(end - bytes) + 1 : size;
    add(file, bytes, line);
    int64_t time_ns = 0;
    for (size_t at = line; at + 3 <= size;) {
        size_t length = bytes[at + 1] | (size_t)bytes[at + 2] << 8;
        if (length > size - at - 3)
            length = size - at - 3;
        if (FILE_MAX - file->size < frame_room(length))
            break;
        file->size += frame_write(file->bytes + file->size, FILE_MAX - file->size,
                                  (enum frame_kind)(bytes[at] % FRAME_KIND_COUNT), time_ns,
                                  bytes + at + 3, length);
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
    if (size == 0)
        return 0;
    file.size = 0;
    if (bytes[0])
        pack(&file, bytes + 1, size - 1);
    else
        add(&file, bytes + 1, size - 1);
    struct recording *recording = NULL;
    struct error error = {0};
    const enum status status = recording_parse(file.bytes, file.size, "fuzz", &recording, &error);
    fuzz_check(status, &error);
    if (!status)
        look_around(recording);
    recording_close(recording);
    return 0;
}
