#include "record/alongside.h"

#include <math.h>
#include <stdlib.h>

#include "run/view.h"

struct alongside {
    int lane_count; /* of all */
    bool is_recorded[LANES_MAX];
    struct recorded recorded[LANES_MAX]; /* by their places */
};

/* ---- opening and closing -------------------------------------------------------------------- */

static enum status open_recorded(struct alongside *alongside, const struct plan *plan,
                                 struct error *error) {
    alongside->lane_count = plan->lane_count;
    for (int l = 0; l < plan->lane_count; l++) {
        if (!*plan->recordings[l].path)
            continue;
        const enum status status =
            recorded_open(&plan->recordings[l], &alongside->recorded[l], error);
        if (status)
            return status;
        alongside->is_recorded[l] = true;
    }
    return STATUS_OK;
}

static void keep_computed(struct plan *plan) {
    int kept = 0;
    for (int l = 0; l < plan->lane_count; l++)
        if (!*plan->recordings[l].path)
            plan->lanes[kept++] = plan->lanes[l];
    plan->lane_count = kept;
    plan_compute_all(plan);
}

enum status alongside_open(struct plan *plan, struct alongside **alongside, struct error *error) {
    *alongside = NULL;
    if (plan_recorded_count(plan) == 0)
        return STATUS_OK;
    struct alongside *made = calloc(1, sizeof *made);
    if (!made)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = open_recorded(made, plan, error);
    if (status) {
        alongside_close(made);
        return status;
    }
    keep_computed(plan);
    *alongside = made;
    return STATUS_OK;
}

void alongside_close(struct alongside *alongside) {
    if (!alongside)
        return;
    for (int l = 0; l < LANES_MAX; l++)
        recorded_close(&alongside->recorded[l]);
    free(alongside);
}

/* ---- joining -------------------------------------------------------------------------------- */

int alongside_place(const struct alongside *alongside, int computed_lane) {
    int place = computed_lane;
    for (int l = 0; alongside && l <= place && l < alongside->lane_count; l++)
        place += alongside->is_recorded[l];
    return place;
}

static int by_iteration(const struct track *track, const struct sample *computed) {
    long most = 0;
    int at = 0;
    for (int l = 0; l < computed->lane_count; l++)
        if (computed->lanes[l].iterations > most)
            most = computed->lanes[l].iterations;
    while (at < track->count - 1 && track->moments[at].iterations < most)
        at++;
    return at;
}

static int by_time(const struct track *track, const struct sample *computed) {
    double longest = 0;
    int at = 0;
    for (int l = 0; l < computed->lane_count; l++)
        longest = fmax(longest, computed->lanes[l].seconds);
    while (at < track->count - 1 && track->moments[at + 1].seconds <= longest)
        at++;
    return at;
}

static void join_recorded(struct recorded *recorded, const struct sample *computed,
                          const struct view *view, struct lane_sample *into) {
    const int moment = computed->race == RACE_SAME_TIME ? by_time(&recorded->track, computed)
                                                        : by_iteration(&recorded->track, computed);
    lane_sample_copy(into, recorded_moment(recorded, moment));
    if (view)
        field_resample(&into->field, view, computed->nx, computed->ny);
}

void alongside_join(struct alongside *alongside, const struct sample *computed,
                    const struct view *view, struct sample *into) {
    sample_copy(into, computed);
    if (!alongside || computed->lane_count == 0)
        return;
    into->lane_count = alongside->lane_count;
    int from = 0;
    for (int place = 0; place < alongside->lane_count; place++)
        if (alongside->is_recorded[place])
            join_recorded(&alongside->recorded[place], computed, view, &into->lanes[place]);
        else
            lane_sample_copy(&into->lanes[place], &computed->lanes[from++]);
}
