/* The processes that a launcher (mpirun, srun) has started together, of which this is one.
 *
 * Rank 0 has the session, the reports and the stream; the others follow it
 * (session/ranks.h). */
#ifndef JACOBI_MPI_WORLD_H
#define JACOBI_MPI_WORLD_H

#include "core/process.h"
#include "core/status.h"
#include "mpi/module.h"
#include "solver/backend.h"

/* The modules' files, ended by NULL; those that were built are beside the program. */
extern const char *const world_modules[];

/* Opens the module that fits the launcher and begins MPI; blocks until all ranks have, and ends the
 * process with a line if they have not within LIMIT_MEET. Called once, before other threads begin.
 * STATUS_UNAVAILABLE if there is no module, or if MPI does not see the processes that the launcher
 * has started: this one is alone. STATUS_BAD_INPUT on every rank if another has not this one's
 * `task`. */
enum status world_join(const struct launch *launch, uint32_t task, struct error *error);

/* Opens that module, to learn which MPI it finds; MPI does not begin. To be called in a process
 * that uses no other module. */
enum status world_library(const char *module, char library[MPI_LIBRARY_SIZE], struct error *error);

/* NULL if there is none: then this process computes alone. */
const struct mpi_module *world_mpi(void);

/* This process among the others; only with a world. */
const struct mpi_place *world_place(void);

/* How many slabs a run has: the devices that it asks for, one process each, or all processes.
 * STATUS_UNAVAILABLE if there are fewer processes. */
enum status world_count(const struct engine_spec *spec, int *count, struct error *error);

/* What this rank is asked to compute: its slab, on the device whose place in the back end's list is
 * the rank's number on its host, modulo the devices there. Without a world, and on a rank that has
 * no part in the run, the spec as it is. STATUS_BAD_INPUT if there are too few rows. */
enum status world_cut(const struct backend *backend, const struct engine_spec *spec,
                      struct engine_spec *mine, struct error *error);

/* What a function of the module returned, as an error: STATUS_DEVICE_FAILED unless it is 0. */
enum status world_error(int code, const char *what, struct error *error);

/* The transport between processes, a transport_opener for one slab in each; `context` is the group
 * of ranks that have a slab. Rows travel as persistent requests from host memory to host memory. A
 * device copies its rows to and from there while it computes others. Blocks for no other rank. */
enum status world_open_transport(const struct slabs_spec *slabs, struct engine *const *engines,
                                 struct transport **transport, struct error *error);

/* The last call of every rank, whatever has failed before. NULL-safe: does nothing without a world.
 */
void world_part(void);

#endif
