/* Kernels of the user's own (exercises/kernels.h), compiled into a library, in the place of a
 * module's target regions. A process takes one library, and guards it (core/sandbox.h). */
#ifndef JACOBI_KERNELS_OMP_OWN_H
#define JACOBI_KERNELS_OMP_OWN_H

#include "kernels/omp/module.h"
#include "solver/backend.h"

/* As struct backend's load_own. */
enum status own_load(const char *path, struct own_found *found, struct error *error);

/* Whether one is loaded. */
bool own_is_loaded(void);

/* Puts the user's functions in the place of those of a module. */
void own_replace(struct offload_phases *phases);

/* Maps by the user's functions; false if there are none, and nothing is done. If an array is not on
 * the device then, *missing is its name. */
bool own_enter(const struct mesh *mesh, double *const arrays[ARRAY_COUNT], const char **missing);
bool own_leave(const struct mesh *mesh, double *const arrays[ARRAY_COUNT]);

#endif
