#include "metrics/template.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/format.h"
#include "metrics/costs.h"
#include "metrics/scaling.h"
#include "metrics/verdict.h"

enum { FIRST_GRID = LANES_MAX }; /* lanes from here on are the grids of a grid study */

/* Everything that has a name, of one lane. */
struct values {
    double ratio, unknowns, most_iterations, last_digit, digit_ratio;
    char fastest[LABEL_SIZE], slowest[LABEL_SIZE], hardest[LABEL_SIZE];

    double iterations, residual, initial_residual, middle, rough;
    double ms, bytes, copies, copy_ms, copy_gbs, moving, computing, waiting;
    double slowest_percent, laplacian, boundary, update, norm;
    double traffic, gbs, roof, roof_percent;
    double speed_up, efficiency;
    char grid[LABEL_SIZE], device[LABEL_SIZE], backend[LABEL_SIZE];
    char mapping[LABEL_SIZE], schedule[LABEL_SIZE];
};

#define FIGURE(name, unit) {#name, unit, offsetof(struct values, name)}

const struct figure figures[] = {
    FIGURE(ratio, UNIT_RATIO),
    FIGURE(fastest, UNIT_WORD),
    FIGURE(slowest, UNIT_WORD),
    FIGURE(slowest_percent, UNIT_PERCENT),
    FIGURE(ms, UNIT_MS),
    FIGURE(bytes, UNIT_BYTES),
    FIGURE(copies, UNIT_COUNT),
    FIGURE(copy_ms, UNIT_MS),
    FIGURE(copy_gbs, UNIT_GBS),
    FIGURE(moving, UNIT_PERCENT),
    FIGURE(computing, UNIT_PERCENT),
    FIGURE(waiting, UNIT_PERCENT),
    FIGURE(laplacian, UNIT_PERCENT),
    FIGURE(boundary, UNIT_PERCENT),
    FIGURE(update, UNIT_PERCENT),
    FIGURE(norm, UNIT_PERCENT),
    FIGURE(traffic, UNIT_BYTES),
    FIGURE(gbs, UNIT_GBS),
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

/* Of a comparison the slowest and the fastest lane, of one run its kernels. */
static void rank_runs(struct values *values, const struct sample *sample,
                      const struct costs *costs) {
    if (sample->lane_count > 1) {
        const struct verdict verdict = verdict_make(sample);
        values->ratio = verdict.ratio;
        if (verdict.fastest < 0)
            return;
        snprintf(values->fastest, LABEL_SIZE, "%s", verdict.lanes[verdict.fastest].label);
        snprintf(values->slowest, LABEL_SIZE, "%s", verdict.lanes[verdict.slowest].label);
        return;
    }
    enum phase order[PHASE_COUNT];
    const int count = costs_order(costs, 1, order);
    if (count == 0 || isnan(costs->kernels[order[0]].total_ms))
        return;
    snprintf(values->slowest, LABEL_SIZE, "%s", phase_name(order[0]));
    snprintf(values->fastest, LABEL_SIZE, "%s", phase_name(order[count - 1]));
    values->slowest_percent = costs->kernels[order[0]].percent_of_kernels;
}

static void measure_run(struct values *values, const struct sample *sample, int l) {
    const struct lane_sample *lane = &sample->lanes[l];
    const struct costs costs =
        sample->lane_count > 1 ? costs_of_run(sample, l) : costs_of_window(sample, l);
    const struct cost *to = &costs.work[EVENT_TO_DEVICE], *from = &costs.work[EVENT_FROM_DEVICE];
    rank_runs(values, sample, &costs);
    const struct speed_up scaling = scaling_compare(sample, l);
    values->speed_up = scaling.kind ? scaling.times : NAN;
    values->efficiency = scaling.kind ? 100 * scaling.efficiency : NAN;
    values->ms = costs.ms_per_iteration;
    values->bytes = costs.copied_bytes;
    values->copies = costs.is_observed ? to->count_per_iteration + from->count_per_iteration : NAN;
    values->copy_ms = to->ms_per_iteration + from->ms_per_iteration;
    values->copy_gbs = values->copy_ms > 0 ? 1e-6 * values->bytes / values->copy_ms : NAN;
    values->moving = costs.moving.percent_of_loop;
    values->computing = costs.computing.percent_of_loop;
    values->waiting = costs.rest.percent_of_loop;
    values->laplacian = costs.kernels[PHASE_LAPLACIAN].percent_of_kernels;
    values->boundary = costs.kernels[PHASE_BOUNDARY].percent_of_kernels;
    values->update = costs.kernels[PHASE_UPDATE].percent_of_kernels;
    values->norm = costs.kernels[PHASE_NORM].percent_of_kernels;
    values->traffic = costs.bytes_per_update;
    values->gbs = costs.minimum_gbs;
    if (lane->roof.origin != ROOF_UNKNOWN) {
        values->roof = lane->roof.bandwidth_gbs;
        values->roof_percent = 100 * values->gbs / values->roof;
    }
    snprintf(values->device, LABEL_SIZE, "%.63s", lane->device);
    snprintf(values->backend, LABEL_SIZE, "%s", lane->run.backend);
    if (backend_maps(lane->run.backend))
        snprintf(values->mapping, LABEL_SIZE, "%s", mapping_name(lane->run.mapping));
    schedule_print(values->schedule, LABEL_SIZE, lane->run.schedule);
}

/* Iterations in which the residual fell to a tenth, up to now; between two that the history holds
 * it fell by the same factor each time. */
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
    static const double not_measured = NAN;
    struct values values = {0};
    for (const struct figure *figure = figures; figure->name; figure++)
        if (figure->unit != UNIT_WORD)
            memcpy((char *)&values + figure->offset, &not_measured, sizeof not_measured);
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
        values.initial_residual = lane->initial_residual;
        values.last_digit = last_digit(lane);
        if (!is_grid && lane->middle_known)
            values.middle = lane->middle;
        else if (is_grid || !field_middle(&lane->field, lane->nx, lane->ny, &values.middle))
            values.middle = NAN;
        values.rough = is_grid ? NAN : 100 * lane->field.stats.rough_share;
    }
    if (!is_grid)
        measure_run(&values, sample, l);
    /* Which of the grids took the most iterations, once each has converged. */
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

