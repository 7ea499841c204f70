/* Plans, commands and answers as bytes: what the wire carries beside samples. Everything is
 * described by the same tables as a sample's fields (codec.h). */
#ifndef JACOBI_RECORD_FORMAT_PLAN_CODEC_H
#define JACOBI_RECORD_FORMAT_PLAN_CODEC_H

#include "record/format/codec.h"
#include "run/source.h"

/* What an engine is to be: the problem, its grid and the identity of the run, but no slab. */
void engine_spec_code(struct codec *codec, struct engine_spec *spec);

/* By its name. */
void backend_code(struct codec *codec, const struct backend **backend);

void plan_code(struct codec *codec, struct plan *plan);

/* `plan` is that of a COMMAND_PLAN; reading, command->plan points to it. */
void command_code(struct codec *codec, struct command *command, struct plan *plan);

/* Of a frame or of a check. */
uint32_t number_code(struct codec *codec, uint32_t number);

void error_code(struct codec *codec, struct error *error);

#endif
