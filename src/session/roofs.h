/* Finding a device's roof: measured once by a short probe, then kept in the user's cache folder,
 * $XDG_CACHE_HOME/jacobi-tui/roofs.json (~/.cache if that is not set). A file that is broken or
 * can't be read counts as empty; it is replaced as a whole. */
#ifndef JACOBI_SESSION_ROOFS_H
#define JACOBI_SESSION_ROOFS_H

#include "session/computed_lane.h"

/* The roof that an earlier probe of the lane's device left in the cache; unknown if none did. */
struct roof roof_recall(const struct computed_lane *lane);

/* Measures the roof of the lane's device and keeps it in the cache, unless it was contended. Takes
 * about 0.3 s, during which nothing else should run there. A cache that can't be written is no
 * error: the next program measures again. */
enum status roof_measure(const struct computed_lane *lane, struct roof *roof, struct error *error);

/* The cache itself. False, and *roof untouched, if it has no sensible figures under `key`. */
bool roof_cache_find(const char *key, struct roof *roof);

/* False if the file could not be written. */
bool roof_cache_store(const char *key, const struct roof *roof);

#endif
