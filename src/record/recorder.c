#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/chapter.h"
#include "record/format/frame.h"
#include "record/format/sample_codec.h"

/* A full record at least this often, so that a jump never has many differences to follow. */
static const int64_t full_period_ns = INT64_C(10000000000);

/* Pictures are written while this much of the budget is left for everything else. */
static const double picture_reserve = 10000;

struct recorder {
    int file;
    char *path;
    struct recording_about about;
    bool began;  /* the first line is written */
    bool failed; /* nothing more is written */
    bool useful; /* a sample is in it */
    long size;

    struct sample *last, *next; /* what was written last; room for the next */
    struct chapter_mark mark;   /* of the one written last */
    uint64_t last_sequence;
    int64_t shift_ns; /* from a session's time to the recording's */
    int64_t last_given_ns, last_ns, last_full_ns;
    double budget;       /* bytes that may be written now */
    double picture_cost; /* bytes of the last record with a new picture */

    uint8_t *raw, *stored;
    size_t stored_room;
};

/* ---- the file ------------------------------------------------------------------------------- */

static enum status write_all(struct recorder *recorder, const void *bytes, size_t size,
                             struct error *error) {
    const char *from = bytes;
    for (size_t done = 0; done < size;) {
        const ssize_t wrote = write(recorder->file, from + done, size - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            const int reason = errno;
            recorder->failed = true;
            if (ftruncate(recorder->file, recorder->size))
                recorder->failed = true;
            return error_set(error, STATUS_INTERNAL, "%s: recording stopped: %s", recorder->path,
                             strerror(reason));
        }
        done += (size_t)wrote;
    }
    recorder->size += (long)size;
    recorder->budget -= (double)size;
    return STATUS_OK;
}

static enum status write_about(struct recorder *recorder, const struct sample *sample,
                               struct error *error) {
    struct recording_about *about = &recorder->about;
    const struct lane_sample *lane = &sample->lanes[0];
    snprintf(about->device, sizeof about->device, "%s", lane->device);
    snprintf(about->driver, sizeof about->driver, "%s", lane->driver);
    snprintf(about->architecture, sizeof about->architecture, "%s", lane->architecture);
    char *line = about_print(about);
    if (!line)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = write_all(recorder, line, strlen(line), error);
    free(line);
    recorder->began = !status;
    return status;
}

static enum status write_frame(struct recorder *recorder, enum frame_kind kind, size_t raw_size,
                               struct error *error) {
    const size_t size = frame_write(recorder->stored, recorder->stored_room, kind,
                                    recorder->last_ns, recorder->raw, raw_size);
    if (size == 0)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    return write_all(recorder, recorder->stored, size, error);
}

/* ---- chapters ------------------------------------------------------------------------------- */

static enum status begin_chapters(struct recorder *recorder, const struct sample *sample,
                                  struct error *error) {
    char title[CHAPTER_SIZE];
    return chapter_take(&recorder->mark, sample, title) ? recorder_chapter(recorder, title, error)
                                                        : STATUS_OK;
}

enum status recorder_chapter(struct recorder *recorder, const char *title, struct error *error) {
    if (!recorder->began || recorder->failed)
        return STATUS_OK;
    const size_t length = strnlen(title, CHAPTER_SIZE - 1);
    memcpy(recorder->raw, title, length);
    return write_frame(recorder, FRAME_CHAPTER, length, error);
}

/* ---- samples -------------------------------------------------------------------------------- */

/* A new session's clock begins at 0 again; the recording's goes on. */
static int64_t recording_time(struct recorder *recorder, const struct sample *sample) {
    if (sample->time_ns < recorder->last_given_ns)
        recorder->shift_ns = recorder->last_ns;
    recorder->last_given_ns = sample->time_ns;
    const int64_t time_ns = sample->time_ns + recorder->shift_ns;
    return time_ns > recorder->last_ns ? time_ns : recorder->last_ns;
}

static double budget_after(const struct recorder *recorder, int64_t passed_ns) {
    return fmin(RECORDER_BURST_BYTES,
                recorder->budget + 1e-9 * (double)passed_ns * RECORDER_BYTES_PER_SECOND);
}

/* Samples that are recorded whatever they cost. */
static bool is_due(const struct recorder *recorder, const struct sample *sample) {
    return !recorder->began || sample->state != recorder->mark.state ||
           sample->state == SESSION_PAUSED || chapter_is_new_run(&recorder->mark, sample);
}

static bool is_wanted(const struct recorder *recorder, int64_t passed_ns) {
    return passed_ns >= INT64_C(1000000000) / RECORDER_RATE - INT64_C(5000000) &&
           budget_after(recorder, passed_ns) > 0;
}

