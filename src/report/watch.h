/* Recording a run that has no screen. */
#ifndef JACOBI_REPORT_WATCH_H
#define JACOBI_REPORT_WATCH_H

#include <stdatomic.h>

#include "config/config.h"
#include "run/sample.h"
#include "session/lane.h"

struct watch;

/* Begins the recording that config->record names; *watch stays NULL where it names none. */
enum status watch_open(const struct config *config, struct watch **watch, struct error *error);

/* How many of the `count` iterations that a lane was to make now it may make, so that the plan's
 * speed is kept: as many whole passes as that allows. NULL is allowed. */
long watch_count(const struct watch *watch, struct lane *const lanes[], long count);

/* Whether it is time for a sample, and the lanes can be shown together. NULL: never. */
bool watch_wants(const struct watch *watch, struct lane *const lanes[]);

/* Records `sample`, whose fields it fills from the lanes when it is time. */
enum status watch_take(struct watch *watch, struct lane *const lanes[], struct sample *sample,
                       struct error *error);

/* Waits, or until *stop, where the plan's speed is ahead. NULL is allowed. */
void watch_wait(const struct watch *watch, struct lane *const lanes[], const atomic_bool *stop);

/* The last sample, whatever its age. NULL is allowed. */
enum status watch_end(struct watch *watch, struct lane *const lanes[], struct sample *sample,
                      struct error *error);

/* NULL is allowed. */
void watch_close(struct watch *watch);

#endif
