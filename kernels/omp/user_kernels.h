/* Replaces a module's target regions with the user's own kernels (exercises/kernels.h), compiled
 * into a library. A process loads one library, and guards it (core/sandbox.h). */
#pragma once

#include "kernels/omp/module.h"
#include "solver/backend.h"

/* Loads a library, as struct backend's load_user_kernels. */
enum status user_kernels_load(const char *path, struct user_library *found, struct error *error);

bool user_kernels_is_loaded(void);

/* Replaces a module's functions with the user's. */
void user_kernels_replace(struct kernels *kernels);

/* Maps the arrays by the user's functions. Returns false and does nothing if there are none. If an
 * array is not on the device afterwards, *missing is its name. */
bool user_kernels_enter(const struct mesh *mesh, void *U, void *AU, void *RES, void *RHS,
                        const char **missing);
bool user_kernels_leave(const struct mesh *mesh, void *U, void *AU, void *RES, void *RHS);
