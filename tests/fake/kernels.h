/* The back end's kernels in plain C, by name and with the same arguments. */
#ifndef JACOBI_TESTS_FAKE_KERNELS_H
#define JACOBI_TESTS_FAKE_KERNELS_H

typedef void (*fake_kernel)(unsigned blocks, unsigned threads, void **arguments);

/* NULL where there is none of that name. */
fake_kernel fake_kernel_find(const char *name);

#endif
