#include "record/chapter.h"

#include <stdio.h>
#include <string.h>

#include "metrics/labels.h"

bool chapter_is_new_run(const struct chapter_last *last, const struct sample *sample) {
    bool same = last->lane_count == sample->lane_count && last->nx == sample->nx &&
                last->ny == sample->ny && strcmp(last->problem, sample->problem) == 0;
    for (int l = 0; same && l < sample->lane_count; l++)
        same = !run_id_difference(&last->runs[l], &sample->lanes[l].run) &&
               last->iterations[l] <= sample->lanes[l].iterations;
    return !same;
}

/* "blog 4096x4096: hip/unstructured/classic, …" */
static void print_run(const struct sample *sample, char *title) {
    size_t used =
        (size_t)snprintf(title, CHAPTER_SIZE, "%s %dx%d:", sample->problem, sample->nx, sample->ny);
    for (int l = 0; l < sample->lane_count && used < CHAPTER_SIZE; l++) {
        char lane[96];
        used += (size_t)snprintf(title + used, CHAPTER_SIZE - used, "%s %s", l ? "," : "",
                                 lane_to_option(lane, sizeof lane, &sample->lanes[l]));
    }
}

bool chapter_take(struct chapter_last *last, const struct sample *sample, char *title) {
    const bool begins = chapter_is_new_run(last, sample);
    const bool ends =
        sample->state == SESSION_FINISHED && last->state != SESSION_FINISHED && !begins;
    if (begins)
        print_run(sample, title);
    else if (ends)
        snprintf(title, CHAPTER_SIZE, "finished after %ld iterations", sample->lanes[0].iterations);
    *last = (struct chapter_last){.state = sample->state,
                                  .lane_count = sample->lane_count,
                                  .nx = sample->nx,
                                  .ny = sample->ny};
    snprintf(last->problem, sizeof last->problem, "%s", sample->problem);
    for (int l = 0; l < sample->lane_count; l++) {
        last->runs[l] = sample->lanes[l].run;
        last->iterations[l] = sample->lanes[l].iterations;
    }
    return begins || ends;
}
