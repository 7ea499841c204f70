/* The verdict of a comparison: which lane is faster, by how much, why, and whether all results
 * agree. Pure. Times and bytes are of the whole run so far (metrics/costs.h); NaN: not measured. */
#pragma once

#include "metrics/costs.h"
#include "metrics/labels.h"

struct lane_cost {
    char label[LABEL_SIZE];
    struct costs costs;           /* of the whole run so far */
    double times_slower;          /* relative to the fastest lane, which has 1 */
    double times_low, times_high; /* bounds from the quartiles of both lanes; NaN: unknown */
    bool is_tied;                 /* may be as fast as the fastest, or is it */
    bool is_settling;             /* too few iterations of it or of the fastest for a ratio */
};

enum agreement {
    AGREEMENT_UNKNOWN,  /* no common iterate yet */
    AGREEMENT_NONE,     /* not expected: no two lanes compute the same iterates */
    AGREEMENT_GOOD,     /* every common iterate has the same residual */
    AGREEMENT_RESIDUAL, /* residuals of an iterate differ */
    AGREEMENT_STOP,     /* the lanes stopped after different iterations */
    AGREEMENT_FAILED,   /* a lane failed */
};

enum { VERDICT_LINE = 192 };

struct verdict {
    int lane_count;
    int fastest, slowest; /* -1: not known yet */
    double ratio;         /* slowest over fastest; NaN: not known yet */
    bool is_settling;     /* a lane's */
    bool is_equal;  /* no lane's time differs from the fastest one's by more than their spreads */
    bool is_unsure; /* so, and the spreads exceed 2 %: no ratio is known */
    struct lane_cost lanes[LANES_MAX];

    enum agreement agreement;
    long agreed_iterate; /* the last common iterate that agrees, or the first that differs */

    char big[16];              /* "21.8×"; "": not known within 10 %, or the claim has no ratio */
    char claim[VERDICT_LINE];  /* "unstructured is 21.8× as fast" */
    char reason[VERDICT_LINE]; /* "structured moved 1.34 GB per iteration, unstructured 8 B";
                                  "mapping about 11 to 14×, schedule 1.6 to 2.0×" */
    char parts[VERDICT_LINE];  /* what a settling ratio needs; of two mappings whose kernels differ:
                                  "A's kernels take 2.75× as long for the same work; of 50.0 ms
                                  more, kernels: 28.0 ms, copies: 22.0 ms"; otherwise "" */
    char agreement_text[VERDICT_LINE]; /* "same residual after 112 iterations: 1.3829e-03" */
    char turns[VERDICT_LINE];          /* "runs take turns: …" */
};

/* Whether two residuals agree within 1e-10 of the larger, 1e-6 in single and mixed precision, plus
 * the round-off of RES. For |U| = 1 that is 4ε(1/dx² + 1/dy²)/(Nx·Ny) in the blog's norm: RES
 * subtracts terms of size U/dx². */
bool residuals_agree(double a, double b, const struct mesh *mesh, enum precision precision);

struct verdict verdict_make(const struct sample *sample);

/* "12 to 14×": the time relative to the fastest lane; "–" while it settles. */
char *format_times_slower(char *buffer, size_t size, const struct lane_cost *lane);

/* "13×": the same for big digits; "" if it is not known within 10 %. */
char *format_times_big(char *buffer, size_t size, const struct lane_cost *lane);

/* "claim: reason" in one line. */
char *verdict_line(char *buffer, size_t size, const struct verdict *verdict);
