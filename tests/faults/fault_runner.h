/* Runs the program with faults injected (faults.h) and checks how it ends: by itself, with a status
 * that the manual names, one clear line, and nothing half written. Anything else fails the test.
 *
 * The folder holds good.ini, good.rec and `there`; files that a run may make are called new.*.
 */
#ifndef JACOBI_TESTS_FAULTS_FAULT_RUNNER_H
#define JACOBI_TESTS_FAULTS_FAULT_RUNNER_H

/* Setup of a group of tests: makes what their lines name. */
int fault_runner_setup(void **state);

/* The step of fail_each: 1 in full mode, else `step`. */
int fault_sample(int step);

/* Runs `line` (options, one blank between) with one call of that kind failing after the other, as
 * fail_each (launch.h) has it. The kinds are those of faults.h (after "nan" and "inf" the line must
 * name the cell), and "driver" for calls to a fake GPU driver if that is loaded. After "--on
 * ./there" they are those of the solver's process, after "--on ./sound" of this one. Returns how
 * many calls were made to fail. */
long fault_runner_fail_each(const char *line, const char *kind, const char *on, int step);

#endif
