#include <stdio.h>

#include "config/config.h"
#include "ui/app/actions.h"
#include "ui/app/app.h"

/* The configuration with what the keys have changed about looking. */
static struct config as_shown(const struct app *app) {
    struct config config = app->config;
    struct view_settings *view = &config.view;
    view->scale = app->state.scale;
    snprintf(view->colormap, sizeof view->colormap, "%s", colormap_name(app->state.colormap));
    if (app->state.layout != view->layout)
        snprintf(view->layout, sizeof view->layout, "%s", app->state.layout);
    return config;
}

void action_save(struct app *app, int key) {
    const struct config config = as_shown(app);
    struct error error = {0};
    (void)key;
    if (saved_save(&config, &error))
        app_say(app, true, "%s", error.message);
    else
        app_say(app, false, "the look of the screen is saved: next time it starts like this");
}
