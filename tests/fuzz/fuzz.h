/* The interface of every fuzz target: libFuzzer calls it with bytes that somebody might have
 * written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/status.h"
#include "core/text.h"
#include "run/sample.h"

/* Called once, before the first input; returns 0. Optional for a target. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Returns 0. Every failure other than a returned error ends the process. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Writes the input into a file in memory, and returns its path. */
static inline const char *fuzz_file(const uint8_t *bytes, size_t size) {
    static char path[32];
    static int file = -1;
    if (file < 0)
        file = memfd_create("fuzz", MFD_CLOEXEC);
    if (ftruncate(file, 0) || pwrite(file, bytes, size, 0) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

/* Displayed text must not affect a terminal; '\n' and '\t' are permitted with `lines`. */
static inline void fuzz_check_text(const char *text, bool lines) {
    uint32_t point;
    for (int length; *text; text += length) {
        length = text_decode(text, &point);
        if (!length || !(text_is_visible(point) || (lines && (point == '\n' || point == '\t'))))
            abort();
    }
}

/* All texts of a sample may be displayed. */
static inline void fuzz_check_sample(const struct sample *sample) {
    const char *const texts[] = {sample->preset, sample->problem, sample->error.message,
                                 sample->playback.label, sample->playback.chapter_title};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        fuzz_check_text(texts[t], false);
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        const char *const of_lane[] = {
            lane->run.backend,   lane->title,           lane->device,
            lane->architecture,  lane->driver,          lane->recorded,
            lane->fallback_from, lane->fallback_reason, lane->error.message};
        for (size_t t = 0; t < sizeof of_lane / sizeof *of_lane; t++)
            fuzz_check_text(of_lane[t], false);
    }
}

/* A rejection must state the reason, in one line that a terminal can show. */
static inline void fuzz_check(enum status status, const struct error *error) {
    if (!status)
        return;
    if (status != error->status || !*error->message)
        abort();
    fuzz_check_text(error->message, false);
}
