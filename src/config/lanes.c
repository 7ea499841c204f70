#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "config/value.h"

/* BACKEND[/MAPPING[/SCHEDULE]]; what is left out stays as it is. Changes the text. */
static bool parse_computed(char *text, struct lane_spec *spec) {
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

static bool ends_in(const char *text, const char *ending) {
    const size_t length = strlen(text), size = strlen(ending);
    return length > size && strcmp(text + length - size, ending) == 0;
}

/* "FILE:B": cuts the letter off and returns its lane; -1 where there is none. */
static int cut_lane(char *text) {
    const size_t length = strlen(text);
    if (length < 3 || text[length - 2] != ':' || access(text, F_OK) == 0)
        return -1;
    const int lane = text[length - 1] - 'A';
    if (lane < 0 || lane >= LANES_MAX)
        return -1;
    text[length - 2] = '\0';
    return lane;
}

/* FILE[:LANE]; a file that is not there is an error that can name it, once it is opened. */
static bool parse_recorded(char *text, struct plan_recording *recording) {
    char there[PATH_SIZE], relative[PATH_SIZE + 32];
    recording->lane = cut_lane(text);
    snprintf(relative, sizeof relative, "recordings/%s.rec", text);
    snprintf(recording->path, sizeof recording->path, "%s", text);
    return ends_in(text, ".rec") || access(text, F_OK) == 0 ||
           (!strchr(text, '/') && path_of_data(there, sizeof there, relative));
}

/* Puts lane `l` into the plan. */
static bool parse_lane(const char *text, const struct lane_spec *base, struct plan *plan, int l) {
    char piece[COMPARE_SIZE];
    plan->lanes[l] = *base;
    plan->recordings[l] = (struct plan_recording){0};
    snprintf(piece, sizeof piece, "%s", text);
    if (parse_computed(piece, &plan->lanes[l]))
        return true;
    plan->lanes[l] = *base;
    snprintf(piece, sizeof piece, "%s", text);
    return parse_recorded(piece, &plan->recordings[l]);
}

enum status config_make_lanes(struct config *config, struct error *error) {
    struct plan plan = config->plan;
    char text[COMPARE_SIZE];
    int count = 0;
    snprintf(text, sizeof text, "%s", config->compare);
    char *rest = *text ? text : NULL;
    for (char *lane = value_next(&rest, ','); lane; lane = value_next(&rest, ',')) {
        if (count == LANES_MAX)
            return error_set(error, STATUS_BAD_INPUT, "too many lanes: allowed are 2 to %d",
                             LANES_MAX);
        if (!parse_lane(lane, &config->plan.lanes[0], &plan, count++))
            return error_set(error, STATUS_BAD_INPUT,
                             "lane %d: allowed is BACKEND[/MAPPING[/SCHEDULE]], or a recording "
                             "FILE.rec[:LANE]",
                             count);
    }
    if (count == 1)
        return error_set(error, STATUS_BAD_INPUT, "one lane compares nothing: allowed are 2 to %d",
                         LANES_MAX);
    plan.lane_count = count ? count : 1;
    if (count == 0)
        plan.recordings[0] = (struct plan_recording){0};
    config->plan = plan;
    return STATUS_OK;
}
