#include "record/replay.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "core/process.h"
#include "core/system.h"
#include "core/text.h"

struct replay {
    struct source base;
    struct playlist *playlist;
    int64_t (*clock)(void);
    int timer;

    bool paused;
    double rate;
    int64_t from_clock_ns, from_ns; /* the replay was at from_ns when the clock was from_clock_ns */

    bool follows;      /* the file still grows */
    int64_t grown_ns;  /* time of the last read */
    struct error lost; /* why it is no longer followed */

    struct view view; /* cols is 0 until a view is requested */
    int shown;        /* index of the sample in *sample; -1: none or outdated */
    uint64_t sequence;
    struct sample *sample;
};

/* ---- position ------------------------------------------------------------------------------- */

static int last_index(const struct replay *replay) {
    return replay->playlist->count - 1;
}

static int64_t begin_ns(const struct replay *replay) {
    return playlist_time_ns(replay->playlist, 0);
}

static int64_t end_ns(const struct replay *replay) {
    return playlist_time_ns(replay->playlist, last_index(replay));
}

static int64_t position_ns(const struct replay *replay) {
    if (replay->paused)
        return replay->from_ns;
    const double passed = replay->rate * (double)(replay->clock() - replay->from_clock_ns);
    const double left = (double)(end_ns(replay) - replay->from_ns);
    return passed < left ? replay->from_ns + (int64_t)passed : end_ns(replay);
}

/* Continues from `time_ns`, starting now. */
static void move_to(struct replay *replay, int64_t time_ns) {
    const int64_t begin = begin_ns(replay), end = end_ns(replay);
    replay->from_ns = time_ns < begin ? begin : time_ns > end ? end : time_ns;
    replay->from_clock_ns = replay->clock();
}

static void move_to_sample(struct replay *replay, int index) {
    move_to(replay, playlist_time_ns(replay->playlist, index));
}

static int chapter_at(const struct replay *replay, int index) {
    int chapter = -1;
    while (chapter + 1 < replay->playlist->chapter_count &&
           replay->playlist->chapters[chapter + 1].sample <= index)
        chapter++;
    return chapter;
}

/* ---- the timer ------------------------------------------------------------------------------ */

/* The period at which a growing file is read. */
static const int64_t grow_ns = 100000000;

/* Makes the timer expire immediately, when the next sample is due, or never. */
static void set_timer(const struct replay *replay) {
    const int64_t now_ns = position_ns(replay);
    const int index = playlist_find(replay->playlist, now_ns);
    struct itimerspec when = {0};
    if (index != replay->shown) {
        when.it_value.tv_nsec = 1;
    } else if (!replay->paused && index < last_index(replay)) {
        const double wait_ns =
            (double)(playlist_time_ns(replay->playlist, index + 1) - now_ns) / replay->rate;
        const int64_t wait = wait_ns < 1e6 ? 1000000 : wait_ns < 1e13 ? (int64_t)wait_ns : 0;
        when.it_value.tv_sec = wait / 1000000000;
        when.it_value.tv_nsec = wait % 1000000000;
    }
    if (replay->follows && !replay->paused && when.it_value.tv_sec == 0 &&
        (when.it_value.tv_nsec == 0 || when.it_value.tv_nsec > grow_ns))
        when.it_value.tv_nsec = grow_ns;
    timerfd_settime(replay->timer, 0, &when, NULL);
}

/* ---- samples -------------------------------------------------------------------------------- */

static void make_sample(struct replay *replay, int index) {
    struct sample *sample = replay->sample;
    struct playback *playback = &sample->playback;
    sample_copy(sample, playlist_sample(replay->playlist, index));
    for (int l = 0; l < sample->lane_count && replay->view.cols > 0; l++) {
        struct lane_sample *lane = &sample->lanes[l];
        field_resample(&lane->field, &replay->view, lane->nx, lane->ny);
    }
    replay->shown = index;
    playback->position_s = 1e-9 * (double)(position_ns(replay) - begin_ns(replay));
    playback->rate = replay->rate;
    playback->paused = replay->paused;
    playback->chapter = chapter_at(replay, index);
    playback->chapter_count = replay->playlist->chapter_count;
    const struct chapter *chapters = replay->playlist->chapters;
    for (int c = 0; c < playback->chapter_count && c < PLAYBACK_CHAPTERS_MAX; c++) {
        const int64_t begins = playlist_time_ns(replay->playlist, chapters[c].sample);
        playback->chapters_s[c] = (float)(1e-9 * (double)(begins - begin_ns(replay)));
    }
    playback->chapter_title[0] = '\0';
    if (playback->chapter >= 0)
        snprintf(playback->chapter_title, sizeof playback->chapter_title, "%s",
                 chapters[playback->chapter].title);
    snprintf(sample->warning, sizeof sample->warning, "%.119s", replay->lost.message);
    text_sanitize(sample->warning); /* the cut may have split a character */
    sample->sequence = ++replay->sequence;
    if (replay->lost.status && index == last_index(replay) && sample->state != SESSION_FINISHED) {
        sample->state = SESSION_FAILED;
        sample->error = replay->lost;
    }
    /* A running session is shown as paused while its replay is. */
    if (replay->paused && sample->state == SESSION_RUNNING)
        sample->state = SESSION_PAUSED;
}

