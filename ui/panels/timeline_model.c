/* The contents of the timeline: segments made from events, and their texts
 * (ui/panels/timeline.h). */
#include "ui/panels/timeline.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/labels.h"
#include "ui/panels/panel.h"

static const enum timeline_row row_of[EVENT_KIND_COUNT] = {
    [EVENT_KERNEL] = TIMELINE_KERNELS,
    [EVENT_TO_DEVICE] = TIMELINE_TO_DEVICE,
    [EVENT_FROM_DEVICE] = TIMELINE_FROM_DEVICE,
    [EVENT_ALLOC] = TIMELINE_HOST,
    [EVENT_WAIT] = TIMELINE_HOST,
    [EVENT_HALO] = TIMELINE_HALOS,
};

/* Excludes the host's waits for a device: device events are mapped to the host's clock only in
 * batches, too inaccurately for comparison. Slabs on the host's processors have one clock. Beside
 * other lanes, of several devices only the first belongs. */
static bool belongs(const struct lane_sample *lane, const struct event *event, bool beside) {
    const bool is_slab = lane->device_stats.count > 1 &&
                         event_totals_loop(&lane->totals, EVENT_KERNEL).clock == CLOCK_HOST;
    return event->clock != CLOCK_NONE && event->phase < PHASE_DOWNSAMPLE &&
           !(event->kind == EVENT_WAIT && event->clock == CLOCK_HOST && !is_slab) &&
           !(beside && event->device > 0);
}

/* A slab's thread computes, copies halos and waits in turn: one row shows all. */
static enum timeline_row row_of_event(const struct event *event) {
    const bool in_turn = event->kind == EVENT_WAIT || event->kind == EVENT_HALO;
    return in_turn && event->clock == CLOCK_HOST ? TIMELINE_KERNELS : row_of[event->kind];
}

enum { PARTS = PHASE_COUNT + EVENT_KIND_COUNT };

/* Iterations shown together. */
struct span {
    long first, last;
    int64_t began_ns, ended_ns;
    int64_t spent_ns[PARTS]; /* by part_of */
};

/* Each kernel is a part of its own. */
static int part_of(enum event_kind kind, enum phase phase) {
    return kind == EVENT_KERNEL ? (int)phase : PHASE_COUNT + (int)kind;
}

static int compare_spans(const void *a, const void *b) {
    const struct span *one = a, *other = b;
    const int64_t difference =
        (one->ended_ns - one->began_ns) - (other->ended_ns - other->began_ns);
    return (difference > 0) - (difference < 0);
}

/* The later number first. */
static int compare_numbers(const void *a, const void *b) {
    const long one = *(const long *)a, other = *(const long *)b;
    return (one < other) - (one > other);
}

/* The number of devices with a timed kernel in that iteration. */
static int devices_in(const struct lane_sample *lane, long iteration, bool beside) {
    uint64_t devices = 0;
    for (int e = 0; e < lane->event_count; e++)
        if (lane->events[e].iteration == iteration && lane->events[e].kind == EVENT_KERNEL &&
            belongs(lane, &lane->events[e], beside))
            devices |= UINT64_C(1) << lane->events[e].device % 64;
    return __builtin_popcountll(devices);
}

/* The last iteration of which the sample may have lost events; -1: none were lost. Events precede
 * the sample's first one in the order in which they were reported, some of them late. An iteration
 * is whole if a kernel of an earlier one precedes it. */
static long last_cut(const struct lane_sample *lane, bool beside) {
    uint64_t timed = 0;
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            timed += lane->totals.of[kind][phase].timed;
    long cut = -1;
    if (lane->event_count < RECORD_EVENTS || timed <= (uint64_t)lane->event_count)
        return cut;
    for (int e = 0; e < lane->event_count; e++) {
        const struct event *event = &lane->events[e];
        cut = event->iteration > cut ? event->iteration : cut;
        if (event->kind == EVENT_KERNEL && belongs(lane, event, beside))
            break;
    }
    return cut;
}

/* The iterations whose events the sample holds, the last one first. Only those in which most
 * devices have a kernel: in the others at most a copy or an allocation, or a part of the devices
 * was timed. Iterations that may have lost events are omitted. Returns their number. */
static int find_iterations(const struct lane_sample *lane, bool beside,
                           long numbers[SAMPLE_EVENTS]) {
    const long cut = last_cut(lane, beside);
    int found = 0, distinct = 0, count = 0, most = cut >= 0;
    for (int e = 0; e < lane->event_count; e++)
        if (belongs(lane, &lane->events[e], beside) && lane->events[e].iteration > cut)
            numbers[found++] = lane->events[e].iteration;
    qsort(numbers, (size_t)found, sizeof *numbers, compare_numbers);
    for (int n = 0; n < found; n++)
        if (distinct == 0 || numbers[n] != numbers[distinct - 1])
            numbers[distinct++] = numbers[n];
    for (int n = 0; n < distinct; n++) {
        const int devices = devices_in(lane, numbers[n], beside);
        count = devices > most ? 0 : count;
        most = devices > most ? devices : most;
        if (devices == most)
            numbers[count++] = numbers[n];
    }
    return count;
}

