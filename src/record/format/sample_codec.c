#include "record/format/sample_codec.h"

#include <math.h>
#include <string.h>

static int choice(struct codec *codec, int value, int before, int count, const char *what) {
    return (int)codec_number(codec, value, before, 0, count - 1, what);
}

static int64_t amount(struct codec *codec, int64_t value, int64_t before) {
    /* So large that no true count reaches it, so small that a sum of several stays a number. */
    const int64_t most = INT64_C(1) << 56;
    return codec_number(codec, value, before, 0, most, "impossible count");
}

static void code_error(struct codec *codec, struct error *error, const struct error *before) {
    error->status = (enum status)choice(codec, (int)error->status, (int)before->status,
                                        STATUS_DIVERGED + 1, "unknown status");
    codec_text(codec, error->message, sizeof error->message, before->message, "bad error message");
}

static void code_event_stats(struct codec *codec, struct event_stats *stats,
                             const struct event_stats *old) {
    stats->count = (uint64_t)amount(codec, (int64_t)stats->count, (int64_t)old->count);
    stats->timed = (uint64_t)amount(codec, (int64_t)stats->timed, (int64_t)old->timed);
    stats->bytes = (uint64_t)amount(codec, (int64_t)stats->bytes, (int64_t)old->bytes);
    stats->total_ns = amount(codec, stats->total_ns, old->total_ns);
    stats->clock = (enum clock_source)choice(codec, (int)stats->clock, (int)old->clock, CLOCK_COUNT,
                                             "unknown clock");
}

int phase_to_code(enum phase phase) {
    return phase < PHASE_SWEEP         ? (int)phase
           : phase >= PHASE_DOWNSAMPLE ? (int)phase - (PHASE_DOWNSAMPLE - PHASE_SWEEP)
                                       : (int)phase - PHASE_SWEEP + CODED_PHASES;
}

enum phase phase_of_code(int code) {
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        if (phase_to_code((enum phase)phase) == code)
            return (enum phase)phase;
    return PHASE_COUNT;
}

/* The codes [first, last). Waits are coded by themselves: version 2 had none. */
static void code_totals(struct codec *codec, struct event_totals *totals,
                        const struct event_totals *before, int first, int last) {
    for (int kind = 0; kind <= EVENT_ALLOC; kind++)
        for (int code = first; code < last; code++) {
            const enum phase phase = phase_of_code(code);
            code_event_stats(codec, &totals->of[kind][phase], &before->of[kind][phase]);
        }
}

static void code_durations(struct codec *codec, struct kernel_durations *durations,
                           const struct kernel_durations *before, int first, int last) {
    for (int code = first; code < last; code++) {
        struct kernel_durations *made = &durations[phase_of_code(code)];
        const struct kernel_durations *old = &before[phase_of_code(code)];
        made->p05 = codec_double(codec, made->p05, old->p05);
        made->median = codec_double(codec, made->median, old->median);
        made->p95 = codec_double(codec, made->p95, old->p95);
        made->warm_up_mean = codec_double(codec, made->warm_up_mean, old->warm_up_mean);
    }
}

