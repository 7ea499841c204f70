#include "remote/remote.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "core/limits.h"
#include "core/sandbox.h"
#include "core/system.h"
#include "core/text.h"
#include "record/format/stream.h"
#include "remote/command.h"
#include "remote/line.h"
#include "remote/message.h"

enum { UNSENT_MAX = 1 << 18, WAITS_ALOUD_MS = 2000, PIECES_AT_ONCE = 16 };

static const int64_t second_ns = 1000000000;

enum check_state { CHECK_NONE, CHECK_WANTED, CHECK_SENT, CHECK_DONE };

struct remote {
    struct source base;
    char *command; /* NULL: this program */
    char *kernels; /* what it loads; may be NULL */
    struct plan plan;
    struct view view;
    pthread_t owner;
    int events; /* epoll: all that there is to wait for */
    int timer;  /* ticks once a second: silence is noticed, too */
    int wake;   /* eventfd: a check, or a sample that nobody sent */

    struct child child;
    bool dead;    /* it has ended, and the last sample says so */
    bool planned; /* it has been given a plan: without one it only answers checks */
    struct line_reader reader;
    bool greeted, lost;           /* lost: samples are useless until one is full */
    unsigned heard;               /* number of its last message */
    int64_t heard_ns, sampled_ns; /* when anything has come, and when the last sample has */
    char *unsent;                 /* lines that the pipe did not take yet */
    size_t unsent_size;
    unsigned number; /* of our last message */
    unsigned checks; /* number of the last check */

    struct decoder decoder;
    struct sample *news, *shown; /* as known now; as handed out */
    uint64_t sequence;           /* 0: there is no sample yet */
    struct solution solutions[LANES_MAX];
    bool solved;

    pthread_mutex_t mutex; /* guards the rest */
    pthread_cond_t changed;
    enum check_state check;
    struct plan asked;
    struct error answer;
    int64_t looked_ns; /* when the owner last took what had come */
};

/* What messages call the other side. */
static const char *remote_name(const struct remote *remote) {
    return remote->command ? remote->command : "the solver's process";
}

/* ---- its end ----------------------------------------------------------------------------------
 */

static void answer_check(struct remote *remote, const struct error *answer) {
    pthread_mutex_lock(&remote->mutex);
    if (remote->check == CHECK_WANTED || remote->check == CHECK_SENT) {
        remote->answer = *answer;
        remote->check = CHECK_DONE;
        pthread_cond_broadcast(&remote->changed);
    }
    pthread_mutex_unlock(&remote->mutex);
}

/* What came stays, and says that no more will. */
static void end_process(struct remote *remote, const struct error *why) {
    struct sample *sample = remote->news;
    const struct lane_spec *spec = plan_first_computed(&remote->plan);
    remote->dead = remote->solved = true;
    for (int l = 0; l < LANES_MAX; l++)
        remote->solutions[l] = solution_unknown;
    child_close(&remote->child, 0);
    if (remote->sequence == 0) {
        snprintf(sample->preset, sizeof sample->preset, "%s", remote->plan.preset);
        snprintf(sample->problem, sizeof sample->problem, "%s", spec->engine.problem->name);
        sample->nx = spec->engine.mesh.Nx;
        sample->ny = spec->engine.mesh.Ny;
    }
    sample->sequence = ++remote->sequence;
    sample->warning[0] = '\0';
    sample->state = SESSION_FAILED;
    sample->error = *why;
    for (int l = 0; l < sample->lane_count; l++)
        if (sample->lanes[l].state == LANE_RUNNING && !*sample->lanes[l].recorded) {
            sample->lanes[l].state = LANE_FAILED;
            sample->lanes[l].error = *why;
        }
    answer_check(remote, why);
}

/* ---- to the other side ---------------------------------------------------------------------- */

static void watch_descriptor(struct remote *remote, int fd, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    if (fd >= 0)
        epoll_ctl(remote->events, operation, fd, &event);
}

