#include "record/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/process.h"
#include "core/text.h"
#include "metrics/labels.h"
#include "record/format/stream.h"

/* ---- chapters ------------------------------------------------------------------------------- */

bool chapter_is_new_run(const struct chapter_last *last, const struct sample *sample) {
    bool same = last->lane_count == sample->lane_count && last->nx == sample->nx &&
                last->ny == sample->ny && strcmp(last->problem, sample->problem) == 0;
    for (int l = 0; same && l < sample->lane_count; l++)
        same = !run_id_difference(&last->runs[l], &sample->lanes[l].run) &&
               last->iterations[l] <= sample->lanes[l].iterations;
    return !same;
}

bool chapter_take(struct chapter_last *last, const struct sample *sample, char *title) {
    const bool begins = chapter_is_new_run(last, sample);
    const bool ends =
        sample->state == SESSION_FINISHED && last->state != SESSION_FINISHED && !begins;
    if (ends)
        format_text(title, CHAPTER_SIZE, "finished after %ld iterations",
                    sample->lanes[0].iterations);
    if (begins) /* "blog 4096x4096: hip/unstructured/classic, …" */
        format_text(title, CHAPTER_SIZE, "%s %dx%d:", sample->problem, sample->nx, sample->ny);
    for (int l = 0; l < sample->lane_count && begins; l++)
        format_append(title, CHAPTER_SIZE, "%s %s", l ? "," : "",
                      AS(lane_to_option, &sample->lanes[l]));
    *last = (struct chapter_last){.state = sample->state,
                                  .lane_count = sample->lane_count,
                                  .nx = sample->nx,
                                  .ny = sample->ny};
    snprintf(last->problem, sizeof last->problem, "%s", sample->problem);
    for (int l = 0; l < sample->lane_count; l++) {
        last->runs[l] = sample->lanes[l].run;
        last->iterations[l] = sample->lanes[l].iterations;
    }
    return begins || ends;
}

/* ---- decoding ------------------------------------------------------------------------------- */

static enum status refuse_record(const struct recording *recording, size_t offset, const char *what,
                                 struct error *error) {
    return error_set(error, STATUS_BAD_INPUT, "%s: byte %zu: %s", recording->name, offset, what);
}

const struct sample *recording_sample(struct recording *recording, int index) {
    int from = index;
    while (from > 0 && !recording->entries[from].full)
        from--;
    if (recording->at >= from && recording->at <= index)
        from = recording->at + 1;
    for (int k = from; k <= index; k++) {
        const size_t at = recording->entries[k].at;
        struct frame frame;
        frame_read(recording->bytes + at, recording->size - at, &frame);
        decoder_take(recording->decoder, &frame);
        recording->at = k;
    }
    struct sample *sample = recording->decoder->now;
    const int last = recording->count - 1;
    sample->sequence = (uint64_t)index + 1;
    sample->time_ns = recording->entries[index].time_ns;
    memset(&sample->playback, 0, sizeof sample->playback);
    snprintf(sample->playback.label, sizeof sample->playback.label, "replay: %s, %.10s",
             recording->header.device, recording->header.date);
    sample->playback.length_s =
        1e-9 * (double)(recording->entries[last].time_ns - recording->entries[0].time_ns);
    for (int l = 0; l < sample->lane_count; l++)
        snprintf(sample->lanes[l].recorded, sizeof sample->lanes[l].recorded, "%.10s",
                 recording->header.date);
    return sample;
}

/* ---- reading and checking ------------------------------------------------------------------- */

static const char no_memory[] = "out of memory";

int64_t recording_count_cells(const struct sample *sample) {
    int64_t cells = 0;
    for (int l = 0; l < sample->lane_count; l++)
        cells += (int64_t)sample->lanes[l].field.downsample.cols *
                 sample->lanes[l].field.downsample.rows;
    return cells;
}

/* Adds the sample of a frame at that offset. Returns NULL, or why the file is refused, like the
 * functions below. */
static const char *add_sample(struct recording *recording, size_t at, const struct frame *frame) {
    if (recording->count == 0 && frame->kind != FRAME_FULL)
        return "the first sample is a difference from a missing one";
    if (recording->count == recording->room) {
        const int room = recording->room ? 2 * recording->room : 256;
        struct entry *entries = realloc(recording->entries, (size_t)room * sizeof *entries);
        if (!entries)
            return no_memory;
        recording->entries = entries;
        recording->room = room;
    }
    const char *wrong = decoder_take(recording->decoder, frame);
    if (wrong)
        return wrong;
    recording->cells += recording_count_cells(recording->decoder->now);
    recording->differences = frame->kind == FRAME_FULL ? 0 : recording->differences + 1;
    if (recording->differences > RECORDING_DIFFERENCES_MAX)
        return "too many differences follow one full sample";
    if (recording->cells > RECORDING_CELLS + RECORDING_CELLS_PER_BYTE * (int64_t)at)
        return "it inflates to too many cells for its size";
    recording->at = recording->count;
    recording->entries[recording->count++] =
        (struct entry){at, frame->time_ns, frame->kind == FRAME_FULL};
    return NULL;
}

