#include "record/resolve.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "metrics/labels.h"
#include "metrics/scaling.h"
#include "record/lane_recording.h"

/* *first: the first recorded lane. */
static enum status describe_recordings(struct plan *plan, int *first, struct error *error) {
    struct lane_recording recorded[LANES_MAX] = {0};
    enum status status = STATUS_OK;
    bool weak = plan_recorded_count(plan) == plan->lane_count;
    int other = -1; /* a lane with a different grid or problem */
    *first = -1;
    for (int l = 0; l < plan->lane_count && !status; l++) {
        const char *path = plan->recordings[l].path;
        if (!*path)
            continue;
        status = lane_recording_open(&plan->recordings[l], &recorded[l], error);
        if (status)
            break;
        const struct sample *sample = lane_recording_sample(&recorded[l], 0);
        if (!problem_find(sample->problem)) {
            status = error_set(error, STATUS_BAD_INPUT,
                               "%s: this program has no such problem: '%s'", path, sample->problem);
            break;
        }
        lane_spec_of_sample(sample, recorded[l].lane, &plan->lanes[l]);
        if (*first < 0)
            *first = l;
        const struct lane_spec *one = &plan->lanes[*first];
        weak &= one->engine.problem == plan->lanes[l].engine.problem &&
                scaling_is_weak(lane_recording_lane(&recorded[*first], 0),
                                lane_recording_lane(&recorded[l], 0));
        if (other < 0 && !lane_spec_same_task(one, &plan->lanes[l]))
            other = l;
    }
    for (int l = 0; l < plan->lane_count; l++)
        lane_recording_close(&recorded[l]);
    if (status || other < 0 || weak)
        return status;
    const struct engine_spec *here = &plan->lanes[*first].engine,
                             *there = &plan->lanes[other].engine;
    return error_set(error, STATUS_BAD_INPUT,
                     "--compare: %.120s has %s at %s, %.120s %s at %s: expected one problem and "
                     "grid or, for weak scaling, equal rows per device",
                     plan->recordings[*first].path, here->problem->name,
                     AS(format_grid, here->mesh.Nx, here->mesh.Ny), plan->recordings[other].path,
                     there->problem->name, AS(format_grid, there->mesh.Nx, there->mesh.Ny));
}

/* Whether the options agree with the first recorded lane. */
static enum status check_options(const struct config *config, const struct lane_spec *asked,
                                 int first, struct error *error) {
    const struct engine_spec *there = &config->plan.lanes[first].engine;
    const char *path = config->plan.recordings[first].path;
    if (config_is_set(config, "replay"))
        return error_set(error, STATUS_BAD_INPUT,
                         "--replay and --compare with %.150s can't be combined", path);
    if (*config->record)
        return error_set(error, STATUS_BAD_INPUT,
                         "--record: %.150s is a recording: expected live runs", path);
    if (config_is_set(config, "problem") && asked->engine.problem != there->problem)
        return error_set(
            error, STATUS_BAD_INPUT,
            "--problem %s: %.150s is a recording of %s: expected that, or no --problem",
            asked->engine.problem->name, path, there->problem->name);
    if (config_is_set(config, "grid") &&
        (asked->engine.mesh.Nx != there->mesh.Nx || asked->engine.mesh.Ny != there->mesh.Ny))
        return error_set(error, STATUS_BAD_INPUT,
                         "--grid %dx%d: %.150s is a recording at %s: expected that, or no --grid",
                         asked->engine.mesh.Nx, asked->engine.mesh.Ny, path,
                         AS(format_grid, there->mesh.Nx, there->mesh.Ny));
    return STATUS_OK;
}

enum status resolve_recordings(struct config *config, struct error *error) {
    struct plan *plan = &config->plan;
    const struct lane_spec asked = plan->lanes[0];
    int first;
    if (plan_recorded_count(plan) == 0)
        return STATUS_OK;
    TRY(describe_recordings(plan, &first, error));
    TRY(check_options(config, &asked, first, error));
    config->replay[0] = '\0';
    for (int l = 0; l < plan->lane_count; l++) {
        struct lane_spec *lane = &plan->lanes[l];
        if (*plan->recordings[l].path)
            continue;
        lane->engine.problem = plan->lanes[first].engine.problem;
        lane->engine.mesh = plan->lanes[first].engine.mesh;
        if (!config_is_set(config, "iterations"))
            lane->iterations = plan->lanes[first].iterations;
        if (!config_is_set(config, "tolerance"))
            lane->tolerance = plan->lanes[first].tolerance;
        if (!config_is_set(config, "residual"))
            lane->measure = plan->lanes[first].measure;
    }
    return STATUS_OK;
}

