/* Which run this is: everything that a user chooses about how a problem is solved.
 *
 * A plan asks for it, an engine completes it with what it really uses, and samples, recordings and
 * comparisons carry it. It is parsed, printed and compared here alone; the table of options
 * (config/settings.c) and the codec (record/format) list its fields. */
#ifndef JACOBI_SOLVER_RUN_ID_H
#define JACOBI_SOLVER_RUN_ID_H

#include "solver/method.h"

/* The devices of a run on several: one slab each, from the bottom row up. A device may be listed
 * more than once. */
enum { SLABS_MAX = 16, DEVICES_ALL = -1 };

struct device_choice {
    int count;   /* 0: no slabs, `device` computes everything; DEVICES_ALL: as many as there are */
    bool listed; /* these, and not the first `count` */
    int index[SLABS_MAX];
};

/* Launch parameters that can be tuned; 0 leaves the choice to the back end: `hip`, and `omp` on a
 * GPU, try some (solver/geometry.h); else `hip` takes those of AMD's program. What are blocks to
 * HIP are teams to OpenMP. */
struct tuning {
    int block;          /* threads per block of Laplacian, BoundaryConditions, Update: AMD's 256 */
    int norm_block;     /* threads per block of Norm: AMD's 512 */
    int norm_blocks;    /* blocks of Norm: AMD's 256 */
    int fused_blocks;   /* blocks of Fused per multiprocessor */
    int blocked_blocks; /* likewise of `hip`'s Blocked */
    int threads;        /* CPU threads of `threads` */
};

struct run_id {
    char backend[16]; /* its name; "" in a plan, which has choices */
    enum mapping mapping;
    enum host_memory host_memory; /* of the arrays that structured mapping copies */
    struct schedule schedule;     /* in a sample with the depth that is really used */
    enum method method;
    struct cycle cycle; /* of multigrid */
    double omega;       /* ω; OMEGA_OWN in a plan: the method's own */
    int device;         /* an index in the back end's device list */
    struct device_choice devices;
    struct tuning tuning; /* in a sample what is really used; 0: does not apply, or not known */
    bool user_kernels;    /* phases are the user's own kernels, where there are any */
};

#endif
