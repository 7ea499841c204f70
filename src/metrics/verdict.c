#include "metrics/verdict.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "metrics/scaling.h"

#define CLAIM(...) format_append(verdict->claim, VERDICT_LINE, __VA_ARGS__)
#define REASON(...) format_append(verdict->reason, VERDICT_LINE, __VA_ARGS__)

/* Lanes are equally fast if their ratio and its whole interval are at most this. */
static const double equal_ratio = 1.02;

/* Big digits need an interval of at most this part of the ratio on each side. */
static const double certain = 0.1;

static void rank_lanes(struct verdict *verdict, const struct sample *sample) {
    bool all_timed = sample->lane_count > 0;
    for (int l = 0; l < sample->lane_count; l++) {
        struct lane_cost *lane = &verdict->lanes[l];
        lane->costs = costs_of_run(sample, l);
        lane->times_slower = lane->times_low = lane->times_high = NAN;
        lane_label(lane->label, sizeof lane->label, sample, l);
        all_timed &= lane->costs.ms_per_iteration > 0;
    }
    verdict->fastest = verdict->slowest = all_timed ? 0 : -1;
    verdict->is_equal = all_timed;
    verdict->ratio = NAN;
    if (!all_timed)
        return;
    for (int l = 1; l < verdict->lane_count; l++) {
        const double ms = verdict->lanes[l].costs.ms_per_iteration;
        if (ms < verdict->lanes[verdict->fastest].costs.ms_per_iteration)
            verdict->fastest = l;
        if (ms > verdict->lanes[verdict->slowest].costs.ms_per_iteration)
            verdict->slowest = l;
    }
    const struct costs *best = &verdict->lanes[verdict->fastest].costs;
    for (int l = 0; l < verdict->lane_count; l++) {
        struct lane_cost *lane = &verdict->lanes[l];
        lane->times_slower = lane->costs.ms_per_iteration / best->ms_per_iteration;
        lane->is_settling = lane->costs.is_settling || best->is_settling;
        verdict->is_settling |= lane->is_settling;
        lane->is_tied = true;
        if (l == verdict->fastest)
            continue;
        lane->times_low = lane->costs.low_ms / best->high_ms;
        lane->times_high = lane->costs.high_ms / best->low_ms;
        lane->is_tied = lane->times_slower < equal_ratio || lane->times_low <= 1;
        verdict->is_equal &= lane->is_tied;
    }
    verdict->ratio = verdict->lanes[verdict->slowest].times_slower;
}

/* Whether the lanes differ only in damping: same kernels, same device. */
static bool only_damping_differs(const struct sample *sample) {
    const unsigned kernels =
        RUN_BACKEND | RUN_MAPPING | RUN_HOST_MEMORY | RUN_SCHEDULE | RUN_METHOD | RUN_PRECISION;
    bool differs = false;
    const struct lane_sample *a = &sample->lanes[0];
    for (int l = 1; l < sample->lane_count; l++) {
        const struct lane_sample *b = &sample->lanes[l];
        if (run_id_difference(&a->run, &b->run) & kernels || strcmp(a->device, b->device) != 0 ||
            strcmp(a->recorded, b->recorded) != 0)
            return false;
        differs |= a->run.omega != b->run.omega;
    }
    return differs;
}

/* The factor that converts a lane's residuals to the measure of the tolerance. */
static double residual_scale(const struct sample *sample, const struct lane_sample *lane) {
    const struct mesh mesh = mesh_make(lane->nx, lane->ny);
    return measure_scale(sample->measure, &mesh, lane->initial_residual);
}

/* Iterations until the residual times `scale` is at most `residual`; 0 if it never was. */
static long iterations_to(const struct lane_sample *lane, double scale, double residual) {
    const struct history *history = &lane->history;
    for (int k = 0; k < history->count; k++)
        if (history->residuals[k] * scale <= residual)
            return 1 + k * history->stride;
    return lane->residual * scale <= residual ? lane->iterations : 0;
}

/* The lowest residual that every lane has reached, in the tolerance's measure; NaN if a lane has
 * none yet. */
