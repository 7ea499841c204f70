/* The residual of every so-many-th iterate since the start, thinned out as the run grows, so that
 * a run of any length fits one curve. */
#ifndef JACOBI_SOLVER_HISTORY_H
#define JACOBI_SOLVER_HISTORY_H

enum { HISTORY_POINTS = 1024 };

struct history {
    int count;
    long stride; /* residuals[k] is that of iterate k*stride */
    double residuals[HISTORY_POINTS];
};

void history_reset(struct history *history);

/* Offers the residual of iterate `iteration`; to be called for 0, 1, 2, … in order. */
void history_add(struct history *history, long iteration, double residual);

#endif
