#include "record/format/sample_codec.h"

#include <string.h>

/* ---- tables: a row per field ---------------------------------------------------------------- */

const struct codec_field error_fields[] = {
    CHOICE(struct error, status, STATUS_DIVERGED + 1),
    TEXT(struct error, message),
    {.what = NULL},
};

static const struct codec_field run_fields[] = {
    TEXT(struct run_id, backend),
    CHOICE(struct run_id, mapping, MAPPING_COUNT),
    CHOICE(struct run_id, host_memory, HOST_MEMORY_COUNT),
    CHOICE(struct run_id, schedule.kind, SCHEDULE_COUNT),
    CHOICE(struct run_id, schedule.depth, SCHEDULE_MAX_DEPTH + 1),
    CHOICE(struct run_id, method, METHOD_COUNT),
    CHOICE(struct run_id, cycle.before, SMOOTHING_MAX + 1),
    CHOICE(struct run_id, cycle.after, SMOOTHING_MAX + 1),
    FLAG(struct run_id, cycle.red_black),
    BOUNDED(struct run_id, omega, 0, 2),
    CHOICE(struct run_id, device, 256),
    NUMBER(struct run_id, devices.count, DEVICES_ALL, DEVICE_STATS_MAX),
    FLAG(struct run_id, devices.listed),
    NUMBER(struct run_id, tuning.block, 0, 1024),
    NUMBER(struct run_id, tuning.norm_block, 0, 1024),
    NUMBER(struct run_id, tuning.norm_blocks, 0, 65535),
    NUMBER(struct run_id, tuning.fused_blocks, 0, 1024),
    NUMBER(struct run_id, tuning.blocked_blocks, 0, 1024),
    NUMBER(struct run_id, tuning.threads, 0, 65535),
    FLAG(struct run_id, user_kernels),
    CHOICE(struct run_id, precision, PRECISION_COUNT),
    {.what = NULL},
};

static const struct codec_field sample_fields[] = {
    CHOICE(struct sample, state, SESSION_FAILED + 1),
    TEXT(struct sample, preset),
    TEXT(struct sample, problem),
    NUMBER(struct sample, nx, 1, MESH_MAX_SIDE),
    NUMBER(struct sample, ny, 1, MESH_MAX_SIDE),
    COUNT(struct sample, iteration_limit),
    REAL(struct sample, tolerance),
    CHOICE(struct sample, measure, MEASURE_COUNT),
    CHOICE(struct sample, race, RACE_SAME_TIME + 1),
    NUMBER(struct sample, iterations_per_second, 0, INT32_MAX),
    CHOICE(struct sample, lane_count, LANES_MAX + 1),
    CHOICE(struct sample, study_count, STUDY_MAX + 1),
    FLAG(struct sample, is_last),
    BOUNDED(struct sample, filled, 0, 1),
    {.what = NULL},
};

#define USAGE(phase)                                                                               \
    NUMBER(struct lane_sample, usage[phase].registers, 0, INT32_MAX),                              \
        BOUNDED(struct lane_sample, usage[phase].occupancy, 0, 100)

