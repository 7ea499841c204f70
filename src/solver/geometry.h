/* The launch geometry that is fastest on a GPU: found by a short trial, and remembered in the
 * user's cache folder (geometry.json) by device, schedule, size of the grid and commit:
 * other kernels have another best. */
#ifndef JACOBI_SOLVER_GEOMETRY_H
#define JACOBI_SOLVER_GEOMETRY_H

#include "solver/engine.h"

/* The figures of struct tuning that say how a kernel is launched. */
enum tuning_field {
    TUNING_BLOCK,
    TUNING_NORM_BLOCK,
    TUNING_NORM_BLOCKS,
    TUNING_FUSED_BLOCKS,
    TUNING_BLOCKED_BLOCKS,
    TUNING_FIELDS
};

/* As the options are called: "norm-block". */
extern const char *const tuning_names[TUNING_FIELDS];

int tuning_get(const struct tuning *tuning, enum tuning_field field);
void tuning_set(struct tuning *tuning, enum tuning_field field, int value);

/* Which value bit `bit` of a field of `tried` stands for: 2^bit, or of blocked-blocks, which are
 * not always powers of two, `bit` itself. */
int tuning_tried(enum tuning_field field, int bit);

enum { GEOMETRY_CANDIDATES = 8, TUNING_TRIED_BITS = 31 };

/* What a trial tries for a field. */
struct geometry_choice {
    enum tuning_field field;
    int candidates[GEOMETRY_CANDIDATES]; /* such values, ended by 0; the first is the usual one */
};

/* The trial that a back end asks for. Its engines have `retune`. */
struct geometry_trial {
    const char *device;                    /* back end, device and what else the best depends on */
    const struct geometry_choice *choices; /* one after the other, with what was found before */
    int choice_count;
    enum status (*open)(const struct engine_spec *spec, struct event_log *events,
                        struct engine **engine, struct error *error); /* as in struct backend */
    int side;       /* the trial's grid has at most that many unknowns per side */
    int iterations; /* per run, or as many as 15 ms hold; each candidate makes two runs of which the
                       first warms up, twice */
};

/* Sets those fields of *tuning that are 0 and among the choices to the fastest candidate for runs
 * like `spec`, and of *tried the bits of the candidates that were tried. The usual candidate stays
 * unless another needs at least 2 % less time. Blocks for the time of the trial, once per device,
 * schedule, mapping, size (as a power of two) and given fields; later calls read the cache. A cache
 * that can't be written is no error. Fails if a run of the trial does. */
enum status geometry_trial_choose(const struct geometry_trial *trial,
                                  const struct engine_spec *spec, struct tuning *tuning,
                                  struct tuning *tried, struct error *error);

#endif