static double common_residual(const struct sample *sample) {
    double common = 0;
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        double least = lane->iterations > 0 ? lane->residual : NAN;
        for (int k = 0; k < lane->history.count; k++)
            least = fmin(least, lane->history.residuals[k]);
        common = isnan(least) ? NAN : fmax(common, least * residual_scale(sample, lane));
        if (isnan(common))
            return NAN;
    }
    return common;
}

static bool has_stopped(const struct lane_sample *lane) {
    return lane->state == LANE_CONVERGED || lane->state == LANE_LIMIT_REACHED;
}

/* Compares lanes of different methods by their cost to the same residual. The ratios grow until the
 * last lane has stopped. */
static void compare_methods(struct verdict *verdict, const struct sample *sample) {
    double updates[LANES_MAX] = {0}, seconds[LANES_MAX] = {0};
    const double residual = common_residual(sample);
    int best = 0, worst = 0;
    bool is_final = true;
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        const struct costs *costs = &verdict->lanes[l].costs;
        const double needed = (double)iterations_to(lane, residual_scale(sample, lane), residual);
        updates[l] = needed / (double)lane->iterations * costs->updates;
        seconds[l] = 1e-3 * needed * costs->ms_per_iteration;
        if (lane->state == LANE_FAILED || !(updates[l] > 0 && seconds[l] > 0)) {
            CLAIM(lane->state == LANE_FAILED ? "no ratio: a run has failed"
                                             : "waiting until all reach the same residual");
            return;
        }
        best = seconds[l] < seconds[best] ? l : best;
        worst = seconds[l] > seconds[worst] ? l : worst;
        is_final &= has_stopped(lane);
    }
    const double ratio = updates[worst] / updates[best], times = seconds[worst] / seconds[best];
    const struct costs *slow = &verdict->lanes[worst].costs, *fast = &verdict->lanes[best].costs;
    const double per_iteration = slow->ms_per_iteration / fast->ms_per_iteration;
    const struct lane_cost whole = {
        .times_slower = times,
        .times_low = times * slow->low_ms / fast->high_ms / per_iteration,
        .times_high = times * slow->high_ms / fast->low_ms / per_iteration};
    if (is_final)
        format_times_big(verdict->big, sizeof verdict->big, &whole);
    CLAIM("%s%s: %s %s lattice updates, %s as fast as %s", verdict->lanes[best].label,
          is_final ? "" : " so far", AS(format_ratio, ratio < 1 ? 1 / ratio : ratio),
          ratio < 1 ? "more" : "fewer", AS(format_times_slower, &whole),
          verdict->lanes[worst].label);
    REASON("until %s is %s", measure_titles[sample->measure], AS(format_residual, residual));
}

char *format_times_slower(char *buffer, size_t size, const struct lane_cost *lane) {
    if (lane->is_settling)
        return format_text(buffer, size, "–");
    return format_ratio_interval(buffer, size, lane->times_slower, lane->times_low,
                                 lane->times_high);
}

char *format_times_big(char *buffer, size_t size, const struct lane_cost *lane) {
    const double width = lane->times_high - lane->times_low; /* NaN: unknown */
    buffer[0] = '\0';
    if (lane->is_settling || width > 2 * certain * lane->times_slower)
        return buffer;
    return format_ratio_within(buffer, size, lane->times_slower, lane->times_low, lane->times_high);
}

/* What the intervals of the ratios exclude; without them, only the mean times are known. */
static void claim_equal(struct verdict *verdict) {
    double bound = 1;
    bool known = true;
    for (int l = 0; l < verdict->lane_count; l++) {
        const struct lane_cost *lane = &verdict->lanes[l];
        if (l == verdict->fastest)
            continue;
        known &= lane->times_low <= lane->times_high;
        bound = fmax(bound, fmax(lane->times_slower, fmax(lane->times_high, 1 / lane->times_low)));
    }
    verdict->is_unsure = bound > equal_ratio;
    if (bound <= equal_ratio)
        CLAIM(known ? "all runs are equally fast, within 2 %%"
                    : "the mean times agree within 2 %%");
    else if (bound < 2)
        CLAIM("no difference seen (within ± %.0f %%)", ceil(100 * (bound - 1)));
    else
        CLAIM("no difference seen (within a factor of %.1f)", bound);
}

