#include "report/headless.h"

#include <limits.h>

#include "core/system.h"
#include "record/alongside.h"
#include "record/recorder.h"
#include "report/solution.h"
#include "report/watch.h"
#include "session/roofs.h"
#include "session/snapshot.h"
#include "session/turns.h"

struct headless {
    const struct config *config;
    struct plan plan;            /* of the lanes that are computed */
    struct alongside *alongside; /* NULL: none was recorded */
    FILE *out;
    const atomic_bool *stop;
    struct lane *lanes[LANES_MAX];
    struct snapshot_mark marks[LANES_MAX];
    struct sample *sample; /* of the computed lanes */
    struct sample *joined; /* of all, for the report */
    struct report report;
    struct watch *watch; /* NULL: nothing is recorded */
    int64_t began_ns;
};

/* What runs otherwise than it was asked for. */
static void notice_changes(FILE *notices, const struct lane *lane) {
    char note[96];
    if (lane->fallback_from)
        fprintf(notices, "jacobi-tui: %s runs instead of %s (%s)\n", lane->backend->name,
                lane->fallback_from->name, lane->fallback_reason);
    schedule_note(note, sizeof note, lane->backend->name, lane->spec.engine.schedule,
                  lane->engine->spec.schedule);
    if (*note)
        fprintf(notices, "jacobi-tui: %s\n", note);
}

static enum status open_lanes(struct headless *run, FILE *notices, struct error *error) {
    const struct plan *plan = &run->plan;
    for (int l = 0; l < plan->lane_count; l++) {
        struct lane_spec spec = plan->lanes[l];
        spec.engine.stop = run->stop;
        const enum status status = lane_open(&spec, &run->lanes[l], error);
        if (status)
            return status;
        notice_changes(notices, run->lanes[l]);
    }
    return STATUS_OK;
}

/* The report's sample: that of the computed lanes, and what was recorded alongside. */
static void join(struct headless *run) {
    if (run->alongside)
        alongside_join(run->alongside, run->sample, NULL, run->joined);
}

static void take_sample(struct headless *run) {
    run->sample->time_ns = clock_now_ns() - run->began_ns;
    run->sample->sequence++;
    for (int l = 0; l < run->sample->lane_count; l++)
        snapshot_take(run->lanes[l], &run->marks[l], &run->sample->lanes[l]);
    join(run);
}

static bool is_watched(const struct headless *run) {
    return run->config->format == FORMAT_JSONL;
}

/* Seconds after which somebody may want a sample; a sample that is just missed comes a slice late.
 */
static double slice_of(const struct headless *run) {
    const double frame = 1.0 / run->plan.fps, half_a_sample = 0.5 / RECORDER_RATE;
    return run->watch && (!is_watched(run) || half_a_sample < frame) ? half_a_sample : frame;
}

/* A lone run that nobody watches is not interrupted. */
static struct turn next_turn(const struct headless *run) {
    const struct plan *plan = &run->plan;
    if (plan->lane_count > 1 || is_watched(run) || run->watch)
        return turn_next(run->lanes, plan->lane_count, plan->race, slice_of(run));
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a plan has at least one lane */
    return (struct turn){run->lanes[0]->state == LANE_RUNNING ? 0 : -1, LONG_MAX};
}

static enum status show_progress(struct headless *run, int lane, struct error *error) {
    const bool recorded = watch_wants(run->watch, run->lanes);
    enum status status = STATUS_OK;
    if (recorded || is_watched(run))
        take_sample(run);
    if (recorded)
        status = watch_take(run->watch, run->lanes, run->sample, error);
    watch_wait(run->watch, run->lanes, run->stop);
    if (status || !is_watched(run))
        return status;
    status =
        report_jsonl_sample(run->out, &run->report, alongside_place(run->alongside, lane), error);
    fflush(run->out);
    return status;
}

static enum status iterate(struct headless *run, struct error *error) {
    for (struct turn turn = next_turn(run); turn.lane >= 0 && !atomic_load(run->stop);
         turn = next_turn(run)) {
        struct lane *lane = run->lanes[turn.lane];
        lane_advance(lane, watch_count(run->watch, run->lanes, turn.count));
        const enum status status = show_progress(run, turn.lane, error);
        if (status)
            return status;
    }
    return STATUS_OK;
}

/* The engines are closed before the last totals are taken: their final mapping is in them. */
static void finish(struct headless *run) {
    for (int l = 0; l < run->sample->lane_count; l++)
        run->report.solutions[alongside_place(run->alongside, l)] = solution_read(run->lanes[l]);
    take_sample(run);
    for (int l = 0; l < run->sample->lane_count; l++) {
        engine_close(run->lanes[l]->engine);
        run->lanes[l]->engine = NULL;
        run->sample->lanes[l].totals = run->lanes[l]->log.totals;
    }
    join(run);
}

static enum status first_failure(const struct headless *run, struct error *error) {
    for (int l = 0; l < run->sample->lane_count; l++)
        if (run->lanes[l]->state == LANE_FAILED) {
            *error = run->lanes[l]->error;
            return error->status;
        }
    return STATUS_OK;
}

static enum status run_lanes(struct headless *run, struct error *error) {
    snapshot_describe(&run->plan, run->sample);
    run->sample->lane_count = run->plan.lane_count;
    for (int l = 0; l < run->sample->lane_count; l++)
        run->sample->lanes[l].roof = roof_recall(run->lanes[l]);
    take_sample(run);
    enum status status =
        is_watched(run) ? report_jsonl_start(run->out, &run->report, error) : STATUS_OK;
    if (!status)
        status = iterate(run, error);
    if (run->watch)
        take_sample(run);
    if (!status)
        status = watch_end(run->watch, run->lanes, run->sample, error);
    finish(run);
    if (!status)
        status = report_write(run->out, &run->report, error);
    return status ? status : first_failure(run, error);
}

static enum status prepare(struct headless *run, struct error *error) {
    run->sample = sample_create();
    run->joined = sample_create();
    if (!run->sample || !run->joined)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    run->plan = run->config->plan;
    const enum status status = alongside_open(&run->plan, &run->alongside, error);
    run->report = (struct report){
        .config = run->config,
        .sample = run->alongside ? run->joined : run->sample,
    };
    for (int l = 0; l < LANES_MAX; l++)
        run->report.solutions[l] = solution_unknown;
    return status;
}

enum status headless_run(const struct config *config, FILE *out, FILE *notices,
                         const atomic_bool *stop, struct error *error) {
    struct headless run = {.config = config, .out = out, .stop = stop, .began_ns = clock_now_ns()};
    enum status status = prepare(&run, error);
    if (!status)
        status = watch_open(config, &run.watch, error);
    if (!status)
        status = open_lanes(&run, notices, error);
    if (!status)
        status = run_lanes(&run, error);
    for (int l = 0; l < LANES_MAX; l++)
        lane_close(run.lanes[l]);
    watch_close(run.watch);
    alongside_close(run.alongside);
    sample_destroy(run.joined);
    sample_destroy(run.sample);
    return status;
}
