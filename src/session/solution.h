/* The solution: what is told of U when a run has ended. */
#ifndef JACOBI_SESSION_SOLUTION_H
#define JACOBI_SESSION_SOLUTION_H

#include "session/lane.h"

/* What was not read. */
extern const struct solution solution_unknown;

/* Copies U to the host and measures it, outside the loop's time. The figures stay unknown if the
 * host has too little memory or the lane has failed; a copy that fails makes the lane fail. */
struct solution solution_read(struct lane *lane, const struct problem *problem);

#endif