/* The fastest lane, or those whose intervals reach it, and the others' ratios: by letters, since
 * many names are too long for a line. */
static void claim_of_many(struct verdict *verdict, const struct sample *sample) {
    const char *label = verdict->lanes[verdict->fastest].label;
    bool is_alone = true, is_first = true, all_converge = true, any_converges = false;
    for (int l = 0; l < sample->lane_count; l++) {
        all_converge &= sample->lanes[l].state == LANE_CONVERGED;
        any_converges |= sample->lanes[l].state == LANE_CONVERGED;
    }
    CLAIM("%c", lane_letter(verdict->fastest));
    for (int l = 0; l < verdict->lane_count; l++) {
        if (l == verdict->fastest || !verdict->lanes[l].is_tied)
            continue;
        CLAIM(" or %c", lane_letter(l));
        is_alone = false;
    }
    CLAIM("%s%s is fastest%s:", is_alone && label[1] ? " " : "", is_alone && label[1] ? label : "",
          any_converges && !all_converge ? " per iteration" : "");
    for (int l = 0; l < verdict->lane_count; l++) {
        if (verdict->lanes[l].is_tied)
            continue;
        CLAIM("%s%c %s%s%s", is_first ? " " : ", ", lane_letter(l), is_first ? "takes " : "",
              AS(format_times_slower, &verdict->lanes[l]), is_first ? " as long" : "");
        is_first = false;
    }
}

/* How many times as many iterations the faster lane has done in the same time; NAN if both have not
 * run equally long. */
static double count_more(const struct lane_sample *fast, const struct lane_sample *slow) {
    const bool is_level = fast->state == LANE_RUNNING && slow->iterations > 0 &&
                          fabs(fast->seconds / slow->seconds - 1) < 0.05;
    return is_level ? (double)fast->iterations / (double)slow->iterations : NAN;
}

static void write_claim(struct verdict *verdict, const struct sample *sample,
                        const struct scaling_words *scaling) {
    if (verdict->fastest < 0) {
        CLAIM("%s", sample->state == SESSION_FINISHED ? "no iteration was timed"
                                                      : "waiting for every run's first iteration");
        return;
    }
    if (sample_methods_differ(sample)) {
        compare_methods(verdict, sample);
        return;
    }
    if (strcmp(sample->lanes[0].device, DEVICE_EMULATED) == 0) {
        CLAIM("there is no GPU: the CPU emulates one, and its times are not a GPU's");
        return;
    }
    if (only_damping_differs(sample)) {
        CLAIM("the same kernels, damped differently: look at the fields");
        return;
    }
    if (verdict->is_settling) {
        for (int l = 0; l < verdict->lane_count; l++)
            CLAIM("%s %c %s", l ? "," : "settling, so far:", lane_letter(l),
                  AS(format_ms, verdict->lanes[l].costs.ms_per_iteration));
        CLAIM(" per iteration");
        format_text(verdict->parts, VERDICT_LINE,
                    "a ratio needs 5 iterations of each run, 100 if their times vary");
        return;
    }
    if (*scaling->claim) {
        format_text(verdict->claim, VERDICT_LINE, "%s", scaling->claim);
        format_text(verdict->big, sizeof verdict->big, "%s", scaling->efficiency);
        return;
    }
    if (verdict->is_equal) {
        claim_equal(verdict);
        return;
    }
    const struct lane_cost *slowest = &verdict->lanes[verdict->slowest];
    const char *const ratio = AS(format_times_slower, slowest);
    const char *fast = verdict->lanes[verdict->fastest].label;
    const double more =
        count_more(&sample->lanes[verdict->fastest], &sample->lanes[verdict->slowest]);
    format_times_big(verdict->big, sizeof verdict->big, slowest);
    if (sample->race == RACE_SAME_TIME && more > 1) {
        format_ratio(verdict->big, sizeof verdict->big, more);
        CLAIM("%s has done %s as many iterations in the same time", fast, verdict->big);
    } else if (*scaling->definition)
        CLAIM("%s: %s as fast as %s", fast, *verdict->big ? verdict->big : ratio, slowest->label);
    else if (verdict->lane_count == 2)
        CLAIM("%s is %s as fast", fast, ratio);
    else
        claim_of_many(verdict, sample);
}

