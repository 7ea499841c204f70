#include "metrics/timing.h"

#include <math.h>

static const struct {
    const char *name;
    enum event_kind kind;
    enum ink ink;
} moving_rows[] = {
    {"to device", EVENT_TO_DEVICE, INK_TO_DEVICE},
    {"from device", EVENT_FROM_DEVICE, INK_FROM_DEVICE},
    {"allocation", EVENT_ALLOC, INK_ALLOC},
};

double timing_percent(const struct timing *timing, double ms) {
    return 100 * ms / timing->total_ms;
}

static struct timing_row *add_row(struct timing *timing, const char *name, enum ink ink,
                                  const struct tally *tally, long iterations) {
    struct timing_row *row = &timing->rows[timing->count++];
    const double n = iterations > 0 ? (double)iterations : NAN;
    *row = (struct timing_row){
        .name = name,
        .ink = ink,
        .phase = PHASE_COUNT,
        .count = (double)tally->count / n,
        .ms = tally->count ? 1e-6 * tally_total_ns(tally) / n : 0 * n,
        .bytes = (double)tally->bytes / n,
        .reference_ms = NAN,
        .clock = tally->timed ? tally->clock : CLOCK_NONE,
    };
    row->gbs = tally->count ? 1e-6 * row->bytes / row->ms : NAN;
    return row;
}

static void add_moving(struct timing *timing, const struct lane_sample *lane) {
    for (int m = 0; m < 3; m++) {
        const struct tally tally = event_totals_loop(&lane->window, moving_rows[m].kind);
        struct timing_row *row = add_row(timing, moving_rows[m].name, moving_rows[m].ink, &tally,
                                         lane->window_iterations);
        row->kind = moving_rows[m].kind;
        if (row->kind == EVENT_ALLOC)
            row->gbs = NAN;
        if (row->clock)
            timing->copy_clock = row->clock;
        timing->moving_ms += row->ms;
    }
}

static void add_kernel(struct timing *timing, const struct lane_sample *lane, enum phase phase,
                       const struct reference *reference) {
    struct timing_row *row =
        add_row(timing, phase_name(phase), INK_KERNEL, &lane->window.of[EVENT_KERNEL][phase],
                lane->window_iterations);
    row->kind = EVENT_KERNEL;
    row->phase = phase;
    row->reference_ms = reference ? reference->kernel_ms[phase] : NAN;
    if (row->clock)
        timing->kernel_clock = row->clock;
    timing->kernels_ms += row->ms;
}

static void add_kernels(struct timing *timing, const struct lane_sample *lane,
                        const struct reference *reference) {
    if (lane->schedule.kind == SCHEDULE_CLASSIC)
        for (int phase = PHASE_LAPLACIAN; phase <= PHASE_NORM; phase++)
            add_kernel(timing, lane, (enum phase)phase, reference);
    else
        add_kernel(timing, lane,
                   lane->schedule.kind == SCHEDULE_FUSED ? PHASE_FUSED : PHASE_BLOCKED, reference);
}

static void add_setup(struct timing *timing, const struct lane_sample *lane) {
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_FROM_DEVICE; kind++) {
        const struct tally *tally = &lane->totals.of[kind][PHASE_SETUP];
        timing->setup_bytes += (double)tally->bytes;
        timing->setup_ms += tally->count ? 1e-6 * tally_total_ns(tally) : 0;
    }
}

struct timing timing_make(const struct lane_sample *lane, const struct reference *reference) {
    struct timing timing = {0};
    add_moving(&timing, lane);
    add_kernels(&timing, lane, reference);
    add_setup(&timing, lane);
    const double wall = lane_sample_ms_per_iteration(lane);
    const double parts = timing.moving_ms + timing.kernels_ms;
    timing.total_ms = fmax(wall, isnan(parts) ? timing.kernels_ms : parts);
    timing.rest_ms = parts > wall ? 0 : wall - parts;
    for (int r = 0; r < timing.count; r++)
        timing.rows[r].percent = timing_percent(&timing, timing.rows[r].ms);
    const double all = lane->seconds + lane->downsample_seconds;
    timing.downsample_percent = 100 * lane->downsample_seconds / all;
    timing.measuring_percent = lane->event_seconds > 0 ? 100 * lane->event_seconds / all : NAN;
    return timing;
}
