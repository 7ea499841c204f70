#include "record/recorder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/limits.h"
#include "record/format/stream.h"
#include "record/recording.h"

/* At least one full record in this time, so that a jump never decodes many differences. */
static const int64_t full_period_ns = INT64_C(10000000000);

/* Fields are written only while this much of the budget remains for the other data. */
static const double field_reserve = 10000;

struct recorder {
    struct file_writer *file;
    struct recording_header header;
    bool began;  /* the first line is written */
    bool failed; /* no further records */
    bool useful; /* contains a sample */

    struct encoder *encoder;
    struct chapter_last chapter_last; /* of the last written sample */
    uint64_t last_sequence;
    int64_t shift_ns; /* from the session's clock to the recording's */
    int64_t last_given_ns, last_ns, last_full_ns;
    int differences;   /* since the last full record */
    int chapters;      /* so far */
    int64_t cells;     /* of all samples so far */
    double budget;     /* bytes that may be written now */
    double field_cost; /* size of the last record with a new field */
};

struct view recorder_view(const struct view_settings *settings) {
    return (struct view){.cols = 96,
                         .rows = 64,
                         .x0 = settings->x0,
                         .x1 = settings->x1,
                         .y0 = settings->y0,
                         .y1 = settings->y1,
                         .kind = settings->kind};
}

/* ---- what can be read again ------------------------------------------------------------------ */

/* The size that a recording never reaches. */
static double limit_bytes(void) {
    return fmin(limit_of(LIMIT_RECORDING) * 0x1p20, RECORDING_MAX_BYTES);
}

/* Records become rarer in a limit's second half, so that a recording of any length can be read.
 * Records that are made at any cost may use the last part. */
static double rate_of(double left, double kept) {
    return fmax(fmin((left - kept) / (0.5 - kept), 1), 0);
}

/* ---- the file ------------------------------------------------------------------------------- */

static enum status write_record(struct recorder *recorder, const void *bytes, size_t size,
                                struct error *error) {
    const enum status status =
        (double)size > limit_bytes() - (double)file_writer_size(recorder->file)
            ? error_set(error, STATUS_INTERNAL, "recording: the file is as large as one may be")
            : file_writer_append(recorder->file, bytes, size, error);
    recorder->failed |= status != STATUS_OK;
    recorder->budget -= (double)size;
    return status;
}

static enum status write_header(struct recorder *recorder, const struct sample *sample,
                                struct error *error) {
    struct recording_header *header = &recorder->header;
    const struct lane_sample *lane = &sample->lanes[0];
    snprintf(header->device, sizeof header->device, "%s", lane->device);
    snprintf(header->driver, sizeof header->driver, "%s", lane->driver);
    snprintf(header->architecture, sizeof header->architecture, "%s", lane->architecture);
    char *line = header_print(header);
    if (!line)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = write_record(recorder, line, strlen(line), error);
    free(line);
    recorder->began = !status;
    return status;
}

/* ---- chapters and samples ------------------------------------------------------------------- */

enum status recorder_chapter(struct recorder *recorder, const char *title, struct error *error) {
    struct encoder *encoder = recorder->encoder;
    if (!recorder->began || recorder->failed || recorder->chapters == RECORDING_CHAPTERS_MAX)
        return STATUS_OK;
    recorder->chapters++;
    struct codec codec = encoder_begin(encoder);
    codec.at = strnlen(title, CHAPTER_SIZE - 1);
    memcpy(codec.bytes, title, codec.at);
    TRY(encoder_end(encoder, FRAME_CHAPTER, recorder->last_ns, &codec, error));
    return write_record(recorder, encoder->bytes, encoder->size, error);
}

/* If the budget is low, curves and bars are still written; new fields wait. */
static enum status write_sample(struct recorder *recorder, const struct sample *sample, bool due,
                                struct error *error) {
    const bool full = recorder->last_full_ns < 0 ||
                      recorder->last_ns - recorder->last_full_ns >= full_period_ns ||
                      recorder->differences == RECORDING_DIFFERENCES_MAX;
    const bool with_fields = due || recorder->budget > field_reserve + recorder->field_cost;
    struct encoder *encoder = recorder->encoder;
    sample_copy(encoder->next, sample);
    for (int l = 0; l < sample->lane_count && !with_fields; l++)
        lane_fields_copy(&encoder->next->lanes[l], &encoder->last->lanes[l]);
    TRY(encoder_sample(encoder, recorder->last_ns, full, error));
    if (full)
        recorder->last_full_ns = recorder->last_ns;
    recorder->differences = full ? 0 : recorder->differences + 1;
    recorder->cells += recording_count_cells(encoder->last);
    const enum status status = write_record(recorder, encoder->bytes, encoder->size, error);
    recorder->useful |= status == STATUS_OK;
    if (with_fields)
        recorder->field_cost = fmin((double)encoder->size, RECORDER_BURST_BYTES / 2.0);
    return status;
}

