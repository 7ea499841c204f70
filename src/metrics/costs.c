#include "metrics/costs.h"

#include <math.h>

#include "core/format.h"

const struct cost cost_unknown = {
    .count = NAN,
    .total_ms = NAN,
    .total_bytes = NAN,
    .mean_ms = NAN,
    .ms = NAN,
    .bytes = NAN,
    .gbs = NAN,
    .count_per_iteration = NAN,
    .ms_per_iteration = NAN,
    .bytes_per_iteration = NAN,
    .percent_of_kernels = NAN,
    .percent_of_measured = NAN,
    .percent_of_loop = NAN,
    .launch_ms = NAN,
};

/* The cost of `stats_count` stats together: of one phase, or of all phases of the loop. Times are
 * `scale` times the mean. */
static struct cost cost_of(const struct event_stats *stats, int stats_count, enum event_kind kind,
                           enum phase phase, double iterations, double scale) {
    const double n = iterations > 0 ? iterations : NAN;
    struct cost cost = {.kind = kind, .phase = phase, .clock = CLOCK_NONE};
    double known_ns = 0, known_count = 0, known_bytes = 0; /* of the timed phases */
    for (int t = 0; t < stats_count; t++) {
        const struct event_stats *one = &stats[t];
        cost.count += (double)one->count;
        cost.total_bytes += (double)one->bytes;
        if (!one->timed)
            continue;
        known_ns += event_stats_total_ns(one);
        known_count += (double)one->count;
        known_bytes += (double)one->bytes;
        cost.clock = one->clock;
    }
    const double total_ns = known_count > 0 ? known_ns : NAN;
    const double spent_ns = cost.count > 0 ? total_ns : 0;
    cost.total_ms = 1e-6 * total_ns;
    cost.mean_ms = 1e-6 * total_ns / known_count;
    cost.ms = scale * cost.mean_ms;
    cost.bytes = cost.count > 0 ? cost.total_bytes / cost.count : NAN;
    cost.gbs =
        kind != EVENT_ALLOC && total_ns > 0 ? 1e-6 * known_bytes / known_count / cost.ms : NAN;
    cost.count_per_iteration = cost.count / n;
    cost.ms_per_iteration = scale * 1e-6 * spent_ns / n;
    cost.bytes_per_iteration = cost.total_bytes / n;
    /* Beside a norm of 8 B, the few bytes are the times that some kernels have measured. */
    if (kind == EVENT_FROM_DEVICE && cost.bytes_per_iteration > 8 &&
        cost.bytes_per_iteration < 16) {
        cost.bytes_per_iteration = 8;
        cost.total_bytes = 8 * n;
    }
    cost.percent_of_kernels = cost.percent_of_measured = cost.percent_of_loop = NAN;
    cost.launch_ms = NAN;
    return cost;
}

/* Sets the time of target regions beyond their kernels, if the device's clock timed the kernels. */
static void set_launches(struct costs *costs, const struct event_totals *totals, double scale) {
    costs->launching.ms = NAN;
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
        struct cost *kernel = &costs->kernels[phase];
        const double region_ms = 1e-6 * event_stats_mean_ns(&totals->of[EVENT_WAIT][phase]);
        kernel->launch_ms =
            kernel->clock == CLOCK_COUNTER ? scale * fmax(0, region_ms - kernel->mean_ms) : NAN;
        const double per_iteration = kernel->launch_ms * kernel->count_per_iteration;
        if (!isnan(per_iteration))
            costs->launching.ms = fmax(0, costs->launching.ms) + per_iteration;
    }
}

/* Sets the shares of a kernel, or of copies or allocations, each of its own whole. */
static void set_percents(struct cost *cost, const struct costs *costs) {
    const double moving = costs->moving.ms > 0 ? costs->moving.ms : 0;
    cost->percent_of_loop = 100 * cost->ms_per_iteration / costs->whole_ms;
    cost->percent_of_measured = 100 * cost->ms_per_iteration / (moving + costs->computing.ms);
    if (cost->kind == EVENT_KERNEL)
        cost->percent_of_kernels = 100 * cost->ms_per_iteration / costs->computing.ms;
}

/* Sets the shares, which depend on all parts of an iteration. */
static void set_shares(struct costs *costs) {
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
        costs->computing.ms += costs->kernels[phase].ms_per_iteration;
        if (costs->kernels[phase].clock)
            costs->kernel_clock = costs->kernels[phase].clock;
    }
    bool timed = false, untimed = false;
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_ALLOC; kind++) {
        const double ms = costs->work[kind].ms_per_iteration;
        timed |= ms > 0;
        untimed |= isnan(ms);
        costs->moving.ms += isnan(ms) ? 0 : ms;
        if (costs->work[kind].clock)
            costs->copy_clock = costs->work[kind].clock;
    }
    const double iteration = costs->ms_per_iteration;
    const double waits = costs->launching.ms > 0 ? costs->launching.ms : 0;
    const double parts = costs->moving.ms + costs->computing.ms + waits;
    if (untimed && !timed)
        costs->moving.ms = NAN;
    const double loop = costs->whole_ms =
        fmax(iteration, isnan(parts) ? costs->computing.ms : parts);
    costs->rest.ms = parts > iteration ? 0 : iteration - parts;
    struct share *const shares[] = {&costs->moving, &costs->computing, &costs->launching,
                                    &costs->rest};
    for (int s = 0; s < 4; s++)
        shares[s]->percent_of_loop = 100 * shares[s]->ms / loop;
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++)
        set_percents(&costs->kernels[phase], costs);
    for (int kind = 0; kind <= EVENT_ALLOC; kind++)
        set_percents(&costs->work[kind], costs);
}

