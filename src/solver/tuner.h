/* The tuner: measures a device's best parameters and its ceilings once, then reads them from a
 * cache.
 *
 * Autotuning finds the depth of blocking and the launch geometry by short runs with each candidate.
 * The back end's probe measures the roof of a device. The results are kept in
 * $XDG_CACHE_HOME/jacobi-tui/tuner.json (~/.cache if that is not set). A damaged file counts as
 * empty. A file that can't be written is no error: the next start measures again. */
#pragma once

#include "solver/backend.h"

enum { AUTOTUNE_CANDIDATES = 8 };

/* A parameter and its candidates. */
struct autotune_choice {
    enum tuning_field field;             /* or TUNING_DEPTH */
    int candidates[AUTOTUNE_CANDIDATES]; /* ended by 0; the first is the usual one */
};

/* A back end's autotuning, timed either by `measure` with `context`, or by engines. For
 * TUNING_DEPTH every candidate gets an engine of its own. For the others one engine is opened with
 * the usual values, and its `retune` is called. */
struct autotune {
    const char *device; /* back end, device and all else that the best values depend on */
    const struct autotune_choice *choices; /* tried in this order, each with the best so far */
    int choice_count;
    int rounds; /* each tries all candidates in turn; a candidate's best time counts */

    /* Sets *seconds to the time per iteration; infinity if memory runs out. */
    enum status (*measure)(void *context, int value, double *seconds, struct error *error);
    void *context;

    engine_opener open;
    int side;       /* the engine's grid has at most this many unknowns per side */
    int iterations; /* per run; every candidate makes two runs, the first to warm up */
};

/* Sets every parameter of spec->run that is 0 and among the choices to the fastest candidate.
 * Reports the candidates: *depths_tried has bit k for depth k, *tried the bits of tuning_tried. The
 * usual geometry stays unless another needs at least 2 % less time. Blocks during the measurements,
 * once per device, schedule, mapping, precision, grid (as a power of two), commit and given
 * parameters. Leaves a parameter open if no candidate could be timed. */
enum status autotune(const struct autotune *autotune, struct engine_spec *spec,
                     uint64_t *depths_tried, struct tuning *tried, struct error *error);

/* Returns the roof from the cache; its origin is ROOF_UNKNOWN if there is none. */
struct roof tuner_find_roof(const struct backend *backend, const struct device *device,
                            const struct run_id *run);

/* Measures the roof, and caches it unless other work contended for the device. Takes about 0.3 s,
 * or up to 1 s on a busy device; nothing else should run there meanwhile. */
enum status tuner_measure_roof(const struct backend *backend, const struct device *device,
                               const struct run_id *run, struct roof *roof, struct error *error);
