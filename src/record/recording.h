/* A recording in memory: completely checked, with random access to its samples.
 *
 * The file is not trusted. It is refused (STATUS_BAD_INPUT, "NAME: byte N: what") if it is damaged
 * or exceeds a session's limits. Only an incomplete last record, left by a killed program, is
 * skipped. Memory is bounded: two samples, one record, and an entry of a few words per record. */
#pragma once

#include <sys/stat.h>

#include "record/header.h"
#include "run/sample.h"

enum {
    RECORDING_MAX_BYTES = 256 << 20,
    RECORDING_CHAPTERS_MAX = 512,
    RECORDING_DIFFERENCES_MAX = 1000 /* after one full sample */
};

/* A small difference may encode a full field of unchanged cells. This many cells of all samples
 * decode within a few seconds, and so many more per byte of the file. */
enum { RECORDING_CELLS = 2000000000, RECORDING_CELLS_PER_BYTE = 40 };

int64_t recording_count_cells(const struct sample *sample);

/* A chapter begins at the start of each run and at its end. The user can jump to the chapters of a
 * recording; in a screencast they are markers. */
enum { CHAPTER_SIZE = 64 };

struct chapter {
    char title[CHAPTER_SIZE];
    int64_t time_ns;
    int sample; /* index of its first sample */
};

/* The state of the previous sample that chapters depend on; all zeros if there is none. */
struct chapter_last {
    enum session_state state;
    int lane_count, nx, ny;
    char problem[32];
    struct run_id runs[LANES_MAX];
    long iterations[LANES_MAX];
};

/* Whether `sample` belongs to another run: other lanes, another grid or problem, or a restart. */
bool chapter_is_new_run(const struct chapter_last *last, const struct sample *sample);

/* Takes the next sample. Returns whether it begins a chapter; if so, writes the title (at most
 * CHAPTER_SIZE bytes). */
bool chapter_take(struct chapter_last *last, const struct sample *sample, char *title);

struct entry {
    size_t at; /* offset of its record */
    int64_t time_ns;
    bool full;
};

/* Read-only for callers; only the functions below change it. */
struct recording {
    struct recording_header header;
    struct entry *entries; /* of the samples */
    int count;             /* number of samples, at least 1 */
    struct chapter *chapters;
    int chapter_count;

    uint8_t *owned; /* NULL: the caller owns the bytes */
    const uint8_t *bytes;
    size_t size;
    struct stat file; /* attributes of the owned file */
    char name[PATH_SIZE];
    long cut_at;     /* start of an incomplete last record; -1: none */
    int room;        /* capacity of `entries` */
    int differences; /* since the last full sample */
    int64_t cells;   /* total of all samples */
    struct decoder *decoder;
    int at; /* the last decoded sample */
};

/* Parses a recording in memory, which must stay unchanged until recording_close. `name` is for
 * messages. */
enum status recording_parse(const uint8_t *bytes, size_t size, const char *name,
                            struct recording **recording, struct error *error);
enum status recording_load(const char *path, struct recording **recording, struct error *error);
void recording_close(struct recording *recording); /* NULL is allowed */

/* Reads the records appended to a loaded file since the last read. On failure the previous contents
 * are kept. */
enum status recording_grow(struct recording *recording, struct error *error);

/* Sample `index`, valid until the next call. sequence is index + 1; time_ns is the recording's.
 * playback has the label ("replay: NVIDIA H200, 2026-11-21") and length, each lane its date. */
const struct sample *recording_sample(struct recording *recording, int index);
