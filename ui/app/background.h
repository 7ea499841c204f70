/* Two threads for the screen's thread, which therefore never waits. Both write `wake`, an eventfd,
 * for each result. A function that creates one returns NULL if there is no memory or no thread;
 * NULL may be destroyed. */
#pragma once

#include "ui/panels/screen.h"

/* ---- the validator: whether plans can run here. The first query to a back end may load its
 * libraries. */

struct plan_validator;

/* It checks plans with `source` if that can (source_ops.check), else in this process. */
struct plan_validator *plan_validator_create(struct source *source, int wake);

/* Waits for the current check. */
void plan_validator_destroy(struct plan_validator *validator);

/* Requests a check of each of `count` plans; drops the previous request. Never blocks for longer
 * than a lock. */
void plan_validator_ask(struct plan_validator *validator, const struct plan *plans, int count);

/* Whether plan `index` of the request has been checked; *error is then the result. */
bool plan_validator_answer(struct plan_validator *validator, int index, struct error *error);

/* ---- the forecaster: the spectra of the runs shown (solver/residual_theory.h), of which it keeps
 * the last few. It uses only processor time that solver and screen leave idle. */

struct forecaster;

struct forecaster *forecaster_create(int wake);

/* Stops the current computation. */
void forecaster_destroy(struct forecaster *forecaster);

/* Fills the forecasts of the sample's lanes and of its grid study with the results so far. Starts
 * missing computations and stops those no longer requested. The spectra stay valid until the next
 * call. */
void forecaster_ask(struct forecaster *forecaster, const struct sample *sample,
                    struct forecast forecasts[FORECASTS_MAX]);