static int depth_of(const struct lane_sample *lane) {
    return lane->run.schedule.kind == SCHEDULE_BLOCKED ? lane->run.schedule.depth : 1;
}

/* The length of the row of consecutive iterations that ends with numbers[n]; `before` is that of
 * the row that ends with numbers[n - 1]. A row has at most `most`: then another begins. */
static int follow(const struct lane_sample *lane, const long *numbers, int n, int before,
                  int most) {
    const bool follows = n > 0 && numbers[n - 1] - numbers[n] <= depth_of(lane);
    return follows && before < most ? before + 1 : 1;
}

/* The most iterations, of at most `most`, that the sample holds without one missing between. */
static int longest_row(const struct lane_sample *lane, const long *numbers, int found, int most) {
    int longest = 0;
    for (int n = 0, row = 0; n < found; n++) {
        row = follow(lane, numbers, n, row, most);
        longest = row > longest ? row : longest;
    }
    return longest;
}

/* Whether an iteration is after, in, or before a span. */
static int compare_to_span(const void *key, const void *element) {
    const long iteration = *(const long *)key;
    const struct span *span = element;
    return (iteration < span->first) - (iteration > span->last);
}

/* The spans of *iterations consecutive iterations that the sample holds completely. Sets
 * *iterations to fewer if it holds no such span. Returns their number. Events are reported after
 * they have ended, some even later.
 *
 * A batch of iterations, of which the first is timed, has one copy for all their norms. That copy
 * is long after the timed kernels, and no span includes it. */
static int find_spans(const struct lane_sample *lane, int *iterations, bool beside,
                      struct span spans[SAMPLE_EVENTS]) {
    long numbers[SAMPLE_EVENTS] = {0};
    const int found = find_iterations(lane, beside, numbers);
    const int each = *iterations = longest_row(lane, numbers, found, *iterations);
    int count = 0;
    for (int n = 0, row = 0; n < found; n++) {
        row = follow(lane, numbers, n, row, each);
        if (row == each)
            spans[count++] = (struct span){.first = numbers[n],
                                           .last = numbers[n - each + 1],
                                           .began_ns = INT64_MAX,
                                           .ended_ns = INT64_MIN};
    }
    for (int e = 0; e < 2 * lane->event_count; e++) { /* kernels first */
        const struct event *event = &lane->events[e % lane->event_count];
        const bool is_kernel = event->kind == EVENT_KERNEL;
        struct span *span =
            belongs(lane, event, beside) && is_kernel == (e < lane->event_count)
                ? bsearch(&event->iteration, spans, (size_t)count, sizeof *spans, compare_to_span)
                : NULL;
        if (!span)
            continue;
        const int64_t stop = event->start_ns + event->duration_ns;
        if (!is_kernel && span->ended_ns > span->began_ns &&
            event->start_ns - span->ended_ns > span->ended_ns - span->began_ns)
            continue;
        if (event->start_ns < span->began_ns)
            span->began_ns = event->start_ns;
        if (stop > span->ended_ns)
            span->ended_ns = stop;
        span->spent_ns[part_of(event->kind, event->phase)] += event->duration_ns;
    }
    return count;
}

/* The iterations of the pass that begins with that one: fewer than the schedule's depth if the next
 * pass begins earlier. */
static int pass_depth(const struct lane_sample *lane, long first) {
    long next = LONG_MAX;
    for (int e = 0; e < lane->event_count; e++) {
        const struct event *event = &lane->events[e];
        if (event->kind == EVENT_KERNEL && event->iteration > first && event->iteration < next)
            next = event->iteration;
    }
    const int depth = depth_of(lane);
    return next - first < depth ? (int)(next - first) : depth;
}

static double span_seconds(const struct span *span) {
    return 1e-9 * (double)(span->ended_ns - span->began_ns);
}

/* Sets the seconds that each part takes in as many typical iterations; NaN if not timed. */
static void typical_parts(const struct timeline *timeline, bool beside, double seconds[PARTS]) {
    const struct lane_sample *lane = timeline->lane;
    const double devices = beside && lane->device_stats.count > 1 ? lane->device_stats.count : 1;
    const double share =
        timeline->iterations * timeline->depth / (devices * (double)lane->typical.iterations);
    for (int p = 0; p < PARTS; p++)
        seconds[p] = NAN;
    for (int kind = 0; kind < EVENT_KIND_COUNT; kind++)
        for (int phase = 0; phase < PHASE_DOWNSAMPLE; phase++) {
            const struct event_stats *stats = &lane->typical.totals.of[kind][phase];
            double *part = &seconds[part_of((enum event_kind)kind, (enum phase)phase)];
            if (stats->timed > 0)
                *part = fmax(0, *part) + 1e-9 * share * event_stats_total_ns(stats);
        }
}

