#include "metrics/labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/backends.h"

const char *format_precision(const struct sample *sample) {
    const enum precision first = sample->lanes[0].run.precision;
    bool differ = false;
    for (int l = 1; l < sample->lane_count; l++)
        differ |= sample->lanes[l].run.precision != first;
    return differ ? "several precisions" : precision_names[first];
}

char *format_omega(char *buffer, size_t size, double omega) {
    return format_text(buffer, size, "ω %s", AS(format_number, omega));
}

char *format_cycle(char *buffer, size_t size, struct cycle cycle) {
    char text[CYCLE_SIZE];
    return format_text(buffer, size, "V(%.3s)%s", cycle_print(text, cycle),
                       cycle.red_black ? ", red-black" : "");
}

char *format_method(char *buffer, size_t size, const struct lane_sample *lane) {
    format_text(buffer, size, "%s", method_titles[lane->run.method]);
    if (lane->run.method == METHOD_MULTIGRID)
        format_append(buffer, size, " %s", AS(format_cycle, lane->run.cycle));
    return buffer;
}

const char *format_clock(enum clock_source clock) {
    static const char *const names[CLOCK_COUNT] = {
        [CLOCK_NONE] = "–",
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
    return !backend || backend_has_mappings(backend);
}

/* Parts of a label beyond those of the run's identity. */
enum { LABEL_DEVICE = 1 << 16, LABEL_RECORDED = 1 << 17 };

static char *print_label(char *buffer, size_t size, const struct lane_sample *lane,
                         unsigned shown) {
    const struct run_id *run = &lane->run;
    const bool maps = backend_maps(run->backend);
    const int count = run->devices.count > 1 ? run->devices.count : 1;
    const struct {
        bool is_shown;
        const char *text;
    } words[] = {
        {shown & RUN_USER_KERNELS, run->user_kernels ? "yours" : "ours"},
        {shown & RUN_BACKEND, run->backend},
        {shown & RUN_MAPPING && maps, mapping_names[run->mapping]},
        {shown & RUN_HOST_MEMORY && maps && run->mapping == MAPPING_STRUCTURED,
         host_memory_names[run->host_memory]},
        {shown & RUN_SCHEDULE, AS(schedule_print, run->schedule)},
        {shown & RUN_PRECISION, precision_names[run->precision]},
        {shown & RUN_METHOD, method_names[run->method]},
        {shown & RUN_CYCLE && run->method == METHOD_MULTIGRID, AS(format_cycle, run->cycle)},
        {shown & RUN_OMEGA, AS(format_omega, run->omega)},
        {shown & RUN_DEVICES, PRINT("%d device%s", count, count > 1 ? "s" : "")},
        {shown & LABEL_DEVICE, lane->device},
        {shown & LABEL_RECORDED && *lane->recorded, "replay"},
    };
    buffer[0] = '\0';
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (words[w].is_shown)
            format_append(buffer, size, "%s%s", *buffer ? "/" : "", words[w].text);
    return *buffer || !(shown & LABEL_RECORDED) ? buffer : format_text(buffer, size, "live");
}

bool lane_has_default_omega(const struct lane_sample *lane) {
    return run_has_own_omega(&lane->run, lane->nx, lane->ny);
}

/* "", "+multigrid+cycle=2:1", "+omega=0.8+mixed" */
static char *append_method(char *buffer, size_t size, const struct lane_sample *lane) {
    char cycle[CYCLE_SIZE];
    if (lane->run.method != METHOD_JACOBI)
        format_append(buffer, size, "+%s", method_names[lane->run.method]);
    if (lane->run.method == METHOD_MULTIGRID &&
        strcmp(cycle_print(cycle, lane->run.cycle), "1,1") != 0)
        format_append(buffer, size, "+cycle=%c:%c%s", cycle[0], cycle[2],
                      lane->run.cycle.red_black ? ":red-black" : "");
    if (!lane_has_default_omega(lane))
        format_append(buffer, size, "+omega=%s", AS(format_exact, lane->run.omega));
    if (lane->run.precision != PRECISION_DOUBLE)
        format_append(buffer, size, "+%s", precision_names[lane->run.precision]);
    return buffer;
}

char *lane_to_option(char *buffer, size_t size, const struct lane_sample *lane) {
    format_text(buffer, size, "%s", lane->run.backend);
    if (lane->run.devices.count > 1)
        format_append(buffer, size, "@%d", lane->run.devices.count);
    format_append(buffer, size, "/%s/%s", mapping_names[lane->run.mapping],
                  AS(schedule_print, lane->run.schedule));
    append_method(buffer, size, lane);
    return lane->run.host_memory == HOST_PINNED ? format_append(buffer, size, "+pinned") : buffer;
}

char *lane_label_full(char *buffer, size_t size, const struct lane_sample *lane) {
    const bool is_pinned = lane->run.host_memory == HOST_PINNED;
    print_label(buffer, size, lane,
                RUN_BACKEND | RUN_MAPPING | RUN_SCHEDULE | (is_pinned ? RUN_HOST_MEMORY : 0));
    return append_method(buffer, size, lane);
}

char *lane_label(char *buffer, size_t size, const struct sample *sample, int lane) {
    unsigned shown = 0; /* the parts that differ */
    const struct lane_sample *first = &sample->lanes[0];
    const int cycles = sample_first_of(sample, METHOD_MULTIGRID);
    for (int l = 1; l < sample->lane_count; l++) {
        const struct lane_sample *at = &sample->lanes[l];
        unsigned differs = run_id_difference(&first->run, &at->run);
        if (lane_has_default_omega(first) && lane_has_default_omega(at))
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
        return format_text(buffer, size, "%c", lane_letter(lane));
    if (shared)
        return format_text(buffer, size, "%.56s (%c)", label, lane_letter(lane));
    return format_text(buffer, size, "%s", label);
}

char *lane_replay_label(char *buffer, size_t size, const struct lane_sample *lane) {
    buffer[0] = '\0';
    return *lane->recorded
               ? format_append(buffer, size, "replay: %s, %s", lane->device, lane->recorded)
               : buffer;
}

char *format_tried(char *buffer, size_t size, const struct lane_sample *lane) {
    const char *before = " of ";
    *buffer = '\0';
    if (lane->depths_tried)
        format_append(buffer, size, "depth %d", lane->run.schedule.depth);
    for (int depth = 1; depth < 64; depth++)
        if (lane->depths_tried >> depth & 1) {
            format_append(buffer, size, "%s%d", before, depth);
            before = ", ";
        }
    for (int field = 0; field < TUNING_FIELDS; field++) {
        const int tried = lane->tuning_tried.of[field];
        if (tried)
            format_append(buffer, size, "%s%s %d", *buffer ? "; " : "", tuning_names[field],
                          lane->run.tuning.of[field]);
        before = " of ";
        for (int bit = 0; bit < TUNING_TRIED_BITS; bit++)
            if (tried >> bit & 1) {
                format_append(buffer, size, "%s%d", before,
                              tuning_tried((enum tuning_field)field, bit));
                before = ", ";
            }
    }
    return buffer;
}

char *format_notes(char *buffer, size_t size, const struct engine_spec *asked,
                   const struct lane_sample *lane, int cores) {
    const struct schedule wanted = asked->run.schedule, used = lane->run.schedule;
    const struct mesh undamped = mesh_damped(asked->mesh, 1);
    *buffer = '\0';
    if (wanted.kind == SCHEDULE_BLOCKED && used.kind == wanted.kind && wanted.depth &&
        wanted.depth != used.depth)
        format_append(buffer, size, "%s was requested, but %s's kernels here reach only %s",
                      AS(schedule_print, wanted), lane->run.backend, AS(schedule_print, used));
    if (asked->run.host_memory != lane->run.host_memory)
        format_append(buffer, size, "%spinned host memory changes nothing here: %s",
                      *buffer ? "; " : "",
                      lane->run.mapping == MAPPING_STRUCTURED
                          ? "the device shares the host's memory"
                          : "only structured mapping copies arrays in the loop");
    if (asked->run.method == METHOD_JACOBI && mesh_spectral_radius(&asked->mesh) > 1)
        format_append(buffer, size, "%somega %.4g is above %.6g: the solution will diverge",
                      *buffer ? "; " : "", asked->mesh.omega,
                      2 / (1 + mesh_spectral_radius(&undamped)));
    if (cores > 0 && lane->device_stats.count > cores && !backend_maps(lane->run.backend))
        format_append(buffer, size, "%s%d devices share %d core%s", *buffer ? "; " : "",
                      lane->device_stats.count, cores, cores > 1 ? "s" : "");
    return buffer;
}

const char *format_no_scan(const struct lane_sample *lane) {
    if (!lane || *lane->recorded)
        return "nothing was measured: only a live run tries block sizes";
    if (lane->device_stats.count > 0)
        return "nothing was measured: block sizes are tried on one device only";
    return "no block sizes here: they need a live run on a GPU, of classic, fused or hip's blocked";
}

bool lane_stagnates(const struct lane_sample *lane, double *least, long *iterate) {
    static const double guaranteed = 0.05, noise = 1.01;
    const struct history *history = &lane->history;
    *least = INFINITY;
    *iterate = 0;
    if (lane->run.method != METHOD_JACOBI || lane->state == LANE_CONVERGED || lane->nx < 1)
        return false;
    for (int k = 0; k < history->count; k++)
        if (history->residuals[k] < *least) {
            *least = history->residuals[k];
            *iterate = k * history->stride;
        }
    int first = 0;
    while (first < history->count && !(history->residuals[first] <= noise * *least))
        first++;
    const struct mesh mesh = run_mesh(&lane->run, lane->nx, lane->ny);
    const double since = (double)((history->count - 1 - first) * history->stride);
    return *least > 0 && first < history->count &&
           (1 - mesh_spectral_radius(&mesh)) * since > guaranteed;
}

char *format_stagnation(char *buffer, size_t size, const struct lane_sample *lane, double scale) {
    double least;
    long iterate;
    buffer[0] = '\0';
    if (!lane_stagnates(lane, &least, &iterate))
        return buffer;
    const bool rises = lane->residual > 1.5 * least;
    return format_text(buffer, size, "%s at %s (at %s)%s: round-off of %s precision",
                       rises ? "is smallest" : "stagnates", AS(format_residual, scale * least),
                       AS(format_count, iterate), rises ? ", then rises" : "",
                       precision_names[lane->run.precision]);
}

/* ---- runs --------------------------------------------------------------------------------- */

char *format_grids(char *buffer, size_t size, const struct sample *sample) {
    format_grid(buffer, size, sample->nx, sample->ny);
    for (int l = 1; l < sample->lane_count && sample_grids_differ(sample); l++)
        format_append(buffer, size, ", %s",
                      AS(format_grid, sample->lanes[l].nx, sample->lanes[l].ny));
    return buffer;
}

char *format_race(char *buffer, size_t size, const struct sample *sample) {
    const bool recorded = sample_recorded_count(sample) > 0;
    if (sample->race == RACE_SAME_TIME)
        return format_text(buffer, size, "%s",
                           recorded ? "same recorded time" : "same time for each");
    /* A recorded lane falls behind a live one only after its recording ends: live lanes wait. */
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        for (int other = 0; other < sample->lane_count; other++) {
            const struct lane_sample *ahead = &sample->lanes[other];
            if (!*lane->recorded || lane->state == LANE_CONVERGED ||
                (*ahead->recorded ? !lane->recording_ended || ahead->recording_ended
                                  : ahead->iterations <= lane->iterations))
                continue;
            return format_text(buffer, size, "%c's recording ends at %s", lane_letter(l),
                               AS(format_count, lane->iterations));
        }
    }
    return format_text(buffer, size, "%s",
                       recorded ? "same recorded iterations" : "same iterations (lockstep)");
}

char *format_replays(char *buffer, size_t size, const struct sample *sample) {
    const int count = sample_recorded_count(sample);
    format_text(buffer, size, "%s", sample->playback.label);
    if (*buffer || count == 0)
        return buffer;
    for (int l = 0; l < sample->lane_count; l++)
        if (*sample->lanes[l].recorded)
            format_append(buffer, size, "%s%c", *buffer ? ", " : "", lane_letter(l));
    return format_append(buffer, size, count > 1 ? " are replays" : " is a replay");
}

char *format_state(char *buffer, size_t size, const struct sample *sample,
                   const struct lane_sample *lane) {
    if (sample->state == SESSION_OPENING)
        return *sample->playback.label ? format_text(buffer, size, "… opening")
               : sample->filled > 0
                   ? format_text(buffer, size, "… filling arrays: %.0f %%", 100 * sample->filled)
                   : format_text(buffer, size, "… opening: allocating and filling");
    if (!lane)
        return format_text(buffer, size, "× could not start");
    const bool paused = sample_is_paused(sample);
    /* At the end of the shortest recording, or because another lane has failed. */
    const bool ended = sample->state == SESSION_FINISHED || sample->state == SESSION_FAILED;
    const bool running = lane->state == LANE_RUNNING;
    int converged = 0, alike = 0;
    for (int l = 0; l < sample->lane_count; l++) {
        converged += sample->lanes[l].state == LANE_CONVERGED;
        alike += sample->lanes[l].iterations == lane->iterations;
    }
    if (!running && converged > 0 && (converged < sample->lane_count || alike < converged))
        return format_text(buffer, size, "■ %d of %d converged", converged, sample->lane_count);
    return format_text(buffer, size, "%s%s%s%s",
                       running && paused               ? "‖ paused at "
                       : running                       ? ended ? "■ " : "▶ "
                       : lane->state == LANE_FAILED    ? "× failed after "
                       : lane->state == LANE_CONVERGED ? "■ converged after "
                                                       : "■ finished: ",
                       AS(format_count, lane->iterations), running ? " of " : "",
                       running ? AS(format_count, lane->iteration_limit) : "");
}
