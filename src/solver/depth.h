/* The depth of blocking that is fastest on a device: found by a short trial, and remembered in the
 * user's cache folder (depths.json) by device, mapping, size of the grid and commit:
 * other kernels have another best. */
#ifndef JACOBI_SOLVER_DEPTH_H
#define JACOBI_SOLVER_DEPTH_H

#include "solver/engine.h"

/* The trial that a back end asks for. It supplies either `measure` and `context`, or `open`, `side`
 * and `iterations`. */
struct depth_trial {
    const char *device; /* back end and device, and whatever else the best depth depends on */
    const int *depths;  /* the candidates, ended by 0; each round tries all of them in turn */
    int rounds;         /* 0 means 1; the best time of each candidate counts */

    /* Sets *seconds to the time per iteration of a pass that deep; infinity if there is no memory
     * for it. */
    enum status (*measure)(void *context, int depth, double *seconds, struct error *error);
    void *context;

    /* As in struct backend: opens an engine for a spec whose depth is given. */
    enum status (*open)(const struct engine_spec *spec, struct event_log *events,
                        struct engine **engine, struct error *error);
    int side;       /* the trial's grid has at most that many unknowns per side */
    int iterations; /* per run; an engine makes two, of which the first warms up */
};

/* Sets *depth to the best candidate for runs like `spec`, and *tried to all of them: bit k stands
 * for depth k, which is below 64. Blocks for the time of the trial, once per device, mapping and
 * size (as a power of two); later calls read the cache. Fails if a run of the trial does; leaves
 * *depth and *tried alone if no candidate could be timed. */
enum status depth_trial_choose(const struct depth_trial *trial, const struct engine_spec *spec,
                               int *depth, uint64_t *tried, struct error *error);

/* The cache itself. Returns 0 if there is no sensible depth for that key. */
int depth_cache_find(const char *key);

/* A cache that can't be written is no error: the next run tries again. */
void depth_cache_store(const char *key, int depth);

#endif
