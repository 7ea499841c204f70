/* The processes that a launcher (mpirun, srun) has started together, including this one.
 *
 * Rank 0 owns the session, the reports and the stream; the others follow it (session/ranks.h). */
#pragma once

#include "core/process.h"
#include "core/status.h"
#include "mpi/module.h"
#include "solver/backend.h"

/* The modules' file names, terminated by NULL; those that were built are next to the program. */
extern const char *const world_modules[];

/* Opens the module that matches the launcher and begins MPI. Blocks until all ranks have begun;
 * after LIMIT_MEET it prints a line and exits. Call it once, before other threads start.
 * STATUS_UNAVAILABLE if there is no module, or if MPI does not connect the launcher's processes:
 * this one is then alone. STATUS_BAD_INPUT on every rank if a rank has a different `task`. */
enum status world_join(const struct launch *launch, uint32_t task, struct error *error);

/* Opens a module to read the name of its MPI; does not initialise MPI. Call it in a process that
 * uses no other module. */
enum status world_library(const char *module, char library[MPI_LIBRARY_SIZE], struct error *error);

/* The opened module; NULL if there is none and this process computes alone. */
const struct mpi_module *world_mpi(void);

/* This process among the others. Valid only with a world. */
const struct mpi_place *world_place(void);

/* The number of slabs of a run: the devices that it requests, one process each, or all processes.
 * STATUS_UNAVAILABLE if there are fewer processes. */
enum status world_count(const struct engine_spec *spec, int *count, struct error *error);

/* Cuts this rank's slab out of the spec. Its device is the one at the rank's number on its host,
 * modulo their count, in --devices LIST or else in the back end's list. The spec is unchanged
 * without a world, and on a rank that takes no part. STATUS_BAD_INPUT if there are too few rows. */
enum status world_cut(const struct backend *backend, const struct engine_spec *spec,
                      struct engine_spec *mine, struct error *error);

/* Converts a return value of the module to an error: STATUS_DEVICE_FAILED unless it is 0. */
enum status world_error(int code, const char *what, struct error *error);

/* Opens the transport between processes: a transport_opener for one slab in each. `context` is the
 * group of ranks that have a slab. Persistent requests carry rows between host memories. A device
 * copies its rows to and from there while it computes others. Waits for no other rank. */
enum status world_open_transport(const struct slabs_spec *slabs, struct engine *const *engines,
                                 struct transport **transport, struct error *error);

/* Finalises MPI: the last call of every rank, even after failures. Does nothing without a world. */
void world_part(void);
