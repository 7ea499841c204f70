/* `omp`: OpenMP target offload, on a GPU or on LLVM's host device. */
#ifndef JACOBI_KERNELS_OMP_H
#define JACOBI_KERNELS_OMP_H

#include "solver/backend.h"

extern const struct backend omp_backend;

/* What struct backend's `open` promises; the back end has checked the spec. */
enum status omp_engine_open(const struct engine_spec *spec, struct event_log *events,
                            struct engine **engine, struct error *error);

#endif
