/* The parts of the omp engine: engine.c runs phases, arrays.c keeps what they work on. */
#ifndef JACOBI_KERNELS_OMP_ENGINE_H
#define JACOBI_KERNELS_OMP_ENGINE_H

#include "kernels/omp/listener.h"
#include "kernels/omp/module.h"

struct omp_engine {
    struct engine base;
    const struct offload_module *module;
    const struct offload_phases *phases; /* of the mapping */
    struct listener listener;

    double *U, *RHS;
    double *AU, *RES; /* classic */
    double *U_next;   /* fused, blocked */
    bool on_device;   /* the arrays can be used there without mapping */

    struct offload_sums *sums;
    struct offload_window *window; /* blocked */
    double norms[SCHEDULE_MAX_DEPTH];
};

/* From now on this thread's target regions are this engine's; ended by listener_set(NULL). */
void omp_engine_begin(struct omp_engine *omp);

/* Allocates arrays, sums and window. False where there is no memory; close it then too. */
bool omp_arrays_open(struct omp_engine *omp);

/* Brings the arrays, filled in, to where the mapping keeps them for the run. */
void omp_arrays_enter(struct omp_engine *omp);

/* Undoes both of the above, however far they came. */
void omp_arrays_close(struct omp_engine *omp);

/* Makes the host's U that of the device. */
void omp_arrays_update(struct omp_engine *omp);

#endif
