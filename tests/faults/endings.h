/* Runs of the tortured program, and what must be true of every ending: the program ends by itself,
 * with a status that the manual names, one clear line, and nothing half written. What is not true
 * fails the test.
 *
 * Runs are made in a folder of their own that holds good.ini and good.rec; files that a run may
 * make are called new.*.
 */
#ifndef JACOBI_TESTS_FAULTS_ENDINGS_H
#define JACOBI_TESTS_FAULTS_ENDINGS_H

/* Makes the folder; `program` is one with tests/faults/faults.c linked in. Returns 0, or not. */
int endings_begin(const char *program);
int endings_end(void);

/* Runs `line` (options, one blank between) with the 1st call of that kind failing, the 2nd, …,
 * every `step`th, until one comes through untouched; with "+" for `on`, all calls after it fail,
 * too. The kinds are those of faults.h, and "driver" for calls to the fake CUDA driver where that
 * is loaded. JACOBI_TORTURE_STEP in the environment multiplies the step. Returns how many calls
 * were failed.
 */
long endings_fail_in_turn(const char *line, const char *kind, const char *on, int step);

#endif
