/* The user's settings file, edited by hand. */
#include "tests/fuzz/fuzz.h"

#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct config config;
    struct error error = {0};
    config_init(&config);
    fuzz_check(preset_read(fuzz_file(bytes, size), "view", &config, &error), &error);
    return 0;
}