/* Whether the lanes' values differ by more than 1 % and `least`. */
static bool lanes_differ(const struct verdict *verdict, size_t member, double least) {
    const double first = *(const double *)((const char *)&verdict->lanes[0] + member);
    bool found = false;
    for (int l = 0; l < verdict->lane_count; l++) {
        const double value = *(const double *)((const char *)&verdict->lanes[l] + member);
        if (isnan(value))
            return false;
        found |= fabs(value - first) > fmax(least, 0.01 * fmax(fabs(value), fabs(first)));
    }
    return found;
}

/* Estimates the mapping's factor, if copies and kernels of the structured lane are timed.
 * Without its copies it would take from its kernels' time to what the copies leave. */
static bool estimate_mapping(const struct verdict *verdict, const struct sample *sample,
                             double *low, double *high) {
    const int structured = sample->lanes[0].run.mapping == MAPPING_STRUCTURED ? 0 : 1;
    const struct costs *costs = &verdict->lanes[structured].costs;
    const double least = 100 / (100 - costs->moving.percent_of_loop);
    const double most = 100 / costs->computing.percent_of_loop;
    *low = structured == verdict->slowest ? least : 1 / most;
    *high = structured == verdict->slowest ? most : 1 / least;
    return !verdict->is_settling && costs->moving.ms > 0 && isfinite(*low) && isfinite(*high);
}

/* Names the factors in which two lanes differ, if several. No run has measured each alone, but the
 * copies' times give a range for the mapping's factor, and with it for the others. */
static bool name_factors(struct verdict *verdict, const struct sample *sample) {
    static const struct {
        unsigned part;
        const char *name;
    } parts[] = {{RUN_MAPPING, "mapping"},
                 {RUN_BACKEND, "back end"},
                 {RUN_SCHEDULE, "schedule"},
                 {RUN_PRECISION, "precision"},
                 {RUN_DEVICES, "device"}};
    if (verdict->lane_count != 2 || verdict->fastest < 0 || verdict->is_equal)
        return false;
    unsigned differs = run_id_difference(&sample->lanes[0].run, &sample->lanes[1].run) &
                       (RUN_BACKEND | RUN_MAPPING | RUN_SCHEDULE | RUN_PRECISION);
    if (!(verdict->lanes[0].costs.moving.ms > 0 || verdict->lanes[1].costs.moving.ms > 0))
        differs &= ~(unsigned)RUN_MAPPING; /* it costs nothing in either lane */
    if (!(differs & (differs - 1)))
        return false;
    if (strcmp(sample->lanes[0].device, sample->lanes[1].device) != 0)
        differs |= RUN_DEVICES;
    double low, high;
    const bool is_split = differs & RUN_MAPPING && estimate_mapping(verdict, sample, &low, &high);
    if (is_split)
        REASON("mapping about %s, ", AS(format_ratio_interval, low, low, high));
    else
        REASON("the factor combines ");
    differs &= is_split ? ~(unsigned)RUN_MAPPING : ~0U;
    const char *before = "";
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        if (!(differs & parts[p].part))
            continue;
        REASON("%s%s", before, parts[p].name);
        differs &= ~parts[p].part;
        before = differs & (differs - 1) ? ", " : " and ";
    }
    if (is_split) {
        const struct lane_cost *slow = &verdict->lanes[verdict->slowest];
        const double least = fmin(slow->times_slower, slow->times_low) / high,
                     most = fmax(slow->times_slower, slow->times_high) / low;
        REASON(" %s", AS(format_ratio_interval, least, least, most));
    }
    return true;
}

