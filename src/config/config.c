#include "config/config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config/values.h"
#include "core/text.h"

const char layout_default[] = "standard";

void config_init(struct config *config) {
    memset(config, 0, sizeof *config);
    config->plan.lane_count = 1;
    config->plan.fps = 30;
    struct lane_spec *lane = &config->plan.lanes[0];
    lane_spec_set_backend(lane, "auto");
    lane->engine.mesh = mesh_make(4096, 4096);
    lane->engine.problem = &problems[0];
    lane->engine.run.mapping = MAPPING_UNSTRUCTURED;
    lane->engine.run.cycle = (struct cycle){1, 1, false};
    lane->iterations = 1000;
    lane->tolerance = 1e-5;
    struct reference *reference = &config->reference;
    reference->ms_per_iteration = reference->structured_ms = reference->gflops = NAN;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        reference->kernel_ms[phase] = reference->kernel_percent[phase] =
            reference->kernel_gbs[phase] = NAN;
    config->machine = (struct machine){"", NAN, NAN};
    config->view = (struct view_settings){.colormap = "viridis", .x1 = 1, .y1 = 1, .mouse = true};
    snprintf(config->view.layout, sizeof config->view.layout, "%s", layout_default);
    config->check_launches = config->check_copies = NAN;
    config->replay_speed = 1;
    config->at_seconds = config->at_percent = NAN;
    config->screenshot_cols = 120;
    config->screenshot_rows = 40;
}

void config_demo_plan(struct config *config) {
    struct lane_spec *lane = &config->plan.lanes[0];
    lane->engine.mesh = mesh_make(192, 192);
    lane->engine.problem = problem_find("hot-plate");
    lane->iterations = 1000000;
    lane->tolerance = 1e-6;
    config->plan.iterations_per_second = 1000;
}

void config_keep_terminal(struct config *config, const struct config *from) {
    config->view.colors = from->view.colors;
    config->view.theme = from->view.theme;
    config->view.pixels = from->view.pixels;
    config->view.ascii = from->view.ascii;
    config->view.mouse = from->view.mouse;
}

/* ---- lanes ---------------------------------------------------------------------------------- */

/* "2:1:red-black": a cycle without commas, which end a lane. */
static bool parse_lane_cycle(const char *value, struct cycle *cycle) {
    char text[2 * CYCLE_SIZE];
    snprintf(text, sizeof text, "%s", value);
    for (char *at = text; *at; at++)
        if (*at == ':')
            *at = ',';
        else if (*at == ',')
            return false;
    return cycle_parse(text, cycle);
}

/* "multigrid", "cycle=2:1", "omega=0.8", "pinned" */
static bool parse_lane_option(const char *option, struct lane_spec *spec) {
    static const char name[] = "omega=", cycle[] = "cycle=";
    double omega;
    int memory, method;
    if (strncmp(option, cycle, sizeof cycle - 1) == 0)
        return parse_lane_cycle(option + sizeof cycle - 1, &spec->engine.run.cycle);
    if (value_choice(option, method_names, &method)) {
        spec->engine.run.method = (enum method)method;
        return true;
    }
    if (value_choice(option, host_memory_names, &memory)) {
        spec->engine.run.host_memory = (enum host_memory)memory;
        return true;
    }
    if (strncmp(option, name, sizeof name - 1) != 0 ||
        !value_real(option + sizeof name - 1, OMEGA_MIN, OMEGA_MAX, &omega))
        return false;
    spec->engine.run.omega = omega;
    return true;
}

/* BACKEND[@N][/MAPPING[/SCHEDULE]][+METHOD][+cycle=B:A][+omega=X][+pinned]; what is left out, or
 * empty, stays as it is. */
static bool parse_computed(const char *lane, struct lane_spec *spec) {
    char text[COMPARE_SIZE], *options = text;
    snprintf(text, sizeof text, "%s", lane);
    char *rest = value_next(&options, '+');
    char *devices = value_next(&rest, '/');
    const char *backend = value_next(&devices, '@');
    long count;
    if (!lane_spec_set_backend(spec, backend))
        return false;
    if (devices && !value_whole(devices, 1, SLABS_MAX, &count))
        return false;
    if (devices)
        spec->engine.run.devices = (struct device_choice){.count = (int)count};
    const char *mapping = value_next(&rest, '/');
    int index;
    if (mapping && *mapping && !value_choice(mapping, mapping_names, &index))
        return false;
    if (mapping && *mapping)
        spec->engine.run.mapping = (enum mapping)index;
    const char *schedule = value_next(&rest, '/');
    if (rest || (schedule && *schedule && !schedule_parse(schedule, &spec->engine.run.schedule)))
        return false;
    for (char *option = value_next(&options, '+'); option; option = value_next(&options, '+'))
        if (!parse_lane_option(option, spec))
            return false;
    return true;
}

/* FILE[:LANE]; a file that is not there is an error that can name it, once it is opened. */
static bool parse_recorded(const char *lane, struct plan_recording *recording) {
    char text[COMPARE_SIZE], there[PATH_SIZE], relative[PATH_SIZE + 32];
    snprintf(text, sizeof text, "%s", lane);
    const size_t length = strlen(text);
    recording->lane = -1;
    if (length > 2 && text[length - 2] == ':' && text[length - 1] >= 'A' &&
        text[length - 1] < 'A' + LANES_MAX && access(text, F_OK) != 0) {
        recording->lane = text[length - 1] - 'A';
        text[length - 2] = '\0';
    }
    snprintf(relative, sizeof relative, "recordings/%s.rec", text);
    snprintf(recording->path, sizeof recording->path, "%s", text);
    return text_ends_in(text, ".rec") || access(text, F_OK) == 0 ||
           (!strchr(text, '/') && data_path(there, sizeof there, relative));
}

enum status config_make_lanes(struct config *config, struct error *error) {
    struct plan plan = config->plan;
    char text[COMPARE_SIZE];
    int count = 0;
    snprintf(text, sizeof text, "%s", config->compare);
    char *rest = *text ? text : NULL;
    for (char *lane = value_next(&rest, ','); lane; lane = value_next(&rest, ','), count++) {
        if (count == LANES_MAX)
            return error_set(error, STATUS_BAD_INPUT, "too many lanes: expected 2 to %d",
                             LANES_MAX);
        plan.lanes[count] = config->plan.lanes[0];
        plan.recordings[count] = (struct plan_recording){0};
        if (parse_computed(lane, &plan.lanes[count]))
            continue;
        plan.lanes[count] = config->plan.lanes[0];
        if (!parse_recorded(lane, &plan.recordings[count]))
            return error_set(error, STATUS_BAD_INPUT,
                             "lane %d: expected " LANE_SYNTAX " or a recording FILE.rec[:LANE]",
                             count + 1);
    }
    if (count == 1)
        return error_set(error, STATUS_BAD_INPUT,
                         "one lane has nothing to be compared with: expected 2 to %d", LANES_MAX);
    plan.lane_count = count ? count : 1;
    if (count == 0)
        plan.recordings[0] = (struct plan_recording){0};
    config->plan = plan;
    return STATUS_OK;
}
