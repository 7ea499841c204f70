#include "metrics/template.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "metrics/costs.h"
#include "metrics/scaling.h"
#include "metrics/verdict.h"

enum { FIRST_GRID = LANES_MAX }; /* lane numbers from here on are the grids of a grid study */

/* The named figures of one lane. */
struct values {
    struct costs costs;
    double ratio, unknowns, most_iterations, last_digit, digit_ratio;
    double iterations, residual, initial_residual, middle, rough;
    double copies, copy_ms, copy_gbs, slowest_percent;
    double roof, roof_percent, speed_up, efficiency;
    double ratio_low, ratio_high, speed_up_low, speed_up_high; /* NaN: unknown */
    char fastest[LABEL_SIZE], slowest[LABEL_SIZE], hardest[LABEL_SIZE], grid[LABEL_SIZE];
    char device[LABEL_SIZE], backend[LABEL_SIZE], mapping[LABEL_SIZE], schedule[LABEL_SIZE];
};

#define AT(name, unit, member) {#name, unit, offsetof(struct values, member)}
#define FIGURE(name, unit) AT(name, unit, name)
#define COST(name, unit, member) AT(name, unit, costs.member)
#define KERNEL(name, phase) COST(name, UNIT_PERCENT, kernels[phase].percent_of_kernels)

const struct figure figures[] = {
    FIGURE(ratio, UNIT_RATIO),
    FIGURE(fastest, UNIT_WORD),
    FIGURE(slowest, UNIT_WORD),
    FIGURE(slowest_percent, UNIT_PERCENT),
    COST(ms, UNIT_MS, ms_per_iteration),
    COST(bytes, UNIT_BYTES, copied_bytes),
    FIGURE(copies, UNIT_COUNT),
    FIGURE(copy_ms, UNIT_MS),
    FIGURE(copy_gbs, UNIT_GBS),
    COST(moving, UNIT_PERCENT, moving.percent_of_loop),
    COST(computing, UNIT_PERCENT, computing.percent_of_loop),
    COST(waiting, UNIT_PERCENT, rest.percent_of_loop),
    KERNEL(laplacian, PHASE_LAPLACIAN),
    KERNEL(boundary, PHASE_BOUNDARY),
    KERNEL(update, PHASE_UPDATE),
    KERNEL(norm, PHASE_NORM),
    COST(traffic, UNIT_BYTES, bytes_per_update),
    COST(gbs, UNIT_GBS, minimum_gbs),
    FIGURE(roof, UNIT_GBS),
    FIGURE(roof_percent, UNIT_PERCENT),
    FIGURE(speed_up, UNIT_RATIO),
    FIGURE(efficiency, UNIT_PERCENT),
    FIGURE(iterations, UNIT_COUNT),
    FIGURE(residual, UNIT_RESIDUAL),
    FIGURE(initial_residual, UNIT_RESIDUAL),
    FIGURE(middle, UNIT_NUMBER),
    FIGURE(rough, UNIT_TENTHS),
    FIGURE(grid, UNIT_WORD),
    FIGURE(unknowns, UNIT_COUNT),
    FIGURE(hardest, UNIT_WORD),
    FIGURE(most_iterations, UNIT_COUNT),
    FIGURE(last_digit, UNIT_COUNT),
    FIGURE(digit_ratio, UNIT_RATIO),
    FIGURE(device, UNIT_WORD),
    FIGURE(backend, UNIT_WORD),
    FIGURE(mapping, UNIT_WORD),
    FIGURE(schedule, UNIT_WORD),
    {0},
};

/* ---- values --------------------------------------------------------------------------------- */

static double *number_of(const struct values *values, const struct figure *figure) {
    void *const member = (char *)values + figure->offset;
    return member;
}

