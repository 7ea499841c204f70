/* The roof of a device: the bandwidth and the arithmetic that nothing on it can exceed. */
#ifndef JACOBI_SOLVER_ROOF_H
#define JACOBI_SOLVER_ROOF_H

#include <stdbool.h>

enum roof_origin {
    ROOF_UNKNOWN,  /* the figures are NaN */
    ROOF_MEASURED, /* by a short probe on this device, now or earlier */
    ROOF_GIVEN,    /* by the preset's [machine] */
};

struct roof {
    enum roof_origin origin;
    double bandwidth_gbs; /* the best of simple streaming loops over the device's main memory */
    double gflops;        /* multiply-adds in double precision, two operations each */
    bool disturbed;       /* others used the device meanwhile: the figures may be too low */
};

#endif
