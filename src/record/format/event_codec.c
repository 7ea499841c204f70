/* Stores a lane's new events, each as its difference from a prediction by the last event of its
 * kind. */
#include <string.h>

#include "record/format/sample_codec.h"

/* Duration and bytes of the last event of each kind, which predict the next. */
struct predictor {
    struct {
        int64_t duration_ns;
        uint64_t bytes;
    } of[EVENT_KIND_COUNT][PHASE_COUNT][ARRAY_COUNT];
};

/* Larger than any real time, but small enough that sums and differences of several do not
 * overflow. */
#define WIDEST (INT64_C(1) << 60)

static const struct codec_field event_fields[] = {
    NUMBER(struct event, device, 0, INT32_MAX),
    NUMBER(struct event, iteration, -WIDEST, WIDEST),
    NUMBER(struct event, start_ns, -WIDEST, WIDEST),
    NUMBER(struct event, duration_ns, -WIDEST, WIDEST),
    NUMBER(struct event, bytes, 0, WIDEST),
    {.what = NULL},
};

/* Counts the lane's events after the last one of `before`; all if that one isn't among them. */
static int count_new(const struct lane_sample *lane, const struct lane_sample *before) {
    if (before->event_count == 0)
        return lane->event_count;
    const struct event *last = &before->events[before->event_count - 1];
    for (int fresh = 0; fresh < lane->event_count; fresh++)
        if (memcmp(&lane->events[lane->event_count - 1 - fresh], last,
                   offsetof(struct event, device)) == 0)
            return fresh;
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

/* Packs kind, phase, array and clock into one number. */
static void code_sort(struct codec *codec, struct event *event) {
    enum { BITS = 4, MASK = (1 << BITS) - 1 };
    const int64_t sort = codec->reading ? 0
                                        : (int64_t)event->kind | (int64_t)event->phase << BITS |
                                              (int64_t)event->array << 2 * BITS |
                                              (int64_t)event->clock << 3 * BITS;
    const int64_t read = codec_number(codec, sort, 0, 0, UINT16_MAX, "unknown kind of event");
    event->kind = (enum event_kind)(read & MASK);
    event->phase = (enum phase)(read >> BITS & MASK);
    event->array = (enum array)(read >> 2 * BITS & MASK);
    event->clock = (enum clock_source)(read >> 3 * BITS);
    if (event->kind >= EVENT_KIND_COUNT || event->phase >= PHASE_COUNT ||
        event->array >= ARRAY_COUNT || event->clock >= CLOCK_COUNT)
        codec_fail(codec, "unknown kind of event");
}

static void code_event(struct codec *codec, struct event *event, const struct event *before,
                       struct predictor *predictor) {
    code_sort(codec, event);
    if (codec->failed)
        return;
    struct event expected = *before;
    expected.start_ns += before->duration_ns;
    expected.duration_ns = predictor->of[event->kind][event->phase][event->array].duration_ns;
    expected.bytes = predictor->of[event->kind][event->phase][event->array].bytes;
    codec_fields(codec, event, &expected, event_fields);
    predictor->of[event->kind][event->phase][event->array].duration_ns = event->duration_ns;
    predictor->of[event->kind][event->phase][event->array].bytes = event->bytes;
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
    struct predictor predictor = {0};
    for (int k = kept; k < lane->event_count && !codec->failed; k++)
        code_event(codec, &lane->events[k], k > 0 ? &lane->events[k - 1] : &none, &predictor);
}