static void flush_lines(struct remote *remote) {
    size_t done = 0;
    while (done < remote->unsent_size && remote->child.to >= 0) {
        const ssize_t size =
            write(remote->child.to, remote->unsent + done, remote->unsent_size - done);
        if (size <= 0 && errno != EINTR)
            break; /* full; or gone, as its output will tell */
        done += size > 0 ? (size_t)size : 0;
    }
    memmove(remote->unsent, remote->unsent + done, remote->unsent_size - done);
    remote->unsent_size -= done;
    watch_descriptor(remote, remote->child.to, remote->unsent_size ? EPOLLOUT : 0, EPOLL_CTL_MOD);
}

/* Of what the other side does not take only so much is kept: then it is given up, for what it was
 * not told it would not do. */
static void send_message(struct remote *remote, enum message_kind kind, const struct codec *codec) {
    const struct message message = {(char)kind, ++remote->number, codec->bytes, codec->at};
    struct error why = {0};
    if (codec->failed || remote->child.to < 0)
        return;
    if (remote->unsent_size + line_room(message.size) > UNSENT_MAX) {
        error_set(&why, STATUS_DEVICE_FAILED,
                  "%.100s takes no commands: %d kB wait for it, and no more can",
                  remote_name(remote), UNSENT_MAX / 1000);
        end_process(remote, &why);
        return;
    }
    remote->unsent_size +=
        line_write(remote->unsent + remote->unsent_size, LINE_TO_SOLVER, &message);
    flush_lines(remote);
}

static void send_command(struct remote *remote, const struct command *command) {
    uint8_t bytes[MESSAGE_COMMAND_MAX];
    struct codec codec = codec_writer(bytes, sizeof bytes);
    struct command sent = *command;
    message_code_command(&codec, &sent, &remote->plan);
    send_message(remote, MESSAGE_COMMAND, &codec);
}

static void send_check(struct remote *remote) {
    uint8_t bytes[MESSAGE_COMMAND_MAX];
    struct codec codec = codec_writer(bytes, sizeof bytes);
    remote->checks++;
    message_code_number(&codec, &remote->checks);
    message_code_plan(&codec, &remote->asked);
    send_message(remote, MESSAGE_CHECK, &codec);
}

/* ---- its beginning and its end -------------------------------------------------------------- */

static enum status begin_process(struct remote *remote, struct error *error) {
    char hello[HELLO_SIZE];
    const enum status status =
        command_start(&remote->child, remote->command, remote->kernels, error);
    if (status)
        return status;
    line_reader_finish(&remote->reader);
    remote->dead = remote->planned = remote->greeted = remote->lost = remote->solved = false;
    remote->heard = remote->number = 0;
    remote->heard_ns = clock_now_ns();
    watch_descriptor(remote, remote->child.to, 0, EPOLL_CTL_ADD);
    watch_descriptor(remote, remote->child.from, EPOLLIN, EPOLL_CTL_ADD);
    watch_descriptor(remote, remote->child.errors, EPOLLIN, EPOLL_CTL_ADD);
    remote->unsent_size = (size_t)sprintf(remote->unsent, "%s\n", hello_print(hello));
    flush_lines(remote);
    return STATUS_OK;
}

static void send_plan(struct remote *remote) {
    remote->planned = true;
    send_command(remote, &(struct command){
                             .kind = COMMAND_PLAN, .view = remote->view, .plan = &remote->plan});
}

