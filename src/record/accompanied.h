/* A live session with recorded lanes alongside: a source around the session's. */
#ifndef JACOBI_RECORD_ACCOMPANIED_H
#define JACOBI_RECORD_ACCOMPANIED_H

#include "run/source.h"

/* As session_start, and the plan's recorded lanes follow the computed ones (see alongside.h). At
 * least one lane must be computed. STATUS_BAD_INPUT where a recording can't be read. */
enum status accompanied_start(const struct plan *plan, const struct view *view,
                              struct source **source, struct error *error);

#endif
