/* A scan of a run's launch geometry: what an iteration takes with each. */
#ifndef JACOBI_SESSION_TUNING_SCAN_H
#define JACOBI_SESSION_TUNING_SCAN_H

#include "session/computed_lane.h"

/* As lane_ops.scan_tuning has it; `base` is a computed lane. */
void scan_tuning(struct lane *base);

#endif