/* How far a span is from the typical iterations, in length and in the time of each part. */
static double distance_of(const struct span *span, double median, const double typical[PARTS]) {
    double distance = fabs(span_seconds(span) - median);
    for (int p = 0; p < PARTS; p++)
        distance += isnan(typical[p]) ? 0 : fabs(1e-9 * (double)span->spent_ns[p] - typical[p]);
    return distance;
}

/* Names the part that most exceeds twice its typical time, by a visible part of the iteration. */
static void find_unusual(struct timeline *timeline, const struct span *span,
                         const double typical[PARTS]) {
    double most = 0.05 * timeline->median;
    for (int p = 0; p < PARTS; p++) {
        const double seconds = 1e-9 * (double)span->spent_ns[p];
        if (!(seconds - 2 * typical[p] > most))
            continue;
        most = seconds - 2 * typical[p];
        timeline->unusual = p < PHASE_COUNT ? phase_names[p] : event_styles[p - PHASE_COUNT].name;
        timeline->unusual_times = seconds / typical[p];
    }
}

static void make_timeline(const struct lane_sample *lane, int iterations, bool beside,
                          struct timeline *timeline) {
    static struct span spans[SAMPLE_EVENTS]; /* 106 kB, too much for a small stack */
    const int count = find_spans(lane, &iterations, beside, spans);
    *timeline = (struct timeline){.lane = lane,
                                  .last = -1,
                                  .iterations = iterations,
                                  .depth = depth_of(lane),
                                  .is_cut = count == 0 && last_cut(lane, beside) >= 0,
                                  .of = count};
    timeline->median = 1e-3 * lane->times.median * iterations * timeline->depth;
    if (count == 0)
        return;
    qsort(spans, (size_t)count, sizeof *spans, compare_spans);
    const struct span *chosen = &spans[(count - 1) / 2];
    double typical[PARTS];
    typical_parts(timeline, beside, typical);
    for (int s = 0; s < count && timeline->median > 0; s++)
        if (distance_of(&spans[s], timeline->median, typical) <
            distance_of(chosen, timeline->median, typical))
            chosen = &spans[s];
    find_unusual(timeline, chosen, typical);
    if (iterations == 1)
        timeline->depth = pass_depth(lane, chosen->first);
    timeline->median = 1e-3 * lane->times.median * iterations * timeline->depth;
    timeline->first = chosen->first;
    timeline->last = chosen->last;
    timeline->seconds = span_seconds(chosen);
    for (int e = 0; e < lane->event_count; e++) {
        const struct event *event = &lane->events[e];
        if (!belongs(lane, event, beside) || event->iteration < chosen->first ||
            event->iteration > chosen->last || event->start_ns > chosen->ended_ns)
            continue;
        const double start = 1e-9 * (double)(event->start_ns - chosen->began_ns);
        const struct timeline_segment segment = {
            .row = row_of_event(event),
            .start = start,
            .end = start + 1e-9 * (double)event->duration_ns,
            .at = start,
            .event = event,
        };
        int at = timeline->count++;
        for (; at > 0 && timeline->segments[at - 1].start > segment.start; at--)
            timeline->segments[at] = timeline->segments[at - 1];
        timeline->segments[at] = segment;
    }
}

void timeline_make(const struct lane_sample *lane, int iterations, struct timeline *timeline) {
    make_timeline(lane, iterations, false, timeline);
}

void timeline_make_beside(const struct sample *sample, int lane, int iterations,
                          struct timeline *timeline) {
    const bool beside = sample->lane_count > 1;
    for (int l = 0; l < sample->lane_count && beside && iterations > 1; l++) {
        long numbers[SAMPLE_EVENTS] = {0};
        const int found = find_iterations(&sample->lanes[l], beside, numbers);
        iterations =
            found ? longest_row(&sample->lanes[l], numbers, found, iterations) : iterations;
    }
    make_timeline(&sample->lanes[lane], iterations, beside, timeline);
    if (!beside || timeline->depth < 2)
        return;
    timeline->is_shared = true;
    timeline->seconds /= timeline->depth;
    timeline->median /= timeline->depth;
    for (int s = 0; s < timeline->count; s++) {
        timeline->segments[s].start /= timeline->depth;
        timeline->segments[s].end /= timeline->depth;
    }
}

bool timeline_is_apart(double seconds, double median) {
    return median > 0 && fabs(seconds - median) > 0.1 * median;
}

int timeline_iterations(double zoom) {
    return zoom >= 1 || !(zoom > 0) ? 1 : (int)lround(1 / zoom);
}

