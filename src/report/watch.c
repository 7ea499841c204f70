#include "report/watch.h"

#include <stdlib.h>
#include <time.h>

#include "core/system.h"
#include "record/recorder.h"
#include "session/snapshot.h"
#include "session/turns.h"

struct watch {
    const struct plan *plan;
    struct view view;
    struct recorder *recorder;
    int64_t began_ns, next_sample_ns, next_downsample_ns;
};

static const int64_t second_ns = 1000000000;

/* Making pictures may take this share of the time. */
static const double downsample_share = 0.003;

enum status watch_open(const struct config *config, struct watch **watch, struct error *error) {
    struct recording_about about;
    if (!*config->record)
        return STATUS_OK;
    struct watch *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    made->plan = &config->plan;
    /* More cells than most screens show, few enough for a small file. */
    made->view =
        (struct view){96, 64, config->view.x0, config->view.x1, config->view.y0, config->view.y1};
    made->began_ns = clock_now_ns();
    about_from_config(&about, config);
    if (recorder_open(config->record, &about, &made->recorder, error)) {
        free(made);
        return error->status;
    }
    *watch = made;
    return STATUS_OK;
}

long watch_count(const struct watch *watch, struct lane *const lanes[], long count) {
    if (!watch || watch->plan->speed <= 0)
        return count;
    const long pass = turn_common_pass(lanes, watch->plan->lane_count);
    const long wanted = watch->plan->speed / RECORDER_RATE;
    const long most = wanted < pass ? wanted : wanted - wanted % pass;
    return most < 1 ? 1 : most < count ? most : count;
}

static void look(struct watch *watch, struct lane *const lanes[], struct sample *sample) {
    const int64_t start = clock_now_ns();
    for (int l = 0; l < sample->lane_count; l++) {
        struct field *field = &sample->lanes[l].field;
        field->downsample = view_downsample(&watch->view, &lanes[l]->spec.engine.mesh);
        if (lane_look(lanes[l], &field->downsample, field->cells))
            field->downsample = (struct downsample){0};
        field->iteration = lanes[l]->iterations;
        field_measure(field);
    }
    const int64_t end = clock_now_ns();
    watch->next_downsample_ns = end + (int64_t)((double)(end - start) / downsample_share);
}

static bool lanes_level(const struct watch *watch, struct lane *const lanes[]) {
    return turn_lanes_level(lanes, watch->plan->lane_count, watch->plan->race);
}

bool watch_wants(const struct watch *watch, struct lane *const lanes[]) {
    return watch && clock_now_ns() >= watch->next_sample_ns && lanes_level(watch, lanes);
}

enum status watch_take(struct watch *watch, struct lane *const lanes[], struct sample *sample,
                       struct error *error) {
    const int64_t now = clock_now_ns();
    if (now >= watch->next_downsample_ns)
        look(watch, lanes, sample);
    sample->state = SESSION_RUNNING;
    watch->next_sample_ns = now + second_ns / RECORDER_RATE;
    return recorder_add(watch->recorder, sample, error);
}

void watch_wait(const struct watch *watch, struct lane *const lanes[], const atomic_bool *stop) {
    if (!watch || watch->plan->speed <= 0 || !lanes_level(watch, lanes))
        return;
    const double due = (double)lanes[0]->iterations / watch->plan->speed * (double)second_ns;
    const struct timespec nap = {.tv_nsec = 5000000};
    while (!atomic_load(stop) && (double)(clock_now_ns() - watch->began_ns) < due)
        nanosleep(&nap, NULL);
}

enum status watch_end(struct watch *watch, struct lane *const lanes[], struct sample *sample,
                      struct error *error) {
    if (!watch)
        return STATUS_OK;
    look(watch, lanes, sample);
    sample->state = SESSION_FINISHED;
    for (int l = 0; l < sample->lane_count; l++) {
        if (lanes[l]->state == LANE_RUNNING) /* interrupted */
            sample->state = SESSION_PAUSED;
        sample->lanes[l].state = lanes[l]->state; /* the last look may have failed */
        sample->lanes[l].error = lanes[l]->error;
    }
    return recorder_add(watch->recorder, sample, error);
}

void watch_close(struct watch *watch) {
    if (!watch)
        return;
    recorder_close(watch->recorder);
    free(watch);
}
