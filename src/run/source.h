/* A source of samples: a solver in another process, here or on another machine, a run in this
 * thread, or the replay of a recording. The screen does not distinguish between them. */
#pragma once

#include "run/sample.h"

enum command_kind {
    COMMAND_PAUSE,       /* value: 1 pause, 0 continue */
    COMMAND_STEP,        /* value: iterations to make (in a replay frames, also backwards) */
    COMMAND_SPEED,       /* value: iterations per second; 0: no limit */
    COMMAND_RESTART,     /* from U⁰ */
    COMMAND_PLAN,        /* plan: restart with it */
    COMMAND_VIEW,        /* view: the view for samples from now on */
    COMMAND_RACE,        /* value: enum race */
    COMMAND_PROBE,       /* live only: measure the unknown peaks between two turns */
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
    /* Returns the newest sample, valid until the next call; NULL before the first. Never blocks. */
    const struct sample *(*latest)(struct source *source);

    /* Passes on a command; never blocks for longer than a lock. */
    void (*command)(struct source *source, const struct command *command);

    /* Returns a descriptor that is readable when there is a newer sample; `latest` drains it. */
    int (*descriptor)(const struct source *source);

    /* Implements source_check. NULL: the runs are in this process. */
    enum status (*check)(struct source *source, const struct plan *plan, struct error *error);

    /* Returns one of the last lines that the runs' process has printed in addition to samples,
     * index 0 the oldest, valid until the next call; NULL beyond the last. A NULL pointer: no such
     * process. */
    const char *(*log_line)(struct source *source, int index);

    /* Stops and frees the source; may block until the current phase ends. Not NULL-safe. */
    void (*close)(struct source *source);
};

/* The part that all sources have in common; each kind's own struct begins with it. */
struct source {
    const struct source_ops *ops;
};

/* Checks whether a plan can run in the process of the source's runs, as plan_check does. A NULL
 * source means this process. Any thread may call it, and it may block. */
static inline enum status source_check(struct source *source, const struct plan *plan,
                                       struct error *error) {
    return source && source->ops->check ? source->ops->check(source, plan, error)
                                        : plan_check(plan, error);
}
