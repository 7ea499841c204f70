#include "config/config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/value.h"

static void init_reference(struct reference *reference) {
    reference->ms_per_iteration = reference->gflops = NAN;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        reference->kernel_ms[phase] = reference->kernel_percent[phase] =
            reference->kernel_gbs[phase] = NAN;
}

static void init_plan(struct plan *plan) {
    plan->lane_count = 1;
    plan->fps = 30;
    struct lane_spec *lane = &plan->lanes[0];
    lane_spec_set_backend(lane, "auto");
    lane->engine.mesh = mesh_make(4096, 4096);
    lane->engine.problem = &problems[0];
    lane->engine.mapping = MAPPING_UNSTRUCTURED;
    lane->iterations = 1000;
    lane->tolerance = 1e-5;
}

void config_init(struct config *config) {
    memset(config, 0, sizeof *config);
    init_plan(&config->plan);
    init_reference(&config->reference);
    config->machine = (struct machine){"", NAN, NAN};
    config->view = (struct view_settings){
        .layout = "standard", .colormap = "viridis", .x1 = 1, .y1 = 1, .mouse = true};
    config->replay_speed = 1;
    config->at_seconds = config->at_percent = NAN;
    config->screenshot_cols = 120;
    config->screenshot_rows = 40;
}
