/* The effort of porting the blog's four kernels from plain C to a device: lines, directives,
 * launches and copies, which effort.py counts in our own source. The kernels are those of `plain`.
 */
#ifndef JACOBI_EXPLAIN_EFFORT_H
#define JACOBI_EXPLAIN_EFFORT_H

#include <stdbool.h>

enum programming_model {
    MODEL_SERIAL,
    MODEL_OMP_STRUCTURED,
    MODEL_OMP_UNSTRUCTURED,
    MODEL_HIP,
    MODEL_COUNT
};

/* Lines are those inside the functions: without heads, blank lines, comments, and what only times
 * the kernels. */
struct effort {
    int kernel_lines; /* of the four kernels, */
    int kernel_new;   /* … of which serial's kernels don't have so many */
    int host_lines;   /* of what launches the kernels, maps, allocates and copies the arrays */
    int tuned_lines;  /* of the four kernels as `classic` has them, tuned for a GPU; 0: none */
    int directives;
    int launches;               /* calls that launch a kernel; a target region needs none */
    int copies;                 /* of arrays, as written: `tofrom` is two */
    bool copies_each_iteration; /* or once, before the loop */
};

/* Made when the program is built. */
extern const struct effort efforts[MODEL_COUNT];

#endif
