/* The identity of a run: everything that a user chooses about how a problem is solved.
 *
 * A plan requests it. An engine completes it with the values in use. Samples, recordings and
 * comparisons carry it. */
#pragma once

#include "solver/method.h"

/* The devices of a multi-device run: one slab each, from the bottom row up. A device may be listed
 * more than once. */
enum { SLABS_MAX = 16, DEVICES_ALL = -1 };

struct device_choice {
    int count;   /* 0: no slabs, `device` computes everything; DEVICES_ALL: all devices */
    bool listed; /* the devices are those in `index`, not the first `count` */
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
    TUNING_DEPTH = TUNING_FIELDS /* depth of blocking, for the tuner; not in struct tuning */
};

/* The launch parameters' option names: "norm-block". */
extern const char *const tuning_names[TUNING_FIELDS];

/* The launch parameters' values. 0 leaves the choice to the back end: `hip`, and `omp` on a GPU,
 * autotune some of them (solver/tuner.h); otherwise `hip` uses those of AMD's program. HIP's blocks
 * are OpenMP's teams. */
struct tuning {
    union {
        struct {
            int block; /* threads per block of Laplacian, BoundaryConditions, Update; AMD: 256 */
            int norm_block;     /* threads per block of Norm; AMD: 512 */
            int norm_blocks;    /* blocks of Norm; AMD: 256 */
            int fused_blocks;   /* blocks of Fused per multiprocessor */
            int blocked_blocks; /* the same for `hip`'s Blocked */
        };
        int of[TUNING_FIELDS]; /* the same, in the order of enum tuning_field */
    };
    int threads; /* CPU threads of back end `threads` */
};

/* Returns the value that bit `bit` of a field of `tried` denotes: 2^bit, but `bit` itself for
 * blocked-blocks, whose values are not always powers of two. */
enum { TUNING_TRIED_BITS = 31 };

int tuning_tried(enum tuning_field field, int bit);

/* The precision of the iteration. Sums and residuals are always accumulated in double.
 *
 * single: every array is float. mixed: U and RHS are double, and the iteration runs on a correction
 * e in float. At intervals, before an iteration, U += e and g = RHS - A·U are computed in double,
 * and e = 0. Every iteration computes RES = g - A·e and e += RES·factor. Jacobi is linear, so the
 * sums U + e are its iterates, and RES is the residual of each. */
enum precision { PRECISION_DOUBLE, PRECISION_SINGLE, PRECISION_MIXED, PRECISION_COUNT };

/* Returns the iterations between refinements, which wait for the end of a pass. A refinement costs
 * several passes of blocked, whose iterations are cheaper, so blocked refines less often. */
static inline int refine_every(struct schedule schedule) {
    return schedule.kind == SCHEDULE_BLOCKED ? 512 : 64;
}

extern const char *const precision_names[PRECISION_COUNT + 1]; /* ended by NULL */

/* Returns the bytes per element of the arrays that the iteration works on. */
static inline uint64_t precision_bytes(enum precision precision) {
    return precision == PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
}

/* Converts bytes of doubles, as from phase_minimum_bytes, to bytes in that precision. */
static inline uint64_t precision_scale(enum precision precision, uint64_t bytes) {
    return bytes / sizeof(double) * precision_bytes(precision);
}

struct run_id {
    char backend[16]; /* the back end's name; "" in a plan, which lists choices */
    enum precision precision;
    enum mapping mapping;
    enum host_memory host_memory; /* of the arrays that structured mapping copies */
    struct schedule schedule;     /* in a sample: with the depth in use */
    enum method method;
    struct cycle cycle; /* multigrid's */
    double omega;       /* ω; OMEGA_OWN in a plan: the method's own */
    int device;         /* an index in the back end's device list */
    struct device_choice devices;
    struct tuning tuning; /* in a sample: the values in use; 0: does not apply, or not known */
    bool user_kernels;    /* the user's own kernels replace the phases that they implement */
};

/* The parts of an identity that distinguish runs. Tuning does not: it changes no result. */
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
    RUN_ITERATES = /* the parts that change the iterates on a given mesh */
    RUN_METHOD | RUN_CYCLE | RUN_OMEGA | RUN_PRECISION
};

/* Returns the parts in which two identities differ, as a set of enum run_part. */
unsigned run_id_difference(const struct run_id *a, const struct run_id *b);

/* Returns whether ω is OMEGA_OWN or the method's own choice on a mesh of nx × ny. */
bool run_has_own_omega(const struct run_id *run, int nx, int ny);

/* Returns the mesh of nx × ny with the run's damping: its ω, or its method's own. */
struct mesh run_mesh(const struct run_id *run, int nx, int ny);