enum status resolve_list(const char *list, struct config *config, struct error *error) {
    const bool several = strchr(list, ',') != NULL;
    snprintf(config->compare, sizeof config->compare, "%s", several ? list : "");
    snprintf(config->replay, sizeof config->replay, "%s", several ? "" : list);
    plan_compute_all(&config->plan);
    config->plan.lane_count = 1;
    enum status status = config_make_lanes(config, error);
    if (!status && several && !config_is_replay(config))
        status = error_set(error, STATUS_BAD_INPUT, "%.120s: expected recordings alone", list);
    return status ? status : resolve_recordings(config, error);
}

/* Whether the sample shows only the wanted run. */
static bool is_match(const struct sample *sample, const struct lane_spec *wanted,
                     const char *device) {
    const struct engine_spec *engine = &wanted->engine;
    const struct lane_sample *lane = &sample->lanes[0];
    const unsigned alike = RUN_MAPPING | RUN_HOST_MEMORY | RUN_METHOD;
    return sample->lane_count == 1 && strcmp(lane->run.backend, wanted->choices[0]->name) == 0 &&
           !(run_id_difference(&lane->run, &engine->run) & alike) &&
           lane->run.schedule.kind == engine->run.schedule.kind &&
           (engine->run.omega == OMEGA_OWN ? lane_has_default_omega(lane)
                                           : lane->run.omega == engine->run.omega) &&
           (!*device || strcmp(lane->device, device) == 0) &&
           (engine->mesh.Nx < 1 ||
            (sample->nx == engine->mesh.Nx && sample->ny == engine->mesh.Ny &&
             strcmp(sample->problem, engine->problem->name) == 0));
}

bool find_match(const struct lane_spec *wanted, const char *device, char *name,
                char *found_device) {
    static const char suffix[] = ".rec";
    char folder[PATH_SIZE], asked[96], backend[32], mapping[32], schedule[32];
    struct dirent **entries = NULL;
    bool found = false;
    snprintf(asked, sizeof asked, "%s", device); /* `device` may be found_device */
    if (wanted->choice_count < 1 || !data_path(folder, sizeof folder, "recordings"))
        return false;
    /* Files are named DEVICE-BACKEND-WHAT.rec. Other back ends are skipped; names with the mapping
     * or the schedule are read first. */
    snprintf(backend, sizeof backend, "-%s-", wanted->choices[0]->name);
    snprintf(mapping, sizeof mapping, "-%s", mapping_names[wanted->engine.run.mapping]);
    snprintf(schedule, sizeof schedule, "-%s", schedule_names[wanted->engine.run.schedule.kind]);
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int k = 0; k < 2 * count && !found; k++) {
        const char *file = entries[k % count]->d_name;
        const bool is_likely = strstr(file, mapping) || strstr(file, schedule);
        char path[2 * PATH_SIZE];
        struct recording *recording;
        snprintf(path, sizeof path, "%s/%s", folder, file);
        if (is_likely != (k < count) || !text_ends_in(file, suffix) || !strstr(file, backend) ||
            recording_load(path, &recording, &(struct error){0}))
            continue;
        const struct sample *sample = recording_sample(recording, recording->count - 1);
        found = is_match(sample, wanted, asked);
        if (found) {
            snprintf(name, PATH_SIZE, "%.*s", (int)(strlen(file) - strlen(suffix)), file);
            snprintf(found_device, sizeof asked, "%s", sample->lanes[0].device);
        }
        recording_close(recording);
    }
    for (int e = 0; e < count; e++)
        free(entries[e]);
    free(entries);
    return found;
}

enum status resolve_offer_recording(const struct plan *plan, struct error *error) {
    struct lane_spec wanted = plan->lanes[0];
    char name[PATH_SIZE], device[96];
    const struct error why = *error;
    wanted.engine.mesh.Nx = 0; /* any grid */
    if (why.status == STATUS_UNAVAILABLE && plan->lane_count == 1 && wanted.choice_count == 1 &&
        find_match(&wanted, "", name, device))
        error_set(error, why.status, "%.400s (recorded: --replay %.64s)", why.message, name);
    return why.status;
}
