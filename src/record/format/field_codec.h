/* The field's cells as they are recorded: rounded to 9 significant bits (within 0.2%, far below one
 * step of a colour map), so that the differences from the frame before are small numbers. */
#ifndef JACOBI_RECORD_FORMAT_FIELD_CODEC_H
#define JACOBI_RECORD_FORMAT_FIELD_CODEC_H

#include "record/format/codec.h"
#include "run/sample.h"

/* Rounds the cells to what a recording keeps; doing it again changes nothing. */
void field_round(struct field *field);

/* Describes the field (see codec.h). The cells must have been rounded. */
void field_code(struct codec *codec, struct field *field, const struct field *before);

#endif
