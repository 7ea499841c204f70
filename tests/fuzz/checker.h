/* See checker.c: it stands in for ui/app/checker.c. */
#ifndef JACOBI_TESTS_FUZZ_CHECKER_H
#define JACOBI_TESTS_FUZZ_CHECKER_H

/* Answers plan `index` of those asked about last: it can run (NULL), or why it can't. */
void fuzz_checker_answer(int index, const char *refusal);

#endif
