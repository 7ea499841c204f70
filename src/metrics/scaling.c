#include "metrics/scaling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "kernels/backends.h"
#include "metrics/costs.h"

struct scaling_share scaling_share(const struct scaling *scaling, const struct lane_sample *lane,
                                   int device) {
    const struct device_stats *at = &lane->device_stats.device[device];
    const double per = lane->iterations > 0 ? scaling->scale / (double)lane->iterations : NAN;
    return (struct scaling_share){at->kernel_ms * per, at->halo_ms * per, at->wait_ms * per};
}

static int count_hosts(const struct device_stats_list *devices) {
    int hosts = 0;
    for (int p = 0; p < devices->count; p++) {
        int first = 0;
        while (strcmp(devices->device[first].host, devices->device[p].host) != 0)
            first++;
        hosts += first == p;
    }
    return hosts;
}

/* Adds a value, ignoring NaN; NaN if both are NaN. */
static double add_known(double sum, double value) {
    return isnan(value) ? sum : isnan(sum) ? value : sum + value;
}

bool waits_hold_halos(const struct lane_sample *lane) {
    const struct backend *backend = backend_find(lane->run.backend);
    return backend && backend->model == MODEL_KERNEL_LAUNCHES;
}

struct scaling scaling_make(const struct sample *sample, int l) {
    const struct lane_sample *lane = &sample->lanes[l];
    const struct device_stats_list *devices = &lane->device_stats;
    const bool blocked = lane->run.schedule.kind == SCHEDULE_BLOCKED;
    const int depth = blocked ? lane->run.schedule.depth : 1;
    struct scaling scaling = {.slowest = -1,
                              .least_kernel_ms = NAN,
                              .mean_kernel_ms = NAN,
                              .most_kernel_ms = NAN,
                              .halo_ms = NAN,
                              .wait_ms = NAN,
                              .overlap = NAN};
    if (devices->count < 2)
        return scaling;
    const double count = devices->count, iterations = (double)lane->iterations;
    double kernels = NAN, exposed = NAN;
    scaling.count = devices->count;
    scaling.hosts = count_hosts(devices);
    const struct costs costs = costs_of_run(sample, l);
    scaling.wall_ms = costs.ms_per_iteration;
    scaling.scale = costs.mean_ms > 0 ? costs.ms_per_iteration / costs.mean_ms : 1;
    for (int p = 0; p < devices->count; p++) {
        const struct scaling_share share = scaling_share(&scaling, lane, p);
        kernels = add_known(kernels, share.kernel_ms);
        scaling.halo_ms = add_known(scaling.halo_ms, share.halo_ms / count);
        scaling.wait_ms = add_known(scaling.wait_ms, share.wait_ms / count);
        const double waits = waits_hold_halos(lane) ? 0 : add_known(0, share.wait_ms);
        const double room = scaling.wall_ms - share.kernel_ms - waits;
        exposed = add_known(exposed, fmin(fmax(room, 0), share.halo_ms) / count);
        if (!(share.kernel_ms >= scaling.least_kernel_ms))
            scaling.least_kernel_ms = share.kernel_ms;
        if (!(share.kernel_ms <= scaling.most_kernel_ms)) {
            scaling.most_kernel_ms = share.kernel_ms;
            scaling.slowest = isnan(share.kernel_ms) ? scaling.slowest : p;
        }
    }
    const double traffic =
        (double)event_totals_loop(&lane->totals, EVENT_KERNEL).bytes / iterations;
    scaling.mean_kernel_ms = kernels / count;
    scaling.overlap = 1 - exposed / scaling.halo_ms;
    scaling.halo_bytes = costs.halo_bytes / iterations;
    scaling.surface = scaling.halo_bytes / traffic;
    scaling.redundant_rows = 2 * (count - 1) * depth / lane->ny; /* on both sides of each cut */
    return scaling;
}

static int device_count(const struct lane_sample *lane) {
    return lane->device_stats.count > 1 ? lane->device_stats.count : 1;
}

/* Whether two lanes differ only in devices and grids, on which a method's own ω may depend. */
static bool run_alike(const struct lane_sample *a, const struct lane_sample *b) {
    const bool own = lane_has_default_omega(a) && lane_has_default_omega(b);
    const unsigned alike = RUN_BACKEND | RUN_MAPPING | RUN_SCHEDULE | RUN_ITERATES;
    return !(run_id_difference(&a->run, &b->run) & alike & ~(own ? RUN_OMEGA : 0u));
}

bool scaling_is_weak(const struct lane_sample *a, const struct lane_sample *b) {
    const struct backend *backend = backend_find(a->run.backend);
    const struct mesh one = mesh_make(a->nx, a->ny), other = mesh_make(b->nx, b->ny);
    const int depth = a->run.schedule.depth;
    if (a->nx != b->nx || (long)a->ny * device_count(b) != (long)b->ny * device_count(a) ||
        !run_alike(a, b))
        return false;
    /* A back end may have a different kernel for dx = dy, that is, for square grids. */
    return a->run.schedule.kind != SCHEDULE_BLOCKED || !backend || !backend->blocked_flops ||
           backend->blocked_flops(&one, depth, lane_is_on_gpu(a)) ==
               backend->blocked_flops(&other, depth, lane_is_on_gpu(b));
}

