/* Which run this is: everything that a user chooses about how a problem is solved.
 *
 * A plan asks for it. An engine completes it with what it really uses. Samples, recordings and
 * comparisons carry it. */
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

/* Launch parameters that can be tuned. */
enum tuning_field {
    TUNING_BLOCK,
    TUNING_NORM_BLOCK,
    TUNING_NORM_BLOCKS,
    TUNING_FUSED_BLOCKS,
    TUNING_BLOCKED_BLOCKS,
    TUNING_FIELDS,
    TUNING_DEPTH = TUNING_FIELDS /* for the tuner: of blocking; not in struct tuning */
};

/* As the options are called: "norm-block". */
extern const char *const tuning_names[TUNING_FIELDS];

/* Their values; 0 leaves the choice to the back end: `hip`, and `omp` on a
 * GPU, try some (solver/tuner.h); else `hip` takes those of AMD's program. What are blocks to
 * HIP are teams to OpenMP. */
struct tuning {
    union {
        struct {
            int block; /* threads per block of Laplacian, BoundaryConditions, Update: AMD's 256 */
            int norm_block;     /* threads per block of Norm: AMD's 512 */
            int norm_blocks;    /* blocks of Norm: AMD's 256 */
            int fused_blocks;   /* blocks of Fused per multiprocessor */
            int blocked_blocks; /* likewise of `hip`'s Blocked */
        };
        int of[TUNING_FIELDS]; /* the same, in the order of enum tuning_field */
    };
    int threads; /* CPU threads of `threads` */
};

/* The value that bit `bit` of a field of `tried` means: 2^bit, but `bit` itself for blocked-blocks,
 * which are not always powers of two. */
enum { TUNING_TRIED_BITS = 31 };

int tuning_tried(enum tuning_field field, int bit);

/* What the iteration computes with. Sums and residuals are always added up in double.
 *
 * single: every array is float. mixed: U and RHS are double, and the iteration runs on a correction
 * e in float. Now and then, before an iteration, U += e, g = RHS - A·U, both in double, and e = 0;
 * then RES = g - A·e and e += RES·factor. Jacobi is linear, so U + e are its own
 * iterates, and RES is the residual of each. */
enum precision { PRECISION_DOUBLE, PRECISION_SINGLE, PRECISION_MIXED, PRECISION_COUNT };

/* So many iterations after the last time, or as soon after as a sweep ends. It costs as much as
 * several sweeps of blocked, whose iterations cost less: theirs are more. */
static inline int refine_every(struct schedule schedule) {
    return schedule.kind == SCHEDULE_BLOCKED ? 512 : 64;
}

extern const char *const precision_names[PRECISION_COUNT + 1]; /* ended by NULL */

/* The bytes of a number in the arrays that the iteration works on. */
static inline uint64_t precision_bytes(enum precision precision) {
    return precision == PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
}

/* Bytes of doubles, as phase_minimum_bytes has them, as they are in that precision. */
static inline uint64_t precision_scale(enum precision precision, uint64_t bytes) {
    return bytes / sizeof(double) * precision_bytes(precision);
}

struct run_id {
    char backend[16]; /* its name; "" in a plan, which has choices */
    enum precision precision;
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

/* The parts of an identity that tell runs apart. Tuning does not: it changes no result. */
enum run_part {
    RUN_BACKEND = 1 << 0,
    RUN_MAPPING = 1 << 1,
    RUN_HOST_MEMORY = 1 << 2,
    RUN_SCHEDULE = 1 << 3, /* blocked's depth too */
    RUN_METHOD = 1 << 4,
    RUN_CYCLE = 1 << 5, /* if both run multigrid */
    RUN_OMEGA = 1 << 6,
    RUN_DEVICES = 1 << 7, /* their number */
    RUN_USER_KERNELS = 1 << 8,
    RUN_PRECISION = 1 << 9,
    RUN_ITERATES = /* on the same mesh: all other iterates */
    RUN_METHOD | RUN_CYCLE | RUN_OMEGA | RUN_PRECISION
};

/* The parts in which two identities differ, as a set of enum run_part. */
unsigned run_id_difference(const struct run_id *a, const struct run_id *b);

/* Whether its ω is the one that its method chooses on a mesh of nx × ny, or OMEGA_OWN. */
bool run_has_own_omega(const struct run_id *run, int nx, int ny);

/* The mesh of nx × ny damped as the run damps it: by its ω, or by its method's own. */
struct mesh run_mesh(const struct run_id *run, int nx, int ny);

#endif
