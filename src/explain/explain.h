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

#endif