static void tell_end(struct remote *remote) {
    char words[ERROR_MESSAGE_SIZE];
    struct error why = {0};
    /* Launchers tell what has happened after the output has ended. */
    child_wait(&remote->child, limit_ns(LIMIT_END) / 1000000);
    const int own = child_status(&remote->child);
    child_exit_reason(&remote->child, words, sizeof words);
    /* Of the user's own kernels the guard's line, its last, says which has failed, and enough. */
    const char *last =
        remote->kernels && remote->child.ended
            ? sandbox_exit_reason(remote->child.status, child_last_line(&remote->child))
            : "";
    if (*last) {
        error_set(&why, STATUS_DEVICE_FAILED, "%s", last);
        end_process(remote, &why);
        return;
    }
    /* This program says what has failed by its status; of others that is not known. */
    error_set(&why,
              !remote->command && own > STATUS_OK && own <= STATUS_DIVERGED ? (enum status)own
              : remote->sequence > 0                                        ? STATUS_DEVICE_FAILED
                                                                            : STATUS_UNAVAILABLE,
              "%.100s %s", remote_name(remote), words);
    end_process(remote, &why);
}

/* ---- from the other side -------------------------------------------------------------------- */

static void take_hello(struct remote *remote, const char *there) {
    char here[HELLO_SIZE];
    struct error why = {0};
    remote->greeted = strcmp(there, hello_find(hello_print(here))) == 0;
    if (remote->greeted)
        return;
    error_set(&why, STATUS_UNAVAILABLE,
              "%.100s has jacobi-tui %.60s, this is %s: expected the same", remote_name(remote),
              there, here);
    text_sanitize(why.message);
    end_process(remote, &why);
}

/* Takes a message, and tells the other side that it has come. */
static void take_message(struct remote *remote, const struct message *message) {
    uint8_t bytes[16];
    struct sample *sample = remote->news;
    struct codec codec = codec_reader(message->bytes, message->size);
    struct error answer = {0};
    unsigned check = 0;
    if (!remote->greeted)
        return;
    remote->lost |= message->number != remote->heard + 1;
    remote->heard = message->number;
    sample->warning[0] = '\0'; /* it is silent no more */
    switch (message->kind) {
    case MESSAGE_SAMPLE:
        remote->lost = message_read_sample(message, &remote->decoder, remote->lost, sample) != NULL;
        if (remote->lost)
            break;
        sample->sequence = ++remote->sequence;
        remote->sampled_ns = clock_now_ns();
        snprintf(sample->remote_command, sizeof sample->remote_command, "%s",
                 remote->command ? remote->command : "");
        text_sanitize(sample->remote_command);
        break;
    case MESSAGE_CHECKED:
        message_code_number(&codec, &check);
        message_code_error(&codec, &answer);
        if (!codec.failed && check == remote->checks)
            answer_check(remote, &answer);
        break;
    case MESSAGE_SOLUTIONS:
        message_code_solutions(&codec, remote->solutions);
        remote->solved = !codec.failed;
        break;
    default:
        break;
    }
    codec = codec_writer(bytes, sizeof bytes);
    message_code_number(&codec, &remote->heard);
    send_message(remote, MESSAGE_SEEN, &codec);
    codec = codec_writer(bytes, 0);
    if (remote->lost)
        send_message(remote, MESSAGE_FULL, &codec);
}

/* Some at a time: the other side may never stop talking, and there are keys and signals besides. */
static void read_lines(struct remote *remote) {
    char bytes[1 << 14];
    ssize_t size = 0;
    for (int piece = 0; piece < PIECES_AT_ONCE && !remote->dead; piece++) {
        size = read(remote->child.from, bytes, sizeof bytes);
        if (size <= 0)
            break;
        remote->heard_ns = clock_now_ns();
        line_give(&remote->reader, bytes, (size_t)size);
        for (enum line_found found; !remote->dead && (found = line_take(&remote->reader));) {
            const char *line = remote->reader.line;
            if (found == LINE_MESSAGE)
                take_message(remote, &remote->reader.message);
            else if (!remote->greeted && hello_find(line))
                take_hello(remote, hello_find(line));
            else if (!strstr(line, LINE_TO_SOLVER) && !strstr(line, LINE_FROM_SOLVER))
                child_log(&remote->child, line); /* no echo of ours, and none that is damaged */
        }
    }
    if (remote->dead || size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR)))
        return;
    if (size == 0) {
        tell_end(remote);
        return;
    }
    struct error why = {0};
    error_set(&why, STATUS_INTERNAL, "%.100s can't be read: %s", remote_name(remote),
              strerror(errno));
    end_process(remote, &why);
}