static const char *add_chapter(struct recording *recording, const struct frame *frame) {
    struct chapter *chapter = &recording->chapters[recording->chapter_count];
    if (recording->chapter_count == RECORDING_CHAPTERS_MAX)
        return "too many chapters";
    if (frame->raw >= sizeof chapter->title)
        return "this chapter's title is too long";
    const char *wrong = frame_inflate(frame, (uint8_t *)chapter->title);
    if (wrong)
        return wrong;
    chapter->title[frame->raw] = '\0';
    text_sanitize(chapter->title);
    chapter->time_ns = frame->time_ns;
    chapter->sample = recording->count;
    recording->chapter_count++;
    return NULL;
}

static const char *add_frame(struct recording *recording, size_t at, const struct frame *frame,
                             int64_t last_ns) {
    if (frame->kind >= FRAME_RECORDED_KINDS)
        return "unknown kind of record";
    if (frame->number != (uint32_t)(recording->count + recording->chapter_count + 1))
        return "the record before it is missing";
    if (frame->time_ns < last_ns)
        return "time runs backwards";
    return frame->kind == FRAME_CHAPTER ? add_chapter(recording, frame)
                                        : add_sample(recording, at, frame);
}

static enum status read_frames(struct recording *recording, size_t at, struct error *error) {
    int64_t last_ns = recording->count > 0 ? recording->entries[recording->count - 1].time_ns : 0;
    while (at < recording->size) {
        struct frame frame;
        if (interrupt_is_wanted())
            return error_set(error, STATUS_INTERNAL, "%s: interrupted", recording->name);
        const char *wrong = frame_read(recording->bytes + at, recording->size - at, &frame);
        if (wrong == frame_cut_short) {
            recording->cut_at = (long)at;
            return STATUS_OK;
        }
        if (!wrong)
            wrong = add_frame(recording, at, &frame, last_ns);
        if (wrong == no_memory)
            return error_set(error, STATUS_INTERNAL, "%s", wrong);
        if (wrong)
            return refuse_record(recording, at, wrong, error);
        last_ns = frame.time_ns;
        at += FRAME_HEAD_SIZE + frame.stored;
    }
    return STATUS_OK;
}

/* A chapter at the end of the recording has no sample of its own. */
static void clip_chapters(struct recording *recording) {
    for (int c = 0; c < recording->chapter_count; c++)
        if (recording->chapters[c].sample >= recording->count)
            recording->chapters[c].sample = recording->count - 1;
}

enum status recording_parse(const uint8_t *bytes, size_t size, const char *name,
                            struct recording **recording, struct error *error) {
    struct recording *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    snprintf(made->name, sizeof made->name, "%s", name);
    made->bytes = bytes;
    made->size = size;
    made->cut_at = made->at = -1;
    made->decoder = decoder_create();
    made->chapters = calloc(RECORDING_CHAPTERS_MAX, sizeof *made->chapters);
    size_t at = 0;
    enum status status = STATUS_OK;
    if (!made->decoder || !made->chapters)
        status = error_set(error, STATUS_INTERNAL, "out of memory");
    else if (header_parse((const char *)bytes, size, &made->header, &at, error))
        status = error_prefix(error, "%s", name);
    else
        status = read_frames(made, at, error);
    if (!status && made->count == 0)
        status = refuse_record(made, at, "it has no complete sample", error);
    if (status) {
        recording_close(made);
        return status;
    }
    clip_chapters(made);
    *recording = made;
    return STATUS_OK;
}

enum status recording_load(const char *path, struct recording **recording, struct error *error) {
    char *bytes;
    size_t size;
    struct stat file = {0};
    stat(path, &file);
    TRY(file_read(path, RECORDING_MAX_BYTES, &bytes, &size, error));
    const enum status status = recording_parse((uint8_t *)bytes, size, path, recording, error);
    if (status) {
        free(bytes);
        return status;
    }
    (*recording)->owned = (uint8_t *)bytes;
    (*recording)->file = file;
    return STATUS_OK;
}

enum status recording_grow(struct recording *recording, struct error *error) {
    const size_t old = recording->size,
                 at = recording->cut_at >= 0 ? (size_t)recording->cut_at : old;
    const int count = recording->count, last = count - 1;
    const struct stat *file = &recording->file;
    struct stat now;
    char *more;
    size_t size;
    if (stat(recording->name, &now) == 0 &&
        (now.st_ino != file->st_ino || now.st_dev != file->st_dev || (uint64_t)now.st_size < old))
        return error_set(error, STATUS_BAD_INPUT, "%s: no longer followed: %s", recording->name,
                         (uint64_t)now.st_size < old && now.st_ino == file->st_ino
                             ? "it was truncated"
                             : "another file has replaced it");
    enum status status =
        file_read_from(recording->name, old, RECORDING_MAX_BYTES - old, &more, &size, error);
    if (status || size == 0) {
        if (!status)
            free(more);
        return status;
    }
    uint8_t *bytes = realloc(recording->owned, old + size);
    if (bytes) {
        memcpy(bytes + old, more, size);
        recording->bytes = recording->owned = bytes;
        recording->size = old + size;
    }
    free(more);
    if (!bytes)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    recording_sample(recording, last); /* the next one may be a difference from it */
    for (int c = 0; c < recording->chapter_count; c++)
        if (recording->chapters[c].time_ns > recording->entries[last].time_ns)
            recording->chapters[c].sample = count;
    recording->cut_at = -1;
    status = read_frames(recording, at, error);
    if (status)
        recording->at = -1;
    clip_chapters(recording);
    return status;
}

void recording_close(struct recording *recording) {
    if (!recording)
        return;
    decoder_destroy(recording->decoder);
    free(recording->chapters);
    free(recording->entries);
    free(recording->owned);
    free(recording);
}
