/* The interface between the program and a module that calls MPI.
 *
 * The binary interfaces of MPIs differ. There is one module per MPI found at build time, and the
 * program opens the one that matches its launcher (mpi/world.h). Each module exports one table,
 * `mpi_module`. One thread at a time may call it. No call spins for long without yielding its
 * processor. Functions return 0, or a code for `explain`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MPI_MODULE_VERSION = 6, MPI_HOST_SIZE = 64, MPI_LIBRARY_SIZE = 64, MPI_EXPLAIN_SIZE = 160 };

/* This process among those that the launcher started. */
struct mpi_place {
    int rank, count;                /* this rank, and the number of ranks */
    int host_rank, host_count;      /* the same among ranks on this host */
    int local_rank, local_size;     /* … on this host with the same processors */
    int hosts;                      /* number of hosts */
    char host[MPI_HOST_SIZE];       /* this host's name */
    char library[MPI_LIBRARY_SIZE]; /* "Open MPI 4.1.4" */
    int64_t clock_offset_ns;        /* rank 0's clock minus this host's */
};

struct mpi_group; /* the first ranks of the world */

/* Rows for a neighbour (`out`) and rows from it (`in`). There are two buffers of each for alternate
 * exchanges: a device may still read the last rows while the next arrive. For a neighbour on this
 * host `in` is its `out`, so that only a notification is sent. */
struct mpi_halo {
    double *out[2], *in[2];
    size_t bytes; /* of each buffer */
};

struct mpi_module {
    int version; /* MPI_MODULE_VERSION */

    /* First and last calls. `begin` sets rank, count, host and library. `end` blocks until every
     * rank has called it. `leave` immediately ends all ranks with that exit status. */
    int (*begin)(struct mpi_place *place);
    void (*end)(void);
    void (*leave)(int status);

    /* Broadcast from rank 0. Receivers sleep while waiting. */
    int (*tell)(const void *bytes, int size);
    int (*hear)(void *bytes, int size);

    /* Transfers bytes between two ranks, in order. Returns when `values` may be reused. */
    int (*send)(int rank, const void *values, size_t bytes);
    int (*receive)(int rank, void *values, size_t bytes);

    /* Makes a group of the first `count` ranks, whose neighbours exchange up to `values` doubles.
     * All ranks must call it; ranks outside get NULL. `group_close` blocks until the whole group
     * has called it. */
    int (*group_open)(int count, size_t values, struct mpi_group **group);
    void (*group_close)(struct mpi_group *group);

    /* Collects `size` bytes from each rank r of the group in all[r*size …]. `gather` does so only
     * on rank 0; other ranks ignore `all`. */
    int (*all_gather)(struct mpi_group *group, const void *mine, int size, void *all);
    int (*gather)(struct mpi_group *group, const void *mine, int size, void *all);

    /* Sets *first to the first rank of the group that `gives`, -1 if none does. Its `bytes` are
     * then copied to all ranks. */
    int (*take_first)(struct mpi_group *group, bool gives, void *bytes, int size, int *first);

    /* Exchanges `values` doubles repeatedly with the next lower rank of the group (side 0) or the
     * next higher one (1), by persistent requests. Exchange k sends out[k % 2] and fills in[k % 2].
     * Neither may be accessed from `halo_start` until `halo_wait` returns. Rows for exchange k + 2
     * may be written only after those of exchange k + 1 have arrived. `halo_close` cancels pending
     * receives. */
    int (*halo_open)(struct mpi_group *group, int side, size_t values, struct mpi_halo **halo);
    int (*halo_start)(struct mpi_halo *halo);
    int (*halo_wait)(struct mpi_halo *halo);
    void (*halo_close)(struct mpi_halo *halo);

    /* The MPI library's name, as in struct mpi_place; needs no `begin`. Returns `name`, of
     * MPI_LIBRARY_SIZE bytes. */
    char *(*library)(char *name);

    /* MPI's text for a return value. Returns `buffer`, of MPI_EXPLAIN_SIZE bytes. */
    char *(*explain)(int code, char *buffer);
};
