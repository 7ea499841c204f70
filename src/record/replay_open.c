#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/paths.h"
#include "record/replay.h"

/* A file, or "h200-hip-classic" for one that comes with the program. */
static void find_recording(const char *name, char *path, size_t size) {
    char relative[PATH_SIZE + 32];
    snprintf(path, size, "%s", name);
    if (strchr(name, '/') || access(name, R_OK) == 0)
        return;
    snprintf(relative, sizeof relative, "recordings/%s.rec", name);
    if (!path_of_data(path, size, relative))
        snprintf(path, size, "%s", name);
}

/* The plan that the recorded run had, as far as this program knows its names. */
static void plan_from_sample(struct plan *plan, const struct sample *sample) {
    const struct problem *problem = problem_find(sample->problem);
    plan->lane_count = sample->lane_count > 0 ? sample->lane_count : 1;
    plan->race = sample->race;
    plan->speed = 0;
    for (int l = 0; l < plan->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        struct lane_spec *spec = &plan->lanes[l];
        const struct backend *backend = backend_find(lane->backend);
        *spec = plan->lanes[0];
        if (backend) {
            spec->choices[0] = backend;
            spec->choice_count = 1;
        }
        if (problem)
            spec->engine.problem = problem;
        spec->engine.mesh = mesh_make(sample->nx, sample->ny);
        spec->engine.mapping = lane->mapping;
        spec->engine.schedule = lane->schedule;
        spec->iterations = sample->iteration_limit;
        spec->tolerance = sample->tolerance;
    }
}

enum status replay_load(struct config *config, struct recording **recording, struct error *error) {
    char path[PATH_SIZE];
    find_recording(config->replay, path, sizeof path);
    const enum status status = recording_load(path, recording, error);
    if (status)
        return status;
    about_to_config(recording_about(*recording), config);
    plan_from_sample(&config->plan, recording_sample(*recording, 0));
    return STATUS_OK;
}

static void seek(struct source *source, const struct config *config) {
    const double length = source->ops->latest(source)->playback.length_s;
    const double share = isfinite(config->at_percent)                 ? config->at_percent / 100
                         : isfinite(config->at_seconds) && length > 0 ? config->at_seconds / length
                                                                      : 0;
    const struct command command = {.kind = COMMAND_SEEK, .value = lround(fmin(share, 1) * 1000)};
    source->ops->command(source, &command);
}

enum status replay_open(struct config *config, int64_t (*clock)(void), struct source **source,
                        struct error *error) {
    struct recording *recording;
    enum status status = replay_load(config, &recording, error);
    if (!status)
        status = replay_start_with_clock(recording, config->replay_speed, false,
                                         clock ? clock : clock_now_ns, source, error);
    if (!status)
        seek(*source, config);
    return status;
}
