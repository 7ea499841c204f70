/* Runs of several processes: rank 0 leads, the others follow.
 *
 * Rank 0 is the normal program, a server or a run without a screen. Its engines send requests to
 * the other ranks (mpi/world.h), and all ranks execute them together. Each rank has one slab on one
 * device (world_cut). If opening a run fails on a rank, rank 0 reports the failure with the rank's
 * name. After a later failure, the rank itself reports it and ends all processes. */
#pragma once

#include "solver/backend.h"

bool ranks_are_led(void);

/* Like `open` of struct backend; only if ranks_are_led. */
enum status ranks_open(const struct backend *backend, const struct engine_spec *spec,
                       struct event_log *events, struct engine **engine, struct error *error);

/* For every rank except 0: handles requests until rank 0 ends. After a failure, the other ranks
 * wait for this one until ranks_shutdown. */
enum status ranks_worker_loop(struct error *error);

/* The last call of every process: rank 0 releases the others. After a failure, ends this and all
 * other processes immediately, with STATUS_DEVICE_FAILED. */
void ranks_shutdown(void);
