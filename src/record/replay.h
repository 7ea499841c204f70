/* A recording as a source of samples: the screen, the keys and the reports work as in a live run.
 *
 * It obeys COMMAND_PAUSE, COMMAND_STEP (frames, also backwards; pauses), COMMAND_SEEK
 * (thousandths), COMMAND_CHAPTER, COMMAND_RATE and COMMAND_RESTART (to the beginning). COMMAND_VIEW
 * resamples the recorded cells, and COMMAND_RACE changes the kind of race of recordings side by
 * side. It ignores COMMAND_PLAN and COMMAND_SPEED: the past can't be changed.
 *
 * A growing recording (config->follow) is shown from its end, and each new sample as it arrives; a
 * pause delays all later ones. If the file becomes unreadable, the sample's warning reports that.
 *
 * There is no thread: `latest` reads the clock and decodes due samples, `descriptor` is a timer. */
#pragma once

#include "config/config.h"
#include "record/playlist.h"
#include "run/source.h"

/* Opens the recordings to replay: files, or those of the program. Copies everything that the screen
 * shows apart from the samples (plan, preset, view, reference, machine) into `config`. */
enum status replay_load(struct config *config, struct playlist **playlist, struct error *error);

/* Loads the replay and plays it from `at_seconds` or `at_percent` at `replay_speed`. `clock`
 * returns ns and never decreases; NULL: the host's clock. */
enum status replay_open(struct config *config, int64_t (*clock)(void), struct source **source,
                        struct error *error);

void replay_read_last(struct source *source, struct sample *sample);

/* Plays a playlist, of which it takes ownership even on failure. `rate` 1 is the recorded speed.
 * `paused` starts on the first sample. */
enum status replay_start(struct playlist *playlist, double rate, bool paused,
                         int64_t (*clock)(void), struct source **source, struct error *error);
