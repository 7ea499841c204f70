/* See validator.c: it replaces ui/app/plan_validator.c. */
#ifndef JACOBI_TESTS_FUZZ_VALIDATOR_H
#define JACOBI_TESTS_FUZZ_VALIDATOR_H

/* Sets the result for plan `index` of the last request: it can run (NULL), or why it can't. */
void fuzz_validator_answer(int index, const char *refusal);

#endif
