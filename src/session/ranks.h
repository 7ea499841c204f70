/* Runs of several processes: rank 0 leads, the others follow.
 *
 * Rank 0 is the program as it always is: session, stream and reports. Its engines tell the other
 * ranks (mpi/world.h) what they do, and all do it at the same time, each with one slab on one
 * device: the device whose index is the rank's number on its host, modulo the devices there. A
 * failure that comes while a run is opened is told by rank 0 with the rank's name; a later one is
 * told by the rank itself, which then ends all. */
#ifndef JACOBI_SESSION_RANKS_H
#define JACOBI_SESSION_RANKS_H

#include "solver/backend.h"

/* Whether this process leads others. */
bool ranks_are_led(void);

/* As struct backend's open; only if ranks_are_led. */
enum status ranks_open(const struct backend *backend, const struct engine_spec *spec,
                       struct event_log *events, struct engine **engine, struct error *error);

/* Every rank but 0: does what rank 0 tells until that ends. After a failure the others wait for
 * this rank until ranks_shutdown. */
enum status ranks_worker_loop(struct error *error);

/* The last call of every process, when all is said: rank 0 lets the others end. If something has
 * failed meanwhile, this process and all others end at once, with STATUS_DEVICE_FAILED. */
void ranks_shutdown(void);

#endif
