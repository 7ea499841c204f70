/* Recording a run that has no screen. */
#ifndef JACOBI_REPORT_WATCH_H
#define JACOBI_REPORT_WATCH_H

#include <stdatomic.h>

#include "config/config.h"
#include "session/sample.h"

struct watch;

/* Begins the recording that config->record names; *watch stays NULL where it names none. */
enum status watch_open(const struct config *config, struct watch **watch, struct error *error);

/* How many of the `count` iterations that a lane was to make now it may make, so that the plan's
 * speed is kept. NULL is allowed. */
long watch_count(const struct watch *watch, long count);

/* After every turn: records `sample`, whose fields it fills from the lanes when it is time; then
 * waits, or until *stop, where the plan's speed is ahead. NULL is allowed. */
enum status watch_turn(struct watch *watch, struct lane *const lanes[], struct sample *sample,
                       const atomic_bool *stop, struct error *error);

/* The last sample, whatever its age. NULL is allowed. */
enum status watch_end(struct watch *watch, struct lane *const lanes[], struct sample *sample,
                      struct error *error);

/* NULL is allowed. */
void watch_close(struct watch *watch);

#endif
