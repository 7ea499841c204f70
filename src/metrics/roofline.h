/* What the roofline shows, apart from how: roofs, points, and the sentence that says it. Pure. */
#ifndef JACOBI_METRICS_ROOFLINE_H
#define JACOBI_METRICS_ROOFLINE_H

#include "ui/draw/draw.h"
#include "ui/panels/screen.h"

/* Floating-point operations of one call of a kernel, as our source writes them: 9 an unknown for
 * Laplacian (and for each node of the rim in BoundaryConditions), 3 for Update, 2 for Norm, 14 for
 * a whole fused iteration and for each of a blocked pass's `depth`. 0 for what computes nothing. */
double roofline_flops(enum phase phase, const struct mesh *mesh, int depth);

/* What a kernel reaches: its arithmetic intensity (of the minimum traffic) and its speed. */
struct roofline_point {
    enum phase phase;
    int lane;         /* -1: of the preset's reference */
    struct roof roof; /* of the device that it was measured on; unknown for a reference */
    double intensity; /* FLOP/B */
    double gflops;
    double gbs;
    double total_ms; /* what the kernel costs the run so far; NaN for a reference */
};

enum { ROOFLINE_POINTS = LANES_MAX * PHASE_COUNT + PHASE_COUNT };

struct roofline {
    struct roof roof;  /* of the device of the lane looked at: measured there, or given by a preset
                          that is about this very device */
    struct roof given; /* the preset's, as a reference beside that: of the machine that its
                          reference ran on; unknown where it is `roof` itself */
    int count;
    struct roofline_point points[ROOFLINE_POINTS];
    struct scale intensity, gflops; /* logarithmic, hold every point and the roofs' corners */
    char sentence[256];             /* of the costliest kernel of `lane` */
};

/* The preset's figures count for a lane only where its `device` names the lane's; else, and where
 * it names none, they are only drawn. */
struct roofline roofline_make(const struct sample *sample, const struct config *config, int lane);

/* The speed that a roof allows at that intensity; infinite under a roof that is not known. */
double roof_at(const struct roof *roof, double intensity);

/* The letter of a kernel: L, B, U, N, F, T. */
char roofline_letter(enum phase phase);

#endif
