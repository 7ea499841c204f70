/* The stored form of samples in a recording and on the wire (sample_codec.c, and field_codec.c for
 * cells), and of plans, commands and answers on the wire (plan_codec.c). */
#pragma once

#include "record/format/codec.h"
#include "run/source.h"

/* Reduces `sample` to its stored form: rounds cells and drops events older than a gap in the stored
 * ones. If more than RECORD_EVENTS events are new, only the newest are kept. `before` is the
 * previously stored sample, itself prepared. */
void sample_prepare(struct sample *sample, const struct sample *before);

/* Codes a prepared sample (see codec.h), except sequence, time_ns, playback, remote_command and
 * warning, which the reader sets. Reading fills `sample`; it may contain anything, but needs its
 * cells. `before` must equal the writer's: the previously stored sample, or NULL. */
void sample_code(struct codec *codec, struct sample *sample, const struct sample *before);

/* ---- Plans, commands and answers */

/* The specification of an engine: problem, grid and the run's identity, without its slab. */
void engine_spec_code(struct codec *codec, struct engine_spec *spec);

void backend_code(struct codec *codec, const struct backend **backend);
void plan_code(struct codec *codec, struct plan *plan);

/* `plan` is the plan of a COMMAND_PLAN. Reading sets command->plan to it. */
void command_code(struct codec *codec, struct command *command, struct plan *plan);

uint32_t number_code(struct codec *codec, uint32_t number); /* of a frame or of a check */
void error_code(struct codec *codec, struct error *error);
void run_code(struct codec *codec, struct run_id *run, const struct run_id *before);

extern const struct codec_field error_fields[];
extern const struct codec_field downsample_fields[];

/* ---- Internal parts */

/* Codes the events that are new since the previous sample, each as its difference from a prediction
 * by the last event of its kind. */
void events_code(struct codec *codec, struct lane_sample *lane, const struct lane_sample *before);

/* Rounds cells to the stored precision, 9 significant bits (within 0.2%, far below a step of a
 * colour map), so that differences from the previous field are small. Idempotent. */
void field_round(struct field *field);

/* Codes the field's cells, which must be rounded, and the part of the grid that they show. `room`
 * is the capacity in cells. */
void cells_code(struct codec *codec, struct field *field, const struct field *before, int room);
