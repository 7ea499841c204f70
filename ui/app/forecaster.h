/* The forecaster: computes the spectra of the runs shown (solver/residual_theory.h) and keeps the
 * last few. Its thread uses only processor time that solver and screen leave idle
 * (thread_lower_priority). */
#ifndef JACOBI_UI_APP_FORECASTER_H
#define JACOBI_UI_APP_FORECASTER_H

#include "ui/panels/screen.h"

struct forecaster;

/* Creates a forecaster, which writes `wake`, an eventfd, for each new result. NULL if there is no
 * memory or no thread. */
struct forecaster *forecaster_create(int wake);

/* Stops the current computation and frees. NULL is allowed. */
void forecaster_destroy(struct forecaster *forecaster);

/* Fills the forecasts of the sample's lanes and of its grid study with the results so far. Starts
 * missing computations and stops those no longer requested. The spectra stay valid until the next
 * call. */
void forecaster_ask(struct forecaster *forecaster, const struct sample *sample,
                    struct forecast forecasts[FORECASTS_MAX]);

#endif
