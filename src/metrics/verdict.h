/* The verdict of a comparison: which lane is faster, by how much, why, and whether all computed the
 * same. Pure. Times and bytes are of the whole run so far (metrics/costs.h); NaN: not measured. */
#ifndef JACOBI_METRICS_VERDICT_H
#define JACOBI_METRICS_VERDICT_H

#include "metrics/labels.h"

struct lane_cost {
    char label[LABEL_SIZE];
    double ms_per_iteration;
    double copied_bytes;          /* per iteration, both ways */
    double bytes_per_update;      /* the kernels' minimum traffic, per unknown and iteration */
    double moving_ms;             /* of an iteration, in copies and allocations; NaN: not known */
    double times_slower;          /* than the fastest lane; 1 for that itself */
    double times_low, times_high; /* what the spreads of both make of it; NaN: not known */
};

enum agreement {
    AGREEMENT_UNKNOWN,  /* no iterate yet that two lanes have in common */
    AGREEMENT_NONE,     /* none is to be expected: every lane is damped differently */
    AGREEMENT_GOOD,     /* every common iterate has the same residual */
    AGREEMENT_RESIDUAL, /* an iterate's residuals differ */
    AGREEMENT_STOP,     /* the lanes stopped after different iterations */
    AGREEMENT_FAILED,   /* a lane failed */
};

enum { VERDICT_LINE = 192 };

struct verdict {
    int lane_count;
    int fastest, slowest; /* -1 while not known */
    double ratio;         /* slowest over fastest; NaN while not known */
    bool is_settling;     /* too few iterations of one of them: no big digits yet */
    struct lane_cost lanes[LANES_MAX];

    enum agreement agreement;
    long agreed_iterate; /* the last common one that agrees, or the first that does not */

    char big[16];              /* "21.8×", "" while not known */
    char claim[VERDICT_LINE];  /* "unstructured is 21.8× as fast" */
    char reason[VERDICT_LINE]; /* "structured moved 1.34 GB per iteration, unstructured 8 B" */
    char agreement_text[VERDICT_LINE]; /* "same residual after 112 iterations: 1.3829e-03" */
    char turns[VERDICT_LINE];          /* "runs take turns: …" */
};

/* Residuals agree within 1e-10 of the larger and the round-off of RES, a difference of terms of the
 * size of U/dx² and U/dy²: for |U| = 1 it makes 4ε(1/dx² + 1/dy²)/(Nx·Ny) in the blog's norm. */
bool residuals_agree(double a, double b, const struct mesh *mesh);

struct verdict verdict_make(const struct sample *sample);

/* "12 to 14×": how many times as long as the fastest lane it takes. */
char *format_times_slower(char *buffer, size_t size, const struct lane_cost *lane);

/* "claim: reason" in one line. */
char *verdict_line(char *buffer, size_t size, const struct verdict *verdict);

#endif
