#include "record/format/sample_codec.h"

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

static void code_totals(struct codec *codec, struct event_totals *totals,
                        const struct event_totals *before) {
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_COUNT; phase++) {
            struct tally *tally = &totals->of[kind][phase];
            const struct tally *old = &before->of[kind][phase];
            tally->count = (uint64_t)amount(codec, (int64_t)tally->count, (int64_t)old->count);
            tally->timed = (uint64_t)amount(codec, (int64_t)tally->timed, (int64_t)old->timed);
            tally->bytes = (uint64_t)amount(codec, (int64_t)tally->bytes, (int64_t)old->bytes);
            tally->total_ns = amount(codec, tally->total_ns, old->total_ns);
            tally->clock = (enum clock_source)choice(codec, (int)tally->clock, (int)old->clock,
                                                     CLOCK_COUNT, "unknown clock");
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

/* Who computes, how far it is, and what it has measured. */
static void code_lane(struct codec *codec, struct lane_sample *lane,
                      const struct lane_sample *before) {
    codec_text(codec, lane->backend, sizeof lane->backend, before->backend, "bad back end");
    codec_text(codec, lane->title, sizeof lane->title, before->title, "bad title");
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
    lane->mapping = (enum mapping)choice(codec, (int)lane->mapping, (int)before->mapping,
                                         MAPPING_COUNT, "unknown mapping");
    lane->schedule.kind =
        (enum schedule_kind)choice(codec, (int)lane->schedule.kind, (int)before->schedule.kind,
                                   SCHEDULE_COUNT, "unknown schedule");
    lane->schedule.depth = choice(codec, lane->schedule.depth, before->schedule.depth,
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
    lane->phase = (enum phase)choice(codec, (int)lane->phase, (int)before->phase, PHASE_COUNT,
                                     "unknown phase");

    code_totals(codec, &lane->totals, &before->totals);
    code_totals(codec, &lane->window, &before->window);
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        struct kernel_spread *spread = &lane->spreads[phase];
        const struct kernel_spread *old = &before->spreads[phase];
        spread->p05 = codec_double(codec, spread->p05, old->p05);
        spread->median = codec_double(codec, spread->median, old->median);
        spread->p95 = codec_double(codec, spread->p95, old->p95);
        spread->warm_up_mean = codec_double(codec, spread->warm_up_mean, old->warm_up_mean);
    }
    code_history(codec, &lane->history, &before->history);
    events_code(codec, lane, before);
    field_code(codec, &lane->field, &before->field);
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

/* Last, and only if there are any. */
static void code_study(struct codec *codec, struct sample *sample, const struct sample *before) {
    static const struct lane_sample nothing;
    if (codec->reading && codec->at == codec->size)
        sample->study_count = 0;
    else if (codec->reading || sample->study_count > 0)
        sample->study_count =
            (int)codec_number(codec, sample->study_count, 0, 1, STUDY_MAX, "too many grids");
    for (int k = 0; k < sample->study_count && !codec->failed; k++)
        code_study_lane(codec, &sample->study[k],
                        k < before->study_count ? &before->study[k] : &nothing);
}

void sample_prepare(struct sample *sample, const struct sample *before) {
    for (int l = 0; l < sample->lane_count; l++) {
        field_round(&sample->lanes[l].field);
        events_trim(&sample->lanes[l], &before->lanes[l]);
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
    sample->speed =
        (int)codec_number(codec, sample->speed, before->speed, 0, INT32_MAX, "bad speed");
    sample->lane_count =
        choice(codec, sample->lane_count, before->lane_count, LANES_MAX + 1, "too many lanes");
    for (int l = 0; l < sample->lane_count && !codec->failed; l++) {
        sample->lanes[l].nx = sample->nx;
        sample->lanes[l].ny = sample->ny;
        code_lane(codec, &sample->lanes[l], &before->lanes[l]);
    }
    if (!codec->failed)
        code_study(codec, sample, before);
}
