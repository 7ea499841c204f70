/* Kernels of the user's own on the screen: what is saved is compiled, checked and, if it is right,
 * run in the place of what ran; the exercise that they solve. */
#ifndef JACOBI_UI_APP_EXERCISE_ACTIONS_H
#define JACOBI_UI_APP_EXERCISE_ACTIONS_H

#include "core/status.h"
#include "ui/panels/screen.h"

struct app;
struct exercise_session; /* NULL: there is none */

/* Opens the folder of config->kernels, or begins config->exercise_name; then the configuration says
 * what runs until something is right. Statuses as kernel_builder_open and exercise_begin. */
enum status exercise_session_prepare(struct config *config, struct exercise_session **session,
                                     struct error *error);

/* Polls the builder; call it several times per second. True if something changed. */
bool exercise_session_poll(struct app *app);

/* What is to be drawn; NULL if there is no session. */
const struct exercise_view *exercise_session_view(const struct exercise_session *session);

/* Has the user edit the file: returns when the editor has ended. The terminal is the editor's
 * meanwhile. STATUS_INTERNAL if none can be started. */
enum status exercise_session_edit(struct app *app, struct error *error);

/* NULL is allowed. */
void exercise_session_close(struct exercise_session *session);

#endif
