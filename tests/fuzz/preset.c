/* A preset from the web. */
#include "tests/fuzz/fuzz.h"

#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct config config;
    struct error error = {0};
    config_init(&config);
    const enum status status = preset_read(fuzz_file(bytes, size), NULL, &config, &error);
    fuzz_check(status, &error);
    fuzz_check_text(config.teaches, false);
    if (!status)
        fuzz_check(config_make_lanes(&config, &error), &error);
    return 0;
}
