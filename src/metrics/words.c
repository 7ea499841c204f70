#include "metrics/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "kernels/backends.h"

static const char not_measured[] = "–";

char *words_append(char *buffer, size_t size, const char *format, ...) {
    const size_t length = strlen(buffer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer + length, size - length, format, arguments);
    va_end(arguments);
    return buffer;
}

static char *copy_words(char *buffer, size_t size, const char *text) {
    snprintf(buffer, size, "%s", text);
    return buffer;
}

/* ---- figures ------------------------------------------------------------------------------ */

char *words_count(char *buffer, size_t size, long count) {
    if (count < 1000)
        snprintf(buffer, size, "%ld", count);
    else if (count < 1000000)
        snprintf(buffer, size, "%ld %03ld", count / 1000, count % 1000);
    else
        snprintf(buffer, size, "%ld %03ld %03ld", count / 1000000, count / 1000 % 1000,
                 count % 1000);
    return buffer;
}

char *words_ms(char *buffer, size_t size, double ms) {
    if (isnan(ms))
        return copy_words(buffer, size, not_measured);
    return ms == 0 ? copy_words(buffer, size, "0 ms") : text_duration(buffer, size, 1e-3 * ms);
}

char *words_percent(char *buffer, size_t size, double percent) {
    if (isnan(percent))
        return copy_words(buffer, size, not_measured);
    const bool tenths = percent > 0 && percent < 0.95;
    snprintf(buffer, size,
             tenths && percent < 0.05 ? "<0.1 %%"
             : tenths                 ? "%.1f %%"
                                      : "%.0f %%",
             percent);
    return buffer;
}

char *words_ratio(char *buffer, size_t size, double ratio) {
    snprintf(buffer, size, "%.*f×", ratio < 9.995 ? 2 : ratio < 99.95 ? 1 : 0, ratio);
    return buffer;
}

char *words_gbs(char *buffer, size_t size, double gbs) {
    if (!isfinite(gbs))
        return copy_words(buffer, size, not_measured);
    return words_append(text_count(buffer, size, gbs), size, " GB/s");
}

char *words_residual(char *buffer, size_t size, double residual) {
    if (!isfinite(residual))
        return copy_words(buffer, size, isnan(residual) ? not_measured : "infinite");
    if (residual == 0)
        return copy_words(buffer, size, "0");
    int exponent = (int)fmax(floor(log10(fabs(residual))), -307);
    double mantissa = residual / pow(10, exponent);
    if (fabs(mantissa) >= 9.995) {
        mantissa /= 10;
        exponent++;
    }
    snprintf(buffer, size, "%.2fe%d", mantissa, exponent);
    return buffer;
}

char *words_number(char *buffer, size_t size, double number) {
    const bool small = number != 0 && fabs(number) < 1e-3; /* 1e-4 beside 1e-5, as axes have it */
    snprintf(buffer, size, small ? "%.3e" : "%.4g", number);
    char *exponent = strchr(buffer, 'e'), *end = exponent;
    if (!exponent)
        return buffer;
    while (small && end[-1] == '0')
        end--;
    end -= end[-1] == '.';
    memmove(end, exponent, strlen(exponent) + 1);
    exponent = end;
    char *digits = exponent + (exponent[1] == '-' ? 2 : 1);
    const size_t useless = strspn(digits, "+0");
    memmove(digits, digits + useless, strlen(digits + useless) + 1);
    return buffer;
}

char *words_omega(char *buffer, size_t size, double omega) {
    char number[32];
    snprintf(buffer, size, "ω %s", words_number(number, sizeof number, omega));
    return buffer;
}

char *words_cycle(char *buffer, size_t size, struct cycle cycle) {
    char text[CYCLE_SIZE];
    snprintf(buffer, size, "V(%.3s)%s", cycle_print(text, cycle),
             cycle.red_black ? ", red-black" : "");
    return buffer;
}

char *words_method(char *buffer, size_t size, const struct lane_sample *lane) {
    char cycle[32];
    copy_words(buffer, size, method_title(lane->run.method));
    if (lane->run.method == METHOD_MULTIGRID)
        words_append(buffer, size, " %s", words_cycle(cycle, sizeof cycle, lane->run.cycle));
    return buffer;
}

const char *words_clock(enum clock_source clock) {
    static const char *const names[CLOCK_COUNT] = {
        [CLOCK_NONE] = not_measured,
        [CLOCK_HOST] = "host",
        [CLOCK_OMPT] = "OMPT",
        [CLOCK_TARGET_REGION] = "OMPT target region",
        [CLOCK_DEVICE] = "device events",
        [CLOCK_COUNTER] = "device clock",
    };
    return names[clock];
}

/* ---- lanes -------------------------------------------------------------------------------- */

char lane_letter(int lane) {
    return (char)('A' + lane);
}

bool backend_maps(const char *name) {
    const struct backend *backend = backend_find(name);
    return !backend || backend->maps;
}

/* What a label shows of a lane beside the parts of its identity. */
enum { LABEL_DEVICE = 1 << 16, LABEL_RECORDED = 1 << 17 };