static const struct codec_field lane_fields[] = {
    NUMBER(struct lane_sample, nx, 1, MESH_MAX_SIDE),
    NUMBER(struct lane_sample, ny, 1, MESH_MAX_SIDE),
    TEXT(struct lane_sample, title),
    TEXT(struct lane_sample, device),
    TEXT(struct lane_sample, architecture),
    TEXT(struct lane_sample, driver),
    TEXT(struct lane_sample, recorded),
    FLAG(struct lane_sample, recording_ended),
    TEXT(struct lane_sample, fallback_from),
    TEXT(struct lane_sample, fallback_reason),
    NUMBER(struct lane_sample, cache_bytes, 0, INT64_MAX),
    CHOICE(struct lane_sample, roof.origin, ROOF_GIVEN + 1),
    REAL(struct lane_sample, roof.bandwidth_gbs),
    REAL(struct lane_sample, roof.gflops),
    FLAG(struct lane_sample, roof.contended),
    NUMBER(struct lane_sample, depths_tried, 0, INT64_MAX),
    NUMBER(struct lane_sample, tuning_tried.block, 0, INT32_MAX),
    NUMBER(struct lane_sample, tuning_tried.norm_block, 0, INT32_MAX),
    NUMBER(struct lane_sample, tuning_tried.norm_blocks, 0, INT32_MAX),
    NUMBER(struct lane_sample, tuning_tried.fused_blocks, 0, INT32_MAX),
    NUMBER(struct lane_sample, tuning_tried.blocked_blocks, 0, INT32_MAX),
    CHOICE(struct lane_sample, device_stats.count, DEVICE_STATS_MAX + 1),
    TEXT(struct lane_sample, device_stats.transport),
    BYTES(struct lane_sample, device_stats.halo_bytes),
    CHOICE(struct lane_sample, tuning_scan.count, TUNING_SCAN_MAX + 1),
    CHOICE(struct lane_sample, tuning_scan.field, TUNING_FIELDS),
    CHOICE(struct lane_sample, state, LANE_FAILED + 1),
    COUNT(struct lane_sample, iterations),
    COUNT(struct lane_sample, iteration_limit),
    REAL(struct lane_sample, tolerance),
    CHOICE(struct lane_sample, measure, MEASURE_COUNT),
    REAL(struct lane_sample, initial_residual),
    REAL(struct lane_sample, residual),
    REAL(struct lane_sample, seconds),
    REAL(struct lane_sample, downsample_seconds),
    REAL(struct lane_sample, event_seconds),
    REAL(struct lane_sample, clock_step_ns),
    FLAG(struct lane_sample, middle_known),
    REAL(struct lane_sample, middle),
    COUNT(struct lane_sample, window_iterations),
    REAL(struct lane_sample, window_seconds),
    CHOICE(struct lane_sample, phase, PHASE_COUNT),
    CHOICE(struct lane_sample, field.kind, FIELD_KIND_COUNT),
    COUNT(struct lane_sample, field.iteration),
    FLOAT(struct lane_sample, field.min),
    FLOAT(struct lane_sample, field.max),
    FLOAT(struct lane_sample, field.smallest_nonzero),
    REAL(struct lane_sample, field.stats.error_l2),
    REAL(struct lane_sample, field.stats.error_max),
    REAL(struct lane_sample, field.stats.rough_share),
    CHOICE(struct lane_sample, levels.count, LEVEL_FIELDS + 1),
    COUNT(struct lane_sample, levels.iteration),
    FLAG(struct lane_sample, has_solution),
    REAL(struct lane_sample, solution.min),
    REAL(struct lane_sample, solution.max),
    REAL(struct lane_sample, solution.middle),
    REAL(struct lane_sample, solution.l2),
    REAL(struct lane_sample, solution.error),
    REAL(struct lane_sample, solution.error_max),
    COUNT(struct lane_sample, times.count),
    REAL(struct lane_sample, times.p05),
    REAL(struct lane_sample, times.p25),
    REAL(struct lane_sample, times.median),
    REAL(struct lane_sample, times.p75),
    REAL(struct lane_sample, times.p95),
    COUNT(struct lane_sample, typical.iterations),
    REAL(struct lane_sample, typical.seconds),
    USAGE(PHASE_LAPLACIAN),
    USAGE(PHASE_BOUNDARY),
    USAGE(PHASE_UPDATE),
    USAGE(PHASE_NORM),
    USAGE(PHASE_FUSED),
    USAGE(PHASE_BLOCKED),
    USAGE(PHASE_SWEEP),
    USAGE(PHASE_RESTRICTION),
    USAGE(PHASE_PROLONGATION),
    {.what = NULL},
};

/* The fields of a grid study's lane that are stored, in addition to its run and residuals. */
static const struct codec_field study_fields[] = {
    NUMBER(struct lane_sample, nx, 0, MESH_MAX_SIDE),
    NUMBER(struct lane_sample, ny, 0, MESH_MAX_SIDE),
    CHOICE(struct lane_sample, state, LANE_FAILED + 1),
    COUNT(struct lane_sample, iterations),
    REAL(struct lane_sample, residual),
    REAL(struct lane_sample, seconds),
    {.what = NULL},
};

static const struct codec_field device_fields[] = {
    NUMBER(struct device_stats, rank, 0, INT32_MAX),
    TEXT(struct device_stats, host),
    TEXT(struct device_stats, device),
    NUMBER(struct device_stats, device_index, -1, INT32_MAX),
    TEXT(struct device_stats, bus_id),
    NUMBER(struct device_stats, rows, 0, MESH_MAX_SIDE),
    REAL(struct device_stats, kernel_ms),
    REAL(struct device_stats, halo_ms),
    REAL(struct device_stats, wait_ms),
    {.what = NULL},
};

static const struct codec_field event_stats_fields[] = {
    COUNT(struct event_stats, count),
    COUNT(struct event_stats, timed),
    BYTES(struct event_stats, bytes),
    COUNT(struct event_stats, total_ns),
    CHOICE(struct event_stats, clock, CLOCK_COUNT),
    {.what = NULL},
};

static const struct codec_field duration_fields[] = {
    REAL(struct kernel_durations, p05),
    REAL(struct kernel_durations, median),
    REAL(struct kernel_durations, p95),
    REAL(struct kernel_durations, warm_up_mean),
    {.what = NULL},
};

/* Larger than any real time, but small enough that sums and differences of several do not
 * overflow. */
#define WIDEST (INT64_C(1) << 60)

