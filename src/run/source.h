/* A source of samples: a solver in another process, here or on another machine, a run in this
 * thread, or a recording being replayed. The screen knows no more than this of where its samples
 * come from. */
#ifndef JACOBI_RUN_SOURCE_H
#define JACOBI_RUN_SOURCE_H

#include "run/sample.h"

enum command_kind {
    COMMAND_PAUSE,       /* value: 1 pause, 0 go on */
    COMMAND_STEP,        /* value: iterations to make (or frames, in a replay, also backwards) */
    COMMAND_SPEED,       /* value: iterations per second; 0: no limit */
    COMMAND_RESTART,     /* from U⁰ */
    COMMAND_PLAN,        /* plan: restart with it */
    COMMAND_VIEW,        /* view: the downsample wanted from now on */
    COMMAND_RACE,        /* value: enum race */
    COMMAND_PROBE,       /* live only: measure the peaks not yet known, between two turns */
    COMMAND_SEEK,        /* replay only; value: thousandths of the recording */
    COMMAND_CHAPTER,     /* replay only; value: chapters to go forward; negative: back */
    COMMAND_RATE,        /* replay only; value: thousandths of the recorded speed */
    COMMAND_FINISH,      /* live only: measure the solutions and end the runs (sample.is_last) */
    COMMAND_TUNING_SCAN, /* live only: time each launch geometry, for some iterations of the run */
};

struct command {
    enum command_kind kind;
    long value;
    struct view view;
    const struct plan *plan; /* copied before the call returns */
};

struct source;

struct source_ops {
    /* The newest sample, valid until the next call; NULL before there is one. Never blocks. */
    const struct sample *(*latest)(struct source *source);

    /* Hands over a command; never blocks for longer than a lock. */
    void (*command)(struct source *source, const struct command *command);

    /* A descriptor that becomes readable when there is a newer sample; `latest` empties it. */
    int (*descriptor)(const struct source *source);

    /* As source_check has it. NULL: it is this process that the runs happen in. */
    enum status (*check)(struct source *source, const struct plan *plan, struct error *error);

    /* The last lines that the process of its runs has printed apart from samples, oldest first,
     * each valid until the next call; NULL if there are no more than `index`. NULL: there is no
     * such process. */
    const char *(*log_line)(struct source *source, int index);

    /* Stops and frees; may block until the running phase ends. Not NULL-safe. */
    void (*close)(struct source *source);
};

/* What every source begins with. */
struct source {
    const struct source_ops *ops;
};

/* Whether a plan can run where the runs of this source happen, as plan_check has it; NULL: in this
 * process. May be called by any thread, and may block. */
static inline enum status source_check(struct source *source, const struct plan *plan,
                                       struct error *error) {
    return source && source->ops->check ? source->ops->check(source, plan, error)
                                        : plan_check(plan, error);
}

#endif
