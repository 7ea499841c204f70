/* The engine of the HIP back end: what its schedules share. */
#ifndef JACOBI_HIP_ENGINE_H
#define JACOBI_HIP_ENGINE_H

#include "kernels/hip/vector.h"

enum { PASSES_MAX = 256 };

struct hip_engine {
    struct engine base;
    struct hip_context context;
    int stride; /* unknowns from one row to the next: Nx, or more where rows are to be aligned */
    bool backwards; /* the last kernel's direction */

    struct hip_vector U, RHS;
    struct hip_vector AU, RES; /* classic */
    struct hip_vector U_next;  /* fused, blocked */
    struct hip_vector picture; /* the reduced U, kept from one picture to the next */

    double *sums;        /* pinned host memory: Norm's partial sums, or sum(RES²) of a batch */
    double *sums_device; /* the same as the device sees it */
    hipEvent_t done;     /* after the Norm that is waited for */

    /* fused, blocked */
    unsigned rows;     /* a block's */
    unsigned blocks;   /* of a pass */
    double *pass_sums; /* on the device: sum(RES²) of the batch's iterates */
    void *partials;    /* on the device: each block's share of sum(RES²) */
    void *state;       /* on the device: struct pass_state */
    double tolerance;  /* that `limit` was found for; NaN: none yet */
    double limit;      /* a pass goes on while sum(RES²) > limit */
    bool stopped;      /* on the device `stopped` may be set */
    long passes;       /* a batch's: as many as a few milliseconds hold */
};

struct hip_engine *hip_engine_of(struct engine *engine);

/* Turns the direction in which the next kernel walks the grid. */
int hip_engine_reverse(struct hip_engine *hip);

/* Waits, and hands all times to the log. */
enum status hip_engine_synchronize(struct hip_engine *hip, struct error *error);

/* Threads a block of Laplacian, BoundaryConditions and Update; of Norm; and Norm's blocks. */
unsigned hip_block(const struct hip_engine *hip);
unsigned hip_norm_block(const struct hip_engine *hip);
unsigned hip_norm_blocks(const struct hip_engine *hip);

/* What `open` has to add for a schedule, and the functions it runs with. On failure close is called
 * all the same. */
enum status hip_classic_open(struct hip_engine *hip, struct error *error);
enum status hip_passes_open(struct hip_engine *hip, struct error *error);

/* The functions for the engine's mapping and schedule. */
extern const struct engine_ops hip_classic_structured_ops, hip_classic_resident_ops, hip_passes_ops;

/* Those of all of them. */
enum status hip_engine_downsample(struct engine *engine, const struct downsample *downsample,
                                  float *cells, struct error *error);
enum status hip_engine_read(struct engine *engine, double *U, struct error *error);
void hip_engine_close(struct engine *engine);

enum status hip_engine_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error);

#endif
