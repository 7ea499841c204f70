#include "config/config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config/settings.h"
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
    config->view = (struct view_settings){.x1 = 1, .y1 = 1, .terminal.mouse = true};
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
    lane->engine.problem = problem_find("charges");
    lane->iterations = 1000000;
    lane->tolerance = 1e-6;
}

/* ---- lanes ---------------------------------------------------------------------------------- */

/* "multigrid", "pinned", "cycle=2:1", "omega=0.8"; ':' replaces the ',' that ends a lane. */
static bool parse_lane_option(char *option, struct config *config) {
    static const char *const names[] = {"method", "host-memory", "precision", "cycle", "omega"};
    char *value = strchr(option, '=');
    if (value)
        *value++ = '\0';
    for (char *at = value; at && *at; at++)
        *at = *at == ':' ? ',' : *at;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct setting *setting = setting_find_key("run", names[n]);
        const bool is_word = setting->names != NULL; /* a word needs no name */
        if (is_word != !value || (value && strcmp(option, names[n]) != 0))
            continue;
        if (setting->set(config, setting, is_word ? option : value))
            return true;
    }
    return false;
}

/* Parses LANE_SYNTAX into lane 0; omitted or empty parts stay unchanged. */
static bool parse_computed(const char *lane, struct config *config) {
    static const char *const parts[] = {"mapping", "schedule"};
    struct lane_spec *spec = &config->plan.lanes[0];
    char text[COMPARE_SIZE], *options = text;
    snprintf(text, sizeof text, "%s", lane);
    char *rest = value_next(&options, '+');
    char *devices = value_next(&rest, '/');
    const char *backend = value_next(&devices, '@');
    long count;
    if (!lane_spec_set_backend(spec, backend) ||
        (devices && !value_whole(devices, 1, SLABS_MAX, &count)))
        return false;
    if (devices)
        spec->engine.run.devices = (struct device_choice){.count = (int)count};
    for (int p = 0; p < 2; p++) {
        const struct setting *setting = setting_find_key("run", parts[p]);
        const char *value = value_next(&rest, '/');
        if (value && *value && !setting->set(config, setting, value))
            return false;
    }
    for (char *option = value_next(&options, '+'); option; option = value_next(&options, '+'))
        if (!parse_lane_option(option, config))
            return false;
    return !rest;
}

/* Parses FILE[:RUN]. A missing .rec file is accepted: opening it later reports its name. */
static bool parse_recorded(const char *lane, struct plan_recording *recording) {
    char text[COMPARE_SIZE], there[PATH_SIZE];
    snprintf(text, sizeof text, "%s", lane);
    const size_t length = strlen(text);
    recording->lane = -1;
    if (length > 2 && text[length - 2] == ':' && text[length - 1] >= 'A' &&
        text[length - 1] < 'A' + LANES_MAX && access(text, F_OK) != 0) {
        recording->lane = text[length - 1] - 'A';
        text[length - 2] = '\0';
    }
    snprintf(recording->path, sizeof recording->path, "%s", text);
    return text_ends_in(text, ".rec") || recording_path(there, sizeof there, text);
}

static bool parse_lane(const char *lane, const struct config *config, struct plan *plan,
                       int index) {
    struct config trial = *config;
    plan->lanes[index] = config->plan.lanes[0];
    plan->recordings[index] = (struct plan_recording){0};
    const bool is_computed = parse_computed(lane, &trial);
    if (is_computed)
        plan->lanes[index] = trial.plan.lanes[0];
    return is_computed || parse_recorded(lane, &plan->recordings[index]);
}

enum status config_make_lanes(struct config *config, struct error *error) {
    struct plan plan = config->plan;
    char text[COMPARE_SIZE];
    int count = 0;
    snprintf(text, sizeof text, "%s", config->compare);
    char *rest = *text ? text : NULL;
    for (char *lane = value_next(&rest, ','); lane; lane = value_next(&rest, ','), count++) {
        if (count == LANES_MAX)
            return error_set(error, STATUS_BAD_INPUT, "too many runs: expected 2 to %d", LANES_MAX);
        while (!parse_lane(lane, config, &plan, count)) {
            char *end = lane + strlen(lane);
            if (!rest)
                return error_set(error, STATUS_BAD_INPUT,
                                 "run %d: expected " LANE_SYNTAX " or a recording FILE.rec[:RUN]",
                                 count + 1);
            *end = end == rest - 1 ? ',' : ' '; /* a file name may contain commas */
            value_next(&rest, ',');
        }
    }
    if (count == 1)
        return error_set(error, STATUS_BAD_INPUT,
                         "one run has nothing to be compared with: expected 2 to %d", LANES_MAX);
    plan.lane_count = count ? count : 1;
    if (count == 0)
        plan.recordings[0] = (struct plan_recording){0};
    config->plan = plan;
    return STATUS_OK;
}
