/* A recording that has been read: checked from end to end, with its samples in any order.
 *
 * The file may have been written by anybody. It is refused (STATUS_BAD_INPUT, "NAME: byte N:
 * what") if it is damaged or asks for anything beyond what a session can hold; only a last
 * record that is cut short, as a killed program leaves it, is left out. Memory is bounded: two
 * samples, one record, an entry of a few words for each record.
 */
#ifndef JACOBI_RECORD_RECORDING_H
#define JACOBI_RECORD_RECORDING_H

#include "record/header.h"
#include "run/sample.h"

enum {
    RECORDING_MAX_BYTES = 256 << 20,
    RECORDING_CHAPTERS_MAX = 512,
    RECORDING_DIFFERENCES_MAX = 1000 /* behind one full sample */
};

struct chapter {
    char title[64];
    int64_t time_ns;
    int sample; /* index of the first sample in it */
};

struct recording;

/* Reads a recording from memory, which must stay as it is until recording_close. `name` is for
 * messages. */
enum status recording_parse(const uint8_t *bytes, size_t size, const char *name,
                            struct recording **recording, struct error *error);

/* Reads a file. */
enum status recording_load(const char *path, struct recording **recording, struct error *error);

/* Reads what has come to the file since it was loaded or grown last: it is appended to by whole
 * records. On failure what was there before stays. */
enum status recording_grow(struct recording *recording, const char *path, struct error *error);

/* NULL is allowed. */
void recording_close(struct recording *recording);

const struct recording_header *recording_header(const struct recording *recording);

/* At least 1. */
int recording_sample_count(const struct recording *recording);

/* The time of sample `index`, in ns since the recording began. */
int64_t recording_time_ns(const struct recording *recording, int index);

int recording_chapter_count(const struct recording *recording);
const struct chapter *recording_chapter(const struct recording *recording, int chapter);

/* Sample `index`, valid until the next call. sequence is index + 1, time_ns the recording's;
 * playback holds the label ("replay: NVIDIA H200, 2026-11-21") and the length, and each lane says
 * when it was recorded. */
const struct sample *recording_sample(struct recording *recording, int index);

#endif
