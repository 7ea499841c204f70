/* The transport between processes: rows travel as persistent MPI requests from host memory to host
 * memory. A device copies its rows to and from there while it computes others. */
#ifndef JACOBI_MPI_TRANSPORT_H
#define JACOBI_MPI_TRANSPORT_H

#include "mpi/module.h"
#include "solver/transport.h"

/* What a transport_opener's `context` is. */
struct mpi_connection {
    struct mpi_group *group; /* of the ranks that have a slab; the caller's */
    bool was_asked;          /* set: whether the opener was called */
};

/* A transport_opener for one slab per process; blocks until all ranks of the group have called it
 * or mpi_give_up. */
enum status mpi_transport_open(const struct transport_spec *spec, struct transport **transport,
                               struct error *error);

/* Instead of mpi_transport_open, on a rank whose slab can't be opened; `why` is what the others
 * report then. */
void mpi_give_up(struct mpi_group *group, const struct error *why);

/* Whether all ranks of a group have succeeded: on each of them the first failure by rank, with the
 * rank's name before it. Blocks until all have asked. */
enum status mpi_agree(struct mpi_group *group, struct error *error);

#endif
