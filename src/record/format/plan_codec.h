/* Plans, commands and answers as bytes, for the wire. The tables are like those for samples
 * (codec.h). */
#ifndef JACOBI_RECORD_FORMAT_PLAN_CODEC_H
#define JACOBI_RECORD_FORMAT_PLAN_CODEC_H

#include "record/format/codec.h"
#include "run/source.h"

/* The specification of an engine: problem, grid and the run's identity, without its slab. */
void engine_spec_code(struct codec *codec, struct engine_spec *spec);

/* Stored by name. */
void backend_code(struct codec *codec, const struct backend **backend);

void plan_code(struct codec *codec, struct plan *plan);

/* `plan` is the plan of a COMMAND_PLAN. Reading sets command->plan to it. */
void command_code(struct codec *codec, struct command *command, struct plan *plan);

/* The number of a frame or of a check. */
uint32_t number_code(struct codec *codec, uint32_t number);

void error_code(struct codec *codec, struct error *error);

#endif
