#include "tests/fuzz/show.h"

#include <stdio.h>

#include "report/report.h"
#include "tests/fuzz/fuzz.h"
#include "ui/panels/panel.h"
#include "ui/panels/view.h"

enum { FORMATS = FORMAT_CSV + 1 };

static struct heatmap heatmaps[LANES_MAX];
static struct grid grids[2];
static int panel_count;

static void draw(const struct config *config, const struct sample *sample, int panel, int how) {
    struct app_state state = {.layout = config->view.layout,
                              .full = panel ? panels[panel - 1] : NULL,
                              .scale = how & 1 ? SCALE_LOG : SCALE_LINEAR,
                              .view = {.x1 = 1, .y1 = 1},
                              .timeline = {.zoom = 1 + how / 16, .selected = how % 16 - 1}};
    const struct screen screen = {.sample = sample,
                                  .config = config,
                                  .plan = &config->plan,
                                  .state = &state,
                                  .heatmaps = how & 2 ? heatmaps : NULL,
                                  .no_color = how & 4};
    for (int l = 0; l < sample->lane_count; l++) {
        const struct field field = heatmap_shared_limits(sample, l);
        if (field.downsample.cols > 0 && (how & 2))
            heatmap_update(&heatmaps[l], &field, state.scale,
                           screen_pixels(&screen) * state.view.cols, state.view.rows);
    }
    struct grid *grid = &grids[how >> 3 & 1];
    const struct layout layout = screen_layout(&screen, grid->cols, grid->rows);
    screen_draw(grid, &screen, &layout);
}

static void report(struct config *config, const struct sample *sample, enum report_format format) {
    static char text[1 << 17];
    const struct report made = {.config = config, .sample = sample};
    struct error error = {0};
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out)
        return;
    config->format = format;
    fuzz_check(report_write(out, &made, &error), &error);
    if (fclose(out) == 0)
        fuzz_check_text(text, true);
}

void show_begin(void) {
    bool there = grid_init(&grids[0], 80, 24) && grid_init(&grids[1], 120, 40);
    for (int l = 0; l < LANES_MAX; l++)
        there = heatmap_init(&heatmaps[l]) && there;
    if (!there)
        abort();
    while (panels[panel_count])
        panel_count++;
}

void show_sample(struct config *config, const struct sample *sample, int way, int how) {
    for (int l = 0; l < LANES_MAX; l++)
        heatmap_reset(&heatmaps[l]);
    way %= 1 + panel_count + FORMATS;
    if (way <= panel_count)
        draw(config, sample, way, how);
    else
        report(config, sample, (enum report_format)(way - panel_count - 1));
}
