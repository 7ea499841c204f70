/* The recorder: writes the samples it is given to a file that is only ever appended to.
 *
 * It belongs to the reader of the samples (the screen's thread, or the headless loop), never to the
 * solver's thread. A program that is killed leaves a file that replays up to its last whole record.
 */
#ifndef JACOBI_RECORD_RECORDER_H
#define JACOBI_RECORD_RECORDER_H

#include "record/header.h"
#include "run/sample.h"

/* What a recording may grow by, on average, and at once. It never goes above that by more than one
 * record: fields are left out first, then samples. */
enum { RECORDER_BYTES_PER_SECOND = 25000, RECORDER_BURST_BYTES = 40000 };

/* Samples per second at most. */
enum { RECORDER_RATE = 10 };

struct recorder;

/* The view that a run without a screen records: of the part of the grid that the settings show,
 * more cells than most screens have, few enough for a small file. */
struct view recorder_view(const struct view_settings *settings);

/* Creates the file (file_writer_open). STATUS_BAD_INPUT if it exists already and `replace` is
 * false, STATUS_INTERNAL if it can't be written. */
enum status recorder_open(const char *path, bool replace, const struct recording_header *header,
                          struct recorder **recorder, struct error *error);

/* Opens the recording that the configuration asks for, if it does. */
enum status recorder_open_asked(const struct config *config, struct recorder **recorder,
                                struct error *error);

/* Offers a sample: the same or a newer one each time. Rate and size decide which are recorded, and
 * how often with a new field (field.iteration is its iterate). A sample with a new state
 * (the last of a run, for instance) or made while paused is always recorded. A change of lanes or
 * grid begins a chapter, and so does the end of a run. On failure (disk full) the file is cut back
 * to its last whole record and nothing more is written. What comes from a recording, wholly or in
 * one lane, is not recorded again. */
enum status recorder_add(struct recorder *recorder, const struct sample *sample,
                         struct error *error);

/* Begins a chapter now; title up to 63 bytes. */
enum status recorder_chapter(struct recorder *recorder, const char *title, struct error *error);

/* Bytes written so far. */
long recorder_size(const struct recorder *recorder);

/* Closes the file; one that holds no sample is removed. STATUS_INTERNAL if it is not whole on the
 * disk, unless an earlier call has reported that. NULL is allowed. */
enum status recorder_close(struct recorder *recorder, struct error *error);

#endif
