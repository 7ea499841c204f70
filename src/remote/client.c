#include "remote/client.h"

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
#include "record/format/plan_codec.h"
#include "record/format/stream.h"
#include "remote/command.h"
#include "remote/wire.h"

enum { UNSENT_MAX = 1 << 18, WAITS_ALOUD_MS = 2000, PIECES_AT_ONCE = 16 };

static const int64_t second_ns = 1000000000;

enum check_state { CHECK_NONE, CHECK_WANTED, CHECK_SENT, CHECK_DONE };

struct client {
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
    struct framer framer;
    bool greeted, lost;           /* lost: samples are useless until one is full */
    uint32_t heard;               /* number of its last frame */
    int64_t heard_ns, sampled_ns; /* when anything has come, and when the last sample has */
    struct encoder *encoder;      /* of what is sent */
    char *unsent;                 /* lines that the pipe did not take yet */
    size_t unsent_size;
    uint32_t checks; /* number of the last check */

    struct decoder decoder; /* decoder.now is the sample as known now */
    struct sample *shown;   /* as handed out */
    uint64_t sequence;      /* 0: there is no sample yet */
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
static const char *client_name(const struct client *client) {
    return client->command ? client->command : "the solver's process";
}

/* ---- its end ----------------------------------------------------------------------------------
 */

static void answer_check(struct client *client, const struct error *answer) {
    pthread_mutex_lock(&client->mutex);
    if (client->check == CHECK_WANTED || client->check == CHECK_SENT) {
        client->answer = *answer;
        client->check = CHECK_DONE;
        pthread_cond_broadcast(&client->changed);
    }
    pthread_mutex_unlock(&client->mutex);
}

/* What came stays, and says that no more will. */
static void end_process(struct client *client, const struct error *why) {
    struct sample *sample = client->decoder.now;
    const struct lane_spec *spec = plan_first_computed(&client->plan);
    client->dead = client->solved = true;
    for (int l = 0; l < LANES_MAX; l++)
        client->solutions[l] = solution_unknown;
    child_close(&client->child, 0);
    if (client->sequence == 0) {
        snprintf(sample->preset, sizeof sample->preset, "%s", client->plan.preset);
        snprintf(sample->problem, sizeof sample->problem, "%s", spec->engine.problem->name);
        sample->nx = spec->engine.mesh.Nx;
        sample->ny = spec->engine.mesh.Ny;
    }
    sample->sequence = ++client->sequence;
    sample->warning[0] = '\0';
    sample->state = SESSION_FAILED;
    sample->error = *why;
    for (int l = 0; l < sample->lane_count; l++)
        if (sample->lanes[l].state == LANE_RUNNING && !*sample->lanes[l].recorded) {
            sample->lanes[l].state = LANE_FAILED;
            sample->lanes[l].error = *why;
        }
    answer_check(client, why);
}

/* ---- to the other side ---------------------------------------------------------------------- */

static void watch_descriptor(struct client *client, int fd, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    if (fd >= 0)
        epoll_ctl(client->events, operation, fd, &event);
}

static void flush_lines(struct client *client) {
    size_t done = 0;
    while (done < client->unsent_size && client->child.to >= 0) {
        const ssize_t size =
            write(client->child.to, client->unsent + done, client->unsent_size - done);
        if (size <= 0 && errno != EINTR)
            break; /* full; or gone, as its output will tell */
        done += size > 0 ? (size_t)size : 0;
    }
    memmove(client->unsent, client->unsent + done, client->unsent_size - done);
    client->unsent_size -= done;
    watch_descriptor(client, client->child.to, client->unsent_size ? EPOLLOUT : 0, EPOLL_CTL_MOD);
}

/* Of what the other side does not take only so much is kept: then it is given up, for it would not
 * do what it was not told. */
static void send_body(struct client *client, enum frame_kind kind, const struct codec *codec) {
    const struct encoder *encoder = client->encoder;
    struct error why = {0};
    if (client->child.to < 0 || encoder_end(client->encoder, kind, 0, codec, &why))
        return;
    if (client->unsent_size + wire_room(encoder->size) > UNSENT_MAX) {
        error_set(&why, STATUS_DEVICE_FAILED,
                  "%.100s takes no commands: %d kB wait for it, and no more can",
                  client_name(client), UNSENT_MAX / 1000);
        end_process(client, &why);
        return;
    }
    client->unsent_size += wire_write(client->unsent + client->unsent_size, WIRE_TO_SOLVER,
                                      encoder->bytes, encoder->size);
    flush_lines(client);
}

static void send_empty(struct client *client, enum frame_kind kind) {
    const struct codec codec = encoder_begin(client->encoder);
    send_body(client, kind, &codec);
}

static void send_command(struct client *client, const struct command *command) {
    struct codec codec = encoder_begin(client->encoder);
    struct command sent = *command;
    command_code(&codec, &sent, &client->plan);
    send_body(client, FRAME_COMMAND, &codec);
}

static void send_check(struct client *client) {
    struct codec codec = encoder_begin(client->encoder);
    number_code(&codec, ++client->checks);
    plan_code(&codec, &client->asked);
    send_body(client, FRAME_CHECK, &codec);
}

/* ---- its beginning and its end -------------------------------------------------------------- */

static enum status begin_process(struct client *client, struct error *error) {
    char handshake[HANDSHAKE_SIZE];
    const enum status status =
        command_start(&client->child, client->command, client->kernels, error);
    if (status)
        return status;
    framer_finish(&client->framer);
    client->dead = client->planned = client->greeted = client->lost = client->solved = false;
    client->heard = client->encoder->number = 0;
    client->heard_ns = clock_now_ns();
    watch_descriptor(client, client->child.to, 0, EPOLL_CTL_ADD);
    watch_descriptor(client, client->child.from, EPOLLIN, EPOLL_CTL_ADD);
    watch_descriptor(client, client->child.errors, EPOLLIN, EPOLL_CTL_ADD);
    client->unsent_size = (size_t)sprintf(client->unsent, "%s\n", handshake_print(handshake));
    flush_lines(client);
    return STATUS_OK;
}

static void send_plan(struct client *client) {
    client->planned = true;
    send_command(client, &(struct command){
                             .kind = COMMAND_PLAN, .view = client->view, .plan = &client->plan});
}

static void report_exit(struct client *client) {
    char words[ERROR_MESSAGE_SIZE];
    struct error why = {0};
    /* Launchers tell what has happened after the output has ended. */
    child_wait(&client->child, limit_ns(LIMIT_END) / 1000000);
    const int own = child_exit_status(&client->child);
    child_exit_reason(&client->child, words, sizeof words);
    /* Of the user's own kernels the guard's line, its last, says which has failed, and enough. */
    const char *last =
        client->kernels && client->child.ended
            ? sandbox_exit_reason(client->child.status, child_last_line(&client->child))
            : "";
    if (*last) {
        error_set(&why, STATUS_DEVICE_FAILED, "%s", last);
        end_process(client, &why);
        return;
    }
    /* This program says what has failed by its status; of others that is not known. */
    error_set(&why,
              !client->command && own > STATUS_OK && own <= STATUS_DIVERGED ? (enum status)own
              : client->sequence > 0                                        ? STATUS_DEVICE_FAILED
                                                                            : STATUS_UNAVAILABLE,
              "%.100s %s", client_name(client), words);
    end_process(client, &why);
}

/* ---- from the other side -------------------------------------------------------------------- */

static void take_handshake(struct client *client, const char *there) {
    char here[HANDSHAKE_SIZE];
    struct error why = {0};
    client->greeted = strcmp(there, handshake_find(handshake_print(here))) == 0;
    if (client->greeted)
        return;
    error_set(&why, STATUS_UNAVAILABLE,
              "%.100s has jacobi-tui %.60s, this is %s: expected the same", client_name(client),
              there, here);
    text_sanitize(why.message);
    end_process(client, &why);
}

static void take_sample(struct client *client, const struct frame *frame) {
    client->lost = (client->lost && frame->kind != FRAME_FULL) ||
                   decoder_take(&client->decoder, frame) != NULL;
    if (client->lost)
        return;
    struct sample *sample = client->decoder.now;
    sample->sequence = ++client->sequence;
    sample->time_ns = frame->time_ns;
    sample->playback = (struct playback){0};
    client->sampled_ns = clock_now_ns();
    snprintf(sample->remote_command, sizeof sample->remote_command, "%s",
             client->command ? client->command : "");
    text_sanitize(sample->remote_command);
}

/* Takes an answer to a check, or the solutions. */
static void take_answer(struct client *client, const struct frame *frame) {
    if (decoder_body(&client->decoder, frame))
        return;
    struct codec codec = codec_reader(client->decoder.raw, frame->raw);
    struct error answer = {0};
    if (frame->kind == FRAME_SOLUTIONS) {
        solutions_code(&codec, client->solutions);
        client->solved = !codec.failed;
        return;
    }
    const uint32_t check = number_code(&codec, 0);
    error_code(&codec, &answer);
    if (!codec.failed && check == client->checks)
        answer_check(client, &answer);
}

/* Takes a frame, and confirms that it has come. */
static void take_frame(struct client *client, const struct frame *frame) {
    if (!client->greeted)
        return;
    client->lost |= frame->number != client->heard + 1;
    client->heard = frame->number;
    if (frame->kind == FRAME_FULL || frame->kind == FRAME_DIFF)
        take_sample(client, frame);
    else if (frame->kind == FRAME_CHECKED || frame->kind == FRAME_SOLUTIONS)
        take_answer(client, frame);
    client->decoder.now->warning[0] = '\0'; /* it is silent no more */
    struct codec codec = encoder_begin(client->encoder);
    number_code(&codec, client->heard);
    send_body(client, FRAME_SEEN, &codec);
    if (client->lost)
        send_empty(client, FRAME_RESEND);
}

/* Some at a time: the other side may never stop talking, and there are keys and signals besides. */
static void read_lines(struct client *client) {
    char bytes[1 << 14];
    ssize_t size = 0;
    for (int piece = 0; piece < PIECES_AT_ONCE && !client->dead; piece++) {
        size = read(client->child.from, bytes, sizeof bytes);
        if (size <= 0)
            break;
        client->heard_ns = clock_now_ns();
        framer_push(&client->framer, bytes, (size_t)size);
        for (enum framer_found found; !client->dead && (found = framer_next(&client->framer));) {
            const char *line = client->framer.line;
            if (found == FRAMER_FRAME)
                take_frame(client, &client->framer.frame);
            else if (!client->greeted && handshake_find(line))
                take_handshake(client, handshake_find(line));
            else if (!strstr(line, WIRE_TO_SOLVER) && !strstr(line, WIRE_FROM_SOLVER))
                child_log(&client->child, line); /* no echo of ours, and none that is damaged */
        }
    }
    if (client->dead || size > 0 || (size < 0 && (errno == EAGAIN || errno == EINTR)))
        return;
    if (size == 0) {
        report_exit(client);
        return;
    }
    struct error why = {0};
    error_set(&why, STATUS_INTERNAL, "%.100s can't be read: %s", client_name(client),
              strerror(errno));
    end_process(client, &why);
}

/* Takes what has come, without waiting. */
static void take_arrivals(struct client *client) {
    uint64_t ignored;
    while (read(client->timer, &ignored, sizeof ignored) > 0 ||
           read(client->wake, &ignored, sizeof ignored) > 0)
        continue;
    pthread_mutex_lock(&client->mutex);
    client->looked_ns = clock_now_ns();
    const bool ask = client->check == CHECK_WANTED;
    if (ask)
        client->check = CHECK_SENT;
    pthread_mutex_unlock(&client->mutex);
    if (ask && client->dead) {
        struct error error;
        if (begin_process(client, &error))
            answer_check(client, &error);
        else
            client->decoder.now->state = SESSION_FAILED; /* until there is another run */
    }
    if (ask)
        send_check(client);
    if (client->dead)
        return;
    child_read_stderr(&client->child);
    flush_lines(client);
    read_lines(client);
    const int64_t silent_ns = clock_now_ns() - client->heard_ns;
    const int64_t idle_ns = clock_now_ns() - client->sampled_ns;
    const bool is_silent =
        silent_ns > limit_ns(LIMIT_SILENCE); /* else a rank or a device may be stuck */
    const bool is_idle =
        client->decoder.now->state == SESSION_RUNNING && idle_ns > limit_ns(LIMIT_SILENCE);
    if (!client->dead && client->sequence > 0 && (is_silent || is_idle))
        snprintf(client->decoder.now->warning, sizeof client->decoder.now->warning,
                 is_silent ? "nothing has come from %.60s for %d s"
                           : "no iteration has come from %.60s for %d s",
                 client_name(client), (int)((is_silent ? silent_ns : idle_ns) / second_ns));
}

/* ---- the source ----------------------------------------------------------------------------- */

static const struct sample *client_latest(struct source *source) {
    struct client *client = (struct client *)source;
    take_arrivals(client);
    if (!client->sequence)
        return NULL;
    if (client->shown->sequence != client->sequence)
        sample_copy(client->shown, client->decoder.now);
    memcpy(client->shown->warning, client->decoder.now->warning, sizeof client->shown->warning);
    return client->shown;
}

/* Runs the plan in a process that has none yet: one that a check has begun, or a new one. */
static void start_anew(struct client *client) {
    struct error error = {0};
    if (client->dead && begin_process(client, &error)) {
        end_process(client, &error);
        return;
    }
    client->decoder.now->state = SESSION_OPENING;
    client->decoder.now->lane_count = 0;
    client->decoder.now->error = (struct error){0};
    client->decoder.now->sequence = ++client->sequence;
    eventfd_write(client->wake, 1);
    send_plan(client);
}

void client_load(struct source *source, const char *kernels, const struct plan *plan) {
    struct client *client = (struct client *)source;
    char *copy = strdup(kernels);
    if (!copy)
        return;
    free(client->kernels);
    client->kernels = copy;
    client->plan = *plan;
    if (!client->dead)
        send_empty(client, FRAME_END);
    child_close(&client->child, 0);
    client->dead = true;
    start_anew(client);
}

static void client_command(struct source *source, const struct command *command) {
    struct client *client = (struct client *)source;
    if (command->kind == COMMAND_PLAN)
        client->plan = *command->plan;
    else if (command->kind == COMMAND_VIEW)
        client->view = command->view;
    else if (command->kind == COMMAND_SPEED)
        client->plan.iterations_per_second = (int)command->value;
    else if (command->kind == COMMAND_RACE)
        client->plan.race = (enum race)command->value;
    if (!client->dead && client->planned)
        send_command(client, command);
    else if (command->kind == COMMAND_PLAN || command->kind == COMMAND_RESTART)
        start_anew(client);
}

static int client_descriptor(const struct source *source) {
    return ((const struct client *)source)->events;
}

static bool client_solutions(struct source *source, struct solution solutions[LANES_MAX]) {
    const struct client *client = (const struct client *)source;
    if (client->solved)
        memcpy(solutions, client->solutions, sizeof client->solutions);
    return client->solved;
}

static const char *client_words(const struct source *source, int index) {
    const struct child *child = &((const struct client *)source)->child;
    const int count = child->line_count, first = count > CHILD_LINES ? count - CHILD_LINES : 0;
    return first + index < count ? child->lines[(first + index) % CHILD_LINES] : NULL;
}

/* Waits for news, and takes it. */
static void wait_for_arrivals(struct client *client) {
    struct pollfd ready = {.fd = client->events, .events = POLLIN};
    poll(&ready, 1, 100);
    take_arrivals(client);
}

/* Another thread waits for the owner to take what comes. An owner that has not looked for too long,
 * as one that waits for this thread, is not waited for. */
static void wait_for_owner(struct client *client, int64_t began_ns) {
    struct timespec when;
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_nsec += 100000000;
    when.tv_sec += when.tv_nsec / second_ns;
    when.tv_nsec %= second_ns;
    pthread_cond_timedwait(&client->changed, &client->mutex, &when);
    const int64_t last_ns = client->looked_ns > began_ns ? client->looked_ns : began_ns;
    const bool is_asked = client->check == CHECK_WANTED || client->check == CHECK_SENT;
    if (!is_asked || clock_now_ns() - last_ns <= limit_ns(LIMIT_ANSWER))
        return;
    error_set(&client->answer, STATUS_UNAVAILABLE, "no answer");
    client->check = CHECK_DONE;
}

/* Waits until a check is in that state. Called with the mutex locked. */
static void wait_for_check(struct client *client, enum check_state state) {
    const bool is_owner = pthread_equal(pthread_self(), client->owner);
    const int64_t began_ns = clock_now_ns();
    while (client->check != state) {
        if (!is_owner) {
            wait_for_owner(client, began_ns);
            continue;
        }
        pthread_mutex_unlock(&client->mutex);
        wait_for_arrivals(client);
        pthread_mutex_lock(&client->mutex);
    }
}

static enum status client_check(struct source *source, const struct plan *plan,
                                struct error *error) {
    struct client *client = (struct client *)source;
    pthread_mutex_lock(&client->mutex);
    wait_for_check(client, CHECK_NONE); /* another thread's comes first */
    client->asked = *plan;
    client->check = CHECK_WANTED;
    eventfd_write(client->wake, 1);
    wait_for_check(client, CHECK_DONE);
    client->check = CHECK_NONE;
    pthread_cond_broadcast(&client->changed);
    *error = client->answer;
    pthread_mutex_unlock(&client->mutex);
    return error->status;
}

static void client_close(struct source *source) {
    struct client *client = (struct client *)source;
    if (client->child.pid)
        send_empty(client, FRAME_END);
    if (client->child.pid)
        child_close(&client->child,
                    (int)(limit_ns(LIMIT_END) / 1000000 * (client->command ? 2 : 1)));
    framer_finish(&client->framer);
    decoder_finish(&client->decoder);
    sample_destroy(client->shown);
    const int ours[] = {client->events, client->timer, client->wake};
    for (int k = 0; k < 3; k++)
        if (ours[k] >= 0)
            close(ours[k]);
    pthread_mutex_destroy(&client->mutex);
    pthread_cond_destroy(&client->changed);
    free(client->unsent);
    free(client->command);
    free(client->kernels);
    free(client);
}

static const struct source_ops client_ops = {
    .latest = client_latest,
    .command = client_command,
    .descriptor = client_descriptor,
    .solutions = client_solutions,
    .check = client_check,
    .words = client_words,
    .close = client_close,
};

/* ---- starting ------------------------------------------------------------------------------- */

static struct client *make_remote(const struct client_settings *settings, const struct plan *plan,
                                  const struct view *view) {
    static const struct itimerspec ticks = {.it_interval.tv_sec = 1, .it_value.tv_sec = 1};
    struct client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    client->base.ops = &client_ops;
    client->plan = *plan;
    client->view = *view;
    client->owner = pthread_self();
    client->child.echo = settings->echo;
    client->framer.mark = WIRE_FROM_SOLVER;
    pthread_mutex_init(&client->mutex, NULL);
    pthread_cond_init(&client->changed, NULL);
    client->command = settings->command ? strdup(settings->command) : NULL;
    client->kernels = settings->kernels ? strdup(settings->kernels) : NULL;
    client->unsent = malloc(UNSENT_MAX);
    client->encoder = encoder_create();
    client->shown = sample_create();
    client->events = epoll_create1(EPOLL_CLOEXEC);
    client->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    client->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (decoder_init(&client->decoder) && client->encoder && client->unsent && client->shown &&
        client->events >= 0 && client->timer >= 0 && client->wake >= 0 &&
        (client->command || !settings->command) && (client->kernels || !settings->kernels)) {
        timerfd_settime(client->timer, 0, &ticks, NULL);
        watch_descriptor(client, client->timer, EPOLLIN, EPOLL_CTL_ADD);
        watch_descriptor(client, client->wake, EPOLLIN, EPOLL_CTL_ADD);
        return client;
    }
    client_close(&client->base);
    return NULL;
}

/* Until it has greeted, and answered if it was asked. */
static enum status wait_for_process(struct client *client, const struct client_settings *settings,
                                    struct error *error) {
    const int64_t began = clock_now_ns();
    bool told = !settings->echo || !settings->command;
    while (!client->dead && (!client->greeted || client->check == CHECK_SENT)) {
        if (settings->stop && atomic_load(settings->stop))
            return error_set(error, STATUS_UNAVAILABLE, "interrupted");
        wait_for_arrivals(client);
        if (!told && clock_now_ns() - began > WAITS_ALOUD_MS * (second_ns / 1000)) {
            fprintf(settings->echo, "jacobi-tui: waiting for %s\n", client->command);
            told = true;
        }
    }
    if (client->dead)
        *error = client->decoder.now->error;
    else if (settings->check)
        *error = client->answer;
    return error->status;
}

enum status client_start(const struct client_settings *settings, const struct plan *plan,
                         const struct view *view, struct source **source, struct error *error) {
    struct client *client = make_remote(settings, plan, view);
    if (!client)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    enum status status = begin_process(client, error);
    if (!status) {
        client->asked = *plan;
        client->check = settings->check ? CHECK_SENT : CHECK_NONE;
        if (settings->check)
            send_check(client);
        send_plan(client);
        *error = (struct error){0};
        status = wait_for_process(client, settings, error);
        client->check = CHECK_NONE;
    }
    if (status)
        client_close(&client->base);
    else
        *source = &client->base;
    return status;
}

void client_quiet(struct source *source) {
    ((struct client *)source)->child.echo = NULL;
}
