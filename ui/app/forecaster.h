/* The forecaster: computes the spectra of what is shown (solver/residual_theory.h) in a thread that
 * has only what the solver and the screen leave of the processors (thread_lower_priority), and
 * keeps the last few. */
#ifndef JACOBI_UI_APP_FORECASTER_H
#define JACOBI_UI_APP_FORECASTER_H

#include "ui/panels/screen.h"

struct forecaster;

/* `wake`, an eventfd, is written when something more is known. NULL if there is no memory or no
 * thread. */
struct forecaster *forecaster_create(int wake);

/* NULL is allowed. Ends what is being computed. */
void forecaster_destroy(struct forecaster *forecaster);

/* Fills the forecasts of the sample's lanes and of its grid study with what is known; what is not
 * is begun, and what nobody asks for any more is ended. The spectra stay valid until the next call.
 */
void forecaster_ask(struct forecaster *forecaster, const struct sample *sample,
                    struct forecast forecasts[FORECASTS_MAX]);

#endif
