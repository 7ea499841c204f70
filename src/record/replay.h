/* A recording as a source of samples: the screen, the keys and the reports work as in a live run.
 *
 * COMMAND_PAUSE, COMMAND_STEP (frames, also backwards; pauses), COMMAND_SEEK (thousandths),
 * COMMAND_CHAPTER, COMMAND_RATE and COMMAND_RESTART (to the beginning) are obeyed; COMMAND_VIEW
 * resamples the recorded cells to another size, and COMMAND_RACE races recordings that
 * are side by side in the other way. COMMAND_PLAN and COMMAND_SPEED are not: what happened can't be
 * changed.
 *
 * A recording that still grows (config->follow) is shown from its end, and each new sample as it
 * comes; after a pause, as much later. If it can't be read any more, the sample's warning reports
 * that.
 *
 * There is no thread: `latest` looks at the clock and decodes what is due, `descriptor` is a timer.
 */
#ifndef JACOBI_RECORD_REPLAY_H
#define JACOBI_RECORD_REPLAY_H

#include "config/config.h"
#include "record/playlist.h"
#include "run/source.h"

/* Whether the configuration asks for nothing but recordings: --replay, or --compare with no lane
 * that is to be computed. */
bool replay_is_asked(const struct config *config);

/* Opens what is to be replayed: files, or recordings that come with the program. Puts what the
 * screen shows apart from the samples (plan, preset, view, reference, machine) into `config`. */
enum status replay_load(struct config *config, struct playlist **playlist, struct error *error);

/* Loads it and plays it from `at_seconds` or `at_percent` at `replay_speed`. `clock` reads ns and
 * never goes backwards; NULL: the host's clock. */
enum status replay_open(struct config *config, int64_t (*clock)(void), struct source **source,
                        struct error *error);

/* Plays a playlist, which is taken over, even if this fails. `rate` 1 plays as recorded; `paused`
 * begins on the first sample. */
enum status replay_start(struct playlist *playlist, double rate, bool paused,
                         int64_t (*clock)(void), struct source **source, struct error *error);

#endif
