/* The engine of the HIP back end: what every schedule shares. classic.c and passes.c add one
 * schedule each, and backend.c chooses. */
#ifndef JACOBI_HIP_ENGINE_H
#define JACOBI_HIP_ENGINE_H

#include "kernels/hip/vector.h"

enum { PASSES_MAX = 256 };

struct hip_engine {
    struct engine base;
    struct hip_context context;
    int stride;     /* unknowns from one row to the next: Nx, or more if rows are to be aligned */
    bool backwards; /* the last kernel's direction */

    struct hip_vector U, RHS;
    struct hip_vector cells; /* the downsampled U on the device, kept for the next time */
    double *sums;            /* pinned host memory: Norm's partial sums, or a batch's sum(RES²) */
    double *sums_device;     /* the same as the device sees it */

    /* classic */
    struct hip_vector AU, RES;
    unsigned block; /* threads per block of Laplacian, BoundaryConditions and Update */
    unsigned norm_block, norm_blocks;
    hipEvent_t norm_done;

    /* fused, blocked */
    struct hip_vector U_next;
    struct hip_geometry geometry;
    double *pass_sums; /* on the device: sum(RES²) of the batch's iterates */
    void *partials;    /* on the device: each block's part of sum(RES²) */
    void *state;       /* on the device: struct pass_state */
    double tolerance;  /* that `limit` was found for; NaN: none yet */
    double limit;      /* a pass goes on while sum(RES²) > limit */
    bool stopped;      /* on the device `stopped` may be set */
    long batch_passes; /* per batch: as many as a few milliseconds hold */
};

/* A schedule: the engine's functions for it, and what `open` adds for it (its own arrays and sums).
 * If that fails, hip_engine_close is called all the same. */
struct hip_schedule {
    const struct engine_ops *ops;
    enum status (*open)(struct hip_engine *hip, struct error *error);
};

extern const struct hip_schedule hip_classic_structured, hip_classic_resident, hip_passes;

/* As struct backend's open, for that schedule. */
enum status hip_engine_open(const struct engine_spec *spec, const struct hip_schedule *schedule,
                            struct event_log *events, struct engine **engine, struct error *error);

/* The engine's functions that do not depend on the schedule: see struct engine_ops. */
enum status hip_engine_downsample(struct engine *engine, const struct downsample *downsample,
                                  float *cells, struct error *error);
enum status hip_engine_read(struct engine *engine, double *U, struct error *error);
void hip_engine_close(struct engine *engine);

struct hip_engine *hip_engine_of(struct engine *engine);

/* Allocates hip->sums for `count` sums; hip_engine_close frees them. */
enum status hip_engine_allocate_sums(struct hip_engine *hip, size_t count, struct error *error);

/* Unknowns from one row to the next: fused and blocked want rows aligned. */
int hip_stride(const struct engine_spec *spec);

/* Turns the direction in which the next kernel walks the grid; returns whether it is backwards. */
int hip_engine_reverse(struct hip_engine *hip);

bool hip_engine_stop_requested(const struct hip_engine *hip);

/* Waits for the stream, and hands all times to the log. */
enum status hip_engine_synchronize(struct hip_engine *hip, struct error *error);

#endif