/* Finds the slowest and the fastest lane of a comparison, or kernel of a single run. */
static void rank_runs(struct values *values, const struct sample *sample,
                      const struct verdict *verdict) {
    const struct costs *costs = &values->costs;
    if (sample->lane_count > 1) {
        if (verdict->fastest < 0 || verdict->is_settling || verdict->is_unsure)
            return;
        values->ratio = verdict->ratio;
        values->ratio_low = verdict->lanes[verdict->slowest].times_low;
        values->ratio_high = verdict->lanes[verdict->slowest].times_high;
        snprintf(values->fastest, LABEL_SIZE, "%s", verdict->lanes[verdict->fastest].label);
        snprintf(values->slowest, LABEL_SIZE, "%s", verdict->lanes[verdict->slowest].label);
        return;
    }
    enum phase order[PHASE_COUNT];
    const int count = costs_order(costs, 1, order);
    if (count == 0 || isnan(costs->kernels[order[0]].total_ms))
        return;
    snprintf(values->slowest, LABEL_SIZE, "%s", phase_names[order[0]]);
    snprintf(values->fastest, LABEL_SIZE, "%s", phase_names[order[count - 1]]);
    values->slowest_percent = costs->kernels[order[0]].percent_of_kernels;
}

static void measure_run(struct values *values, const struct sample *sample, int l) {
    const struct lane_sample *lane = &sample->lanes[l];
    const struct costs costs = costs_of_run(sample, l);
    const struct cost *to = &costs.work[EVENT_TO_DEVICE], *from = &costs.work[EVENT_FROM_DEVICE];
    values->costs = costs;
    const struct verdict verdict = verdict_make(sample);
    rank_runs(values, sample, &verdict);
    const struct speed_up scaling = scaling_compare(sample, l);
    const bool scales = scaling.kind && !scaling.is_settling && !verdict.is_unsure;
    values->speed_up = scales ? scaling.times : NAN;
    values->efficiency = scales ? 100 * scaling.efficiency : NAN;
    values->speed_up_low = scales ? scaling.low : NAN;
    values->speed_up_high = scales ? scaling.high : NAN;
    values->copies = costs.is_observed ? fmax(1, lane->device_stats.count) *
                                             (to->count_per_iteration + from->count_per_iteration)
                                       : NAN;
    values->copy_ms = to->ms_per_iteration + from->ms_per_iteration;
    values->copy_gbs = values->copy_ms > 0 ? 1e-6 * costs.copied_bytes / values->copy_ms : NAN;
    if (roof_is_known(&lane->roof)) {
        values->roof = lane->roof.bandwidth_gbs;
        values->roof_percent = 100 * costs.minimum_gbs / values->roof;
    }
    snprintf(values->device, LABEL_SIZE, "%.63s", lane->device);
    snprintf(values->backend, LABEL_SIZE, "%s", lane->run.backend);
    if (backend_maps(lane->run.backend))
        snprintf(values->mapping, LABEL_SIZE, "%s", mapping_names[lane->run.mapping]);
    schedule_print(values->schedule, LABEL_SIZE, lane->run.schedule);
}

/* The number of iterations in which the residual last fell to a tenth. Between two points of the
 * history it is interpolated geometrically. */
static double last_digit(const struct lane_sample *lane) {
    const struct history *history = &lane->history;
    const double ten = 10 * lane->residual, last = (double)lane->iterations - 1;
    int k = history->count - 1;
    while (k >= 0 && !(history->residuals[k] >= ten))
        k--;
    if (k < 0 || !(ten > 0) || !isfinite(ten))
        return NAN;
    const bool is_newest = k == history->count - 1;
    const double above = history->residuals[k];
    const double below = is_newest ? lane->residual : history->residuals[k + 1];
    const double from = (double)k * (double)history->stride;
    const double to = is_newest ? last : from + (double)history->stride;
    return last - from - (to - from) * log(above / ten) / log(above / below);
}

