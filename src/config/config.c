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

/* BACKEND[/MAPPING[/SCHEDULE]]; what is left out stays as it is. Changes the text. */
static bool parse_lane(char *text, struct lane_spec *spec) {
    char *rest = text;
    const char *backend = value_next(&rest, '/');
    if (!lane_spec_set_backend(spec, backend))
        return false;
    const char *mapping = value_next(&rest, '/');
    if (mapping && !mapping_parse(mapping, &spec->engine.mapping))
        return false;
    const char *schedule = value_next(&rest, '/');
    return !rest && (!schedule || schedule_parse(schedule, &spec->engine.schedule));
}

enum status config_make_lanes(struct config *config, struct error *error) {
    struct plan *plan = &config->plan;
    const struct lane_spec base = plan->lanes[0];
    struct lane_spec lanes[LANES_MAX];
    char text[COMPARE_SIZE];
    int count = 0;
    snprintf(text, sizeof text, "%s", config->compare);
    char *rest = *text ? text : NULL;
    for (char *lane = value_next(&rest, ','); lane; lane = value_next(&rest, ',')) {
        if (count == LANES_MAX)
            return error_set(error, STATUS_BAD_INPUT, "too many lanes: allowed are 2 to %d",
                             LANES_MAX);
        lanes[count] = base;
        if (!parse_lane(lane, &lanes[count++]))
            return error_set(error, STATUS_BAD_INPUT,
                             "lane %d: allowed is BACKEND[/MAPPING[/SCHEDULE]]", count);
    }
    if (count == 1)
        return error_set(error, STATUS_BAD_INPUT, "one lane compares nothing: allowed are 2 to %d",
                         LANES_MAX);
    if (count > 1)
        memcpy(plan->lanes, lanes, (size_t)count * sizeof *lanes);
    plan->lane_count = count ? count : 1;
    return STATUS_OK;
}
