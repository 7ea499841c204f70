/* A terminal's replies to the question asked at the start, and what somebody pastes. */
#include "tests/fuzz/fuzz.h"

#include "ui/terminal/term_caps.h"

/* Read in pieces, as a terminal's replies come: the first byte says how long they are. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct replies replies = {0};
    struct paste paste = {0};
    char typed[256], keys[sizeof typed + PASTE_HELD];
    if (size == 0)
        return 0;
    replies_question(&replies);
    for (size_t at = 1; at < size;) {
        const size_t piece = bytes[0] ? bytes[0] : sizeof typed;
        const size_t count = size - at < piece ? size - at : piece;
        memcpy(typed, bytes + at, count);
        const size_t key_count = paste_take(&paste, typed, count, (int64_t)at, keys);
        if (key_count > count + PASTE_HELD || replies_take(&replies, keys, key_count) > key_count)
            abort();
        at += count;
    }
    return 0;
}
