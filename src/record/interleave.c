#include "record/interleave.h"

#include <math.h>

/* No file makes a clock overflow: two years are enough. */
static const double most_seconds = 6e7;

static double seconds_at(const struct track *track, int at) {
    const double seconds = track->moments[at].seconds;
    return seconds > 0 ? fmin(seconds, most_seconds) : 0; /* 0 for NaN */
}

/* Every cue has a time of its own, so that it can be stepped to. */
static int64_t after(const struct cue *last, double seconds) {
    const int64_t time_ns = (int64_t)(1e9 * seconds);
    return time_ns > last->time_ns ? time_ns : last->time_ns + 1;
}

static bool has_ended(const struct track *track, int at) {
    return at == track->count - 1;
}

/* ---- same iterations ------------------------------------------------------------------------ */

/* The fewest iterations of the lanes that still go on; -1 where none does. */
static long fewest(const struct track tracks[], int count, const struct cue *now) {
    long least = -1;
    for (int l = 0; l < count; l++) {
        const long made = tracks[l].moments[now->at[l]].iterations;
        if (!has_ended(&tracks[l], now->at[l]) && (least < 0 || made < least))
            least = made;
    }
    return least;
}

/* When lane `l`, which came to its moment at `since`, would come to the next if nobody hindered it.
 */
static double due(const struct track *track, int at, double since) {
    const double length = seconds_at(track, at + 1) - seconds_at(track, at);
    return since + (length > 0 ? length : 0);
}

static int in_lockstep(const struct track tracks[], int count, struct cue *cues) {
    double now = 0, since[LANES_MAX] = {0};
    int made = 1;
    cues[0] = (struct cue){0};
    for (long least; (least = fewest(tracks, count, &cues[made - 1])) >= 0; made++) {
        const struct cue *last = &cues[made - 1];
        int next = -1;
        for (int l = 0; l < count; l++) {
            const struct track *track = &tracks[l];
            if (has_ended(track, last->at[l]) || track->moments[last->at[l]].iterations > least)
                continue;
            if (next < 0 ||
                due(track, last->at[l], since[l]) < due(&tracks[next], last->at[next], since[next]))
                next = l;
        }
        cues[made] = *last;
        now = fmin(fmax(now, due(&tracks[next], last->at[next], since[next])), most_seconds);
        since[next] = now;
        cues[made].at[next]++;
        cues[made].time_ns = after(last, now);
    }
    return made;
}

/* ---- same time ------------------------------------------------------------------------------ */

static void go_to(const struct track *track, double seconds, int *at) {
    while (!has_ended(track, *at) && seconds_at(track, *at + 1) <= seconds)
        ++*at;
}

/* The lane whose next moment comes first; -1 where all have ended. */
static int first_to_come(const struct track tracks[], int count, const struct cue *now) {
    int first = -1;
    for (int l = 0; l < count; l++)
        if (!has_ended(&tracks[l], now->at[l]) &&
            (first < 0 || seconds_at(&tracks[l], now->at[l] + 1) <
                              seconds_at(&tracks[first], now->at[first] + 1)))
            first = l;
    return first;
}

static int in_time(const struct track tracks[], int count, struct cue *cues) {
    double begin = 0, now;
    int made = 1, next;
    cues[0] = (struct cue){0};
    for (int l = 0; l < count; l++)
        begin = fmax(begin, seconds_at(&tracks[l], 0));
    for (int l = 0; l < count; l++)
        go_to(&tracks[l], begin, &cues[0].at[l]);
    now = begin;
    for (; (next = first_to_come(tracks, count, &cues[made - 1])) >= 0; made++) {
        cues[made] = cues[made - 1];
        now = fmax(now, seconds_at(&tracks[next], ++cues[made].at[next]));
        cues[made].time_ns = after(&cues[made - 1], now - begin);
    }
    return made;
}

int interleave(const struct track tracks[], int track_count, enum race race, struct cue *cues) {
    return race == RACE_SAME_TIME ? in_time(tracks, track_count, cues)
                                  : in_lockstep(tracks, track_count, cues);
}