/* Takes what has come, without waiting. */
static void take_arrivals(struct remote *remote) {
    uint64_t ignored;
    while (read(remote->timer, &ignored, sizeof ignored) > 0 ||
           read(remote->wake, &ignored, sizeof ignored) > 0)
        continue;
    pthread_mutex_lock(&remote->mutex);
    remote->looked_ns = clock_now_ns();
    const bool ask = remote->check == CHECK_WANTED;
    if (ask)
        remote->check = CHECK_SENT;
    pthread_mutex_unlock(&remote->mutex);
    if (ask && remote->dead) {
        struct error error;
        if (begin_process(remote, &error))
            answer_check(remote, &error);
        else
            remote->news->state = SESSION_FAILED; /* until there is another run */
    }
    if (ask)
        send_check(remote);
    if (remote->dead)
        return;
    child_read_stderr(&remote->child);
    flush_lines(remote);
    read_lines(remote);
    const int64_t silent_ns = clock_now_ns() - remote->heard_ns;
    const int64_t idle_ns = clock_now_ns() - remote->sampled_ns;
    const bool is_silent =
        silent_ns > limit_ns(LIMIT_SILENCE); /* else a rank or a device may be stuck */
    const bool is_idle =
        remote->news->state == SESSION_RUNNING && idle_ns > limit_ns(LIMIT_SILENCE);
    if (!remote->dead && remote->sequence > 0 && (is_silent || is_idle))
        snprintf(remote->news->warning, sizeof remote->news->warning,
                 is_silent ? "nothing has come from %.60s for %d s"
                           : "no iteration has come from %.60s for %d s",
                 remote_name(remote), (int)((is_silent ? silent_ns : idle_ns) / second_ns));
}

/* ---- the source ----------------------------------------------------------------------------- */

static const struct sample *remote_latest(struct source *source) {
    struct remote *remote = (struct remote *)source;
    take_arrivals(remote);
    if (!remote->sequence)
        return NULL;
    if (remote->shown->sequence != remote->sequence)
        sample_copy(remote->shown, remote->news);
    memcpy(remote->shown->warning, remote->news->warning, sizeof remote->shown->warning);
    return remote->shown;
}

/* Runs the plan in a process that has none yet: one that a check has begun, or a new one. */
static void start_anew(struct remote *remote) {
    struct error error = {0};
    if (remote->dead && begin_process(remote, &error)) {
        end_process(remote, &error);
        return;
    }
    remote->news->state = SESSION_OPENING;
    remote->news->lane_count = 0;
    remote->news->error = (struct error){0};
    remote->news->sequence = ++remote->sequence;
    eventfd_write(remote->wake, 1);
    send_plan(remote);
}

void remote_load(struct source *source, const char *kernels, const struct plan *plan) {
    struct remote *remote = (struct remote *)source;
    const struct codec nothing = codec_writer(NULL, 0);
    char *copy = strdup(kernels);
    if (!copy)
        return;
    free(remote->kernels);
    remote->kernels = copy;
    remote->plan = *plan;
    if (!remote->dead)
        send_message(remote, MESSAGE_END, &nothing);
    child_close(&remote->child, 0);
    remote->dead = true;
    start_anew(remote);
}

