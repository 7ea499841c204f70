/* Phases of an iteration, arrays, mappings and schedules, and their names. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "solver/mesh.h"

/* The activities of the solver. The first four are an iteration of `classic`, in order. */
enum phase {
    PHASE_LAPLACIAN,
    PHASE_BOUNDARY,
    PHASE_UPDATE,
    PHASE_NORM,
    PHASE_FUSED,        /* one whole iteration in one pass */
    PHASE_BLOCKED,      /* several whole iterations in one pass */
    PHASE_SWEEP,        /* one colour of SOR, or of a similar smoother, with U updated in place */
    PHASE_RESTRICTION,  /* multigrid: RHS - AU, restricted to the next coarser level */
    PHASE_PROLONGATION, /* multigrid: the coarser level's U, interpolated as a correction */
    PHASE_DOWNSAMPLE,   /* U reduced to the displayed cells; like Setup, not part of the loop */
    PHASE_SETUP,        /* before and after the loop: initial and final mapping */
    PHASE_COUNT
};

/* The blog's names: "Laplacian", "BoundaryConditions", "Update", "Norm"; "Fused", "Blocked",
 * "Sweep", "Restriction", "Prolongation", "Downsample", "Setup". */
extern const char *const phase_names[PHASE_COUNT];

/* Returns the minimum bytes that one call of a kernel moves to and from memory. Per unknown these
 * are 16 for Laplacian, 40 for Update, 8 for Norm, 24 for Fused and for a Blocked pass of any
 * depth, and 24 for Sweep (half the unknowns, but every cache line). Restriction and Prolongation
 * move 16, plus the coarser level's bytes (method_minimum_bytes). BoundaryConditions writes the
 * unknowns next to the boundary, and reads these and their inner neighbours. Downsample reads U. */
uint64_t phase_minimum_bytes(enum phase phase, const struct mesh *mesh);

/* Operations and numbers per lattice update of a whole iteration, as AMD's program counts them. */
enum { BLOG_FLOP_PER_UPDATE = 17, BLOG_NUMBERS_PER_UPDATE = 12 };

enum array { ARRAY_NONE, ARRAY_U, ARRAY_AU, ARRAY_RHS, ARRAY_RES, ARRAY_NORM, ARRAY_COUNT };

/* "U", "AU", "RHS", "RES", "norm"; "" for ARRAY_NONE. */
extern const char *const array_names[ARRAY_COUNT];

enum mapping {
    MAPPING_STRUCTURED,   /* each kernel maps its own arrays around itself */
    MAPPING_UNSTRUCTURED, /* arrays stay on the device for the whole run */
    MAPPING_UNIFIED,      /* one memory for host and device */
    MAPPING_COUNT
};

extern const char *const mapping_names[MAPPING_COUNT + 1]; /* ended by NULL */

/* The source of structured mapping's copies: pageable memory, which the driver copies a second
 * time, or pinned memory, which the device accesses directly. */
enum host_memory { HOST_PAGEABLE, HOST_PINNED, HOST_MEMORY_COUNT };

extern const char *const host_memory_names[HOST_MEMORY_COUNT + 1]; /* ended by NULL */

enum schedule_kind {
    SCHEDULE_CLASSIC, /* the blog's four kernels, tuned */
    SCHEDULE_FUSED,   /* one pass per iteration */
    SCHEDULE_BLOCKED, /* one pass per `depth` iterations */
    SCHEDULE_PLAIN,   /* the blog's four kernels as printed there, on a device */
    SCHEDULE_COUNT
};

enum { SCHEDULE_MAX_DEPTH = 64 };

struct schedule {
    enum schedule_kind kind;
    int depth; /* of SCHEDULE_BLOCKED, 1 … SCHEDULE_MAX_DEPTH; 0: the back end chooses */
};

static inline bool schedule_has_four_kernels(struct schedule schedule) {
    return schedule.kind == SCHEDULE_CLASSIC || schedule.kind == SCHEDULE_PLAIN;
}

static inline enum phase schedule_first_phase(struct schedule schedule) {
    return schedule.kind == SCHEDULE_FUSED     ? PHASE_FUSED
           : schedule.kind == SCHEDULE_BLOCKED ? PHASE_BLOCKED
                                               : PHASE_LAPLACIAN;
}

extern const char *const schedule_names[SCHEDULE_COUNT];

/* Writes "classic", "fused", "blocked", "blocked:8" or "plain" to `buffer`. Returns `buffer`. */
char *schedule_print(char *buffer, size_t size, struct schedule schedule);
bool schedule_parse(const char *text, struct schedule *schedule);
