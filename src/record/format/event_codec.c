/* Stores a lane's events: those that are new, each as its difference from the last one of its sort.
 */
#include <string.h>

#include "record/format/sample_codec.h"

/* What the last event of the same sort was like: the next is much the same. */
struct habits {
    int64_t duration_ns[EVENT_KIND_COUNT][PHASE_COUNT][ARRAY_COUNT];
    int64_t bytes[EVENT_KIND_COUNT][PHASE_COUNT][ARRAY_COUNT];
};

/* How many of the lane's events came after the last one of `before`; all if it isn't there. */
static int count_new(const struct lane_sample *lane, const struct lane_sample *before) {
    if (before->event_count == 0)
        return lane->event_count;
    const struct event *last = &before->events[before->event_count - 1];
    for (int fresh = 0; fresh < lane->event_count; fresh++) {
        const struct event *event = &lane->events[lane->event_count - 1 - fresh];
        if (event->kind == last->kind && event->phase == last->phase &&
            event->array == last->array && event->clock == last->clock &&
            event->iteration == last->iteration && event->start_ns == last->start_ns &&
            event->duration_ns == last->duration_ns && event->bytes == last->bytes)
            return fresh;
    }
    return lane->event_count;
}

static void keep_last(struct lane_sample *lane, int count) {
    if (count >= lane->event_count)
        return;
    memmove(lane->events, lane->events + lane->event_count - count,
            (size_t)count * sizeof *lane->events);
    lane->event_count = count;
}

void events_trim(struct lane_sample *lane, const struct lane_sample *before) {
    const int fresh = count_new(lane, before);
    if (fresh == lane->event_count || fresh > RECORD_EVENTS)
        keep_last(lane, RECORD_EVENTS);
    else
        keep_last(lane, before->event_count + fresh);
}

/* The clocks and phases that version 1 knew are coded among each other; each five more clocks
 * follow the kinds, and each eight more phases these. */
enum { CODED_CLOCKS = 5, CODED_KINDS = 8, CODED_GROUPS = 2 };

static void code_event(struct codec *codec, struct event *event, const struct event *before,
                       struct habits *habits) {
    /* Wide enough for any true time, narrow enough that the sum of two is still a number. */
    const int64_t widest = INT64_C(1) << 62;
    const int phase = codec->reading ? 0 : phase_to_code(event->phase);
    const int64_t clocks = (int64_t)event->clock / CODED_CLOCKS;
    const int64_t kind =
        event->kind + CODED_KINDS * (clocks + CODED_GROUPS * (phase / CODED_PHASES));
    const int64_t sort =
        ((kind * CODED_PHASES + phase % CODED_PHASES) * ARRAY_COUNT + event->array) * CODED_CLOCKS +
        event->clock % CODED_CLOCKS;
    const int64_t sorts =
        CODED_GROUPS * CODED_GROUPS * CODED_KINDS * CODED_PHASES * ARRAY_COUNT * CODED_CLOCKS;
    int64_t coded =
        codec_number(codec, codec->reading ? 0 : sort, 0, 0, sorts - 1, "unknown sort of event");
    int64_t clock = coded % CODED_CLOCKS;
    coded /= CODED_CLOCKS;
    event->array = (enum array)(coded % ARRAY_COUNT);
    coded /= ARRAY_COUNT;
    const int64_t code = coded % CODED_PHASES;
    coded /= CODED_PHASES;
    const int64_t groups = coded / CODED_KINDS;
    clock += CODED_CLOCKS * (groups % CODED_GROUPS);
    event->phase = phase_of_code((int)(code + CODED_PHASES * (groups / CODED_GROUPS)));
    if (coded % CODED_KINDS >= EVENT_KIND_COUNT || clock >= CLOCK_COUNT ||
        event->phase == PHASE_COUNT) {
        codec_fail(codec, "unknown sort of event");
        return;
    }
    event->kind = (enum event_kind)(coded % CODED_KINDS);
    event->clock = (enum clock_source)clock;
    event->device = codec->reading ? 0 : event->device; /* see code_device_stats */

    int64_t *duration = &habits->duration_ns[event->kind][event->phase][event->array];
    int64_t *bytes = &habits->bytes[event->kind][event->phase][event->array];
    const int64_t expected_ns =
        (int64_t)((uint64_t)before->start_ns + (uint64_t)before->duration_ns);
    event->iteration = (long)codec_number(codec, event->iteration, before->iteration, -widest,
                                          widest, "bad iteration");
    event->start_ns =
        codec_number(codec, event->start_ns, expected_ns, -widest, widest, "bad time");
    event->duration_ns =
        codec_number(codec, event->duration_ns, *duration, -widest, widest, "bad duration");
    event->bytes = (uint64_t)codec_number(codec, (int64_t)event->bytes, *bytes, 0, widest,
                                          "bad number of bytes");
    *duration = event->duration_ns;
    *bytes = (int64_t)event->bytes;
}

void events_code(struct codec *codec, struct lane_sample *lane, const struct lane_sample *before) {
    int kept = 0;
    if (!codec->reading) {
        const int fresh = count_new(lane, before);
        kept = fresh == lane->event_count ? 0 : lane->event_count - fresh;
    }
    kept = (int)codec_number(codec, kept, before->event_count, 0, before->event_count,
                             "bad number of events");
    lane->event_count =
        (int)codec_number(codec, lane->event_count, kept, kept, SAMPLE_EVENTS, "too many events");
    if (codec->failed)
        return;
    if (codec->reading)
        memcpy(lane->events, before->events + before->event_count - kept,
               (size_t)kept * sizeof *lane->events);
    static const struct event none;
    struct habits habits = {0};
    for (int k = kept; k < lane->event_count && !codec->failed; k++)
        code_event(codec, &lane->events[k], k > 0 ? &lane->events[k - 1] : &none, &habits);
}
