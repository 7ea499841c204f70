/* Excerpts of our own source: the functions that map, launch and compute the current run.
 *
 * excerpts.py cuts them out of the kernels' files when the program is built. Functions are found by
 * their names, which depend on enum backend_model (solver/backend.h): loops on the host are
 * BACKEND_PHASE in kernels/BACKEND; target regions target_PHASE and target_PHASE_structured in
 * kernels/omp; kernels that are launched are PHASE in kernels/hip/device, and on the host
 * launch_PHASE and structured_PHASE in kernels/hip. Those of `plain` are target_plain_PHASE,
 * PlainPHASE and launch_plain_PHASE. The blog's are those of `plain`, with HIP's host side as AMD
 * teaches it: launch_PHASE and structured_PHASE in kernels/hip/device/blog.hip.
 */
#ifndef JACOBI_EXPLAIN_EXPLAIN_H
#define JACOBI_EXPLAIN_EXPLAIN_H

#include "run/sample.h"

/* A function of the source. */
struct excerpt {
    const char *file; /* "kernels/omp/device/common/laplacian.c" */
    int line;         /* of its first line, from 1 */
    const char *name;
    const char *text; /* all of it, lines ended by '\n' but for the last */
};

/* Made when the program is built; ended by a row whose name is NULL. */
extern const struct excerpt excerpts[];

/* Whose source is shown: the blog's, or what the lane runs. */
enum source_kind { SOURCE_BLOG, SOURCE_OWN, SOURCE_KINDS };

/* Whether the lane's four kernels are the blog's, or optimised from them. */
bool explain_has_blog(const struct lane_sample *lane);

/* The source of one phase; NULL if there is no such function. SOURCE_BLOG needs
 * explain_has_blog. */
struct phase_source {
    const struct excerpt *mapping; /* what maps or copies its arrays */
    const struct excerpt *launch;  /* what starts it on the device */
    const struct excerpt *kernel;  /* what computes */
};

struct phase_source explain_phase(const struct lane_sample *lane, enum phase phase,
                                  enum source_kind kind);

/* The functions that map before the loop and release after it; NULL if the mapping has none. */
struct loop_source {
    const struct excerpt *enter, *exit;
};

struct loop_source explain_loop(const struct lane_sample *lane, enum source_kind kind);

/* The directives, launches and mapped arrays of an excerpt; its head if there is none. */
struct directive {
    const char *text; /* not terminated; blanks before it are skipped */
    int length;
    int line;          /* in its file */
    bool is_continued; /* it goes on with the one before */
};

enum { DIRECTIVES_MAX = 8 };

/* Returns how many were found, one per line; at least 1. */
int explain_directives(const struct excerpt *excerpt, struct directive found[DIRECTIVES_MAX]);

/* Whether a line only times the kernel that it is in, on the device's clock. */
bool explain_is_timing(const char *line, int length);

/* One sentence: what the lane's mapping costs and why, and what the other one changes. Returns
 * `buffer`. */
char *explain_why(char *buffer, size_t size, const struct sample *sample, int lane);

/* ---- The effort of porting the blog's four kernels from plain C to a device: lines, directives,
 * launches and copies, which effort.py counts in our own source. The kernels are those of `plain`.
 */

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
