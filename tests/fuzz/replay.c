/* The display of a recording from the web: its last sample on a screen, or as a report. Two bytes
 * select how, then the recording follows (see parts.h). */
#include "tests/fuzz/fuzz.h"

#include "record/recording.h"
#include "tests/fuzz/parts.h"
#include "tests/fuzz/show.h"

enum { HEAD = 2 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    show_begin();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static struct config config;
    struct recording *recording;
    struct error error = {0};
    size_t file_size;
    if (size < HEAD)
        return 0;
    const uint8_t *file = parts_pack(bytes + HEAD, size - HEAD, &file_size);
    if (recording_parse(file, file_size, "fuzz", &recording, &error))
        return 0;
    config_init(&config);
    header_to_config(&recording->header, &config);
    show_sample(&config, recording_sample(recording, recording->count - 1), bytes[0], bytes[1]);
    recording_close(recording);
    return 0;
}