struct speed_up scaling_compare(const struct sample *sample, int l) {
    const struct lane_sample *lane = &sample->lanes[l];
    struct speed_up found = {.times = NAN, .low = NAN, .high = NAN, .efficiency = NAN};
    for (int other = 1; other < sample->lane_count; other++)
        if (device_count(&sample->lanes[other]) < device_count(&sample->lanes[found.base]))
            found.base = other;
    const struct lane_sample *base = &sample->lanes[found.base];
    const int more = device_count(lane), fewer = device_count(base);
    if (l == found.base || more == fewer || !run_alike(lane, base))
        return found;
    if (lane->nx == base->nx && lane->ny == base->ny)
        found.kind = SCALING_STRONG;
    else if (scaling_is_weak(lane, base))
        found.kind = SCALING_WEAK;
    const double work = (double)lane->ny / base->ny;
    const struct costs of_base = costs_of_run(sample, found.base),
                       of_lane = costs_of_run(sample, l);
    found.times = work * of_base.ms_per_iteration / of_lane.ms_per_iteration;
    found.low = work * of_base.low_ms / of_lane.high_ms;
    found.high = work * of_base.high_ms / of_lane.low_ms;
    found.is_settling = of_base.is_settling || of_lane.is_settling;
    found.efficiency = found.times * fewer / more;
    return found;
}

/* The kind of scaling that a sample's lanes show. NONE if strong and weak are mixed, or a lane was
 * not timed. *base: the lane with which the others are compared. */
static enum scaling_kind comparison_of(const struct sample *sample, int *base) {
    enum scaling_kind kind = SCALING_NONE;
    for (int l = 0; l < sample->lane_count; l++) {
        const struct speed_up found = scaling_compare(sample, l);
        if (!found.kind)
            continue;
        if (!(found.times > 0) || (kind && kind != found.kind))
            return SCALING_NONE;
        kind = found.kind;
        *base = found.base;
    }
    return kind;
}

struct scaling_words scaling_words(const struct sample *sample) {
    struct scaling_words words = {0};
    char speeds[64] = "", efficiencies[64] = "";
    int base = 0, most = 0;
    struct speed_up best = {0};
    const enum scaling_kind kind = comparison_of(sample, &base);
    const struct lane_sample *first = &sample->lanes[base];
    const int fewest = device_count(first);
    for (int l = 0; l < sample->lane_count && kind; l++) {
        const struct speed_up found = scaling_compare(sample, l);
        const int count = device_count(&sample->lanes[l]);
        if (!found.kind)
            continue;
        format_append(efficiencies, sizeof efficiencies,
                      kind == SCALING_WEAK ? "%s%.0f %% on %d" : "%s%.0f %%",
                      *efficiencies ? ", " : "", 100 * found.efficiency, count);
        format_append(speeds, sizeof speeds, "%s%s on %d", *speeds ? ", " : "",
                      AS(format_ratio, found.times), count);
        best = count > most ? found : best;
        most = count > most ? count : most;
    }
    if (kind == SCALING_STRONG) {
        format_text(words.sentence, SENTENCE_SIZE, "strong scaling (same %s): %s; efficiency %s",
                    AS(format_grid, first->nx, first->ny), speeds, efficiencies);
        format_text(words.definition, sizeof words.definition, "efficiency: speed-up / devices");
        if (fewest > 1)
            format_append(words.definition, sizeof words.definition, " × %d", fewest);
    } else if (kind == SCALING_WEAK) {
        format_text(words.sentence, SENTENCE_SIZE,
                    "weak scaling (%s per device): efficiency t%d/tP %s",
                    AS(format_grid, first->nx, first->ny / fewest), fewest, efficiencies);
        format_text(words.definition, sizeof words.definition,
                    "efficiency: time of %d device%s / time of P", fewest, fewest > 1 ? "s" : "");
        format_text(words.efficiency, sizeof words.efficiency, "%.0f %%", 100 * best.efficiency);
        format_text(words.claim, SENTENCE_SIZE, "%d devices: %s the unknowns in %s the time", most,
                    AS(format_ratio, best.times / best.efficiency),
                    AS(format_ratio, 1 / best.efficiency));
    }
    return words;
}

char *scaling_spread(char *buffer, size_t size, const struct lane_sample *lane) {
    *buffer = '\0';
    if (lane->device_stats.count < 2)
        return buffer;
    const int hosts = count_hosts(&lane->device_stats);
    if (hosts > 1)
        format_append(buffer, size, "on %d nodes · ", hosts);
    /* The devices panel also shows the library. */
    const char *transport = lane->device_stats.transport, *library = strstr(transport, " (");
    const int length = (int)(library ? library - transport : (long)strlen(transport));
    return format_append(buffer, size, "rows · %.*s", length, transport);
}
