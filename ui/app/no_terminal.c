/* Replaces event_loop.c in builds without ncursesw. */
#include "report/doctor.h"
#include "ui/app/app.h"

bool ui_is_built(void) {
    return false;
}

void ui_examine(const struct config *config, struct examination *examination) {
    examination_add(examination, "terminal", "screen", false,
                    "build it with ncursesw (libncurses-dev)", "not built into this program");
}

enum status ui_run(const struct config *config, struct source *source,
                   struct exercise_session *session, int *signal_number, struct error *error) {
    *signal_number = 0;
    return error_set(error, STATUS_BAD_INPUT,
                     "this program was built without a screen (needs ncursesw): use --headless");
}