static void remote_command(struct source *source, const struct command *command) {
    struct remote *remote = (struct remote *)source;
    if (command->kind == COMMAND_PLAN)
        remote->plan = *command->plan;
    else if (command->kind == COMMAND_VIEW)
        remote->view = command->view;
    else if (command->kind == COMMAND_SPEED)
        remote->plan.iterations_per_second = (int)command->value;
    else if (command->kind == COMMAND_RACE)
        remote->plan.race = (enum race)command->value;
    if (!remote->dead && remote->planned)
        send_command(remote, command);
    else if (command->kind == COMMAND_PLAN || command->kind == COMMAND_RESTART)
        start_anew(remote);
}

static int remote_descriptor(const struct source *source) {
    return ((const struct remote *)source)->events;
}

static bool remote_solutions(struct source *source, struct solution solutions[LANES_MAX]) {
    const struct remote *remote = (const struct remote *)source;
    if (remote->solved)
        memcpy(solutions, remote->solutions, sizeof remote->solutions);
    return remote->solved;
}

static const char *remote_words(const struct source *source, int index) {
    const struct child *child = &((const struct remote *)source)->child;
    const int count = child->line_count, first = count > CHILD_LINES ? count - CHILD_LINES : 0;
    return first + index < count ? child->lines[(first + index) % CHILD_LINES] : NULL;
}

/* Waits until a check is in that state, as the owner by taking what comes, as another thread for as
 * long as the owner does. Called with the mutex locked. */
static void wait_for_check(struct remote *remote, bool is_owner, enum check_state state) {
    const int64_t began = clock_now_ns();
    while (remote->check != state) {
        if (is_owner) {
            struct pollfd ready = {.fd = remote->events, .events = POLLIN};
            pthread_mutex_unlock(&remote->mutex);
            poll(&ready, 1, 100);
            take_arrivals(remote);
            pthread_mutex_lock(&remote->mutex);
            continue;
        }
        struct timespec when;
        clock_gettime(CLOCK_REALTIME, &when);
        when.tv_nsec += 100000000;
        when.tv_sec += when.tv_nsec / second_ns;
        when.tv_nsec %= second_ns;
        pthread_cond_timedwait(&remote->changed, &remote->mutex, &when);
        const int64_t last = remote->looked_ns > began ? remote->looked_ns : began;
        if (state == CHECK_DONE && remote->check != CHECK_DONE &&
            clock_now_ns() - last > limit_ns(LIMIT_ANSWER)) {
            error_set(&remote->answer, STATUS_UNAVAILABLE, "no answer");
            remote->check = CHECK_DONE;
        }
    }
}

static enum status remote_check(struct source *source, const struct plan *plan,
                                struct error *error) {
    struct remote *remote = (struct remote *)source;
    const bool is_owner = pthread_equal(pthread_self(), remote->owner);
    pthread_mutex_lock(&remote->mutex);
    wait_for_check(remote, is_owner, CHECK_NONE); /* another thread's comes first */
    remote->asked = *plan;
    remote->check = CHECK_WANTED;
    eventfd_write(remote->wake, 1);
    wait_for_check(remote, is_owner, CHECK_DONE);
    remote->check = CHECK_NONE;
    pthread_cond_broadcast(&remote->changed);
    *error = remote->answer;
    pthread_mutex_unlock(&remote->mutex);
    return error->status;
}

static void remote_close(struct source *source) {
    struct remote *remote = (struct remote *)source;
    const struct codec nothing = codec_writer(NULL, 0);
    if (remote->child.pid)
        send_message(remote, MESSAGE_END, &nothing);
    if (remote->child.pid)
        child_close(&remote->child,
                    (int)(limit_ns(LIMIT_END) / 1000000 * (remote->command ? 2 : 1)));
    line_reader_finish(&remote->reader);
    decoder_finish(&remote->decoder);
    sample_destroy(remote->news);
    sample_destroy(remote->shown);
    const int ours[] = {remote->events, remote->timer, remote->wake};
    for (int k = 0; k < 3; k++)
        if (ours[k] >= 0)
            close(ours[k]);
    pthread_mutex_destroy(&remote->mutex);
    pthread_cond_destroy(&remote->changed);
    free(remote->unsent);
    free(remote->command);
    free(remote->kernels);
    free(remote);
}

