#include "record/replay.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/system.h"
#include "run/view.h"

struct replay {
    struct source base;
    struct reel *reel;
    int64_t (*clock)(void);
    int timer;

    bool paused;
    double rate;
    int64_t from_clock_ns, from_ns; /* at that moment of the clock the replay stood there */

    struct view view; /* cols is 0 until one was asked for */
    int shown;        /* index of the sample in *sample; -1: none yet, or it must be made anew */
    uint64_t sequence;
    struct sample *sample;
};

static struct replay *of(struct source *source) {
    return (struct replay *)source;
}

/* ---- where the replay stands ---------------------------------------------------------------- */

static int last_index(const struct replay *replay) {
    return reel_sample_count(replay->reel) - 1;
}

static int64_t begin_ns(const struct replay *replay) {
    return reel_time_ns(replay->reel, 0);
}

static int64_t end_ns(const struct replay *replay) {
    return reel_time_ns(replay->reel, last_index(replay));
}

static int64_t position_ns(const struct replay *replay) {
    if (replay->paused)
        return replay->from_ns;
    const double passed = replay->rate * (double)(replay->clock() - replay->from_clock_ns);
    const double left = (double)(end_ns(replay) - replay->from_ns);
    return passed < left ? replay->from_ns + (int64_t)passed : end_ns(replay);
}

static int64_t clamp(const struct replay *replay, int64_t time_ns) {
    if (time_ns < begin_ns(replay))
        return begin_ns(replay);
    return time_ns > end_ns(replay) ? end_ns(replay) : time_ns;
}

/* Goes on from there, now. */
static void stand_at(struct replay *replay, int64_t time_ns) {
    replay->from_ns = clamp(replay, time_ns);
    replay->from_clock_ns = replay->clock();
}

static int chapter_at(const struct replay *replay, int index) {
    int chapter = -1;
    while (chapter + 1 < reel_chapter_count(replay->reel) &&
           reel_chapter(replay->reel, chapter + 1)->sample <= index)
        chapter++;
    return chapter;
}

/* ---- the timer ------------------------------------------------------------------------------ */

/* Readable at once, or when the next sample is due, or never. */
static void set_timer(const struct replay *replay) {
    const int64_t now_ns = position_ns(replay);
    const int index = reel_find(replay->reel, now_ns);
    struct itimerspec when = {0};
    if (index != replay->shown) {
        when.it_value.tv_nsec = 1;
    } else if (!replay->paused && index < last_index(replay)) {
        const double wait_ns =
            (double)(reel_time_ns(replay->reel, index + 1) - now_ns) / replay->rate;
        const int64_t wait = wait_ns < 1e6 ? 1000000 : wait_ns < 1e13 ? (int64_t)wait_ns : 0;
        when.it_value.tv_sec = wait / 1000000000;
        when.it_value.tv_nsec = wait % 1000000000;
    }
    timerfd_settime(replay->timer, 0, &when, NULL);
}

/* ---- samples -------------------------------------------------------------------------------- */

static void describe(struct replay *replay, int index) {
    struct playback *playback = &replay->sample->playback;
    playback->position_s = 1e-9 * (double)(position_ns(replay) - begin_ns(replay));
    playback->rate = replay->rate;
    playback->paused = replay->paused;
    playback->chapter = chapter_at(replay, index);
    playback->chapter_count = reel_chapter_count(replay->reel);
    playback->chapter_title[0] = '\0';
    if (playback->chapter >= 0)
        snprintf(playback->chapter_title, sizeof playback->chapter_title, "%s",
                 reel_chapter(replay->reel, playback->chapter)->title);
    replay->sample->sequence = ++replay->sequence;
    /* A run that goes on while its replay stands still is shown as standing. */
    if (replay->paused && replay->sample->state == SESSION_RUNNING)
        replay->sample->state = SESSION_PAUSED;
}

static void make_sample(struct replay *replay, int index) {
    sample_copy(replay->sample, reel_sample(replay->reel, index));
    if (replay->view.cols > 0)
        for (int l = 0; l < replay->sample->lane_count; l++)
            field_resample(&replay->sample->lanes[l].field, &replay->view, replay->sample->nx,
                           replay->sample->ny);
    replay->shown = index;
    describe(replay, index);
}

static const struct sample *replay_latest(struct source *source) {
    struct replay *replay = of(source);
    uint64_t ignored;
    if (read(replay->timer, &ignored, sizeof ignored) < 0)
        ignored = 0;
    const int index = reel_find(replay->reel, position_ns(replay));
    if (index != replay->shown)
        make_sample(replay, index);
    set_timer(replay);
    return replay->sample;
}

