/* Excerpts of our source: the functions that map, launch and compute the current run.
 *
 * excerpts.py extracts them from the kernels' files when the program is built. Functions are found
 * by name. The names depend on enum backend_model (solver/backend.h):
 * - host loops: BACKEND_PHASE in kernels/BACKEND
 * - target regions: target_PHASE and target_PHASE_structured in kernels/omp
 * - launched kernels: PHASE in kernels/hip/device, launch_PHASE and structured_PHASE in kernels/hip
 * - `plain` and the blog: target_plain_PHASE, PlainPHASE and launch_plain_PHASE; the blog's HIP
 *   host functions are launch_PHASE and structured_PHASE in kernels/hip/device/blog.hip, as AMD
 *   teaches. */
#pragma once

#include "run/sample.h"

/* A function of the source. */
struct excerpt {
    const char *file; /* "kernels/omp/device/common/laplacian.c" */
    int line;         /* of its first line, from 1 */
    const char *name;
    const char *text; /* the whole function; only the last line has no newline */
};

/* Generated at build time; a row whose name is NULL ends the table. */
extern const struct excerpt excerpts[];

/* The source to show: the blog's, or the code that the lane runs. */
enum source_kind { SOURCE_BLOG, SOURCE_OWN, SOURCE_KINDS };

/* Whether the lane's four kernels are the blog's or optimised versions of them. */
bool explain_has_blog(const struct lane_sample *lane);

/* The source of one phase; NULL if there is no such function. SOURCE_BLOG needs
 * explain_has_blog. */
struct phase_source {
    const struct excerpt *mapping; /* maps or copies its arrays */
    const struct excerpt *launch;  /* starts it on the device */
    const struct excerpt *kernel;  /* computes it */
};

struct phase_source explain_phase(const struct lane_sample *lane, enum phase phase,
                                  enum source_kind kind);

/* The functions that map before the loop and release after it; NULL if the mapping has none. */
struct loop_source {
    const struct excerpt *enter, *exit;
};

struct loop_source explain_loop(const struct lane_sample *lane, enum source_kind kind);

/* The directives, launches and mapped arrays of an excerpt; its first line if there are none. */
struct directive {
    const char *text; /* not terminated; leading blanks are skipped */
    int length;
    int line;             /* in its file */
    bool is_continued;    /* continues the previous line */
    enum event_kind kind; /* of a line that copies one array; otherwise EVENT_KERNEL */
};

enum { DIRECTIVES_MAX = 8 };

/* Returns their number, one per line; at least 1. */
int explain_directives(const struct excerpt *excerpt, struct directive found[DIRECTIVES_MAX]);

/* Whether a line only times its kernel, on the device's clock. */
bool explain_is_timing(const char *line, int length);

/* One sentence: the cost of the lane's mapping, its reason, and the effect of the other mapping.
 * Returns `buffer`. */
char *explain_why(char *buffer, size_t size, const struct sample *sample, int lane);

/* ---- The effort of porting the blog's four kernels from plain C to a device: lines, directives,
 * launches and copies, which effort.py counts in our source. The kernels are those of `plain`. */

enum programming_model {
    MODEL_SERIAL,
    MODEL_OMP_STRUCTURED,
    MODEL_OMP_UNSTRUCTURED,
    MODEL_HIP,
    MODEL_COUNT
};

/* Lines inside the functions, without heads, blank lines, comments, and lines that only time the
 * kernels. */
struct effort {
    int kernel_lines; /* of the four kernels */
    int kernel_new;   /* of these, lines that serial's kernels don't have */
    int host_lines;   /* code that launches kernels, and maps, allocates and copies arrays */
    int tuned_lines;  /* of the four optimised kernels of `classic`; 0: none */
    int directives;
    int launches;               /* calls that launch a kernel; target regions need none */
    int copies_in, copies_out;  /* of arrays, as written: `tofrom` counts in both */
    bool copies_each_iteration; /* false: once, before the loop */
};

/* Generated at build time. */
extern const struct effort efforts[MODEL_COUNT];
