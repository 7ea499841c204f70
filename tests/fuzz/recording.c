/* A recording from the web (see parts.h). */
#include "tests/fuzz/fuzz.h"

#include "record/recording.h"
#include "tests/fuzz/parts.h"

static void check_header(const struct recording *recording) {
    const struct recording_header *header = &recording->header;
    fuzz_check_text(header->program_version, false);
    fuzz_check_text(header->command, false);
    fuzz_check_text(header->preset, false);
    fuzz_check_text(header->teaches, false);
    fuzz_check_text(header->view.layout, false);
    fuzz_check_text(header->reference.source, false);
    for (int c = 0; c < recording->chapter_count; c++)
        fuzz_check_text(recording->chapters[c].title, false);
}

/* Moves forward and back, like a user who looks for an interesting moment. */
static void look_around(struct recording *recording) {
    const int count = recording->count;
    check_header(recording);
    for (int k = 0; k < count && k < 8; k++)
        fuzz_check_sample(recording_sample(recording, k));
    fuzz_check_sample(recording_sample(recording, count - 1));
    fuzz_check_sample(recording_sample(recording, count / 2));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct recording *recording = NULL;
    struct error error = {0};
    size_t file_size;
    const uint8_t *file = parts_pack(bytes, size, &file_size);
    const enum status status = recording_parse(file, file_size, "fuzz", &recording, &error);
    fuzz_check(status, &error);
    if (status)
        return 0;
    look_around(recording);
    recording_close(recording);
    return 0;
}