struct timeline_window timeline_window(const struct timeline_view *view, double whole) {
    const double zoom = view->zoom > 1 ? view->zoom : 1;
    struct timeline_window window = {.length = whole / zoom};
    const double last = whole - window.length;
    const double start = view->position * whole;
    window.start = !(start > 0) ? 0 : start > last ? last : start;
    return window;
}

bool timeline_columns(const struct timeline_window *window, const struct timeline_segment *segment,
                      int cols, int *from, int *to) {
    const double halves = 2.0 * cols / window->length;
    const double left = (segment->start - window->start) * halves;
    const double right = (segment->end - window->start) * halves;
    if (!(right > 0) || !(left < 2.0 * cols))
        return false;
    *from = left > 0 ? (int)left : 0;
    *to = right < 2.0 * cols ? (int)lround(right) : 2 * cols;
    if (*to <= *from)
        *to = *from + 1;
    return true;
}

/* " 127²": the level of a V-cycle's kernel, derived from its bytes; "" for other runs. */
static char *level_name(char *buffer, size_t size, const struct lane_sample *lane,
                        const struct event *event) {
    struct levels levels;
    buffer[0] = '\0';
    if (lane->run.method != METHOD_MULTIGRID || lane->nx < 1)
        return buffer;
    const struct mesh mesh = mesh_make(lane->nx, lane->ny);
    levels_make(&levels, &mesh, lane->run.method);
    const bool between = event->phase == PHASE_RESTRICTION || event->phase == PHASE_PROLONGATION;
    for (int l = 0; l < levels.count - between; l++)
        if (method_minimum_bytes(lane->run.method, &levels, event->phase, l) == event->bytes) {
            format_text(buffer, size, " %s", AS(format_grid, levels.mesh[l].Nx, levels.mesh[l].Ny));
            break;
        }
    return buffer;
}

const char *const timeline_short_names[PHASE_COUNT] = {
    [PHASE_LAPLACIAN] = "Lap", [PHASE_BOUNDARY] = "BC",     [PHASE_UPDATE] = "Upd",
    [PHASE_NORM] = "Norm",     [PHASE_FUSED] = "Fused",     [PHASE_BLOCKED] = "Block",
    [PHASE_SWEEP] = "Sweep",   [PHASE_RESTRICTION] = "Res", [PHASE_PROLONGATION] = "Pro",
};

char *timeline_label(char *buffer, size_t size, const struct timeline *timeline,
                     const struct timeline_segment *segment, int cols) {
    const struct event *event = segment->event;
    const char *brief = timeline_short_names[event->phase];
    const bool several = event->phase == PHASE_BLOCKED && timeline->depth > 1;
    buffer[0] = '\0';
    if (event->kind == EVENT_ALLOC)
        return buffer;
    if (event->kind == EVENT_WAIT)
        return format_append(buffer, size, "wait");
    if (event->kind == EVENT_HALO)
        return format_append(buffer, size, "halo");
    if (event->kind != EVENT_KERNEL)
        return format_append(buffer, size, "%s", array_names[event->array]);
    const char *level = AS(level_name, timeline->lane, event);
    format_append(buffer, size, "%s%s", phase_names[event->phase], level);
    if (several)
        format_append(buffer, size, timeline->is_shared ? ": a sweep / %d" : ", %d iterations",
                      timeline->depth);
    if ((int)strlen(buffer) <= cols || !brief)
        return buffer;
    if (several)
        snprintf(buffer, size, timeline->is_shared ? "sweep / %d" : "%d it.", timeline->depth);
    else
        snprintf(buffer, size, "%s%s", brief,
                 (int)(strlen(brief) + strlen(level)) <= cols ? level : "");
    return buffer;
}

char *timeline_describe(char *buffer, size_t size, const struct timeline *timeline,
                        const struct timeline_segment *segment) {
    const struct event *event = segment->event;
    const double seconds = 1e-9 * (double)event->duration_ns;
    const double bytes = (double)event->bytes;
    const char *array = array_names[event->array];
    const bool has_rate = event->kind != EVENT_ALLOC && bytes > 0 && seconds > 0;
    const bool releases = event->kind == EVENT_ALLOC && event->bytes == 0;
    return format_text(buffer, size, "%s%s %s%s%s · %s%s%s · at %s (%s)", phase_names[event->phase],
                       event->kind == EVENT_KERNEL ? AS(level_name, timeline->lane, event) : "",
                       releases ? "release" : event_styles[event->kind].description,
                       *array ? " of " : "", array, AS(format_duration, seconds),
                       bytes > 0 ? PRINT(" · %s", AS(format_bytes, bytes)) : "",
                       has_rate ? PRINT(" · %s", AS(format_gbs, 1e-9 * bytes / seconds)) : "",
                       AS(format_duration, segment->at), format_clock(event->clock));
}
