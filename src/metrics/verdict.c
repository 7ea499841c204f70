#include "metrics/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"

/* Below this the lanes are called equally fast. */
static const double EQUAL_RATIO = 1.02;

__attribute__((format(printf, 2, 3))) static void append(char line[VERDICT_LINE],
                                                         const char *format, ...) {
    const size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, VERDICT_LINE - length, format, arguments);
    va_end(arguments);
}

static bool was_measured(const struct lane_sample *lane) {
    return lane->iterations > 0 && event_totals_loop(&lane->totals, EVENT_KERNEL).count > 0;
}

static double bytes_per_iteration(const struct lane_sample *lane, enum event_kind kind) {
    return was_measured(lane)
               ? (double)event_totals_loop(&lane->totals, kind).bytes / (double)lane->iterations
               : NAN;
}

static struct lane_cost cost_of(const struct sample *sample, int l) {
    const struct lane_sample *lane = &sample->lanes[l];
    struct lane_cost cost = {
        .ms_per_iteration = lane->iterations ? 1e3 * lane->seconds / (double)lane->iterations : NAN,
        .to_device_bytes = bytes_per_iteration(lane, EVENT_TO_DEVICE),
        .from_device_bytes = bytes_per_iteration(lane, EVENT_FROM_DEVICE),
        .bytes_per_update =
            bytes_per_iteration(lane, EVENT_KERNEL) / ((double)sample->nx * (double)sample->ny),
        .times_slower = NAN,
    };
    cost.copied_bytes = cost.to_device_bytes + cost.from_device_bytes;
    lane_label(cost.label, sizeof cost.label, sample, l);
    return cost;
}

static bool all_timed(const struct verdict *verdict) {
    for (int l = 0; l < verdict->lane_count; l++)
        if (!(verdict->lanes[l].ms_per_iteration > 0))
            return false;
    return verdict->lane_count > 0;
}

static void rank(struct verdict *verdict) {
    verdict->fastest = verdict->slowest = -1;
    verdict->ratio = NAN;
    if (!all_timed(verdict))
        return;
    verdict->fastest = verdict->slowest = 0;
    for (int l = 1; l < verdict->lane_count; l++) {
        const double ms = verdict->lanes[l].ms_per_iteration;
        if (ms < verdict->lanes[verdict->fastest].ms_per_iteration)
            verdict->fastest = l;
        if (ms > verdict->lanes[verdict->slowest].ms_per_iteration)
            verdict->slowest = l;
    }
    const double best = verdict->lanes[verdict->fastest].ms_per_iteration;
    for (int l = 0; l < verdict->lane_count; l++)
        verdict->lanes[l].times_slower = verdict->lanes[l].ms_per_iteration / best;
    verdict->ratio = verdict->lanes[verdict->slowest].times_slower;
}

