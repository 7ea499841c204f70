#include "session/local.h"

#include <stdlib.h>
#include <string.h>

#include "core/process.h"
#include "core/system.h"
#include "session/runner.h"

struct local {
    struct source base;
    struct local_settings settings;
    struct runner runner;
    struct view view;
    bool is_open, probes, scans_tuning;
    struct sample *sample;
};

/* Opens the run, or makes a turn. Measurements come before the run, so that its figures are not
 * affected. */
static const struct sample *local_latest(struct source *source) {
    struct local *local = (struct local *)source;
    struct runner *runner = &local->runner;
    const bool has_fields = local->settings.samples_per_second > 0;
    if (!local->is_open) {
        local->is_open = true;
        if (runner_open(runner) == STATUS_OK && local->probes)
            runner_probe(runner);
        if (local->scans_tuning)
            runner_scan_tuning(runner);
        runner_snapshot(runner, has_fields ? &local->view : NULL, local->sample);
        runner->next_iteration_ns = clock_now_ns();
    } else if (local->sample->state == SESSION_RUNNING && !atomic_load(interrupt_flag())) {
        if (runner_turn(runner, local->settings.slice) < 0 || runner->state != SESSION_RUNNING)
            runner_sample(runner, &local->view, has_fields, local->sample);
        else if (has_fields && runner_sample_is_due(runner))
            runner_sample(runner, &local->view, false, local->sample);
        else if (!has_fields && local->settings.every_turn)
            runner_snapshot(runner, NULL, local->sample);
    }
    return local->sample;
}

static void local_command(struct source *source, const struct command *command) {
    struct local *local = (struct local *)source;
    const bool lacks_fields =
        local->settings.samples_per_second > 0 && local->runner.state == SESSION_RUNNING;
    local->probes |= command->kind == COMMAND_PROBE;
    local->scans_tuning |= command->kind == COMMAND_TUNING_SCAN;
    if (command->kind == COMMAND_FINISH)
        runner_finish(&local->runner, lacks_fields ? &local->view : NULL, local->sample);
}

static int local_descriptor(const struct source *source) {
    return -1;
}

static void local_close(struct source *source) {
    struct local *local = (struct local *)source;
    runner_close(&local->runner, NULL);
    sample_destroy(local->sample);
    free(local);
}

static const struct source_ops local_ops = {
    .latest = local_latest,
    .command = local_command,
    .descriptor = local_descriptor,
    .close = local_close,
};

enum status local_start(const struct local_settings *settings, const struct plan *plan,
                        const struct view *view, struct source **source, struct error *error) {
    struct local *local = calloc(1, sizeof *local);
    if (!local || !(local->sample = sample_create())) {
        free(local);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    local->base.ops = &local_ops;
    local->settings = *settings;
    /* Samples are recorded, not watched: fields must be cheap, and turns are long. */
    const int rate = settings->samples_per_second > 0 ? settings->samples_per_second : 1;
    local->runner = (struct runner){.plan = *plan,
                                    .stop = interrupt_flag(),
                                    .began_ns = clock_now_ns(),
                                    .samples_per_second = rate,
                                    .downsample_share = 0.003,
                                    .longest_still_ns = INT64_MAX / 2,
                                    .least_turn_ns = 500000000 / rate};
    local->runner.plan.paused = false;
    local->view = *view;
    *source = &local->base;
    return STATUS_OK;
}