/* When little may be written, curves and bars go on and the picture waits. */
static void keep_pictures(struct recorder *recorder) {
    for (int l = 0; l < recorder->next->lane_count; l++) {
        struct field *to = &recorder->next->lanes[l].field;
        const struct field *from = &recorder->last->lanes[l].field;
        float *cells = to->cells;
        const size_t count = (size_t)from->downsample.cols * (size_t)from->downsample.rows;
        memcpy(cells, from->cells, count * sizeof *cells);
        *to = *from;
        to->cells = cells;
    }
}

static enum status write_sample(struct recorder *recorder, const struct sample *sample, bool due,
                                struct error *error) {
    const bool full =
        recorder->last_full_ns < 0 || recorder->last_ns - recorder->last_full_ns >= full_period_ns;
    sample_copy(recorder->next, sample);
    const bool pictures = due || recorder->budget > picture_reserve + recorder->picture_cost;
    if (!pictures)
        keep_pictures(recorder);
    sample_prepare(recorder->next, recorder->last);
    if (full)
        sample_clear(recorder->last);
    struct codec codec = codec_writer(recorder->raw, RECORD_RAW_MAX);
    sample_code(&codec, recorder->next, recorder->last);
    if (codec.failed)
        return error_set(error, STATUS_INTERNAL, "recording: %s", codec.failed);
    if (full)
        recorder->last_full_ns = recorder->last_ns;
    struct sample *written = recorder->next;
    recorder->next = recorder->last;
    recorder->last = written;
    const double before = recorder->budget;
    const enum status status =
        write_frame(recorder, full ? FRAME_FULL : FRAME_DIFF, codec.at, error);
    recorder->useful |= status == STATUS_OK;
    if (pictures)
        recorder->picture_cost = fmin(before - recorder->budget, RECORDER_BURST_BYTES / 2.0);
    return status;
}

enum status recorder_add(struct recorder *recorder, const struct sample *sample,
                         struct error *error) {
    if (recorder->failed || sample->lane_count == 0 || sample->playback.label[0] ||
        sample_recorded_count(sample) > 0 || sample->sequence == recorder->last_sequence)
        return STATUS_OK;
    const int64_t now_ns = recording_time(recorder, sample);
    const bool due = is_due(recorder, sample);
    if (!due && !is_wanted(recorder, now_ns - recorder->last_ns))
        return STATUS_OK;
    recorder->budget = budget_after(recorder, now_ns - recorder->last_ns);
    recorder->last_ns = now_ns;
    recorder->last_sequence = sample->sequence;
    enum status status = recorder->began ? STATUS_OK : write_about(recorder, sample, error);
    if (!status)
        status = begin_chapters(recorder, sample, error);
    return status ? status : write_sample(recorder, sample, due, error);
}

/* ---- opening and closing -------------------------------------------------------------------- */

static void release(struct recorder *recorder) {
    sample_destroy(recorder->last);
    sample_destroy(recorder->next);
    free(recorder->raw);
    free(recorder->stored);
    free(recorder->path);
    free(recorder);
}

static struct recorder *allocate(const char *path, const struct recording_about *about) {
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return NULL;
    recorder->file = -1;
    recorder->about = *about;
    recorder->last_full_ns = -1;
    recorder->budget = RECORDER_BURST_BYTES;
    recorder->stored_room = frame_room(RECORD_RAW_MAX);
    recorder->path = strdup(path);
    recorder->last = sample_create();
    recorder->next = sample_create();
    recorder->raw = malloc(RECORD_RAW_MAX);
    recorder->stored = malloc(recorder->stored_room);
    if (recorder->path && recorder->last && recorder->next && recorder->raw && recorder->stored)
        return recorder;
    release(recorder);
    return NULL;
}

enum status recorder_open(const char *path, const struct recording_about *about,
                          struct recorder **recorder, struct error *error) {
    struct recorder *made = allocate(path, about);
    if (!made)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    made->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (made->file < 0) {
        const int reason = errno;
        release(made);
        return error_set(error, reason == EEXIST ? STATUS_BAD_INPUT : STATUS_INTERNAL,
                         "%s: can't record to it: %s", path, strerror(reason));
    }
    *recorder = made;
    return STATUS_OK;
}

long recorder_size(const struct recorder *recorder) {
    return recorder->size;
}

void recorder_close(struct recorder *recorder) {
    if (!recorder)
        return;
    close(recorder->file);
    if (!recorder->useful)
        unlink(recorder->path);
    release(recorder);
}