static const struct codec_field event_fields[] = {
    NUMBER(struct event, device, 0, INT32_MAX),
    NUMBER(struct event, iteration, -WIDEST, WIDEST),
    NUMBER(struct event, start_ns, -WIDEST, WIDEST),
    NUMBER(struct event, duration_ns, -WIDEST, WIDEST),
    NUMBER(struct event, bytes, 0, WIDEST),
    {.what = NULL},
};

/* ---- parts of variable length --------------------------------------------------------------- */

void run_code(struct codec *codec, struct run_id *run, const struct run_id *before) {
    codec_record(codec, run, before, run_fields);
    for (int d = 0; d < SLABS_MAX; d++)
        run->devices.index[d] = (int)codec_number(codec, run->devices.index[d],
                                                  before->devices.index[d], 0, 255, "bad device");
    if (codec->reading && !(run->omega < 2))
        codec_fail(codec, "bad omega");
}

static void code_totals(struct codec *codec, struct event_totals *totals,
                        const struct event_totals *before) {
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            codec_fields(codec, &totals->of[kind][phase], &before->of[kind][phase],
                         event_stats_fields);
}

static void code_tuning_scan(struct codec *codec, struct tuning_scan *scan,
                             const struct tuning_scan *before) {
    for (int k = 0; k < scan->count; k++) {
        const bool had = k < before->count;
        scan->value[k] = (int)codec_number(codec, scan->value[k], had ? before->value[k] : 0, 0,
                                           INT32_MAX, "bad launch geometry");
        scan->ms[k] = codec_double(codec, scan->ms[k], had ? before->ms[k] : 0);
    }
}

static void code_history(struct codec *codec, struct history *history,
                         const struct history *before) {
    int kept = 0; /* number of leading residuals that both have in common */
    while (!codec->reading && history->stride == before->stride && kept < history->count &&
           kept < before->count &&
           memcmp(&history->residuals[kept], &before->residuals[kept], sizeof(double)) == 0)
        kept++;
    kept = (int)codec_number(codec, kept, before->count, 0, before->count, "bad history");
    history->count = (int)codec_number(codec, history->count, kept, kept, HISTORY_POINTS,
                                       "the history has too many points");
    history->stride =
        (long)codec_number(codec, history->stride, before->stride, 0, INT32_MAX, "bad stride");
    if (codec->failed)
        return;
    if (codec->reading)
        memcpy(history->residuals, before->residuals, (size_t)kept * sizeof(double));
    for (int k = kept; k < history->count; k++)
        history->residuals[k] =
            codec_double(codec, history->residuals[k], k > 0 ? history->residuals[k - 1] : 0);
}

static void code_levels(struct codec *codec, struct level_fields *levels,
                        const struct level_fields *before) {
    static const struct field none;
    for (int k = 0; k < levels->count && !codec->failed; k++) {
        struct field *level = &levels->of[k];
        const struct field *old = k < before->count ? &before->of[k] : &none;
        cells_code(codec, level, old, level_side(k) * level_side(k));
        level->iteration = levels->iteration;
        if (codec->reading && !codec->failed)
            field_measure(level);
    }
}

/* ---- events --------------------------------------------------------------------------------- */

/* Duration and bytes of the last event of each kind, which predict the next. */
struct event_guess {
    int64_t duration_ns;
    uint64_t bytes;
};

struct event_predictor {
    struct event_guess of[EVENT_KIND_COUNT][PHASE_COUNT][ARRAY_COUNT];
};

/* Counts the lane's events after the last one of `before`; all if that one isn't among them. */
static int count_new(const struct lane_sample *lane, const struct lane_sample *before) {
    if (before->event_count == 0)
        return lane->event_count;
    const struct event *last = &before->events[before->event_count - 1];
    for (int fresh = 0; fresh < lane->event_count; fresh++)
        if (memcmp(&lane->events[lane->event_count - 1 - fresh], last,
                   offsetof(struct event, device)) == 0)
            return fresh;
    return lane->event_count;
}

static void trim_events(struct lane_sample *lane, const struct lane_sample *before) {
    const int count = lane->event_count, fresh = count_new(lane, before);
    const bool has_gap = fresh == count || fresh > RECORD_EVENTS;
    const int kept = has_gap ? RECORD_EVENTS : before->event_count + fresh;
    if (kept >= count)
        return;
    memmove(lane->events, lane->events + count - kept, (size_t)kept * sizeof *lane->events);
    lane->event_count = kept;
}

