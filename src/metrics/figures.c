#include "metrics/figures.h"

#include <math.h>
#include <stddef.h>

static struct kernel_figures kernel(enum phase phase, const struct tally *tally, double all_ns) {
    const double mean_ns = tally_mean_ns(tally), total_ns = tally_total_ns(tally);
    const double bytes = (double)tally->bytes / (double)tally->count;
    return (struct kernel_figures){
        .phase = phase,
        .count = (double)tally->count,
        .total_ms = 1e-6 * total_ns,
        .avg_ms = 1e-6 * mean_ns,
        .percent = 100 * total_ns / all_ns,
        .bytes = bytes,
        .gbs = mean_ns > 0 ? bytes / mean_ns : NAN,
        .clock = tally->timed ? clock_name(tally->clock) : NULL,
    };
}

static double kernels_total_ns(const struct event_totals *totals) {
    double sum = 0;
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
        const struct tally *tally = &totals->of[EVENT_KERNEL][phase];
        sum += tally->timed ? tally_total_ns(tally) : 0;
    }
    return sum;
}

static void add_kernels(struct lane_figures *figures, const struct event_totals *totals) {
    const double all_ns = kernels_total_ns(totals);
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
        const struct tally *tally = &totals->of[EVENT_KERNEL][phase];
        if (tally->count > 0)
            figures->kernels[figures->kernel_count++] = kernel((enum phase)phase, tally, all_ns);
    }
}

static struct copy_figures copies(const struct tally *tally, bool observed) {
    if (!observed)
        return (struct copy_figures){NAN, NAN, NAN, NULL};
    return (struct copy_figures){
        .count = (double)tally->count,
        .bytes = (double)tally->bytes,
        .ms = 1e-6 * tally_total_ns(tally),
        .clock = tally->timed ? clock_name(tally->clock) : NULL,
    };
}

/* Copies are observed where kernels are: a run without events knows of neither. */
static void add_copies(struct lane_figures *figures, const struct event_totals *totals) {
    bool observed = false;
    for (int k = 0; k < figures->kernel_count; k++)
        observed |= figures->kernels[k].clock != NULL;
    for (int kind = EVENT_TO_DEVICE; kind < EVENT_KIND_COUNT; kind++) {
        const struct tally loop = event_totals_loop(totals, (enum event_kind)kind);
        figures->loop[kind] = copies(&loop, observed);
        figures->setup[kind] = copies(&totals->of[kind][PHASE_SETUP], observed);
    }
}

/* What memory must move for so many updates; NaN where the number of passes is not known. */
static double minimum_bytes(const struct lane_sample *lane, const struct event_totals *totals,
                            double updates) {
    const struct tally *passes = &totals->of[EVENT_KERNEL][PHASE_BLOCKED];
    switch (lane->schedule.kind) {
    case SCHEDULE_CLASSIC:
        return 64 * updates;
    case SCHEDULE_FUSED:
        return 24 * updates;
    default:
        return passes->count ? (double)passes->bytes : NAN;
    }
}

static struct lane_figures make(const struct lane_sample *lane, const struct mesh *mesh,
                                const struct event_totals *totals, long iterations,
                                double seconds) {
    const double updates = (double)iterations * (double)mesh_unknowns(mesh);
    const bool known = iterations > 0 && seconds > 0;
    const double rate = known ? updates / seconds : NAN;
    struct lane_figures figures = {
        .seconds = known ? seconds : NAN,
        .ms_per_iteration = known ? 1e3 * seconds / (double)iterations : NAN,
        .lattice_updates_per_second = rate,
        .gflops = 1e-9 * BLOG_FLOP_PER_UPDATE * rate,
        .blog_gbs = 1e-9 * BLOG_BYTES_PER_UPDATE * rate,
        .minimum_gbs = known ? 1e-9 * minimum_bytes(lane, totals, updates) / seconds : NAN,
    };
    add_kernels(&figures, totals);
    add_copies(&figures, totals);
    return figures;
}

struct lane_figures figures_of_run(const struct lane_sample *lane, const struct mesh *mesh) {
    return make(lane, mesh, &lane->totals, lane->iterations, lane->seconds);
}

struct lane_figures figures_of_window(const struct lane_sample *lane, const struct mesh *mesh) {
    return make(lane, mesh, &lane->window, lane->window_iterations, lane->window_seconds);
}

static double time_of(const struct kernel_figures *figures) {
    return isnan(figures->total_ms) ? -1 : figures->total_ms;
}

void figures_order_by_time(const struct lane_figures *figures, int order[PHASE_COUNT]) {
    for (int k = 0; k < figures->kernel_count; k++) {
        int at = k;
        for (; at > 0 && time_of(&figures->kernels[order[at - 1]]) < time_of(&figures->kernels[k]);
             at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}
