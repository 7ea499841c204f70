/* The depths of blocking that a short trial found best, kept in the user's cache folder. */
#ifndef JACOBI_SOLVER_DEPTH_CACHE_H
#define JACOBI_SOLVER_DEPTH_CACHE_H

/* `key` names whatever the best depth depends on: device, threads, grid. Returns 0 where the cache
 * has no sensible depth for it. */
int depth_cache_find(const char *key);

/* A cache that can't be written is no error: the next run tries again. */
void depth_cache_keep(const char *key, int depth);

#endif