static char *print_ratio(char *buffer, size_t size, double ratio) {
    snprintf(buffer, size, "%.*f×", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
    return buffer;
}

static void claim_order(struct verdict *verdict) {
    char ratio[16];
    append(verdict->claim, "%s is fastest:", verdict->lanes[verdict->fastest].label);
    const char *comma = "";
    for (int l = 0; l < verdict->lane_count; l++) {
        const struct lane_cost *lane = &verdict->lanes[l];
        if (l == verdict->fastest)
            continue;
        append(verdict->claim, "%s %s takes %s", comma, lane->label,
               print_ratio(ratio, sizeof ratio, lane->times_slower));
        comma = ",";
    }
    append(verdict->claim, " as long");
}

static void claim(struct verdict *verdict, const struct sample *sample) {
    if (verdict->fastest < 0) {
        append(verdict->claim, "waiting for every lane's first iteration");
        return;
    }
    print_ratio(verdict->big, sizeof verdict->big, verdict->ratio);
    const char *fast = verdict->lanes[verdict->fastest].label;
    if (verdict->ratio < EQUAL_RATIO)
        append(verdict->claim, "all lanes are equally fast, within 2%%");
    else if (sample->race == RACE_SAME_TIME)
        append(verdict->claim, "%s gets %s as far in the same time", fast, verdict->big);
    else if (verdict->lane_count > 2)
        claim_order(verdict);
    else
        append(verdict->claim, "%s is %s faster", fast, verdict->big);
}

static bool differ(const struct verdict *verdict, size_t member) {
    const double first = *(const double *)((const char *)&verdict->lanes[0] + member);
    bool found = false;
    for (int l = 0; l < verdict->lane_count; l++) {
        const double value = *(const double *)((const char *)&verdict->lanes[l] + member);
        if (isnan(value))
            return false;
        found |= fabs(value - first) > 0.01 * fmax(fabs(value), fabs(first));
    }
    return found;
}

static void reason_copies(struct verdict *verdict) {
    char bytes[32];
    for (int l = 0; l < verdict->lane_count; l++)
        append(verdict->reason, l == 0 ? "%s moved %s an iteration" : ", %s %s",
               verdict->lanes[l].label,
               text_bytes(bytes, sizeof bytes, verdict->lanes[l].copied_bytes));
}

static void reason_traffic(struct verdict *verdict) {
    for (int l = 0; l < verdict->lane_count; l++) {
        const double bytes = verdict->lanes[l].bytes_per_update;
        append(verdict->reason,
               l == 0 ? "%s needs %.*f B of memory traffic a lattice update" : ", %s %.*f B",
               verdict->lanes[l].label, bytes < 9.95, bytes);
    }
}

static void reason(struct verdict *verdict) {
    if (differ(verdict, offsetof(struct lane_cost, copied_bytes)))
        reason_copies(verdict);
    else if (differ(verdict, offsetof(struct lane_cost, bytes_per_update)))
        reason_traffic(verdict);
    else if (verdict->fastest >= 0 && verdict->lanes[0].bytes_per_update > 0)
        append(verdict->reason, "all move the same bytes: what differs is how they are moved");
}

bool residuals_agree(double a, double b) {
    const double scale = fmax(fmax(fabs(a), fabs(b)), 1e-9);
    return fabs(a - b) <= 1e-10 * scale; /* false for NaN */
}

/* The residual of an iterate, where the history of the lane still has it. */
static bool lookup(const struct lane_sample *lane, long iterate, double *residual) {
    if (iterate == lane->iterations - 1) {
        *residual = lane->residual;
        return true;
    }
    const struct history *history = &lane->history;
    if (history->stride < 1 || iterate % history->stride ||
        iterate / history->stride >= history->count)
        return false;
    *residual = history->residuals[iterate / history->stride];
    return true;
}

/* Compares every iterate that both still know; the first that differs ends it. */
static void compare_residuals(struct verdict *verdict, const struct lane_sample *a,
                              const struct lane_sample *b) {
    const long stride =
        a->history.stride > b->history.stride ? a->history.stride : b->history.stride;
    const long last = (a->iterations < b->iterations ? a->iterations : b->iterations) - 1;
    if (stride < 1)
        return;
    double of_a, of_b;
    for (long step = 0; step * stride < last + stride; step++) {
        const long iterate = step * stride < last ? step * stride : last;
        if (last < 0 || !lookup(a, iterate, &of_a) || !lookup(b, iterate, &of_b))
            continue;
        verdict->agreement = residuals_agree(of_a, of_b) ? AGREEMENT_GOOD : AGREEMENT_RESIDUAL;
        verdict->agreed_iterate = iterate;
        if (verdict->agreement == AGREEMENT_GOOD)
            continue;
        append(verdict->agreement_text, "residuals differ after %ld iterations: %.10e and %.10e",
               iterate + 1, of_a, of_b);
        return;
    }
}

static bool stopped(const struct lane_sample *lane) {
    return lane->state == LANE_CONVERGED || lane->state == LANE_LIMIT_REACHED;
}

/* One has converged where another went on, or both ended in different places. Runs that were asked
 * to stop elsewhere, as recorded ones may have been, do. */
static bool stops_differ(const struct lane_sample *a, const struct lane_sample *b) {
    if (a->iteration_limit != b->iteration_limit || a->tolerance != b->tolerance)
        return false;
    if (stopped(a) && stopped(b))
        return a->iterations != b->iterations || a->state != b->state;
    if (stopped(a))
        return b->iterations > a->iterations;
    return stopped(b) && a->iterations > b->iterations;
}

static bool compare_pair(struct verdict *verdict, const struct sample *sample, int l) {
    const struct lane_sample *first = &sample->lanes[0], *lane = &sample->lanes[l];
    compare_residuals(verdict, first, lane);
    if (verdict->agreement == AGREEMENT_RESIDUAL)
        return false;
    if (stops_differ(first, lane)) {
        verdict->agreement = AGREEMENT_STOP;
        append(verdict->agreement_text, "%s stopped after %ld iterations, %s made %ld",
               verdict->lanes[stopped(first) ? 0 : l].label,
               stopped(first) ? first->iterations : lane->iterations,
               verdict->lanes[stopped(first) ? l : 0].label,
               stopped(first) ? lane->iterations : first->iterations);
        return false;
    }
    return true;
}

static bool any_failed(struct verdict *verdict, const struct sample *sample) {
    for (int l = 0; l < sample->lane_count; l++) {
        if (sample->lanes[l].state != LANE_FAILED)
            continue;
        verdict->agreement = AGREEMENT_FAILED;
        append(verdict->agreement_text, "%s failed: %.120s", verdict->lanes[l].label,
               sample->lanes[l].error.message);
        return true;
    }
    return false;
}

static bool same_stop(const struct sample *sample) {
    for (int l = 0; l < sample->lane_count; l++)
        if (!stopped(&sample->lanes[l]) ||
            sample->lanes[l].iterations != sample->lanes[0].iterations)
            return false;
    return true;
}

static void agree(struct verdict *verdict, const struct sample *sample) {
    if (any_failed(verdict, sample))
        return;
    for (int l = 1; l < sample->lane_count; l++)
        if (!compare_pair(verdict, sample, l))
            return;
    double residual;
    if (verdict->agreement != AGREEMENT_GOOD)
        append(verdict->agreement_text, "no iterate to compare yet");
    else if (lookup(&sample->lanes[0], verdict->agreed_iterate, &residual))
        append(verdict->agreement_text, "%s after %ld iteration%s: %.4e",
               same_stop(sample) ? "same stop and residual" : "same residual",
               verdict->agreed_iterate + 1, verdict->agreed_iterate ? "s" : "", residual);
}

static bool same_device(const struct sample *sample) {
    for (int l = 1; l < sample->lane_count; l++)
        if (strcmp(sample->lanes[0].device, sample->lanes[l].device) != 0)
            return false;
    return true;
}

static void turns(struct verdict *verdict, const struct sample *sample) {
    const int recorded = sample_recorded_count(sample);
    if (recorded == 0)
        append(verdict->turns, "lanes take turns%s: none disturbs another's times",
               same_device(sample) ? " on this device" : "");
    else if (recorded == sample->lane_count)
        append(verdict->turns, "replayed by recorded %s: times are those of the recordings",
               sample->race == RACE_SAME_TIME ? "time" : "iteration");
    else
        append(verdict->turns, "replayed lanes follow by recorded %s and take no turns",
               sample->race == RACE_SAME_TIME ? "time" : "iteration");
}

struct verdict verdict_make(const struct sample *sample) {
    struct verdict verdict = {.lane_count = sample->lane_count};
    for (int l = 0; l < sample->lane_count; l++)
        verdict.lanes[l] = cost_of(sample, l);
    rank(&verdict);
    claim(&verdict, sample);
    reason(&verdict);
    agree(&verdict, sample);
    turns(&verdict, sample);
    return verdict;
}

char *verdict_line(char *buffer, size_t size, const struct verdict *verdict) {
    snprintf(buffer, size, "%s%s%s", verdict->claim, verdict->reason[0] ? ": " : "",
             verdict->reason);
    return buffer;
}