static char *print_label(char *buffer, size_t size, const struct lane_sample *lane,
                         unsigned shown) {
    char schedule[32], cycle[32], omega[32], devices[32];
    const struct run_id *run = &lane->run;
    const bool maps = backend_maps(run->backend);
    const int count = run->devices.count > 1 ? run->devices.count : 1;
    snprintf(devices, sizeof devices, "%d device%s", count, count > 1 ? "s" : "");
    const struct {
        bool is_shown;
        const char *text;
    } words[] = {
        {shown & RUN_USER_KERNELS, run->user_kernels ? "yours" : "ours"},
        {shown & RUN_BACKEND, run->backend},
        {shown & RUN_MAPPING && maps, mapping_name(run->mapping)},
        {shown & RUN_HOST_MEMORY && maps && run->mapping == MAPPING_STRUCTURED,
         host_memory_names[run->host_memory]},
        {shown & RUN_SCHEDULE, schedule_print(schedule, sizeof schedule, run->schedule)},
        {shown & RUN_METHOD, method_names[run->method]},
        {shown & RUN_CYCLE && run->method == METHOD_MULTIGRID,
         words_cycle(cycle, sizeof cycle, run->cycle)},
        {shown & RUN_OMEGA, words_omega(omega, sizeof omega, run->omega)},
        {shown & RUN_DEVICES, devices},
        {shown & LABEL_DEVICE, lane->device},
        {shown & LABEL_RECORDED && *lane->recorded, "replay"},
    };
    buffer[0] = '\0';
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (words[w].is_shown)
            words_append(buffer, size, "%s%s", *buffer ? "/" : "", words[w].text);
    return *buffer || !(shown & LABEL_RECORDED) ? buffer : copy_words(buffer, size, "live");
}

bool lane_has_own_omega(const struct lane_sample *lane) {
    return run_has_own_omega(&lane->run, lane->nx, lane->ny);
}

/* "", "+multigrid+cycle=2:1", "+sor+omega=1.5" */
static char *append_method(char *buffer, size_t size, const struct lane_sample *lane) {
    char omega[32], cycle[CYCLE_SIZE];
    if (lane->run.method != METHOD_JACOBI)
        words_append(buffer, size, "+%s", method_names[lane->run.method]);
    if (lane->run.method == METHOD_MULTIGRID &&
        strcmp(cycle_print(cycle, lane->run.cycle), "1,1") != 0)
        words_append(buffer, size, "+cycle=%c:%c%s", cycle[0], cycle[2],
                     lane->run.cycle.red_black ? ":red-black" : "");
    if (!lane_has_own_omega(lane))
        words_append(buffer, size, "+omega=%s", words_number(omega, sizeof omega, lane->run.omega));
    return buffer;
}

char *lane_as_typed(char *buffer, size_t size, const struct lane_sample *lane) {
    char schedule[32], devices[16] = "";
    schedule_print(schedule, sizeof schedule, lane->run.schedule);
    if (lane->run.devices.count > 1)
        snprintf(devices, sizeof devices, "@%d", lane->run.devices.count);
    snprintf(buffer, size, "%s%s/%s/%s", lane->run.backend, devices,
             mapping_name(lane->run.mapping), schedule);
    append_method(buffer, size, lane);
    return lane->run.host_memory == HOST_PINNED ? words_append(buffer, size, "+pinned") : buffer;
}

char *lane_label_full(char *buffer, size_t size, const struct lane_sample *lane) {
    const bool is_pinned = lane->run.host_memory == HOST_PINNED;
    print_label(buffer, size, lane,
                RUN_BACKEND | RUN_MAPPING | RUN_SCHEDULE | (is_pinned ? RUN_HOST_MEMORY : 0));
    return append_method(buffer, size, lane);
}

char *lane_label(char *buffer, size_t size, const struct sample *sample, int lane) {
    unsigned shown = 0; /* what differs */
    const struct lane_sample *first = &sample->lanes[0];
    const int cycles = sample_first_of(sample, METHOD_MULTIGRID);
    for (int l = 1; l < sample->lane_count; l++) {
        const struct lane_sample *at = &sample->lanes[l];
        unsigned differs = run_id_difference(&first->run, &at->run);
        if (lane_has_own_omega(first) && lane_has_own_omega(at))
            differs &= ~(unsigned)RUN_OMEGA;
        if (cycles >= 0)
            differs |= run_id_difference(&sample->lanes[cycles].run, &at->run) & RUN_CYCLE;
        shown |= differs;
        shown |= strcmp(first->device, at->device) ? LABEL_DEVICE : 0;
        shown |= !*first->recorded != !*at->recorded ? LABEL_RECORDED : 0;
    }
    if (shown & ~(unsigned)(LABEL_DEVICE | RUN_CYCLE))
        shown &= ~(unsigned)LABEL_DEVICE;
    char label[LABEL_SIZE], other[LABEL_SIZE];
    print_label(label, sizeof label, &sample->lanes[lane], shown);
    bool shared = false;
    for (int l = 0; l < sample->lane_count; l++)
        shared |= l != lane &&
                  strcmp(label, print_label(other, sizeof other, &sample->lanes[l], shown)) == 0;
    if (label[0] == '\0')
        snprintf(buffer, size, "%c", lane_letter(lane));
    else if (shared)
        snprintf(buffer, size, "%.56s (%c)", label, lane_letter(lane));
    else
        snprintf(buffer, size, "%s", label);
    return buffer;
}

