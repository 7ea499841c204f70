/* The transport between processes: halos as persistent requests of MPI. Rows travel between the
 * devices' memories if MPI says that it takes these and rows that were sent so for a trial have
 * arrived right on every rank; else they are staged through the hosts' memories. */
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

/* Instead of mpi_transport_open, on a rank whose slab can't be opened; `why` is what the others say
 * then. */
void mpi_give_up(struct mpi_group *group, const struct error *why);

/* Whether all ranks of a group have succeeded: on each of them the first failure by rank, with the
 * rank's name before it. Blocks until all have asked. */
enum status mpi_agree(struct mpi_group *group, struct error *error);

#endif
