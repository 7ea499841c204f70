/* Shows or reports a recording. */
#pragma once

#include "config/config.h"
#include "run/sample.h"

/* Must be called once, before the first sample is shown. */
void show_begin(void);

/* Shows the sample on a screen, or reports it. `way` (any number) selects the panel or the format,
 * `how` the colours, scale, size and position in the timeline. Ends the process if a report is
 * neither written nor rejected in one line, or contains terminal controls. */
void show_sample(struct config *config, const struct sample *sample, int way, int how);