char *lane_replay_label(char *buffer, size_t size, const struct lane_sample *lane) {
    buffer[0] = '\0';
    return *lane->recorded
               ? words_append(buffer, size, "replay: %s, %s", lane->device, lane->recorded)
               : buffer;
}

char *words_tried(char *buffer, size_t size, const struct lane_sample *lane) {
    const char *before = " of ";
    *buffer = '\0';
    if (lane->depths_tried)
        words_append(buffer, size, "depth %d", lane->run.schedule.depth);
    for (int depth = 1; depth < 64; depth++)
        if (lane->depths_tried >> depth & 1) {
            words_append(buffer, size, "%s%d", before, depth);
            before = ", ";
        }
    for (int field = 0; field < TUNING_FIELDS; field++) {
        const int tried = tuning_get(&lane->tuning_tried, (enum tuning_field)field);
        if (tried)
            words_append(buffer, size, "%s%s %d", *buffer ? "; " : "", tuning_names[field],
                         tuning_get(&lane->run.tuning, (enum tuning_field)field));
        before = " of ";
        for (int bit = 0; bit < TUNING_TRIED_BITS; bit++)
            if (tried >> bit & 1) {
                words_append(buffer, size, "%s%d", before,
                             tuning_tried((enum tuning_field)field, bit));
                before = ", ";
            }
    }
    return buffer;
}

const char *words_no_sweep(const struct lane_sample *lane) {
    if (!lane || *lane->recorded)
        return "nothing was measured: block sizes are tried in a live run";
    if (lane->parts.count > 0)
        return "nothing was measured: block sizes are tried on one device, not on several";
    return "no block sizes here: on a GPU classic has some (omp: teams), fused and hip's "
           "blocked numbers of blocks, while a run goes on";
}

/* ---- runs --------------------------------------------------------------------------------- */

char *words_grids(char *buffer, size_t size, const struct sample *sample) {
    char grid[32];
    text_grid(buffer, size, sample->nx, sample->ny);
    for (int l = 1; l < sample->lane_count && sample_grids_differ(sample); l++)
        words_append(buffer, size, ", %s",
                     text_grid(grid, sizeof grid, sample->lanes[l].nx, sample->lanes[l].ny));
    return buffer;
}

char *words_race(char *buffer, size_t size, const struct sample *sample) {
    const bool recorded = sample_recorded_count(sample) > 0;
    char count[32];
    if (sample->race == RACE_SAME_TIME)
        return copy_words(buffer, size, recorded ? "same recorded time" : "same time for each");
    /* A recorded lane falls behind a live one only if there is no more of it; others wait. */
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        for (int other = 0; other < sample->lane_count; other++) {
            const struct lane_sample *ahead = &sample->lanes[other];
            if (!*lane->recorded || lane->state == LANE_CONVERGED ||
                (*ahead->recorded ? !lane->recording_ended || ahead->recording_ended
                                  : ahead->iterations <= lane->iterations))
                continue;
            snprintf(buffer, size, "%c's recording ends at %s", lane_letter(l),
                     words_count(count, sizeof count, lane->iterations));
            return buffer;
        }
    }
    return copy_words(buffer, size,
                      recorded ? "same recorded iterations" : "same iterations (lockstep)");
}

char *words_replays(char *buffer, size_t size, const struct sample *sample) {
    const int count = sample_recorded_count(sample);
    copy_words(buffer, size, sample->playback.label);
    if (*buffer || count == 0)
        return buffer;
    for (int l = 0; l < sample->lane_count; l++)
        if (*sample->lanes[l].recorded)
            words_append(buffer, size, "%s%c", *buffer ? ", " : "", lane_letter(l));
    return words_append(buffer, size, count > 1 ? " are replays" : " is a replay");
}

char *words_state(char *buffer, size_t size, const struct sample *sample,
                  const struct lane_sample *lane) {
    if (sample->state == SESSION_OPENING)
        return copy_words(buffer, size, "… opening: allocating and filling");
    if (!lane)
        return copy_words(buffer, size, "× could not start");
    const bool paused = sample_is_paused(sample);
    const bool ended = sample->state == SESSION_FINISHED; /* with the shortest of recordings */
    const bool running = lane->state == LANE_RUNNING;
    char made[32], limit[32];
    words_count(limit, sizeof limit, lane->iteration_limit);
    snprintf(buffer, size, "%s%s%s%s",
             running && paused               ? "‖ paused at "
             : running                       ? ended ? "■ " : "▶ "
             : lane->state == LANE_FAILED    ? "× failed after "
             : lane->state == LANE_CONVERGED ? "■ converged after "
                                             : "■ finished: ",
             words_count(made, sizeof made, lane->iterations), running ? " of " : "",
             running ? limit : "");
    return buffer;
}