/* Packs kind, phase, array and clock into one number. */
static void code_sort(struct codec *codec, struct event *event) {
    enum { BITS = 4, MASK = (1 << BITS) - 1 };
    const int64_t sort = codec->reading ? 0
                                        : (int64_t)event->kind | (int64_t)event->phase << BITS |
                                              (int64_t)event->array << 2 * BITS |
                                              (int64_t)event->clock << 3 * BITS;
    const int64_t read = codec_number(codec, sort, 0, 0, UINT16_MAX, "unknown kind of event");
    event->kind = (enum event_kind)(read & MASK);
    event->phase = (enum phase)(read >> BITS & MASK);
    event->array = (enum array)(read >> 2 * BITS & MASK);
    event->clock = (enum clock_source)(read >> 3 * BITS);
    if (event->kind >= EVENT_KIND_COUNT || event->phase >= PHASE_COUNT ||
        event->array >= ARRAY_COUNT || event->clock >= CLOCK_COUNT)
        codec_fail(codec, "unknown kind of event");
}

static void code_event(struct codec *codec, struct event *event, const struct event *before,
                       struct event_predictor *predictor) {
    code_sort(codec, event);
    if (codec->failed)
        return;
    struct event_guess *guess = &predictor->of[event->kind][event->phase][event->array];
    struct event expected = *before;
    expected.start_ns += before->duration_ns;
    expected.duration_ns = guess->duration_ns;
    expected.bytes = guess->bytes;
    codec_fields(codec, event, &expected, event_fields);
    *guess = (struct event_guess){event->duration_ns, event->bytes};
}

void events_code(struct codec *codec, struct lane_sample *lane, const struct lane_sample *before) {
    int kept = codec->reading ? 0 : lane->event_count - count_new(lane, before);
    kept = (int)codec_number(codec, kept, before->event_count, 0, before->event_count,
                             "bad number of events");
    lane->event_count =
        (int)codec_number(codec, lane->event_count, kept, kept, SAMPLE_EVENTS, "too many events");
    if (codec->failed)
        return;
    if (codec->reading)
        memcpy(lane->events, before->events + before->event_count - kept,
               (size_t)kept * sizeof *lane->events);
    static const struct event none;
    struct event_predictor predictor = {0};
    for (int k = kept; k < lane->event_count && !codec->failed; k++)
        code_event(codec, &lane->events[k], k > 0 ? &lane->events[k - 1] : &none, &predictor);
}

/* ---- lanes and samples ---------------------------------------------------------------------- */

static void code_lane(struct codec *codec, struct lane_sample *lane,
                      const struct lane_sample *before) {
    static const struct device_stats no_device;
    codec_record(codec, lane, before, lane_fields);
    run_code(codec, &lane->run, &before->run);
    if (codec->reading && !(lane->run.omega > 0))
        codec_fail(codec, "bad omega");
    codec_fields(codec, &lane->error, &before->error, error_fields);
    if (codec->failed)
        return;
    for (int d = 0; d < lane->device_stats.count; d++)
        codec_fields(codec, &lane->device_stats.device[d],
                     d < before->device_stats.count ? &before->device_stats.device[d] : &no_device,
                     device_fields);
    code_tuning_scan(codec, &lane->tuning_scan, &before->tuning_scan);
    code_totals(codec, &lane->totals, &before->totals);
    code_totals(codec, &lane->window, &before->window);
    if (lane->typical.iterations > 0) /* older recordings have none */
        code_totals(codec, &lane->typical.totals, &before->typical.totals);
    else
        lane->typical.totals = (struct event_totals){0};
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        codec_fields(codec, &lane->durations[phase], &before->durations[phase], duration_fields);
    code_history(codec, &lane->history, &before->history);
    events_code(codec, lane, before);
    cells_code(codec, &lane->field, &before->field, FIELD_MAX_CELLS);
    code_levels(codec, &lane->levels, &before->levels);
}

void sample_prepare(struct sample *sample, const struct sample *before) {
    for (int l = 0; l < sample->lane_count; l++) {
        field_round(&sample->lanes[l].field);
        for (int k = 0; k < sample->lanes[l].levels.count; k++)
            field_round(&sample->lanes[l].levels.of[k]);
        trim_events(&sample->lanes[l], &before->lanes[l]);
    }
}

void sample_code(struct codec *codec, struct sample *sample, const struct sample *before) {
    static struct sample nothing; /* never written */
    if (!before)
        before = &nothing;
    codec_record(codec, sample, before, sample_fields);
    codec_fields(codec, &sample->error, &before->error, error_fields);
    for (int l = 0; l < sample->lane_count && !codec->failed; l++)
        code_lane(codec, &sample->lanes[l],
                  l < before->lane_count ? &before->lanes[l] : &nothing.lanes[0]);
    for (int k = 0; k < sample->study_count && !codec->failed; k++) {
        const struct lane_sample *old = k < before->study_count ? &before->study[k] : nothing.study;
        codec_record(codec, &sample->study[k], old, study_fields);
        run_code(codec, &sample->study[k].run, &old->run);
        code_history(codec, &sample->study[k].history, &old->history);
    }
}
