#include <stdio.h>

#include "config/config.h"
#include "ui/app/actions.h"
#include "ui/app/app.h"

/* The configuration with what the keys have changed about looking. */
static struct config as_shown(const struct ui *ui) {
    struct config config = ui->config;
    struct view_settings *view = &config.view;
    view->scale = ui->state.scale;
    snprintf(view->colormap, sizeof view->colormap, "%s", colormap_name(ui->state.colormap));
    if (ui->state.layout != view->layout)
        snprintf(view->layout, sizeof view->layout, "%s", ui->state.layout);
    return config;
}

void action_save(struct ui *ui, int key) {
    const struct config config = as_shown(ui);
    struct error error = {0};
    (void)key;
    if (saved_save(&config, &error))
        ui_say(ui, true, "%s", error.message);
    else
        ui_say(ui, false, "the look of the screen is saved: next time it starts like this");
}