/* ---- commands ------------------------------------------------------------------------------- */

static void pause_or_go_on(struct replay *replay, bool paused) {
    int64_t now_ns = position_ns(replay);
    if (!paused && replay->paused && now_ns == end_ns(replay))
        now_ns = begin_ns(replay);
    replay->paused = paused;
    stand_at(replay, now_ns);
}

static void step(struct replay *replay, long frames) {
    const long index = reel_find(replay->reel, position_ns(replay)) + frames;
    const long last = last_index(replay);
    replay->paused = true;
    stand_at(replay, reel_time_ns(replay->reel, (int)(index < 0      ? 0
                                                      : index > last ? last
                                                                     : index)));
}

static void seek(struct replay *replay, long thousandths) {
    const double share = fmin(fmax((double)thousandths / 1000, 0), 1);
    stand_at(replay,
             begin_ns(replay) + (int64_t)(share * (double)(end_ns(replay) - begin_ns(replay))));
}

static void jump(struct replay *replay, long chapters) {
    const int index = reel_find(replay->reel, position_ns(replay));
    const long chapter = chapter_at(replay, index) + chapters;
    if (chapter < 0)
        stand_at(replay, begin_ns(replay));
    else if (chapter < reel_chapter_count(replay->reel))
        stand_at(replay,
                 reel_time_ns(replay->reel, reel_chapter(replay->reel, (int)chapter)->sample));
}

static void set_rate(struct replay *replay, long thousandths) {
    stand_at(replay, position_ns(replay));
    replay->rate = fmin(fmax((double)thousandths / 1000, 0.01), 1000);
}

static void race(struct replay *replay, enum race race) {
    int index = reel_find(replay->reel, position_ns(replay));
    if (reel_race(replay->reel, race, &index))
        stand_at(replay, reel_time_ns(replay->reel, index));
}

static void replay_command(struct source *source, const struct command *command) {
    struct replay *replay = of(source);
    switch (command->kind) {
    case COMMAND_PAUSE:
        pause_or_go_on(replay, command->value);
        break;
    case COMMAND_STEP:
        step(replay, command->value);
        break;
    case COMMAND_SEEK:
        seek(replay, command->value);
        break;
    case COMMAND_CHAPTER:
        jump(replay, command->value);
        break;
    case COMMAND_RATE:
        set_rate(replay, command->value);
        break;
    case COMMAND_RESTART:
        stand_at(replay, begin_ns(replay));
        break;
    case COMMAND_VIEW:
        replay->view = command->view;
        break;
    case COMMAND_RACE:
        race(replay, (enum race)command->value);
        break;
    case COMMAND_PLAN:
    case COMMAND_SPEED:
    case COMMAND_PROBE:
        return;
    }
    replay->shown = -1;
    set_timer(replay);
}

static int replay_descriptor(const struct source *source) {
    return ((const struct replay *)source)->timer;
}

static void release(struct replay *replay) {
    if (replay->timer >= 0)
        close(replay->timer);
    sample_destroy(replay->sample);
    reel_close(replay->reel);
    free(replay);
}

static void replay_close(struct source *source) {
    release(of(source));
}

static const struct source_ops ops = {
    .latest = replay_latest,
    .command = replay_command,
    .descriptor = replay_descriptor,
    .close = replay_close,
};

enum status replay_start_reel(struct reel *reel, double rate, bool paused, int64_t (*clock)(void),
                              struct source **source, struct error *error) {
    struct replay *replay = calloc(1, sizeof *replay);
    if (!replay) {
        reel_close(reel);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    *replay = (struct replay){
        .base.ops = &ops,
        .reel = reel,
        .clock = clock,
        .timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC),
        .paused = paused,
        .rate = rate > 0 ? rate : 1,
        .shown = -1,
        .sample = sample_create(),
    };
    if (!replay->sample || replay->timer < 0) {
        release(replay);
        return error_set(error, STATUS_INTERNAL, "can't start the replay: %s", strerror(errno));
    }
    stand_at(replay, begin_ns(replay));
    set_timer(replay);
    *source = (struct source *)replay;
    return STATUS_OK;
}

enum status replay_start_with_clock(struct recording *recording, double rate, bool paused,
                                    int64_t (*clock)(void), struct source **source,
                                    struct error *error) {
    struct reel *reel;
    const enum status status = reel_of_recording(recording, &reel, error);
    return status ? status : replay_start_reel(reel, rate, paused, clock, source, error);
}

enum status replay_start(struct recording *recording, double rate, bool paused,
                         struct source **source, struct error *error) {
    return replay_start_with_clock(recording, rate, paused, clock_now_ns, source, error);
}
