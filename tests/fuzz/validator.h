/* See validator.c: it stands in for ui/app/plan_validator.c. */
#ifndef JACOBI_TESTS_FUZZ_VALIDATOR_H
#define JACOBI_TESTS_FUZZ_VALIDATOR_H

/* Answers plan `index` of those asked about last: it can run (NULL), or why it can't. */
void fuzz_validator_answer(int index, const char *refusal);

#endif
