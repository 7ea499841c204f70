/* Runs the program with injected faults (faults.h) and checks its end: it must end by itself, with
 * an exit status from the manual, one clear line, and no partial output. Anything else fails the
 * test.
 *
 * The folder contains good.ini, good.rec and `there`; files that a run may create are named new.*.
 */
#pragma once

/* Setup of a group of tests: makes the files that the tests' command lines name. */
int fault_runner_setup(void **state);

/* The step for fail_each: 1 in full mode, else `step`. */
int fault_sample(int step);

/* Runs `line` (options, separated by one blank) with each call of `kind` failing in turn, as in
 * fail_each (launch.h). The kinds are those of faults.h, and "driver" for calls to a loaded fake
 * GPU driver. After "nan" and "inf" the output line must name the cell. With "--on ./there" the
 * faults are in the solver's process, with "--on ./sound" in this one. Returns the number of failed
 * calls. */
long fault_runner_fail_each(const char *line, const char *kind, const char *on, int step);
