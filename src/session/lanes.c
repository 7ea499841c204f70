#include "session/parts.h"

#include <string.h>

#include "core/system.h"
#include "session/roofs.h"

static void fail(struct session *session, const struct error *error) {
    session->state = SESSION_FAILED;
    session->error = *error;
}

void session_settle(struct session *session) {
    bool any_runs = false;
    for (int l = 0; l < session->plan.lane_count; l++) {
        const struct lane *lane = session->lanes[l];
        if (lane->state == LANE_FAILED)
            fail(session, &lane->error);
        any_runs |= lane->state == LANE_RUNNING;
    }
    if (!any_runs && session->state != SESSION_FAILED)
        session->state = SESSION_FINISHED;
}

void session_close_lanes(struct session *session) {
    for (int l = 0; l < LANES_MAX; l++) {
        lane_close(session->lanes[l]);
        session->lanes[l] = NULL;
    }
}

void session_open_lanes(struct session *session) {
    session_close_lanes(session);
    memset(session->marks, 0, sizeof session->marks);
    session->error = (struct error){0};
    session->state = SESSION_OPENING;
    session->steps = 0;
    session_publish(session);
    for (int l = 0; l < session->plan.lane_count; l++) {
        struct lane_spec *spec = &session->plan.lanes[l];
        spec->engine.stop = &session->stop;
        struct error error = {0};
        if (lane_open(spec, &session->lanes[l], &error)) {
            session_close_lanes(session);
            fail(session, &error);
            session_publish(session);
            return;
        }
        session->sample->lanes[l].window_iterations = 0;
        session_watch_phases(session, l);
        session->sample->lanes[l].roof = roof_recall(session->lanes[l]);
    }
    session->state = session->plan.paused ? SESSION_PAUSED : SESSION_RUNNING;
    session->next_iteration_ns = clock_now_ns();
    session_downsample_and_publish(session);
}

/* Nothing else runs on the devices meanwhile, so neither the roof nor the lanes' times suffer. */
void session_probe_roofs(struct session *session) {
    for (int l = 0; l < session->plan.lane_count && session->lanes[l]; l++) {
        struct roof *roof = &session->sample->lanes[l].roof;
        if (roof->origin == ROOF_UNKNOWN)
            *roof = roof_recall(session->lanes[l]); /* another lane's, on the same device */
        if (roof->origin == ROOF_UNKNOWN || roof->disturbed)
            roof_measure(session->lanes[l], roof, NULL);
    }
}