static struct values values_of(const struct sample *sample, int l) {
    struct values values = {.ratio_low = NAN, .ratio_high = NAN};
    for (const struct figure *figure = figures; figure->name; figure++)
        if (figure->unit != UNIT_WORD)
            *number_of(&values, figure) = NAN;
    const bool is_grid = l >= FIRST_GRID;
    const int grids = sample->lane_count == 1 ? sample->study_count + 1 : 0;
    if (is_grid ? l - FIRST_GRID >= grids : l >= sample->lane_count)
        return values;
    const struct lane_sample *lane = !is_grid                     ? &sample->lanes[l]
                                     : l - FIRST_GRID < grids - 1 ? &sample->study[l - FIRST_GRID]
                                                                  : &sample->lanes[0];
    format_grid(values.grid, LABEL_SIZE, lane->nx, lane->ny);
    values.unknowns = (double)lane->nx * lane->ny;
    if (lane->iterations > 0) {
        values.iterations = (double)lane->iterations;
        values.residual = lane->residual;
        values.initial_residual = is_grid && lane->history.count > 0 ? lane->history.residuals[0]
                                                                     : lane->initial_residual;
        values.last_digit = last_digit(lane);
        if (!is_grid && lane->middle_known)
            values.middle = lane->middle;
        else if (is_grid || !field_middle(&lane->field, lane->nx, lane->ny, &values.middle))
            values.middle = NAN;
        values.rough = is_grid ? NAN : 100 * lane->field.stats.rough_share;
    }
    if (!is_grid)
        measure_run(&values, sample, l);
    /* The grid with the most iterations, once all have converged. */
    bool all_converged = grids > 1;
    double most = 0;
    for (int g = 0; g < grids; g++) {
        const struct lane_sample *grid = g < grids - 1 ? &sample->study[g] : &sample->lanes[0];
        all_converged &= grid->state == LANE_CONVERGED;
        if ((double)grid->iterations <= most)
            continue;
        most = (double)grid->iterations;
        format_grid(values.hardest, LABEL_SIZE, grid->nx, grid->ny);
    }
    if (all_converged) {
        values.most_iterations = most;
        values.digit_ratio = last_digit(&sample->lanes[0]) / last_digit(&sample->study[grids - 2]);
    } else {
        values.hardest[0] = '\0';
    }
    return values;
}

/* ---- names ---------------------------------------------------------------------------------- */

const struct figure *figure_find(const char *name, size_t length, int *lane) {
    const char last = length > 2 && name[length - 2] == '_' ? name[length - 1] : '\0';
    const int number = last >= 'a' && last < 'a' + LANES_MAX    ? last - 'a'
                       : last >= '1' && last <= '1' + STUDY_MAX ? last - '1' + FIRST_GRID
                                                                : -1;
    for (const struct figure *figure = figures; figure->name; figure++) {
        const size_t own = strlen(figure->name);
        if (strncmp(figure->name, name, own) != 0 ||
            (own != length && (number < 0 || own + 2 != length)))
            continue;
        if (lane)
            *lane = own == length ? 0 : number;
        return figure;
    }
    return NULL;
}

/* The length of the name in "{name}…"; 0 if the text does not begin with a name in braces. */
static size_t name_length(const char *text) {
    const size_t length =
        *text == '{' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_0123456789") : 0;
    return length > 0 && length < FIGURE_NAME_SIZE && text[length + 1] == '}' ? length : 0;
}

const char *template_unknown(const char *text, char name[FIGURE_NAME_SIZE]) {
    for (; *text; text++) {
        const size_t length = name_length(text);
        if (!length || figure_find(text + 1, length, NULL))
            continue;
        snprintf(name, FIGURE_NAME_SIZE, "%.*s", (int)length, text + 1);
        return text + length + 2;
    }
    return NULL;
}

char *template_names(char *buffer, size_t size) {
    buffer[0] = '\0';
    for (const struct figure *figure = figures; figure->name; figure++)
        format_list(buffer, size, figure->name);
    return buffer;
}

/* ---- as text -------------------------------------------------------------------------------- */

double figure_value(const struct figure *figure, const struct sample *sample, int lane) {
    const struct values values = values_of(sample, lane);
    return figure->unit == UNIT_WORD ? NAN : *number_of(&values, figure);
}

