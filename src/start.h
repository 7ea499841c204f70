/* Opens the source of samples that a configuration requires, and shows or reports it to its end, or
 * prints a document instead. */
#pragma once

#include <stdio.h>

#include "config/config.h"

/* Returns whether the run is shown on a screen, given the configuration and the terminal. The
 * screencast of a live run is made from the screen that the user sees and drives. */
bool start_wants_screen(const struct config *config);

/* Prints the document requested instead of a run; *number: the signal that ended it, 0 if none. */
enum status start_document(struct config *config, int *number, struct error *error);

/* Shows the source on the screen until the user quits; *signal as in ui_run. */
enum status start_screen(struct config *config, int *signal, struct error *error);

/* Without a screen: reports a remote run, a growing recording, or any run that is drawn. */
enum status start_source(struct config *config, FILE *out, struct error *error);

/* Without a screen: compiles and checks the user's kernels, runs them, and reports the run. */
enum status start_kernels(struct config *config, FILE *out, struct error *error);

/* Runs a process that is one of several, or a check. *is_done is false for rank 0 and for a single
 * process. `warning`: the reason why rank 0 computes alone. A process with a screen is never one of
 * several: it starts them. One process reports an error for all, and the others succeed: if they
 * failed, a launcher would end the reporting one. */
enum status start_launched(const struct config *config, bool *is_done, struct error *warning,
                           struct error *error);
