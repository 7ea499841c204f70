/* What a recording is for: it is shown, or reported. */
#ifndef JACOBI_TESTS_FUZZ_SHOW_H
#define JACOBI_TESTS_FUZZ_SHOW_H

#include "config/config.h"
#include "run/sample.h"

/* Call it once, before the first sample is shown. */
void show_begin(void);

/* Shows the sample on a screen, or reports it: `way` (any number) chooses the panel or the format,
 * `how` the colours, scale, size and place in the timeline. Ends the process if a report is neither
 * written nor refused in one line, or holds what a terminal would obey. */
void show_sample(struct config *config, const struct sample *sample, int way, int how);

#endif
