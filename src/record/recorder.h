/* The recorder: appends samples to a file.
 *
 * It belongs to the thread that reads the samples (screen or headless loop), never to the solver's
 * thread. A killed program leaves a file that replays up to its last whole record. */
#pragma once

#include "record/header.h"
#include "run/sample.h"

/* The average growth rate of a recording, and its burst size. They are exceeded by at most one
 * record: fields are dropped first, then samples. */
enum { RECORDER_BYTES_PER_SECOND = 25000, RECORDER_BURST_BYTES = 40000 };

/* Maximum number of samples per second. */
enum { RECORDER_RATE = 10 };

struct recorder;

/* The view that is recorded without a screen: the part of the grid that the settings show, with
 * more cells than most screens have, but few enough for a small file. */
struct view recorder_view(const struct view_settings *settings);

/* Creates the file (file_writer_open). STATUS_BAD_INPUT if it exists and `replace` is false,
 * STATUS_INTERNAL if it can't be written. */
enum status recorder_open(const char *path, bool replace, const struct recording_header *header,
                          struct recorder **recorder, struct error *error);

/* Offers a sample: the same or a newer one each time. Rate and size determine which samples are
 * recorded, and which of them with a new field (field.iteration is its iterate). A sample with a
 * new state (such as the last of a run) or made while paused is always recorded. A change of lanes
 * or grid starts a chapter, and so does the end of a run. On failure (disk full) the file is
 * truncated to its last whole record and nothing more is written. Samples with replayed lanes are
 * not recorded. */
enum status recorder_add(struct recorder *recorder, const struct sample *sample,
                         struct error *error);

/* Starts a chapter now. The title has at most 63 bytes. */
enum status recorder_chapter(struct recorder *recorder, const char *title, struct error *error);

/* In bytes. */
long recorder_size(const struct recorder *recorder);

/* Closes the file. STATUS_INTERNAL if it contains no sample, which removes it, or if it is not
 * completely on the disk, unless an earlier call has reported that. NULL is allowed. */
enum status recorder_close(struct recorder *recorder, struct error *error);
