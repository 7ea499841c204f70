/* Opens the source of samples that a configuration asks for, and shows or reports it to its end. */
#ifndef JACOBI_START_H
#define JACOBI_START_H

#include <stdio.h>

#include "config/config.h"

/* Whether the configuration and the terminal are such that a screen shows the run. The screencast
 * of a live run is made of the screen that the user sees and drives. */
bool start_wants_screen(const struct config *config);

/* Shows it on the screen until the user quits; *signal as ui_run has it. */
enum status start_screen(struct config *config, int *signal, struct error *error);

/* Without a screen: reports a run elsewhere, a recording that still grows, or any run that is
 * drawn. */
enum status start_source(struct config *config, FILE *out, struct error *error);

/* Without a screen: compiles and checks the user's kernels, runs them, and reports that. */
enum status start_kernels(struct config *config, FILE *out, struct error *error);

/* Runs a process that is one of several, or a check; *is_done is false for rank 0 and for a process
 * of its own. `warning`: why rank 0 computes alone. A screen is never one of several: it starts
 * them. One line is enough for all processes, and if the others failed, a launcher would end the
 * one that prints it. */
enum status start_launched(const struct config *config, bool *is_done, struct error *warning,
                           struct error *error);

#endif