/* Sets the statistics of an iteration: its median and quartiles. */
static void set_iteration(struct costs *costs, const struct lane_sample *lane) {
    const struct iteration_times *times = &lane->times;
    enum { FEW = 5, MANY = 100 };
    static const double narrow = 0.1; /* relative to the median, on each side */
    costs->low_ms = costs->high_ms = NAN;
    costs->ms_per_iteration = costs->mean_ms;
    costs->is_settling = lane->iterations < FEW;
    if (!(times->median > 0) || isnan(costs->mean_ms))
        return;
    costs->ms_per_iteration = times->median;
    costs->is_settling = false;
    if (times->count <= 0)
        return;
    costs->low_ms = times->p25;
    costs->high_ms = times->p75;
    /* A recording's figures are of all of it wherever it is shown. */
    const bool is_final = lane->state != LANE_RUNNING || lane->recorded_mean_ms > 0;
    const struct schedule schedule = lane->run.schedule;
    const double measured = /* a pass of several iterations has one time */
        (double)times->count / (schedule.kind == SCHEDULE_BLOCKED ? schedule.depth : 1);
    costs->is_settling =
        measured < FEW || (!is_final && measured < MANY &&
                           costs->high_ms - costs->low_ms > 2 * narrow * times->median);
}

/* Sets the costs' sums to those of all iterations, although their parts are of typical ones. */
static void take_sums(struct cost *cost, const struct cost *sums) {
    cost->count = sums->count;
    cost->total_ms = sums->total_ms;
    cost->total_bytes = sums->total_bytes;
    cost->mean_ms = sums->mean_ms;
    cost->clock = sums->clock;
}

/* Sets the costs of kernels, copies and allocations. */
static void set_parts(struct costs *costs, const struct lane_sample *lane,
                      const struct loop_totals *of, double scale) {
    const double devices = lane->device_stats.count > 1 ? lane->device_stats.count : 1;
    const double each = devices * (double)of->iterations; /* sum over the devices */
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++)
        costs->kernels[phase] = cost_of(&of->totals.of[EVENT_KERNEL][phase], 1, EVENT_KERNEL,
                                        (enum phase)phase, each, scale);
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        costs->work[kind] = cost_of(of->totals.of[kind], PHASE_DOWNSAMPLE, (enum event_kind)kind,
                                    PHASE_COUNT, each, scale);
    set_launches(costs, &of->totals, scale);
}

