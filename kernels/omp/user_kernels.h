/* Kernels of the user's own (exercises/kernels.h), compiled into a library, in the place of a
 * module's target regions. A process takes one library, and guards it (core/sandbox.h). */
#ifndef JACOBI_KERNELS_OMP_USER_KERNELS_H
#define JACOBI_KERNELS_OMP_USER_KERNELS_H

#include "kernels/omp/module.h"
#include "solver/backend.h"

/* As struct backend's load_user_kernels. */
enum status user_kernels_load(const char *path, struct user_library *found, struct error *error);

/* Whether one is loaded. */
bool user_kernels_is_loaded(void);

/* Puts the user's functions in the place of those of a module. */
void user_kernels_replace(struct kernels *kernels);

/* Maps by the user's functions; false if there are none, and nothing is done. If an array is not on
 * the device then, *missing is its name. */
bool user_kernels_enter(const struct mesh *mesh, void *U, void *AU, void *RES, void *RHS,
                        const char **missing);
bool user_kernels_leave(const struct mesh *mesh, void *U, void *AU, void *RES, void *RHS);

#endif