static void code_history(struct codec *codec, struct history *history,
                         const struct history *before) {
    int kept = 0; /* residuals that both have in common at their beginning */
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

/* One number for the mapping and what it copies from: pageable memory was all there was once. */
static void code_mapping(struct codec *codec, struct lane_sample *lane,
                         const struct lane_sample *before) {
    const int value = (int)lane->run.mapping + MAPPING_COUNT * (int)lane->run.host_memory;
    const int old = (int)before->run.mapping + MAPPING_COUNT * (int)before->run.host_memory;
    const int both =
        choice(codec, value, old, MAPPING_COUNT * HOST_MEMORY_COUNT, "unknown mapping");
    lane->run.mapping = (enum mapping)(both % MAPPING_COUNT);
    lane->run.host_memory = (enum host_memory)(both / MAPPING_COUNT);
}

/* Who computes, how far it is, and what it has measured. */
static void code_lane(struct codec *codec, struct lane_sample *lane,
                      const struct lane_sample *before) {
    codec_text(codec, lane->run.backend, sizeof lane->run.backend, before->run.backend,
               "bad back end");
    codec_text(codec, lane->title, sizeof lane->title, before->title, "bad title");
    lane->run.user_kernels = strcmp(lane->title, title_of_own) == 0;
    codec_text(codec, lane->device, sizeof lane->device, before->device, "bad device");
    codec_text(codec, lane->architecture, sizeof lane->architecture, before->architecture,
               "bad architecture");
    codec_text(codec, lane->driver, sizeof lane->driver, before->driver, "bad driver");
    codec_text(codec, lane->fallback_from, sizeof lane->fallback_from, before->fallback_from,
               "bad back end");
    codec_text(codec, lane->fallback_reason, sizeof lane->fallback_reason, before->fallback_reason,
               "bad reason");
    lane->roof.origin =
        (enum roof_origin)choice(codec, (int)lane->roof.origin, (int)before->roof.origin,
                                 ROOF_GIVEN + 1, "unknown origin of a roof");
    lane->roof.bandwidth_gbs =
        codec_double(codec, lane->roof.bandwidth_gbs, before->roof.bandwidth_gbs);
    lane->roof.gflops = codec_double(codec, lane->roof.gflops, before->roof.gflops);
    code_mapping(codec, lane, before);
    lane->run.schedule.kind = (enum schedule_kind)choice(codec, (int)lane->run.schedule.kind,
                                                         (int)before->run.schedule.kind,
                                                         SCHEDULE_COUNT, "unknown schedule");
    lane->run.schedule.depth = choice(codec, lane->run.schedule.depth, before->run.schedule.depth,
                                      SCHEDULE_MAX_DEPTH + 1, "bad depth");

    lane->state = (enum lane_state)choice(codec, (int)lane->state, (int)before->state,
                                          LANE_FAILED + 1, "unknown lane state");
    code_error(codec, &lane->error, &before->error);
    lane->iterations = (long)amount(codec, lane->iterations, before->iterations);
    lane->initial_residual = codec_double(codec, lane->initial_residual, before->initial_residual);
    lane->residual = codec_double(codec, lane->residual, before->residual);
    lane->seconds = codec_double(codec, lane->seconds, before->seconds);
    lane->downsample_seconds =
        codec_double(codec, lane->downsample_seconds, before->downsample_seconds);
    lane->window_iterations =
        (long)amount(codec, lane->window_iterations, before->window_iterations);
    lane->window_seconds = codec_double(codec, lane->window_seconds, before->window_seconds);
    lane->phase = phase_of_code(choice(codec, phase_to_code(lane->phase),
                                       phase_to_code(before->phase), PHASE_COUNT, "unknown phase"));

    code_totals(codec, &lane->totals, &before->totals, 0, CODED_PHASES);
    code_totals(codec, &lane->window, &before->window, 0, CODED_PHASES);
    code_durations(codec, lane->durations, before->durations, 0, CODED_PHASES);
    code_history(codec, &lane->history, &before->history);
    events_code(codec, lane, before);
    field_code(codec, &lane->field, &before->field, FIELD_MAX_CELLS);
}

static void code_study_lane(struct codec *codec, struct lane_sample *lane,
                            const struct lane_sample *before) {
    lane->nx = (int)codec_number(codec, lane->nx, before->nx, 0, MESH_MAX_SIDE, "bad grid");
    lane->ny =
        (int)codec_number(codec, lane->ny, before->ny, lane->nx > 0, MESH_MAX_SIDE, "bad grid");
    lane->iterations = (long)amount(codec, lane->iterations, before->iterations);
    lane->residual = codec_double(codec, lane->residual, before->residual);
    lane->state = (enum lane_state)choice(codec, (int)lane->state, (int)before->state,
                                          LANE_FAILED + 1, "unknown lane state");
    code_history(codec, &lane->history, &before->history);
}

/* Up to version 2 this was the end, and there only if there were any. */
static void code_study(struct codec *codec, struct sample *sample, const struct sample *before) {
    static const struct lane_sample nothing;
    if (codec->reading && codec->at == codec->size)
        sample->study_count = 0;
    else
        sample->study_count =
            (int)codec_number(codec, sample->study_count, 0, 0, STUDY_MAX, "too many grids");
    for (int k = 0; k < sample->study_count && !codec->failed; k++)
        code_study_lane(codec, &sample->study[k],
                        k < before->study_count ? &before->study[k] : &nothing);
}

/* Since version 3; before it nothing was damped. */
static void code_damping(struct codec *codec, struct sample *sample, const struct sample *before) {
    const bool absent = codec->reading && codec->at == codec->size;
    for (int l = 0; l < sample->lane_count && !codec->failed; l++) {
        double *omega = &sample->lanes[l].run.omega;
        *omega = absent ? 1 : codec_double(codec, *omega, before->lanes[l].run.omega);
        if (codec->reading && !(*omega > 0 && *omega < 2))
            codec_fail(codec, "bad damping");
    }
}

/* Since version 3; before it every field was U's. */
static void code_field_kind(struct codec *codec, struct field *field, const struct field *before) {
    if (codec->reading && codec->at == codec->size) {
        field->kind = FIELD_U;
        field->stats = field_stats_none;
        return;
    }
    field->kind = (enum field_kind)choice(codec, (int)field->kind, (int)before->kind,
                                          FIELD_KIND_COUNT, "unknown quantity");
    field->stats.error_l2 = codec_double(codec, field->stats.error_l2, before->stats.error_l2);
    field->stats.error_max = codec_double(codec, field->stats.error_max, before->stats.error_max);
    field->stats.rough_share =
        codec_double(codec, field->stats.rough_share, before->stats.rough_share);
}

/* Since version 3: the host's waits, and the step of the clock that kernels time themselves by. */
static void code_waits(struct codec *codec, struct sample *sample, const struct sample *before) {
    const bool absent = codec->reading && codec->at == codec->size;
    for (int l = 0; l < sample->lane_count && !codec->failed; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        const struct lane_sample *old = &before->lanes[l];
        struct event_stats *totals = lane->totals.of[EVENT_WAIT],
                           *window = lane->window.of[EVENT_WAIT];
        if (absent) {
            memset(totals, 0, sizeof lane->totals.of[EVENT_WAIT]);
            memset(window, 0, sizeof lane->window.of[EVENT_WAIT]);
            lane->clock_step_ns = 0;
            continue;
        }
        lane->clock_step_ns = codec_double(codec, lane->clock_step_ns, old->clock_step_ns);
        for (int code = 0; code < CODED_PHASES; code++) {
            const enum phase phase = phase_of_code(code);
            code_event_stats(codec, &totals[phase], &old->totals.of[EVENT_WAIT][phase]);
            code_event_stats(codec, &window[phase], &old->window.of[EVENT_WAIT][phase]);
        }
    }
}

/* Since version 3; before it there was one device. */
static void code_device_stats(struct codec *codec, struct lane_sample *lane,
                              const struct lane_sample *before) {
    struct device_stats_list *devices = &lane->device_stats;
    const struct device_stats_list *old = &before->device_stats;
    if (codec->reading && codec->at == codec->size)
        devices->count = 0;
    else
        devices->count =
            choice(codec, devices->count, old->count, DEVICE_STATS_MAX + 1, "too many parts");
    lane->run.devices.count = devices->count;
    if (devices->count == 0 || codec->failed)
        return;
    codec_text(codec, devices->transport, sizeof devices->transport, old->transport,
               "bad transport");
    devices->halo_bytes =
        (uint64_t)amount(codec, (int64_t)devices->halo_bytes, (int64_t)old->halo_bytes);
    for (int p = 0; p < devices->count && !codec->failed; p++) {
        struct device_stats *stats = &devices->device[p];
        const struct device_stats *was = &old->device[p];
        stats->rank = (int)codec_number(codec, stats->rank, p, 0, INT32_MAX, "bad rank");
        codec_text(codec, stats->host, sizeof stats->host, was->host, "bad host");
        codec_text(codec, stats->device, sizeof stats->device, was->device, "bad device");
        stats->rows =
            (int)codec_number(codec, stats->rows, was->rows, 0, MESH_MAX_SIDE, "bad rows");
        stats->kernel_ms = codec_double(codec, stats->kernel_ms, was->kernel_ms);
        stats->halo_ms = codec_double(codec, stats->halo_ms, was->halo_ms);
        stats->wait_ms = codec_double(codec, stats->wait_ms, was->wait_ms);
    }
    for (int code = 0; code < CODED_PHASES; code++) {
        const enum phase phase = phase_of_code(code);
        code_event_stats(codec, &lane->totals.of[EVENT_HALO][phase],
                         &before->totals.of[EVENT_HALO][phase]);
        code_event_stats(codec, &lane->window.of[EVENT_HALO][phase],
                         &before->window.of[EVENT_HALO][phase]);
    }
    for (int e = 0; e < lane->event_count; e++)
        lane->events[e].device =
            (int)codec_number(codec, lane->events[e].device, 0, 0, INT32_MAX, "bad part");
}

/* Since version 3: which devices those are; before it only what they are called. */
static void code_devices(struct codec *codec, struct device_stats_list *devices,
                         const struct device_stats_list *before) {
    const bool untold = codec->reading && codec->at == codec->size;
    for (int p = 0; p < devices->count && !codec->failed; p++) {
        struct device_stats *stats = &devices->device[p];
        const struct device_stats *was = &before->device[p];
        if (untold) {
            stats->device_index = -1;
            *stats->bus_id = '\0';
            continue;
        }
        stats->device_index = (int)codec_number(codec, stats->device_index, was->device_index, -1,
                                                INT32_MAX, "bad device");
        codec_text(codec, stats->bus_id, sizeof stats->bus_id, was->bus_id, "bad bus ID");
    }
}

void sample_code_method(struct codec *codec, enum method *method, struct cycle *cycle,
                        enum method method_before, struct cycle cycle_before) {
    *method = (enum method)choice(codec, (int)*method, (int)method_before, METHOD_COUNT,
                                  "unknown method");
    cycle->before =
        choice(codec, cycle->before, cycle_before.before, SMOOTHING_MAX + 1, "bad cycle");
    cycle->after = choice(codec, cycle->after, cycle_before.after, SMOOTHING_MAX + 1, "bad cycle");
    cycle->red_black = choice(codec, cycle->red_black, cycle_before.red_black, 2, "bad cycle");
}

/* Since version 3: the method, and what its phases did that came with it; before it all was
 * Jacobi. */
static void code_methods(struct codec *codec, struct sample *sample, const struct sample *before) {
    const bool absent = codec->reading && codec->at == codec->size;
    for (int l = 0; l < sample->lane_count && !codec->failed; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        const struct lane_sample *old = &before->lanes[l];
        if (absent) {
            lane->run.method = METHOD_JACOBI;
            lane->run.cycle = (struct cycle){0};
            for (int code = CODED_PHASES; code < PHASE_COUNT; code++) {
                const enum phase phase = phase_of_code(code);
                for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
                    lane->totals.of[kind][phase] = lane->window.of[kind][phase] =
                        (struct event_stats){0};
                lane->durations[phase] = (struct kernel_durations){NAN, NAN, NAN, NAN};
            }
            continue;
        }
        sample_code_method(codec, &lane->run.method, &lane->run.cycle, old->run.method,
                           old->run.cycle);
        code_totals(codec, &lane->totals, &old->totals, CODED_PHASES, PHASE_COUNT);
        code_totals(codec, &lane->window, &old->window, CODED_PHASES, PHASE_COUNT);
        code_durations(codec, lane->durations, old->durations, CODED_PHASES, PHASE_COUNT);
        for (int code = CODED_PHASES; code < PHASE_COUNT; code++) {
            const enum phase phase = phase_of_code(code);
            code_event_stats(codec, &lane->totals.of[EVENT_WAIT][phase],
                             &old->totals.of[EVENT_WAIT][phase]);
            code_event_stats(codec, &lane->window.of[EVENT_WAIT][phase],
                             &old->window.of[EVENT_WAIT][phase]);
        }
    }
}

void sample_prepare(struct sample *sample, const struct sample *before) {
    for (int l = 0; l < sample->lane_count; l++) {
        field_round(&sample->lanes[l].field);
        for (int k = 0; k < sample->lanes[l].levels.count; k++) {
            struct field level = level_field(&sample->lanes[l].levels, k);
            field_round(&level);
        }
        events_trim(&sample->lanes[l], &before->lanes[l]);
    }
}

/* Since version 3; before it nobody said how kernels were launched. Those figures from `first` to
 * before `end`: blocked's came later, */
static void code_tuning(struct codec *codec, struct lane_sample *lane,
                        const struct lane_sample *before, enum tuning_field first,
                        enum tuning_field end) {
    const bool untold = codec->reading && codec->at == codec->size;
    struct tuning *const both[] = {&lane->run.tuning, &lane->tuning_tried};
    const struct tuning *const olds[] = {&before->run.tuning, &before->tuning_tried};
    for (int n = 2 * (int)first; n < 2 * (int)end && !untold && !codec->failed; n++) {
        const enum tuning_field field = (enum tuning_field)(n / 2);
        tuning_set(both[n % 2], field,
                   (int)codec_number(codec, tuning_get(both[n % 2], field),
                                     tuning_get(olds[n % 2], field), 0, INT32_MAX, "bad geometry"));
    }
}

/* and what the device's last cache holds, and what each geometry took. */
static void code_sweep(struct codec *codec, struct lane_sample *lane,
                       const struct lane_sample *before) {
    const bool untold = codec->reading && codec->at == codec->size;
    if (!untold && !codec->failed)
        lane->cache_bytes =
            (uint64_t)codec_number(codec, (int64_t)lane->cache_bytes, (int64_t)before->cache_bytes,
                                   0, INT64_MAX, "bad cache");
    if (codec->reading && codec->at == codec->size)
        return;
    struct sweep *sweep = &lane->sweep;
    const struct sweep *old = &before->sweep;
    sweep->count = choice(codec, sweep->count, old->count, SWEEP_MAX + 1, "bad sweep");
    sweep->field = (enum tuning_field)choice(codec, (int)sweep->field, (int)old->field,
                                             TUNING_FIELDS, "bad sweep");
    for (int k = 0; k < sweep->count && !codec->failed; k++) {
        sweep->value[k] =
            (int)codec_number(codec, sweep->value[k], old->value[k], 0, INT32_MAX, "bad sweep");
        sweep->ms[k] = codec_double(codec, sweep->ms[k], old->ms[k]);
    }
}

/* Since version 3; before it nobody kept what coarser levels hold. */
static void code_levels(struct codec *codec, struct level_fields *levels,
                        const struct level_fields *before) {
    const bool untold = codec->reading && codec->at == codec->size;
    levels->count =
        untold ? 0 : choice(codec, levels->count, before->count, LEVEL_FIELDS + 1, "bad levels");
    for (int k = 0; k < levels->count && !codec->failed; k++) {
        struct field level = level_field(levels, k);
        struct field old = level_field(before, k);
        if (k >= before->count)
            old.iteration = 0;
        field_code(codec, &level, &old, level_side(k) * level_side(k));
        if (!codec->failed) {
            levels->downsample[k] = level.downsample;
            levels->iteration = level.iteration;
        }
    }
    if (codec->failed)
        levels->count = 0;
}

/* What a grid study's runs took, since version 3. They are made as the first lane's. */
static void code_study_runs(struct codec *codec, struct sample *sample,
                            const struct sample *before) {
    const bool untold = codec->reading && codec->at == codec->size;
    for (int k = 0; k < sample->study_count && !codec->failed; k++) {
        struct lane_sample *lane = &sample->study[k];
        const double old = k < before->study_count ? before->study[k].seconds : 0;
        lane->seconds = untold ? 0 : codec_double(codec, lane->seconds, old);
        if (codec->reading) {
            lane->run.method = sample->lanes[0].run.method;
            lane->run.cycle = sample->lanes[0].run.cycle;
        }
    }
}

void sample_code(struct codec *codec, struct sample *sample, const struct sample *before) {
    sample->state = (enum session_state)choice(codec, (int)sample->state, (int)before->state,
                                               SESSION_FAILED + 1, "unknown state");
    code_error(codec, &sample->error, &before->error);
    codec_text(codec, sample->preset, sizeof sample->preset, before->preset, "bad preset");
    codec_text(codec, sample->problem, sizeof sample->problem, before->problem, "bad problem");
    sample->nx = (int)codec_number(codec, sample->nx, before->nx, 1, MESH_MAX_SIDE, "bad grid");
    sample->ny = (int)codec_number(codec, sample->ny, before->ny, 1, MESH_MAX_SIDE, "bad grid");
    sample->iteration_limit = (long)amount(codec, sample->iteration_limit, before->iteration_limit);
    sample->tolerance = codec_double(codec, sample->tolerance, before->tolerance);
    sample->race = (enum race)choice(codec, (int)sample->race, (int)before->race,
                                     RACE_SAME_TIME + 1, "unknown race");
    sample->iterations_per_second =
        (int)codec_number(codec, sample->iterations_per_second, before->iterations_per_second, 0,
                          INT32_MAX, "bad speed");
    sample->lane_count =
        choice(codec, sample->lane_count, before->lane_count, LANES_MAX + 1, "too many lanes");
    for (int l = 0; l < sample->lane_count && !codec->failed; l++) {
        sample->lanes[l].nx = sample->nx;
        sample->lanes[l].ny = sample->ny;
        code_lane(codec, &sample->lanes[l], &before->lanes[l]);
    }
    if (!codec->failed)
        code_study(codec, sample, before);
    if (!codec->failed)
        code_damping(codec, sample, before);
    for (int l = 0; l < sample->lane_count && !codec->failed; l++)
        code_field_kind(codec, &sample->lanes[l].field, &before->lanes[l].field);
    if (!codec->failed)
        code_waits(codec, sample, before);
    /* Since version 3; before it the blog's was held against the tolerance. */
    if (codec->reading && codec->at == codec->size)
        sample->measure = MEASURE_BLOG;
    else if (!codec->failed)
        sample->measure = (enum measure)choice(codec, (int)sample->measure, (int)before->measure,
                                               MEASURE_COUNT, "unknown measure of the residual");
    /* Since version 3; before it nobody said what was tried. */
    const bool untold = codec->reading && codec->at == codec->size;
    for (int l = 0; l < sample->lane_count && !codec->failed; l++) {
        uint64_t *tried = &sample->lanes[l].depths_tried;
        *tried = untold ? 0
                        : (uint64_t)codec_number(codec, (int64_t)*tried,
                                                 (int64_t)before->lanes[l].depths_tried, 0,
                                                 INT64_MAX, "bad depths");
    }
    for (int l = 0; l < sample->lane_count && !codec->failed; l++)
        code_device_stats(codec, &sample->lanes[l], &before->lanes[l]);
    if (!codec->failed)
        code_methods(codec, sample, before);
    for (int l = 0; l < sample->lane_count && !codec->failed; l++)
        code_tuning(codec, &sample->lanes[l], &before->lanes[l], TUNING_BLOCK,
                    TUNING_BLOCKED_BLOCKS);
    for (int l = 0; l < sample->lane_count && !codec->failed; l++)
        code_sweep(codec, &sample->lanes[l], &before->lanes[l]);
    for (int l = 0; l < sample->lane_count && !codec->failed; l++)
        code_levels(codec, &sample->lanes[l].levels, &before->lanes[l].levels);
    if (!codec->failed)
        code_study_runs(codec, sample, before);
    for (int l = 0; l < sample->lane_count && !codec->failed; l++)
        code_tuning(codec, &sample->lanes[l], &before->lanes[l], TUNING_BLOCKED_BLOCKS,
                    TUNING_FIELDS);
    for (int l = 0; l < sample->lane_count && !codec->failed; l++)
        code_devices(codec, &sample->lanes[l].device_stats, &before->lanes[l].device_stats);
}
