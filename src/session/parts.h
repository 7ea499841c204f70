/* A session from within: what its files share. For src/session alone.
 *
 * session.c is the reader's side, loop.c the solver's thread; lanes.c opens what runs, publish.c
 * makes and hands over samples. All but the reader's functions run in the solver's thread.
 */
#ifndef JACOBI_SESSION_PARTS_H
#define JACOBI_SESSION_PARTS_H

#include <pthread.h>

#include "run/source.h"
#include "session/snapshot.h"

enum { COMMANDS_MAX = 64 };

struct session;

struct watcher {
    struct session *session;
    int lane;
};

struct session {
    struct source base;
    pthread_t thread;
    int wake; /* eventfd: a newer sample is there */

    pthread_mutex_t mutex; /* guards from here … */
    pthread_cond_t changed;
    struct command commands[COMMANDS_MAX];
    int command_count;
    struct plan new_plan;
    bool quit;
    struct sample *ready; /* the newest published, not yet taken; NULL */
    struct sample *spare; /* free to be filled */
    /* … to here */

    atomic_bool stop;     /* asks the running phase to end early */
    struct sample *front; /* the reader's */

    /* The solver thread's own. */
    struct plan plan;       /* of the lanes that are open */
    struct plan taken_plan; /* of the COMMAND_PLAN that was taken and is still to be obeyed */
    struct view view;
    struct lane *lanes[LANES_MAX];
    struct snapshot_mark marks[LANES_MAX];
    int64_t began_ns, next_sample_ns, next_downsample_ns, next_iteration_ns;
    struct watcher watchers[LANES_MAX];
    int64_t turn_began_ns, next_phase_ns;
    long steps; /* single steps still to be made while paused */
    enum session_state state;
    struct error error;
    struct sample *sample; /* the one being filled */
    uint64_t sequence;
};

/* The solver's thread, given its session; ends when that is to quit. */
void *session_run(void *argument);

/* Closes what there is and opens the plan's lanes; publishes how that went. */
void session_open_lanes(struct session *session);
void session_close_lanes(struct session *session);

/* Fails the session where a lane has failed, finishes it where none runs any more. */
void session_settle(struct session *session);

/* Measures the roofs that are not known yet. */
void session_probe_roofs(struct session *session);

/* Reduces U for the picture; says how long not to do that again. */
void session_downsample(struct session *session);

/* Fills a sample and leaves a copy for the reader. */
void session_publish(struct session *session);
void session_downsample_and_publish(struct session *session);

/* Has the phases of a lane's slow iterations published as they run. */
void session_watch_phases(struct session *session, int lane);

#endif