/* Names the part that makes up most of the slowest lane's further time; all move the same bytes. */
static void reason_of_time(struct verdict *verdict, const struct sample *sample) {
    const struct lane_cost *slowest = &verdict->lanes[verdict->slowest];
    const struct costs *slow = &slowest->costs, *fast = &verdict->lanes[verdict->fastest].costs;
    const double most = (slow->ms_per_iteration - fast->ms_per_iteration) / 2;
    const char letter[] = {lane_letter(verdict->slowest), '\0'};
    const char *name = verdict->lane_count > 2 ? letter : slowest->label;
    const bool differs = !verdict->is_equal && !verdict->is_settling;
    if (only_damping_differs(sample))
        REASON("damping changes one factor: same operations, same bytes");
    else if (differs && slow->launching.ms - fmax(0, fast->launching.ms) > most)
        REASON("%s spends %s on launch and wait", name,
               AS(format_percent, slow->launching.percent_of_loop));
    else if (differs && slow->computing.ms - fast->computing.ms > most)
        REASON("same bytes, but the kernels of %s take %s as long", name,
               AS(format_ratio, slow->computing.ms / fast->computing.ms));
    else
        REASON("all kernels move the same bytes");
}

static void write_reason(struct verdict *verdict, const struct sample *sample,
                         const struct scaling_words *scaling) {
    if (sample_methods_differ(sample))
        return;
    if (*format_text(verdict->reason, VERDICT_LINE, "%s", scaling->sentence))
        return;
    if (strcmp(sample->lanes[0].device, DEVICE_EMULATED) == 0 || name_factors(verdict, sample))
        return;
    enum { NORMS_BYTES = 64 }; /* norms, which all runs copy, are no reason */
    const bool copies =
        lanes_differ(verdict, offsetof(struct lane_cost, costs.copied_bytes), NORMS_BYTES);
    if (!copies && !lanes_differ(verdict, offsetof(struct lane_cost, costs.bytes_per_update), 0)) {
        if (verdict->fastest >= 0 && verdict->lanes[0].costs.bytes_per_update > 0)
            reason_of_time(verdict, sample);
        return;
    }
    enum { NAMES_MAX = 36 }; /* sum of both, so that the line fits 80 columns */
    size_t names = 0;
    for (int l = 0; l < verdict->lane_count; l++)
        names += strlen(verdict->lanes[l].label);
    for (int l = 0; l < verdict->lane_count; l++) {
        const struct lane_cost *lane = &verdict->lanes[l];
        const char letter[] = {lane_letter(l), '\0'};
        const char *name = verdict->lane_count > 2 || names > NAMES_MAX ? letter : lane->label;
        if (copies)
            REASON(l == 0 ? "%s moved %s per iteration" : ", %s %s", name,
                   AS(format_bytes, lane->costs.copied_bytes));
        else
            REASON(l == 0 ? "memory traffic per update: %s %s" : ", %s %s", name,
                   AS(format_bytes, lane->costs.bytes_per_update));
    }
}

/* Splits the time that one of two mappings takes longer, if its kernels differ from the other's by
 * more than the spread of the iterations: the kernels are the same. */
static void write_parts(struct verdict *verdict, const struct sample *sample) {
    const struct costs *slow = &verdict->lanes[verdict->slowest].costs,
                       *fast = &verdict->lanes[verdict->fastest].costs;
    if (verdict->lane_count != 2 ||
        run_id_difference(&sample->lanes[0].run, &sample->lanes[1].run) != RUN_MAPPING ||
        strcmp(sample->lanes[0].device, sample->lanes[1].device) != 0)
        return;
    const double of_slow = slow->computing.ms, of_fast = fast->computing.ms;
    if (!(of_slow * slow->low_ms / slow->ms_per_iteration >
          equal_ratio * of_fast * fast->high_ms / fast->ms_per_iteration))
        return;
    format_text(verdict->parts, VERDICT_LINE,
                "%c's kernels take %s as long for the same work; of %s more, kernels: %s, "
                "copies: %s",
                lane_letter(verdict->slowest), AS(format_ratio, of_slow / of_fast),
                AS(format_ms, slow->whole_ms - fast->whole_ms), AS(format_ms, of_slow - of_fast),
                AS(format_ms, fmax(0, slow->moving.ms) - fmax(0, fast->moving.ms)));
}

bool residuals_agree(double a, double b, const struct mesh *mesh, enum precision precision) {
    const bool exact = precision == PRECISION_DOUBLE;
    const double scale = fmax(fabs(a), fabs(b)), epsilon = exact ? DBL_EPSILON : FLT_EPSILON;
    const double round_off =
        4 * epsilon * (mesh->_1bydx2 + mesh->_1bydy2) / (double)mesh_unknowns(mesh);
    return fabs(a - b) <= (exact ? 1e-10 : 1e-6) * scale + round_off; /* false for NaN */
}

