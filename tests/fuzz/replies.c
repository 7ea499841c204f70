/* A terminal's replies to the question asked at the start, or what somebody pastes then. */
#include "tests/fuzz/fuzz.h"

#include "ui/terminal/term_caps.h"

/* Read in pieces, as a terminal's replies come: the first byte says how long they are. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    struct replies replies = {0};
    char typed[256];
    if (size == 0)
        return 0;
    replies_question(&replies);
    for (size_t at = 1; at < size;) {
        const size_t piece = bytes[0] ? bytes[0] : sizeof typed;
        const size_t count = size - at < piece ? size - at : piece;
        memcpy(typed, bytes + at, count);
        if (replies_take(&replies, typed, count) > count)
            abort();
        at += count;
    }
    return 0;
}