static const struct source_ops remote_ops = {
    .latest = remote_latest,
    .command = remote_command,
    .descriptor = remote_descriptor,
    .solutions = remote_solutions,
    .check = remote_check,
    .words = remote_words,
    .close = remote_close,
};

/* ---- starting ------------------------------------------------------------------------------- */

static struct remote *make_remote(const struct remote_settings *settings, const struct plan *plan,
                                  const struct view *view) {
    static const struct itimerspec ticks = {.it_interval.tv_sec = 1, .it_value.tv_sec = 1};
    struct remote *remote = calloc(1, sizeof *remote);
    if (!remote)
        return NULL;
    remote->base.ops = &remote_ops;
    remote->plan = *plan;
    remote->view = *view;
    remote->owner = pthread_self();
    remote->child.echo = settings->echo;
    remote->reader.mark = LINE_FROM_SOLVER;
    pthread_mutex_init(&remote->mutex, NULL);
    pthread_cond_init(&remote->changed, NULL);
    remote->command = settings->command ? strdup(settings->command) : NULL;
    remote->kernels = settings->kernels ? strdup(settings->kernels) : NULL;
    remote->unsent = malloc(UNSENT_MAX);
    remote->news = sample_create();
    remote->shown = sample_create();
    remote->events = epoll_create1(EPOLL_CLOEXEC);
    remote->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    remote->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (decoder_init(&remote->decoder) && remote->unsent && remote->news && remote->shown &&
        remote->events >= 0 && remote->timer >= 0 && remote->wake >= 0 &&
        (remote->command || !settings->command) && (remote->kernels || !settings->kernels)) {
        timerfd_settime(remote->timer, 0, &ticks, NULL);
        watch_descriptor(remote, remote->timer, EPOLLIN, EPOLL_CTL_ADD);
        watch_descriptor(remote, remote->wake, EPOLLIN, EPOLL_CTL_ADD);
        return remote;
    }
    remote_close(&remote->base);
    return NULL;
}

/* Until it has greeted, and answered if it was asked. */
static enum status wait_for_process(struct remote *remote, const struct remote_settings *settings,
                                    struct error *error) {
    struct pollfd ready = {.fd = remote->events, .events = POLLIN};
    const int64_t began = clock_now_ns();
    bool told = !settings->echo || !settings->command;
    while (!remote->dead && (!remote->greeted || remote->check == CHECK_SENT)) {
        if (settings->stop && atomic_load(settings->stop))
            return error_set(error, STATUS_UNAVAILABLE, "interrupted");
        poll(&ready, 1, 100);
        take_arrivals(remote);
        if (!told && clock_now_ns() - began > WAITS_ALOUD_MS * (second_ns / 1000)) {
            fprintf(settings->echo, "jacobi-tui: waiting for %s\n", remote->command);
            told = true;
        }
    }
    if (remote->dead)
        *error = remote->news->error;
    else if (settings->check)
        *error = remote->answer;
    return error->status;
}

enum status remote_start(const struct remote_settings *settings, const struct plan *plan,
                         const struct view *view, struct source **source, struct error *error) {
    struct remote *remote = make_remote(settings, plan, view);
    if (!remote)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    enum status status = begin_process(remote, error);
    if (!status) {
        remote->asked = *plan;
        remote->check = settings->check ? CHECK_SENT : CHECK_NONE;
        if (settings->check)
            send_check(remote);
        send_plan(remote);
        *error = (struct error){0};
        status = wait_for_process(remote, settings, error);
        remote->check = CHECK_NONE;
    }
    if (status)
        remote_close(&remote->base);
    else
        *source = &remote->base;
    return status;
}

void remote_quiet(struct source *source) {
    ((struct remote *)source)->child.echo = NULL;
}