/* Finds the residual of an iterate; false if the lane's history no longer contains it. */
static bool find_residual(const struct lane_sample *lane, long iterate, double *residual) {
    if (iterate == lane->iterations - 1 && !(*lane->recorded && isnan(lane->residual))) {
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

/* Compares the iterates that both histories contain, up to the first difference. */
static void compare_residuals(struct verdict *verdict, const struct lane_sample *a,
                              const struct lane_sample *b) {
    const long stride =
        a->history.stride > b->history.stride ? a->history.stride : b->history.stride;
    const long last = (a->iterations < b->iterations ? a->iterations : b->iterations) - 1;
    if (stride < 1 || last < 0 || a->nx < 1 || a->ny < 1)
        return;
    const struct mesh mesh = mesh_make(a->nx, a->ny);
    /* A history is never longer, whatever number of iterations a file claims. */
    const long apart = last / stride + (last % stride > 0);
    const long steps = apart < HISTORY_POINTS ? apart : HISTORY_POINTS;
    double of_a, of_b;
    for (long step = 0; step <= steps; step++) {
        const long iterate = step < steps ? step * stride : last;
        if (!find_residual(a, iterate, &of_a) || !find_residual(b, iterate, &of_b))
            continue;
        verdict->agreement = residuals_agree(of_a, of_b, &mesh, a->run.precision)
                                 ? AGREEMENT_GOOD
                                 : AGREEMENT_RESIDUAL;
        verdict->agreed_iterate = iterate;
        if (verdict->agreement == AGREEMENT_GOOD)
            continue;
        format_append(verdict->agreement_text, VERDICT_LINE,
                      "residuals differ after %ld iteration%s: %.10e and %.10e", iterate + 1,
                      iterate == 0 ? "" : "s", of_a, of_b);
        return;
    }
}

/* Whether one lane has stopped and the other has continued, or both stopped after different
 * iterations. False for runs with different limits, which recordings may have. */
static bool stops_differ(const struct lane_sample *a, const struct lane_sample *b) {
    if (a->iteration_limit != b->iteration_limit || a->tolerance != b->tolerance ||
        a->measure != b->measure)
        return false;
    if (has_stopped(a) && has_stopped(b))
        return a->iterations != b->iterations || a->state != b->state;
    if (has_stopped(a))
        return b->iterations > a->iterations;
    return has_stopped(b) && a->iterations > b->iterations;
}

/* Whether both must have the same residuals. In float, blocked's sweeps round differently. */
static bool are_twins(const struct lane_sample *a, const struct lane_sample *b) {
    const bool is_float = a->run.precision != PRECISION_DOUBLE;
    const bool blocked =
        a->run.schedule.kind == SCHEDULE_BLOCKED || b->run.schedule.kind == SCHEDULE_BLOCKED;
    return lane_same_iterates(a, b) &&
           !(is_float && blocked && run_id_difference(&a->run, &b->run) & RUN_SCHEDULE);
}

static void judge_agreement(struct verdict *verdict, const struct sample *sample) {
    const struct lane_sample *first = &sample->lanes[0];
    char *text = verdict->agreement_text;
    bool same_stop = true;
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        same_stop &= has_stopped(lane) && lane->iterations == first->iterations;
        if (lane->state != LANE_FAILED)
            continue;
        verdict->agreement = AGREEMENT_FAILED;
        format_append(text, VERDICT_LINE, "%s failed: %.120s", verdict->lanes[l].label,
                      lane->error.message);
        return;
    }
    int twins = 0;
    for (int l = 1; l < sample->lane_count; l++) {
        int twin = 0; /* the first lane that must have the same iterates */
        while (twin < l && !are_twins(&sample->lanes[twin], &sample->lanes[l]))
            twin++;
        const struct lane_sample *a = &sample->lanes[twin], *b = &sample->lanes[l];
        if (twin == l)
            continue;
        twins++;
        compare_residuals(verdict, a, b);
        if (verdict->agreement == AGREEMENT_RESIDUAL)
            return;
        if (!stops_differ(a, b))
            continue;
        const int ended = has_stopped(a) ? twin : l, other = twin + l - ended;
        verdict->agreement = AGREEMENT_STOP;
        format_append(text, VERDICT_LINE, "%s stopped after %ld iterations, %s did %ld",
                      verdict->lanes[ended].label, sample->lanes[ended].iterations,
                      verdict->lanes[other].label, sample->lanes[other].iterations);
        return;
    }
    double residual;
    if (twins == 0 && sample->lane_count > 1) {
        verdict->agreement = AGREEMENT_NONE;
        format_append(text, VERDICT_LINE,
                      sample_grids_differ(sample) ? "different grids: residuals can't be compared"
                      : sample_methods_differ(sample)
                          ? "different methods: different iterates, the same solution"
                      : run_id_difference(&first->run, &sample->lanes[1].run) & RUN_PRECISION
                          ? "different precisions: the same iterates but for round-off"
                          : "different iterates, the same solution");
    } else if (verdict->agreement != AGREEMENT_GOOD) {
        format_append(text, VERDICT_LINE, "no iterate to compare%s",
                      sample->state == SESSION_FINISHED ? "" : " yet");
    } else if (twins < sample->lane_count - 1) {
        format_append(text, VERDICT_LINE, "runs %s have the same residuals",
                      sample_methods_differ(sample) ? "of one method" : "damped and rounded alike");
    } else if (find_residual(first, verdict->agreed_iterate, &residual)) {
        format_append(text, VERDICT_LINE, "%s after %ld iteration%s: %.4e",
                      same_stop ? "same stop and residual" : "same residual",
                      verdict->agreed_iterate + 1, verdict->agreed_iterate ? "s" : "", residual);
    }
}

struct verdict verdict_make(const struct sample *sample) {
    struct verdict verdict = {.lane_count = sample->lane_count};
    struct scaling_words scaling = scaling_words(sample);
    rank_lanes(&verdict, sample);
    if (verdict.is_settling || (verdict.is_equal && !*scaling.claim)) /* no ratio, no efficiency */
        scaling = (struct scaling_words){0};
    write_claim(&verdict, sample, &scaling);
    write_reason(&verdict, sample, &scaling);
    if (verdict.fastest >= 0 && !verdict.is_settling && !verdict.is_equal)
        write_parts(&verdict, sample);
    judge_agreement(&verdict, sample);
    const int recorded = sample_recorded_count(sample);
    const char *by = sample->race == RACE_SAME_TIME ? "time" : "iteration";
    bool same_device = true;
    for (int l = 1; l < sample->lane_count; l++)
        same_device &= strcmp(sample->lanes[0].device, sample->lanes[l].device) == 0;
    const char *const race = AS(format_race, sample);
    if (strncmp(race, "same", 4) != 0)
        snprintf(verdict.turns, VERDICT_LINE,
                 recorded == sample->lane_count ? "%s, and the comparison with it"
                                                : "%s: the others continue",
                 race);
    else if (recorded == 0 && sample->iterations_per_second > 0 &&
             sample->iterations_per_second < RUN_SPEED_PAIRS)
        snprintf(verdict.turns, VERDICT_LINE, "%d iterations per second: each finds cold caches",
                 sample->iterations_per_second);
    else if (recorded == 0)
        snprintf(verdict.turns, VERDICT_LINE, "runs take turns%s: cold iterations don't count",
                 same_device ? " on this device" : "");
    else if (recorded == sample->lane_count)
        snprintf(verdict.turns, VERDICT_LINE,
                 "replayed by recorded %s: times are those of the recordings", by);
    else
        snprintf(verdict.turns, VERDICT_LINE,
                 "replayed runs follow by recorded %s and take no turns", by);
    if (*scaling.definition) /* equally long and more useful */
        snprintf(verdict.turns, VERDICT_LINE, "%s · %s", scaling.definition,
                 recorded ? "recorded" : "runs take turns");
    return verdict;
}

char *verdict_line(char *buffer, size_t size, const struct verdict *verdict) {
    return format_text(buffer, size, "%s%s%s", verdict->claim,
                       !verdict->reason[0]           ? ""
                       : strchr(verdict->claim, ':') ? "; "
                                                     : ": ",
                       verdict->reason);
}
