#include "metrics/rates.h"

#include <math.h>
#include <string.h>

#include "core/format.h"
#include "metrics/costs.h"

enum { WIDENING = 4 };

static const double minute_s = 60;
static const struct rate_bin empty = {.residual = NAN};

static long last_bin(const struct rates *rates) {
    return (long)(rates->now_s / rates->span_s * RATE_BINS);
}

static void add_bin(struct rate_bin *sum, const struct rate_bin *bin, double part) {
    sum->seconds += part * bin->seconds;
    for (int q = QUANTITY_LINK; q < QUANTITY_RESIDUAL; q++)
        sum->bytes[q] += part * bin->bytes[q];
    sum->residual = isnan(bin->residual) ? sum->residual : bin->residual;
    if (*bin->begins)
        memcpy(sum->begins, bin->begins, sizeof sum->begins);
}

/* Makes the axis of a run as long as a minute, with the bins so far at its beginning. */
static void widen(struct rates *rates) {
    const long last = last_bin(rates);
    for (int l = 0; l < LANES_MAX; l++) {
        for (long b = 0; b <= last; b++) {
            const struct rate_bin bin = rates->bins[l][b];
            if (b % WIDENING == 0)
                rates->bins[l][b / WIDENING] = empty;
            add_bin(&rates->bins[l][b / WIDENING], &bin, 1);
        }
        rates->ends[l] = rates->ends[l] < 0 ? -1 : rates->ends[l] / WIDENING;
    }
    rates->span_s = minute_s;
}

/* Ends the axis later, with empty bins. */
static void move_on(struct rates *rates, double seconds) {
    if (rates->grows && rates->span_s < minute_s && rates->now_s + seconds >= rates->span_s)
        widen(rates);
    const long before = last_bin(rates);
    rates->now_s += seconds;
    const long last = last_bin(rates), first = last - RATE_BINS + 1;
    for (long b = before < first ? first : before + 1; b <= last; b++)
        for (int l = 0; l < LANES_MAX; l++)
            rates->bins[l][b % RATE_BINS] = empty;
}

static void clear(struct rates *rates, const struct sample *sample, const char *task) {
    const double length_s = sample->playback.length_s;
    *rates = (struct rates){.grows = !(length_s > 0)};
    rates->span_s = rates->grows ? minute_s / WIDENING : fmin(length_s, minute_s);
    format_text(rates->task, sizeof rates->task, "%s", task);
    for (int l = 0; l < LANES_MAX; l++) {
        rates->runs[l] = sample->lanes[l].run;
        rates->totals[l] = rates->bins[l][0] = empty;
        rates->ends[l] = -1;
    }
}

static bool is_same_run(const struct rates *rates, const struct sample *sample, int l) {
    return run_id_difference(&rates->runs[l], &sample->lanes[l].run) == 0;
}

/* Whether the lane's figures don't continue the last ones. */
static bool begins(const struct rates *rates, const struct sample *sample, int l) {
    return !is_same_run(rates, sample, l) || sample->lanes[l].seconds < rates->totals[l].seconds;
}

/* Names the part in which the lane's run differs from the one before. */
static void mark(struct rates *rates, const struct run_id *run, int l) {
    const unsigned parts = run_id_difference(&rates->runs[l], run);
    const long bin = last_bin(rates);
    format_text(rates->bins[l][bin % RATE_BINS].begins, RATE_MARK_SIZE, "%s",
                parts & RUN_MAPPING    ? mapping_names[run->mapping]
                : parts & RUN_BACKEND  ? run->backend
                : parts & RUN_SCHEDULE ? schedule_names[run->schedule.kind]
                                       : "restart");
    rates->runs[l] = *run;
    rates->totals[l] = empty;
    rates->ends[l] = bin - 1;
}

/* Spreads what the lane has done over the bins since its last iteration. */
static void add_lane(struct rates *rates, const struct sample *sample, int l) {
    const struct lane_sample *lane = &sample->lanes[l];
    const struct costs costs = costs_of_run(sample, l);
    const struct rate_bin now = {
        .seconds = lane->seconds,
        .bytes = {costs.copied_total_bytes, costs.bytes_per_update * costs.updates},
        .residual = lane->residual};
    const long last = last_bin(rates), first = last - RATE_BINS + 1;
    const long parts = last > rates->ends[l] ? last - rates->ends[l] : 1;
    if (lane->iterations == 0 || now.seconds == rates->totals[l].seconds)
        return;
    struct rate_bin made = now;
    add_bin(&made, &rates->totals[l], -1); /* with the earlier residual */
    for (long b = last - parts + 1 > first ? last - parts + 1 : first; b <= last; b++)
        if (b >= 0)
            add_bin(&rates->bins[l][b % RATE_BINS], &made, 1 / (double)parts);
    rates->bins[l][last % RATE_BINS].residual = now.residual;
    rates->totals[l] = now;
    rates->ends[l] = last;
}

void rates_add(struct rates *rates, const struct sample *sample) {
    const double time_s = 1e-9 * (double)sample->time_ns, passed_s = time_s - rates->time_s;
    const bool is_replay = *sample->playback.label;
    const char *task = PRINT("%s %d %d %d %d", sample->problem, sample->nx, sample->ny,
                             sample->lane_count, is_replay);
    const bool steps_back = is_replay && passed_s < 0 && is_same_run(rates, sample, 0);
    bool any_begins = false;
    if (sample->lane_count > 0 && (steps_back || strcmp(task, rates->task) != 0))
        clear(rates, sample, task);
    for (int l = 0; l < sample->lane_count; l++)
        any_begins |= begins(rates, sample, l);
    if (any_begins) /* a bin is of one run */
        move_on(rates, rates->span_s / RATE_BINS);
    else if (rates->was_running && passed_s > 0)
        move_on(rates, passed_s);
    for (int l = 0; l < sample->lane_count; l++) {
        if (begins(rates, sample, l))
            mark(rates, &sample->lanes[l].run, l);
        add_lane(rates, sample, l);
    }
    rates->time_s = time_s;
    rates->was_running = sample->lane_count > 0 && sample->state == SESSION_RUNNING;
}

struct rate_bin rates_column(const struct rates *rates, int lane, int column, int columns) {
    struct rate_bin sum = empty;
    const long last = last_bin(rates), at = last * columns / RATE_BINS - columns + 1 + column;
    const long end = ((at + 1) * RATE_BINS + columns - 1) / columns;
    long b = (at * RATE_BINS + columns - 1) / columns;
    for (b = b < end ? b : end - 1; at >= 0 && b < end && b <= last; b++) /* or a part of one */
        if (b > last - RATE_BINS)
            add_bin(&sum, &rates->bins[lane][b % RATE_BINS], 1);
    return sum;
}
