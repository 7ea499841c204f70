/* A recording as a source of samples: the screen, the keys and the reports work as in a live run.
 *
 * COMMAND_PAUSE, COMMAND_STEP (frames, also backwards; pauses), COMMAND_SEEK (thousandths),
 * COMMAND_CHAPTER, COMMAND_RATE and COMMAND_RESTART (to the beginning) are obeyed; COMMAND_VIEW
 * makes the recorded cells anew for another picture size, and COMMAND_RACE races recordings that
 * are side by side in the other way. COMMAND_PLAN and COMMAND_SPEED are not: what happened can't be
 * changed.
 *
 * There is no thread: `latest` looks at the clock and decodes what is due, `descriptor` is a timer.
 */
#ifndef JACOBI_RECORD_REPLAY_H
#define JACOBI_RECORD_REPLAY_H

#include "config/config.h"
#include "record/reel.h"
#include "run/source.h"

/* Takes the recording, also where it fails. `rate` 1 plays as recorded; `paused` begins on the
 * first sample. */
enum status replay_start(struct recording *recording, double rate, bool paused,
                         struct source **source, struct error *error);

/* Whether the configuration asks for nothing but recordings: --replay, or --compare with no lane
 * that is to be computed. */
bool replay_is_asked(const struct config *config);

/* Opens what is to be replayed, files or recordings that come with the program, and replays it from
 * `at_seconds` or `at_percent` at `replay_speed`. What the screen shows beside the samples (plan,
 * preset, view, reference, machine) is put into the configuration. `clock` as below; NULL: the
 * host's. */
enum status replay_open(struct config *config, int64_t (*clock)(void), struct source **source,
                        struct error *error);

/* Just what is to be played, and the configuration filled. */
enum status replay_load(struct config *config, struct reel **reel, struct error *error);

/* As replay_start, of a reel, which is taken over, also where it fails. */
enum status replay_start_reel(struct reel *reel, double rate, bool paused, int64_t (*clock)(void),
                              struct source **source, struct error *error);

/* As replay_start, with the clock (ns, never backwards) given: for tests. */
enum status replay_start_with_clock(struct recording *recording, double rate, bool paused,
                                    int64_t (*clock)(void), struct source **source,
                                    struct error *error);

#endif