static const struct sample *replay_latest(struct source *source) {
    struct replay *replay = (struct replay *)source;
    uint64_t ignored;
    (void)!read(replay->timer, &ignored, sizeof ignored);
    if (replay->follows && replay->clock() - replay->grown_ns >= grow_ns / 2) {
        const int last = last_index(replay);
        replay->grown_ns = replay->clock();
        replay->follows = playlist_grow(replay->playlist, &replay->lost) == STATUS_OK;
        if (!replay->follows || (last_index(replay) != last && replay->paused))
            replay->shown = -1; /* a paused sample's length has changed */
    }
    const int index = playlist_find(replay->playlist, position_ns(replay));
    if (index != replay->shown)
        make_sample(replay, index);
    set_timer(replay);
    return replay->sample;
}

/* ---- commands ------------------------------------------------------------------------------- */

static void replay_command(struct source *source, const struct command *command) {
    struct replay *replay = (struct replay *)source;
    const double thousandths = (double)command->value / 1000;
    const long last = last_index(replay);
    int index = playlist_find(replay->playlist, position_ns(replay));
    switch (command->kind) {
    case COMMAND_PAUSE: {
        const int64_t now_ns = position_ns(replay);
        const bool restarts =
            !command->value && replay->paused && now_ns == end_ns(replay) && !replay->follows;
        replay->paused = command->value;
        move_to(replay, restarts ? begin_ns(replay) : now_ns);
        break;
    }
    case COMMAND_STEP: {
        const long wanted = index + command->value;
        index = (int)(wanted < 0 ? 0 : wanted > last ? last : wanted);
        replay->paused = true;
        move_to_sample(replay, index);
        break;
    }
    case COMMAND_SEEK: {
        const double length = (double)(end_ns(replay) - begin_ns(replay));
        move_to(replay, begin_ns(replay) + (int64_t)(fmin(fmax(thousandths, 0), 1) * length));
        break;
    }
    case COMMAND_CHAPTER: {
        const long chapter = chapter_at(replay, index) + command->value;
        if (chapter < replay->playlist->chapter_count)
            move_to_sample(replay, chapter < 0 ? 0 : replay->playlist->chapters[chapter].sample);
        break;
    }
    case COMMAND_RATE:
        move_to(replay, position_ns(replay));
        replay->rate = fmin(fmax(thousandths, 0.01), 1000);
        break;
    case COMMAND_RESTART:
        move_to(replay, begin_ns(replay));
        break;
    case COMMAND_VIEW:
        replay->view = command->view;
        break;
    case COMMAND_RACE:
        if (playlist_race(replay->playlist, (enum race)command->value, &index))
            move_to_sample(replay, index);
        break;
    case COMMAND_PLAN:
    case COMMAND_SPEED:
    case COMMAND_PROBE:
    case COMMAND_FINISH:
    case COMMAND_TUNING_SCAN:
        return;
    }
    replay->shown = -1;
    set_timer(replay);
}

void replay_read_last(struct source *source, struct sample *sample) {
    const struct replay *replay = (struct replay *)source;
    sample_copy(sample, playlist_sample(replay->playlist, last_index(replay)));
}

static int replay_descriptor(const struct source *source) {
    return ((const struct replay *)source)->timer;
}

static void replay_close(struct source *source) {
    struct replay *replay = (struct replay *)source;
    if (replay->timer >= 0)
        close(replay->timer);
    sample_destroy(replay->sample);
    playlist_close(replay->playlist);
    free(replay);
}

