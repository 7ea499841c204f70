/* A slab's batches for engines whose phases and passes block: what `slab_ops` needs beyond them.
 *
 * The engine sets `batch` in its struct engine, and takes the functions into its slab_ops. Edges
 * are all but Norm of classic, which the exchange can hide behind, and the whole pass of fused and
 * blocked. */
#ifndef JACOBI_SOLVER_BATCH_H
#define JACOBI_SOLVER_BATCH_H

#include "solver/engine.h"

struct slab_batch {
    /* Keeps what the batch began with. Classic: before its first iteration, by a copy of U. Fused
     * and blocked: when the first pass is accepted, by taking U_next, which the batch began with,
     * and giving another array in its place. */
    enum status (*checkpoint)(struct engine *engine, struct error *error);
    long made;        /* iterations so far */
    bool fresh;       /* the next pass is the first, */
    bool checkpoints; /* and what it reads is to be kept */
    double *sums;     /* of the iterations; room for SLAB_BATCH_MAX passes */
};

/* False if there is no memory. */
bool batch_open(struct slab_batch *batch);
void batch_close(struct slab_batch *batch);

/* As in struct slab_ops. */
enum status batch_begin(struct engine *engine, bool checkpoint, struct error *error);
enum status batch_boundary_rows(struct engine *engine, int depth, struct error *error);
enum status batch_interior_rows(struct engine *engine, int depth, struct error *error);
enum status batch_end(struct engine *engine, double *sums, struct error *error);

#endif
