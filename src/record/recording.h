/* A recording that has been read: checked from end to end, with its samples in any order.
 *
 * The file is not trusted. It is refused (STATUS_BAD_INPUT, "NAME: byte N: what") if it is damaged
 * or exceeds a session's limits. Only a last record that is cut short, as a killed program leaves
 * it, is skipped. Memory is bounded: two samples, one record, an entry of a few words for each
 * record.
 */
#ifndef JACOBI_RECORD_RECORDING_H
#define JACOBI_RECORD_RECORDING_H

#include <sys/stat.h>

#include "record/header.h"
#include "run/sample.h"

enum {
    RECORDING_MAX_BYTES = 256 << 20,
    RECORDING_CHAPTERS_MAX = 512,
    RECORDING_DIFFERENCES_MAX = 1000 /* behind one full sample */
};

/* A chapter begins with each run, and one at its end. The user can jump to the chapters of a
 * recording; in a screencast they are markers. */
enum { CHAPTER_SIZE = 64 };

struct chapter {
    char title[CHAPTER_SIZE];
    int64_t time_ns;
    int sample; /* index of the first sample in it */
};

/* What must be known of the sample before; all zeros if there is none. */
struct chapter_last {
    enum session_state state;
    int lane_count, nx, ny;
    char problem[32];
    struct run_id runs[LANES_MAX];
    long iterations[LANES_MAX];
};

/* Whether `sample` belongs to another run: other lanes, another grid or problem, or the same from
 * its beginning. */
bool chapter_is_new_run(const struct chapter_last *last, const struct sample *sample);

/* Takes the next sample. Returns whether a chapter begins with it; if so, writes its title (at most
 * CHAPTER_SIZE bytes). */
bool chapter_take(struct chapter_last *last, const struct sample *sample, char *title);

struct entry {
    size_t at; /* offset of its record */
    int64_t time_ns;
    bool full;
};

/* To be read; only the functions below change it. */
struct recording {
    struct recording_header header;
    struct entry *entries; /* of the samples */
    int count;             /* of them, at least 1 */
    struct chapter *chapters;
    int chapter_count;

    uint8_t *owned; /* NULL if the bytes are somebody else's */
    const uint8_t *bytes;
    size_t size;
    struct stat file; /* of what is owned */
    char name[PATH_SIZE];
    long cut_at;     /* where the last, unfinished record begins; -1: there is none */
    int room;        /* for entries */
    int differences; /* since the last full sample */
    int64_t cells;   /* of all samples */
    struct decoder *decoder;
    int at; /* the sample that was decoded last */
};

/* Reads a recording from memory, which must stay as it is until recording_close. `name` is for
 * messages. */
enum status recording_parse(const uint8_t *bytes, size_t size, const char *name,
                            struct recording **recording, struct error *error);

/* Reads a file. */
enum status recording_load(const char *path, struct recording **recording, struct error *error);

/* Reads what has come to a loaded file since then or since it was grown last: it is appended to by
 * whole records. On failure what was there before stays. */
enum status recording_grow(struct recording *recording, struct error *error);

/* NULL is allowed. */
void recording_close(struct recording *recording);

/* Sample `index`, valid until the next call. sequence is index + 1, time_ns the recording's;
 * playback holds the label ("replay: NVIDIA H200, 2026-11-21") and the length, each lane its date.
 */
const struct sample *recording_sample(struct recording *recording, int index);

#endif
