#include "session/parts.h"

#include <sys/eventfd.h>

#include "core/system.h"

/* Reducing U for the picture may take this share of the solver's time. */
static const double downsample_share = 0.02;

/* A turn that takes longer than this is shown phase by phase. */
static const int64_t slow_turn_ns = 60000000;

void session_downsample(struct session *session) {
    const int64_t start = clock_now_ns();
    for (int l = 0; l < session->plan.lane_count; l++) {
        struct lane *lane = session->lanes[l];
        struct field *field = &session->sample->lanes[l].field;
        if (!lane)
            continue;
        const struct downsample downsample =
            view_downsample(&session->view, &lane->spec.engine.mesh);
        if (lane_look(lane, &downsample, field->cells))
            continue;
        field->downsample = downsample;
        field->iteration = lane->iterations;
        field_measure(field);
    }
    session_settle(session);
    const int64_t end = clock_now_ns();
    session->next_downsample_ns = end + (int64_t)((double)(end - start) / downsample_share);
}

static void describe(struct session *session) {
    struct sample *sample = session->sample;
    sample->sequence = ++session->sequence;
    sample->time_ns = clock_now_ns() - session->began_ns;
    sample->state = session->state;
    sample->error = session->error;
    snapshot_describe(&session->plan, sample);
    sample->lane_count = session->lanes[0] ? session->plan.lane_count : 0;
    for (int l = 0; l < sample->lane_count; l++)
        snapshot_take(session->lanes[l], &session->marks[l], &sample->lanes[l]);
}

/* Hands a copy of the sample being filled to the reader; a copy not yet taken is replaced. */
static void hand_over(struct session *session) {
    pthread_mutex_lock(&session->mutex);
    struct sample *copy = session->ready ? session->ready : session->spare;
    session->ready = session->spare = NULL;
    pthread_mutex_unlock(&session->mutex);

    sample_copy(copy, session->sample);

    pthread_mutex_lock(&session->mutex);
    session->ready = copy;
    pthread_mutex_unlock(&session->mutex);
    eventfd_write(session->wake, 1);
}

void session_publish(struct session *session) {
    describe(session);
    hand_over(session);
    session->next_sample_ns = clock_now_ns() + INT64_C(1000000000) / session->plan.fps;
}

void session_downsample_and_publish(struct session *session) {
    session_downsample(session);
    session_publish(session);
}

/* Within a slow iteration only the phase is news: everything else is told when it is complete. */
static void phase_entered(void *context, enum phase phase) {
    const struct watcher *watcher = context;
    struct session *session = watcher->session;
    const int64_t now = clock_now_ns();
    if (phase >= PHASE_DOWNSAMPLE || now - session->turn_began_ns < slow_turn_ns ||
        now < session->next_phase_ns)
        return;
    session->sample->lanes[watcher->lane].phase = phase;
    session->sample->sequence = ++session->sequence;
    session->sample->time_ns = now - session->began_ns;
    hand_over(session);
    session->next_phase_ns = now + INT64_C(1000000000) / session->plan.fps;
}

void session_watch_phases(struct session *session, int lane) {
    session->watchers[lane] = (struct watcher){session, lane};
    session->lanes[lane]->log.watch_context = &session->watchers[lane];
    session->lanes[lane]->log.watch = phase_entered;
}