/* `parts`: the iterations whose parts are shown, `all` or typical ones among them. */
static struct costs costs_make(const struct sample *sample, int l, const struct loop_totals *all,
                               const struct loop_totals *parts, bool is_run) {
    const struct lane_sample *lane = &sample->lanes[l];
    const struct event_totals *totals = &all->totals;
    const long iterations = all->iterations;
    const double seconds = all->seconds;
    const bool known = iterations > 0 && seconds > 0;
    const struct mesh mesh = mesh_make(lane->nx > 0 ? lane->nx : 1, lane->ny > 0 ? lane->ny : 1);
    const double work = method_work(lane->run.method, lane->run.cycle, &mesh);
    const double updates = (double)iterations * (double)mesh_unknowns(&mesh) * work;
    const struct event_stats passes = event_totals_loop(totals, EVENT_KERNEL);
    const bool known_bytes = lane->run.method == METHOD_JACOBI;
    const double number = (double)precision_bytes(lane->run.precision);
    const double refining =
        lane->run.precision == PRECISION_MIXED
            ? (double)engine_refine_bytes(&mesh) / refine_every(lane->run.schedule) * iterations
            : 0;
    const double minimum_bytes = known_bytes && schedule_has_four_kernels(lane->run.schedule)
                                     ? 8 * number * updates + refining
                                 : known_bytes && lane->run.schedule.kind == SCHEDULE_FUSED
                                     ? 3 * number * updates + refining
                                 : passes.count ? (double)passes.bytes
                                                : NAN;
    const double run_seconds = lane->seconds + lane->downsample_seconds;
    const double devices = lane->device_stats.count > 1 ? lane->device_stats.count : 1;
    struct costs costs = {
        .seconds = known ? seconds : NAN,
        .mean_ms = known ? 1e3 * seconds / (double)iterations : NAN,
        .updates = updates,
        .downsampling_percent_of_run = known ? 100 * lane->downsample_seconds / run_seconds : NAN,
        .measuring_percent_of_run =
            lane->event_seconds > 0 ? 100 * lane->event_seconds / run_seconds : NAN,
    };
    if (is_run && lane->recorded_mean_ms > 0) /* like the recording's totals */
        costs.mean_ms = lane->recorded_mean_ms;
    set_iteration(&costs, lane);
    /* An outlier among the iterations changes the means of their parts, but not the median. */
    const double parts_ms =
        parts == all ? costs.mean_ms : 1e3 * parts->seconds / (double)parts->iterations;
    const double scale = known ? costs.ms_per_iteration / parts_ms : 1;
    const double typical_seconds = 1e-3 * costs.ms_per_iteration * (double)iterations;
    const double rate = costs.lattice_updates_per_second = updates / typical_seconds;
    costs.gflops = 1e-9 * BLOG_FLOP_PER_UPDATE * rate;
    costs.blog_gbs = 1e-9 * BLOG_NUMBERS_PER_UPDATE * number * rate;
    costs.minimum_gbs = 1e-9 * minimum_bytes / typical_seconds;
    set_parts(&costs, lane, parts, scale);
    if (parts != all) {
        struct costs sums = {0};
        set_parts(&sums, lane, all, scale);
        for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++)
            take_sums(&costs.kernels[phase], &sums.kernels[phase]);
        for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
            take_sums(&costs.work[kind], &sums.work[kind]);
    }
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        costs.setup[kind] = cost_of(&lane->totals.of[kind][PHASE_SETUP], 1, (enum event_kind)kind,
                                    PHASE_SETUP, 0, 1);
    const struct event_stats kernels = event_totals_loop(totals, EVENT_KERNEL);
    costs.is_observed = kernels.timed > 0;
    costs.halo_bytes = costs.is_observed && lane->device_stats.count > 0
                           ? (double)lane->device_stats.halo_bytes
                           : NAN;
    costs.calls_per_timed = kernels.timed ? (double)kernels.count / (double)kernels.timed : NAN;
    const bool ran = costs.work[EVENT_KERNEL].count > 0;
    costs.copied_bytes = ran ? 0 : NAN;
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_FROM_DEVICE; kind++) {
        struct cost *copies = &costs.work[kind];
        copies->bytes_per_iteration *= devices;
        costs.copied_bytes += copies->bytes_per_iteration;
        costs.copied_total_bytes += costs.is_observed ? copies->total_bytes : NAN;
        costs.copied_total_ms += copies->count > 0 ? copies->total_ms : 0;
    }
    costs.bytes_per_update = ran ? minimum_bytes / updates : NAN;
    set_shares(&costs);
    return costs;
}

/* Parts are those of the typical iterations, unless only others were timed. */
struct costs costs_of_run(const struct sample *sample, int lane) {
    const struct lane_sample *of = &sample->lanes[lane];
    const struct loop_totals all = {of->totals, of->iterations, of->seconds};
    const bool has_typical = of->typical.iterations > 0 && of->typical.seconds > 0 &&
                             event_totals_loop(&of->typical.totals, EVENT_KERNEL).timed > 0;
    return costs_make(sample, lane, &all, has_typical ? &of->typical : &all, true);
}

struct costs costs_of_window(const struct sample *sample, int lane) {
    const struct lane_sample *of = &sample->lanes[lane];
    const struct loop_totals window = {of->window, of->window_iterations, of->window_seconds};
    return costs_make(sample, lane, &window, &window, false);
}

char *format_iteration(char *buffer, size_t size, const struct costs *costs, const char *per) {
    if (costs->is_settling)
        return format_append(format_ms(buffer, size, costs->ms_per_iteration), size, "%s, settling",
                             per);
    return format_spread(buffer, size, costs->ms_per_iteration, costs->low_ms, costs->high_ms, per);
}

char *format_statistic(char *buffer, size_t size, const struct sample *sample) {
    bool has_medians = true;
    for (int l = 0; l < sample->lane_count; l++)
        has_medians &= sample->lanes[l].times.count > 0;
    return format_text(buffer, size, "%s %s", has_medians ? "median" : "mean",
                       sample->playback.races    ? "of the recordings"
                       : *sample->playback.label ? "of the recording"
                                                 : "so far");
}

int costs_order(const struct costs *lanes, int lane_count, enum phase order[PHASE_COUNT]) {
    double cost[PHASE_COUNT] = {0};
    int count = 0;
    for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
        bool ran = false;
        double ms = NAN;
        for (int l = 0; l < lane_count; l++) {
            const struct cost *kernel = &lanes[l].kernels[phase];
            ran |= kernel->count > 0;
            ms = isnan(ms) && kernel->count > 0 ? kernel->ms_per_iteration : ms;
        }
        if (!ran)
            continue;
        ms = isnan(ms) ? -1 : ms;
        int at = count++;
        for (; at > 0 && cost[at - 1] < ms; at--) {
            cost[at] = cost[at - 1];
            order[at] = order[at - 1];
        }
        cost[at] = ms;
        order[at] = (enum phase)phase;
    }
    return count;
}