bool figure_holds(const struct figure *figure, const struct sample *sample, int lane,
                  double number) {
    const struct values values = values_of(sample, lane);
    const bool is_efficiency = figure->offset == offsetof(struct values, efficiency);
    if (figure->offset == offsetof(struct values, ratio))
        return number >= values.ratio_low && number <= values.ratio_high;
    if (is_efficiency)
        number *= values.speed_up / values.efficiency;
    return (is_efficiency || figure->offset == offsetof(struct values, speed_up)) &&
           number >= values.speed_up_low && number <= values.speed_up_high;
}

/* "1/16" of a mean below 1. */
static char *print_count(char *buffer, size_t size, double value) {
    if (value > 0 && value < 2.0 / 3)
        return format_text(buffer, size, "1/%.0f", 1 / value);
    return format_count(buffer, size, lround(value));
}

static char *print_tenths(char *buffer, size_t size, double value) {
    return format_text(buffer, size, value > 0 && value < 0.005 ? "<0.01 %%" : "%.*f %%",
                       value < 9.95 ? 2 : 1, value);
}

static const struct {
    const char *word;
    char *(*print)(char *buffer, size_t size, double value);
} units[] = {
    [UNIT_NUMBER] = {"", format_number},     [UNIT_RATIO] = {"×", format_ratio},
    [UNIT_MS] = {"ms", format_ms},           [UNIT_BYTES] = {"MB", format_bytes},
    [UNIT_COUNT] = {"", print_count},        [UNIT_PERCENT] = {"%", format_percent},
    [UNIT_TENTHS] = {"%", print_tenths},     [UNIT_GBS] = {"GB/s", format_gbs},
    [UNIT_RESIDUAL] = {"", format_residual}, [UNIT_WORD] = {"", format_number},
};

const char *figure_unit_word(enum figure_unit unit, double *scale) {
    *scale = unit == UNIT_BYTES ? 1e6 : 1;
    return units[unit].word;
}

char *figure_print(char *buffer, size_t size, enum figure_unit unit, double value) {
    return isnan(value) ? format_text(buffer, size, "–") : units[unit].print(buffer, size, value);
}

static char *print_value(char *buffer, size_t size, const struct figure *figure,
                         const struct values *values) {
    const char *word = (const char *)values + figure->offset;
    if (figure->unit == UNIT_WORD)
        return format_text(buffer, size, "%s", *word ? word : "–");
    return figure_print(buffer, size, figure->unit, *number_of(values, figure));
}

char *figure_text(char *buffer, size_t size, const struct figure *figure,
                  const struct sample *sample, int lane) {
    const struct values values = values_of(sample, lane);
    return print_value(buffer, size, figure, &values);
}

const char template_blank[] = "______", template_missing[] = "\x1a";

static bool ends_sentence(const char *text, size_t length, char next) {
    length -= length > 1 && text[length - 1] == ')';
    return !next || (strchr(" \n", next) && length > 0 && strchr(".?", text[length - 1]));
}

char *template_fill(char *buffer, size_t size, const char *text, const struct sample *sample) {
    struct values values[FIRST_GRID + STUDY_MAX + 1]; /* computed once per named lane */
    bool made[FIRST_GRID + STUDY_MAX + 1] = {false}, is_known = true;
    size_t used = 0, sentence = 0; /* begins there */
    for (size_t taken; *text && used + 1 < size; text += taken) {
        const size_t length = name_length(text);
        int lane;
        const struct figure *figure = length ? figure_find(text + 1, length, &lane) : NULL;
        taken = figure ? length + 2 : 1;
        if (figure && sample && !made[lane]) {
            values[lane] = values_of(sample, lane);
            made[lane] = true;
        }
        if (figure && sample)
            print_value(buffer + used, size - used, figure, &values[lane]);
        else
            snprintf(buffer + used, size - used, "%.*s", figure ? (int)size : 1,
                     figure ? template_blank : text);
        is_known &= *text != *template_missing && !(figure && strcmp(buffer + used, "–") == 0);
        used += used > 0 || !strchr(" \n", *text) ? strlen(buffer + used) : 0;
        if (ends_sentence(buffer, used, text[taken])) {
            sentence = used = is_known ? used : sentence;
            is_known = true;
        }
    }
    buffer[used] = '\0';
    return buffer;
}