/* Of "{name}…" the name's length; 0 if what begins there is no name in braces. */
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
    double value = NAN;
    if (figure->unit != UNIT_WORD)
        memcpy(&value, (const char *)&values + figure->offset, sizeof value);
    return value;
}

const char *figure_unit_word(enum figure_unit unit, double *scale) {
    static const char *const words[] = {
        [UNIT_RATIO] = "×",  [UNIT_MS] = "ms",    [UNIT_BYTES] = "MB",    [UNIT_PERCENT] = "%",
        [UNIT_TENTHS] = "%", [UNIT_GBS] = "GB/s", [UNIT_RESIDUAL] = NULL,
    };
    *scale = unit == UNIT_BYTES ? 1e6 : 1;
    return words[unit] ? words[unit] : "";
}

char *figure_print(char *buffer, size_t size, enum figure_unit unit, double value) {
    if (isnan(value)) {
        return format_text(buffer, size, "–");
    }
    switch (unit) {
    case UNIT_RATIO:
        return format_ratio(buffer, size, value);
    case UNIT_MS:
        return format_ms(buffer, size, value);
    case UNIT_BYTES:
        return format_bytes(buffer, size, value);
    case UNIT_COUNT:
        return format_count(buffer, size, lround(value));
    case UNIT_PERCENT:
        return format_percent(buffer, size, value);
    case UNIT_TENTHS:
        return format_text(buffer, size, value > 0 && value < 0.005 ? "<0.01 %%" : "%.*f %%",
                           value < 9.95 ? 2 : 1, value);
    case UNIT_GBS:
        return format_gbs(buffer, size, value);
    case UNIT_RESIDUAL:
        return format_residual(buffer, size, value);
    case UNIT_NUMBER:
    case UNIT_WORD:
        break;
    }
    return format_number(buffer, size, value);
}

static char *print_value(char *buffer, size_t size, const struct figure *figure,
                         const struct values *values) {
    const char *at = (const char *)values + figure->offset;
    double value;
    if (figure->unit != UNIT_WORD) {
        memcpy(&value, at, sizeof value);
        return figure_print(buffer, size, figure->unit, value);
    }
    return format_text(buffer, size, "%s", *at ? at : "–");
}

char *figure_text(char *buffer, size_t size, const struct figure *figure,
                  const struct sample *sample, int lane) {
    const struct values values = values_of(sample, lane);
    return print_value(buffer, size, figure, &values);
}

const char template_blank[] = "______";

char *template_fill(char *buffer, size_t size, const char *text, const struct sample *sample) {
    struct values values[FIRST_GRID + STUDY_MAX + 1]; /* made once for each lane that is named */
    bool made[FIRST_GRID + STUDY_MAX + 1] = {false};
    size_t used = 0;
    while (*text && used + 1 < size) {
        const size_t length = name_length(text);
        int lane;
        const struct figure *figure = length ? figure_find(text + 1, length, &lane) : NULL;
        if (!figure) {
            buffer[used++] = *text++;
            continue;
        }
        if (sample && !made[lane]) {
            values[lane] = values_of(sample, lane);
            made[lane] = true;
        }
        if (sample)
            print_value(buffer + used, size - used, figure, &values[lane]);
        else
            snprintf(buffer + used, size - used, "%s", template_blank);
        used += strlen(buffer + used);
        text += length + 2;
    }
    buffer[used] = '\0';
    return buffer;
}
