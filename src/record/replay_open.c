#include <math.h>

#include "core/system.h"
#include "record/recorded.h"
#include "record/replay.h"

bool replay_is_asked(const struct config *config) {
    const struct plan *plan = &config->plan;
    return *config->replay || plan_recorded_count(plan) == plan->lane_count;
}

/* The plan that the recorded run had, as far as this program knows its names. */
static void plan_from_sample(struct plan *plan, const struct sample *sample) {
    plan->lane_count = sample->lane_count > 0 ? sample->lane_count : 1;
    plan->race = sample->race;
    plan->speed = 0;
    for (int l = 0; l < plan->lane_count; l++) {
        plan->lanes[l] = plan->lanes[0];
        recorded_spec(sample, l, &plan->lanes[l]);
    }
}

static enum status load_one(const struct config *config, struct reel **reel, struct error *error) {
    char path[PATH_SIZE];
    struct recording *recording;
    recorded_find(config->replay, path);
    const enum status status = recording_load(path, &recording, error);
    return status ? status : reel_of_recording(recording, reel, error);
}

enum status replay_load(struct config *config, struct reel **reel, struct error *error) {
    const enum status status =
        *config->replay ? load_one(config, reel, error) : reel_of_plan(&config->plan, reel, error);
    if (status)
        return status;
    about_to_config(reel_about(*reel), config);
    plan_from_sample(&config->plan, reel_sample(*reel, 0));
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
    struct reel *reel;
    enum status status = replay_load(config, &reel, error);
    if (!status)
        status = replay_start_reel(reel, config->replay_speed, false, clock ? clock : clock_now_ns,
                                   source, error);
    if (!status)
        seek(*source, config);
    return status;
}