enum status recorder_add(struct recorder *recorder, const struct sample *sample,
                         struct error *error) {
    if (recorder->failed || sample->lane_count == 0 || sample->playback.label[0] ||
        sample_recorded_count(sample) > 0 || sample->sequence == recorder->last_sequence)
        return STATUS_OK;
    /* A new session's clock restarts at 0; the recording's continues. */
    if (sample->time_ns < recorder->last_given_ns)
        recorder->shift_ns = recorder->last_ns;
    recorder->last_given_ns = sample->time_ns;
    int64_t now_ns = sample->time_ns + recorder->shift_ns;
    if (now_ns < recorder->last_ns || now_ns > FRAME_TIME_MAX_NS)
        now_ns = recorder->last_ns;
    const int64_t passed_ns = now_ns - recorder->last_ns;
    const double size_left = 1 - (double)file_writer_size(recorder->file) / limit_bytes();
    const double budget =
        fmin(RECORDER_BURST_BYTES, recorder->budget + 1e-9 * (double)passed_ns *
                                                          RECORDER_BYTES_PER_SECOND *
                                                          rate_of(size_left, 1 / 32.0));
    /* Some samples are recorded at any cost. */
    const bool due = !recorder->began || sample->state != recorder->chapter_last.state ||
                     sample->state == SESSION_PAUSED ||
                     chapter_is_new_run(&recorder->chapter_last, sample);
    const int64_t least_ns = INT64_C(1000000000) / RECORDER_RATE - INT64_C(5000000);
    /* The cells that a reader takes, and the share that is left of them after the sample. */
    const double most = limit_bytes() / RECORDING_MAX_BYTES * RECORDING_CELLS +
                        (double)RECORDING_CELLS_PER_BYTE * (double)file_writer_size(recorder->file);
    const double left = 1 - (double)(recorder->cells + recording_count_cells(sample)) / most;
    const double spent_ns = (double)passed_ns * rate_of(left, 0.1);
    if (due ? left < 0 : spent_ns < (double)least_ns || budget <= 0)
        return STATUS_OK;
    recorder->budget = budget;
    recorder->last_ns = now_ns;
    recorder->last_sequence = sample->sequence;
    char title[CHAPTER_SIZE];
    if (!recorder->began)
        TRY(write_header(recorder, sample, error));
    if (chapter_take(&recorder->chapter_last, sample, title))
        TRY(recorder_chapter(recorder, title, error));
    return write_sample(recorder, sample, due, error);
}

/* ---- opening and closing -------------------------------------------------------------------- */

static void recorder_release(struct recorder *recorder) {
    encoder_destroy(recorder->encoder);
    free(recorder);
}

enum status recorder_open(const char *path, bool replace, const struct recording_header *header,
                          struct recorder **recorder, struct error *error) {
    struct recorder *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    made->header = *header;
    made->last_full_ns = -1;
    made->budget = RECORDER_BURST_BYTES;
    made->encoder = encoder_create();
    const enum status status = made->encoder ? file_writer_open(path, replace, &made->file, error)
                                             : error_set(error, STATUS_INTERNAL, "out of memory");
    if (status)
        recorder_release(made);
    else
        *recorder = made;
    return status;
}

long recorder_size(const struct recorder *recorder) {
    return file_writer_size(recorder->file);
}

enum status recorder_close(struct recorder *recorder, struct error *error) {
    if (!recorder)
        return STATUS_OK;
    const bool is_useful = recorder->useful;
    const enum status status = file_writer_close(recorder->file, is_useful, error);
    recorder_release(recorder);
    return status || is_useful ? status
                               : error_set(error, STATUS_INTERNAL,
                                           "recording: no file was made, because no live run was "
                                           "shown");
}