static enum status replay_check(struct source *source, const struct plan *plan,
                                struct error *error) {
    return error_set(error, STATUS_UNAVAILABLE, "a replay can't be changed: only live runs can");
}

static const struct source_ops replay_ops = {
    .latest = replay_latest,
    .command = replay_command,
    .descriptor = replay_descriptor,
    .check = replay_check,
    .close = replay_close,
};

enum status replay_start(struct playlist *playlist, double rate, bool paused,
                         int64_t (*clock)(void), struct source **source, struct error *error) {
    struct replay *replay = calloc(1, sizeof *replay);
    if (!replay) {
        playlist_close(playlist);
        return error_set(error, STATUS_INTERNAL, "out of memory");
    }
    *replay = (struct replay){
        .base.ops = &replay_ops,
        .playlist = playlist,
        .clock = clock,
        .timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC),
        .paused = paused,
        .rate = rate > 0 ? rate : 1,
        .shown = -1,
        .sample = sample_create(),
    };
    if (!replay->sample || replay->timer < 0) {
        replay_close(&replay->base);
        return error_set(error, STATUS_INTERNAL, "can't start the replay: %s", strerror(errno));
    }
    move_to(replay, begin_ns(replay));
    set_timer(replay);
    *source = &replay->base;
    return STATUS_OK;
}

/* ---- the configuration's replay -------------------------------------------------------------- */

/* A followed file may be created, or get its first sample, later. */
static enum status load_recording(const struct config *config, struct recording **recording,
                                  struct error *error) {
    static const struct timespec nap = {.tv_nsec = 200000000};
    enum { PATIENCE = 25 };
    char path[PATH_SIZE];
    recording_path(path, sizeof path, config->replay);
    enum status status = recording_load(path, recording, error);
    for (int naps = 0; status == STATUS_BAD_INPUT && config->follow && naps < PATIENCE &&
                       !interrupt_is_wanted();) {
        struct stat about;
        const bool there = stat(path, &about) == 0;
        naps += there && about.st_size > 0;
        if (there && !S_ISREG(about.st_mode))
            break;
        nanosleep(&nap, NULL);
        status = recording_load(path, recording, error);
    }
    return status;
}

enum status replay_load(struct config *config, struct playlist **playlist, struct error *error) {
    struct plan *plan = &config->plan;
    struct recording *recording = NULL;
    if (*config->replay)
        TRY(load_recording(config, &recording, error));
    TRY(playlist_open(recording, plan, playlist, error));
    const struct playlist *made = *playlist;
    header_to_config(&(made->whole ? made->whole : made->lanes[0].recording)->header, config);
    /* If lanes were recorded with different references, the first two are shown. */
    for (int l = 1, found = 0; l < made->lane_count && !found; l++) {
        const struct reference *other = &made->lanes[l].recording->header.reference;
        found = strcmp(other->source, config->reference.source) != 0;
        if (found)
            config->second_reference = *other;
    }
    /* The plan of the recorded run. Names unknown to this program are left out. */
    const struct sample *sample = playlist_sample(*playlist, 0);
    plan->lane_count = sample->lane_count > 0 ? sample->lane_count : 1;
    plan->study_count = 0;
    plan->race = sample->race;
    plan->iterations_per_second = 0;
    for (int l = 0; l < plan->lane_count; l++) {
        plan->lanes[l] = plan->lanes[0];
        lane_spec_of_sample(sample, l, &plan->lanes[l]);
    }
    return STATUS_OK;
}

enum status replay_open(struct config *config, int64_t (*clock)(void), struct source **source,
                        struct error *error) {
    struct playlist *playlist;
    TRY(replay_load(config, &playlist, error));
    TRY(replay_start(playlist, config->replay_speed, config->plan.paused,
                     clock ? clock : clock_now_ns, source, error));
    struct replay *replay = (struct replay *)*source;
    replay->follows = config->follow && *config->replay;
    if (replay->follows && !isfinite(config->at_percent) && !isfinite(config->at_seconds))
        config->at_percent = 100;
    const double length_ns = (double)(end_ns(replay) - begin_ns(replay));
    const double wanted_ns = isfinite(config->at_percent)   ? config->at_percent / 100 * length_ns
                             : isfinite(config->at_seconds) ? 1e9 * config->at_seconds
                                                            : 0;
    move_to(replay, begin_ns(replay) + (int64_t)fmin(wanted_ns, length_ns));
    replay->shown = -1;
    set_timer(replay);
    return STATUS_OK;
}
