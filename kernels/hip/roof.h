/* The roof of a GPU. */
#ifndef JACOBI_HIP_ROOF_H
#define JACOBI_HIP_ROOF_H

#include "solver/backend.h"

/* See struct backend. */
enum status hip_measure_roof(int device, const struct tuning *tuning, struct roof *roof,
                             struct error *error);

#endif
