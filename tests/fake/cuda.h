/* A CUDA driver without a GPU, for tests: the calls that the HIP back end makes, in host memory,
 * and its kernels in plain C. It counts what is held, and fails when told to.
 *
 * Built as libcuda.so.1. A program that has loaded it, by path or through LD_LIBRARY_PATH, gets it
 * where it asks for "libcuda.so.1". For whole programs FAKE_CUDA_FAIL_AT and FAKE_CUDA_LOST in the
 * environment say what fake_cuda_fail says; the first questions, asked once a process, never fail
 * then. With JACOBI_FAULT="driver:7" or "driver:7+" (tests/torture/faults.h) they do.
 */
#ifndef JACOBI_TESTS_FAKE_CUDA_H
#define JACOBI_TESTS_FAKE_CUDA_H

#include <stdbool.h>

/* The `at`-th call from now on fails (0: none does); with `lost`, all calls after it too, as when a
 * device falls off the bus. */
void fake_cuda_fail(long at, bool lost);

/* Whether the failure asked for has happened. */
bool fake_cuda_has_failed(void);

/* Allocations, modules, streams, events and contexts not yet given back. */
long fake_cuda_held(void);

#endif
