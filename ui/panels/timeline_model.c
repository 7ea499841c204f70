/* What the timeline shows: segments made from events, and their words (ui/panels/timeline.h). */
#include "ui/panels/timeline.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "metrics/words.h"

static const enum timeline_row row_of[EVENT_KIND_COUNT] = {
    [EVENT_KERNEL] = TIMELINE_KERNELS,
    [EVENT_TO_DEVICE] = TIMELINE_TO_DEVICE,
    [EVENT_FROM_DEVICE] = TIMELINE_FROM_DEVICE,
    [EVENT_ALLOC] = TIMELINE_HOST,
};

static bool belongs(const struct event *event) {
    return event->clock != CLOCK_NONE && event->phase < PHASE_DOWNSAMPLE;
}

void timeline_make(const struct lane_sample *lane, int iterations, struct timeline *timeline) {
    const bool blocked = lane->schedule.kind == SCHEDULE_BLOCKED;
    *timeline = (struct timeline){.last = -1, .depth = blocked ? lane->schedule.depth : 1};
    /* Backwards to the first event of that many different iterations. The oldest may have lost
     * events, unless nothing was lost at all. */
    const bool all_there = lane->event_count < SAMPLE_EVENTS;
    int first = lane->event_count, found = 0;
    long number = -1;
    for (int e = lane->event_count - 1; e >= 0; e--) {
        const struct event *event = &lane->events[e];
        if (!belongs(event))
            continue;
        if (found == 0 || event->iteration != number) {
            if (found++ == iterations)
                break;
            number = event->iteration;
        }
        if (all_there || event->iteration != lane->events[0].iteration)
            first = e;
    }
    int64_t origin = 0, end = 0;
    for (int e = first; e < lane->event_count; e++) {
        const struct event *event = &lane->events[e];
        if (!belongs(event))
            continue;
        if (timeline->count == 0) {
            origin = event->start_ns;
            timeline->first = event->iteration;
        }
        timeline->last = event->iteration;
        const int64_t stop = event->start_ns + event->duration_ns;
        end = stop > end || timeline->count == 0 ? stop : end;
        timeline->segments[timeline->count++] = (struct timeline_segment){
            .row = row_of[event->kind],
            .start = 1e-9 * (double)(event->start_ns - origin),
            .end = 1e-9 * (double)(stop - origin),
            .event = event,
        };
    }
    timeline->seconds = 1e-9 * (double)(end - origin);
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

char *timeline_label(char *buffer, size_t size, const struct timeline *timeline,
                     const struct timeline_segment *segment, int cols) {
    static const char *const short_names[PHASE_COUNT] = {
        [PHASE_LAPLACIAN] = "Lap", [PHASE_BOUNDARY] = "BC", [PHASE_UPDATE] = "Upd",
        [PHASE_NORM] = "Norm",     [PHASE_FUSED] = "Fused", [PHASE_BLOCKED] = "Block",
    };
    const struct event *event = segment->event;
    const bool several = event->phase == PHASE_BLOCKED && timeline->depth > 1;
    buffer[0] = '\0';
    if (event->kind == EVENT_ALLOC)
        return buffer;
    if (event->kind != EVENT_KERNEL)
        return words_append(buffer, size, "%s", array_name(event->array));
    words_append(buffer, size, "%s", phase_name(event->phase));
    if (several)
        words_append(buffer, size, ", %d iterations", timeline->depth);
    if ((int)strlen(buffer) <= cols || !short_names[event->phase])
        return buffer;
    if (several)
        snprintf(buffer, size, "%d it.", timeline->depth);
    else
        snprintf(buffer, size, "%s", short_names[event->phase]);
    return buffer;
}

char *timeline_describe(char *buffer, size_t size, const struct timeline_segment *segment) {
    static const char *const kinds[EVENT_KIND_COUNT] = {
        [EVENT_KERNEL] = "kernel",
        [EVENT_TO_DEVICE] = "copy to device",
        [EVENT_FROM_DEVICE] = "copy from device",
        [EVENT_ALLOC] = "allocation",
    };
    const struct event *event = segment->event;
    const double seconds = segment->end - segment->start;
    char duration[32], start[32], bytes[32], rate[32] = "";
    const char *array = array_name(event->array);
    if (event->kind != EVENT_ALLOC && event->bytes > 0 && seconds > 0)
        snprintf(rate, sizeof rate, " · %.3g GB/s", 1e-9 * (double)event->bytes / seconds);
    snprintf(buffer, size, "%s %s%s%s · %s%s%s%s · at %s · clock: %s", phase_name(event->phase),
             kinds[event->kind], array[0] ? " of " : "", array,
             text_duration(duration, sizeof duration, seconds), event->bytes ? " · " : "",
             event->bytes ? text_bytes(bytes, sizeof bytes, (double)event->bytes) : "", rate,
             text_duration(start, sizeof start, segment->start), clock_name(event->clock));
    return buffer;
}
