/* The boundary between the program and a module that speaks MPI.
 *
 * The MPIs' binary interfaces differ, so there is one module per MPI that was found at build time,
 * and the program opens the one that fits its launcher (mpi/world.h). Each exports one table,
 * `mpi_module`. One thread at a time may call; no call spins for long without yielding its
 * processor. Functions return 0, or what `explain` puts into words. */
#ifndef JACOBI_MPI_MODULE_H
#define JACOBI_MPI_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MPI_MODULE_VERSION = 6, MPI_HOST_SIZE = 64, MPI_LIBRARY_SIZE = 64, MPI_EXPLAIN_SIZE = 160 };

/* This process among those that the launcher has started. */
struct mpi_place {
    int rank, count;                /* which of how many this is */
    int host_rank, host_count;      /* of those on its host */
    int local_rank, local_size;     /* of those there that may use the same processors */
    int hosts;                      /* how many there are */
    char host[MPI_HOST_SIZE];       /* its name */
    char library[MPI_LIBRARY_SIZE]; /* "Open MPI 4.1.4" */
    int64_t clock_offset_ns;        /* what makes this host's clock rank 0's */
};

struct mpi_group; /* the first ranks of all */

/* Rows that go to a neighbour, and its rows that come from there. There are two of each, for
 * exchanges in turn: a device may still read the last rows while the next come. Of a neighbour on
 * this host `in` is its `out`, so that only word of the rows travels. */
struct mpi_halo {
    double *out[2], *in[2];
    size_t bytes; /* of each */
};

struct mpi_module {
    int version; /* MPI_MODULE_VERSION */

    /* First and last calls. `begin` sets rank, count, host and library. `end` blocks until every
     * rank has called it. `leave` ends all ranks at once with that exit status. */
    int (*begin)(struct mpi_place *place);
    void (*end)(void);
    void (*leave)(int status);

    /* Broadcast from rank 0; receivers sleep while waiting. */
    int (*tell)(const void *bytes, int size);
    int (*hear)(void *bytes, int size);

    /* Values between two ranks, in order. Returns when `values` may be used again. */
    int (*send)(int rank, const void *values, size_t bytes);
    int (*receive)(int rank, void *values, size_t bytes);

    /* The first `count` ranks as a group whose neighbours exchange up to `values` doubles; all
     * ranks must call, those outside get NULL. `group_close` blocks until all of the group have
     * called it. */
    int (*group_open)(int count, size_t values, struct mpi_group **group);
    void (*group_close)(struct mpi_group *group);

    /* all[r*size …] = what rank r of the group gave. `gather` gives them to rank 0 alone, where
     * alone `all` is used. */
    int (*all_gather)(struct mpi_group *group, const void *mine, int size, void *all);
    int (*gather)(struct mpi_group *group, const void *mine, int size, void *all);

    /* *first = the first rank of the group that gives something, -1 if none does; all have it in
     * `bytes` then. */
    int (*take_first)(struct mpi_group *group, bool gives, void *bytes, int size, int *first);

    /* `values` doubles exchanged with the next lower rank of the group (side 0) or the next higher
     * one (1), again and again, by requests that persist. Exchange k takes out[k % 2] and fills
     * in[k % 2], neither of which may be touched from `halo_start` until `halo_wait` returns. Rows
     * of a side are written for exchange k + 2 only after those of exchange k + 1 have come.
     * `halo_close` cancels what has not arrived. */
    int (*halo_open)(struct mpi_group *group, int side, size_t values, struct mpi_halo **halo);
    int (*halo_start)(struct mpi_halo *halo);
    int (*halo_wait)(struct mpi_halo *halo);
    void (*halo_close)(struct mpi_halo *halo);

    /* Which MPI the module has found, as in struct mpi_place; needs no `begin`. Returns `name`, of
     * MPI_LIBRARY_SIZE bytes. */
    char *(*library)(char *name);

    /* What a return value means, in MPI's words. Returns `buffer`, of MPI_EXPLAIN_SIZE bytes. */
    char *(*explain)(int code, char *buffer);
};

#endif
