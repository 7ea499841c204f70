/* Finding a device's roof: measured once by a short probe, then kept in the user's cache folder. */
#ifndef JACOBI_SESSION_ROOFS_H
#define JACOBI_SESSION_ROOFS_H

#include "session/lane.h"

/* The roof that an earlier probe of the lane's device left in the cache; unknown where none did. */
struct roof roof_recall(const struct lane *lane);

/* Measures the roof of the lane's device and keeps it in the cache, unless it was
 * disturbed. Takes about 0.3 s, during which
 * nothing else should run there. A cache that can't be written is no error: the next program
 * measures again. */
enum status roof_measure(const struct lane *lane, struct roof *roof, struct error *error);

#endif
