/* Runs of several processes: rank 0 leads, the others follow.
 *
 * Rank 0 is the program as always: server, or run without a screen. Its engines send requests to
 * the other ranks (mpi/world.h), and all ranks do the same at the same time. Each has one slab on
 * one device: the device whose index is the rank's number on its host, modulo the devices there. If
 * opening a run fails on a rank, rank 0 reports that with the rank's name. After a later failure
 * the rank reports it itself, and ends all. */
#ifndef JACOBI_SESSION_RANKS_H
#define JACOBI_SESSION_RANKS_H

#include "solver/backend.h"

/* Whether this process leads others. */
bool ranks_are_led(void);

/* As struct backend's open; only if ranks_are_led. */
enum status ranks_open(const struct backend *backend, const struct engine_spec *spec,
                       struct event_log *events, struct engine **engine, struct error *error);

/* Every rank but 0: handles requests until rank 0 ends. After a failure the others wait for
 * this rank until ranks_shutdown. */
enum status ranks_worker_loop(struct error *error);

/* The last call of every process: rank 0 lets the others end. If something has
 * failed meanwhile, this process and all others end at once, with STATUS_DEVICE_FAILED. */
void ranks_shutdown(void);

#endif
