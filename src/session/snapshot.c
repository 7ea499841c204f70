#include "session/snapshot.h"

#include <math.h>
#include <stdio.h>

static void copy_identity(const struct lane *lane, struct lane_sample *sample) {
    snprintf(sample->backend, sizeof sample->backend, "%s", lane->backend->name);
    snprintf(sample->title, sizeof sample->title, "%s", lane->backend->title);
    snprintf(sample->device, sizeof sample->device, "%s", lane->device.name);
    snprintf(sample->architecture, sizeof sample->architecture, "%s", lane->device.architecture);
    snprintf(sample->driver, sizeof sample->driver, "%s", lane->device.driver);
    snprintf(sample->fallback_from, sizeof sample->fallback_from, "%s",
             lane->fallback_from ? lane->fallback_from->name : "");
    snprintf(sample->fallback_reason, sizeof sample->fallback_reason, "%s", lane->fallback_reason);
    sample->mapping = lane->engine->spec.mapping;
    sample->schedule = lane->engine->spec.schedule;
}

static void copy_spreads(const struct event_log *log, struct lane_sample *sample) {
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        const struct spread *spread = &log->spreads[phase];
        sample->spreads[phase] = (struct kernel_spread){
            .p05 = spread_quantile(spread, 0.05),
            .median = spread_quantile(spread, 0.5),
            .p95 = spread_quantile(spread, 0.95),
            .warm_up_mean =
                spread->warm_up_count ? (double)spread->warm_up_ns / spread->warm_up_count : NAN,
        };
    }
}

static void copy_events(const struct event_log *log, struct lane_sample *sample) {
    const uint64_t kept = log->count < EVENT_RING ? log->count : EVENT_RING;
    const uint64_t count = kept < SAMPLE_EVENTS ? kept : SAMPLE_EVENTS;
    for (uint64_t k = 0; k < count; k++)
        sample->events[k] = log->ring[(log->count - count + k) % EVENT_RING];
    sample->event_count = (int)count;
}

void snapshot_describe(const struct plan *plan, struct sample *sample) {
    const struct lane_spec *spec = &plan->lanes[0];
    snprintf(sample->preset, sizeof sample->preset, "%s", plan->preset);
    snprintf(sample->problem, sizeof sample->problem, "%s", spec->engine.problem->name);
    sample->nx = spec->engine.mesh.Nx;
    sample->ny = spec->engine.mesh.Ny;
    sample->iteration_limit = spec->iterations;
    sample->tolerance = spec->tolerance;
    sample->race = plan->race;
    sample->speed = plan->speed;
}

void snapshot_take(const struct lane *lane, struct snapshot_mark *mark,
                   struct lane_sample *sample) {
    copy_identity(lane, sample);
    copy_spreads(&lane->log, sample);
    copy_events(&lane->log, sample);
    sample->state = lane->state;
    sample->error = lane->error;
    sample->iterations = lane->iterations;
    sample->iteration_limit = lane->spec.iterations;
    sample->tolerance = lane->spec.tolerance;
    sample->initial_residual = lane->initial_residual;
    sample->residual = lane->residual;
    sample->seconds = lane->seconds;
    sample->downsample_seconds = lane->downsample_seconds;
    sample->event_seconds = 1e-9 * (double)lane->log.count * event_cost_ns();
    sample->totals = lane->log.totals;
    sample->history = lane->history;
    sample->phase = lane->log.phase;
    if (lane->iterations == mark->iterations || lane->state == LANE_FAILED)
        return;
    sample->window = event_totals_since(&lane->log.totals, &mark->totals);
    sample->window_iterations = lane->iterations - mark->iterations;
    sample->window_seconds = lane->seconds - mark->seconds;
    *mark = (struct snapshot_mark){lane->log.totals, lane->iterations, lane->seconds};
}
