/* The roofs measured earlier, kept in $XDG_CACHE_HOME/jacobi-tui/roofs.json (~/.cache where that is
 * not set). A file that is broken or can't be read counts as empty; it is replaced as a whole. */
#ifndef JACOBI_SESSION_ROOF_CACHE_H
#define JACOBI_SESSION_ROOF_CACHE_H

#include <stdbool.h>

#include "solver/roof.h"

/* False, and *roof untouched, where the cache has no sensible figures under `key`. */
bool roof_cache_find(const char *key, struct roof *roof);

/* False where the file could not be written. */
bool roof_cache_keep(const char *key, const struct roof *roof);

#endif
