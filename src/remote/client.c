#include "remote/client.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "core/limits.h"
#include "core/process.h"
#include "core/sandbox.h"
#include "core/system.h"
#include "core/text.h"
#include "record/format/sample_codec.h"
#include "remote/connection.h"

static const int64_t second_ns = 1000000000, loud_after_ns = 2000000000;

/* The period in which the owner looks for silence: less than the second that counts as a stop. */
static const struct itimerspec look_period = {.it_interval.tv_nsec = 500000000,
                                              .it_value.tv_nsec = 1};

struct client {
    struct source base;
    pthread_mutex_t checking; /* one check at a time; locked before … */
    pthread_mutex_t mutex;    /* … this, which guards the other fields */
    char *command;            /* NULL: this program */
    char *kernels;            /* loaded by this program; may be NULL */
    struct plan plan;
    struct view view;
    pthread_t owner;
    int timer; /* fires every `look_period`, to notice silence, and immediately if there is news */

    struct connection connection;
    bool dead;                 /* the process has ended; the last sample shows that */
    bool planned;              /* has a plan; otherwise it only answers checks */
    bool lost;                 /* samples are useless until the next full one */
    uint32_t heard;            /* number of its last frame */
    uint32_t checks, answered; /* number of the last check, and of the last answered one */
    struct error answer;
    int64_t looked_ns;  /* last time the owner polled */
    int64_t sampled_ns; /* arrival of the last sample; of clock_awake_ns, like the other times */

    struct decoder *decoder;    /* decoder->now is the latest sample */
    struct sample *shown;       /* the returned sample */
    uint64_t sequence;          /* 0: no sample yet */
    char line[CHILD_LINE_SIZE]; /* the returned line */
};

/* Makes the source's descriptor readable immediately, and then periodically. */
static void wake_owner(const struct client *client) {
    timerfd_settime(client->timer, 0, &look_period, NULL);
}

/* ---- exit of the process -------------------------------------------------------------------- */

static void answer_check(struct client *client, const struct error *answer) {
    client->answer = *answer;
    client->answered = client->checks;
}

/* Keeps the last sample, as that of a failed run. */
static void end_process(struct client *client, const struct error *why) {
    struct sample *sample = client->decoder->now;
    const struct lane_spec *spec = plan_first_computed(&client->plan);
    client->dead = true;
    child_close(&client->connection.child, 0);
    if (client->sequence == 0) {
        snprintf(sample->preset, sizeof sample->preset, "%s", client->plan.preset);
        snprintf(sample->problem, sizeof sample->problem, "%s", spec->engine.problem->name);
        sample->nx = spec->engine.mesh.Nx;
        sample->ny = spec->engine.mesh.Ny;
    }
    sample->sequence = ++client->sequence;
    sample->warning[0] = '\0';
    sample->state = SESSION_FAILED;
    sample->is_last = true;
    sample->error = *why;
    for (int l = 0; l < sample->lane_count; l++)
        if (sample->lanes[l].state == LANE_RUNNING && !*sample->lanes[l].recorded) {
            sample->lanes[l].state = LANE_FAILED;
            sample->lanes[l].error = *why;
        }
    answer_check(client, why);
}

/* The output has ended: determines how the process ended. */
static void end_by_exit(struct client *client) {
    struct child *child = &client->connection.child;
    char reason[ERROR_MESSAGE_SIZE];
    const char *kernels_reason = "";
    struct error why = {0};
    /* Launchers report the reason after the end of the output. */
    child_wait(child, limit_ns(LIMIT_END) / 1000000);
    /* The sandbox's last line names the user's failed kernel, which is enough. */
    if (client->kernels && child->ended)
        kernels_reason = sandbox_exit_reason(child->status, child_last_line(child));
    /* This program's exit status is an enum status. Other programs' statuses are not. */
    const int own = client->command ? STATUS_OK : child_exit_status(child);
    if (*kernels_reason)
        error_set(&why, STATUS_DEVICE_FAILED, "%s", kernels_reason);
    else
        error_set(&why,
                  own > STATUS_OK && own <= STATUS_DIVERGED ? (enum status)own
                  : client->sequence > 0                    ? STATUS_DEVICE_FAILED
                                                            : STATUS_UNAVAILABLE,
                  "%.100s %s", client->connection.name,
                  child_exit_reason(child, reason, sizeof reason));
    end_process(client, &why);
}

/* ---- sending -------------------------------------------------------------------------------- */

static struct codec begin_frame(const struct client *client) {
    return encoder_begin(client->connection.encoder);
}

static void send_frame(struct client *client, enum frame_kind kind, const struct codec *codec) {
    struct error why = {0};
    if (connection_send(&client->connection, kind, codec, &why))
        end_process(client, &why);
}

static void send_empty(struct client *client, enum frame_kind kind) {
    const struct codec codec = begin_frame(client);
    send_frame(client, kind, &codec);
}

static void send_command(struct client *client, const struct command *command) {
    struct codec codec = begin_frame(client);
    struct command sent = *command;
    command_code(&codec, &sent, &client->plan);
    send_frame(client, FRAME_COMMAND, &codec);
}

static void send_plan(struct client *client) {
    client->planned = true;
    send_command(client, &(struct command){
                             .kind = COMMAND_PLAN, .view = client->view, .plan = &client->plan});
}

static void send_check(struct client *client, const struct plan *plan) {
    struct codec codec = begin_frame(client);
    number_code(&codec, ++client->checks);
    plan_code(&codec, (struct plan *)plan); /* the codec writes: it only reads the plan */
    send_frame(client, FRAME_CHECK, &codec);
}

static enum status begin_process(struct client *client, struct error *error) {
    TRY(connection_open(&client->connection, client->kernels, error));
    client->dead = client->planned = client->lost = false;
    client->heard = 0;
    error_set(&client->answer, STATUS_UNAVAILABLE, "no answer"); /* of the last process */
    client->answered = client->checks;
    return STATUS_OK;
}

/* ---- receiving ------------------------------------------------------------------------------ */

static void take_sample(struct client *client, const struct frame *frame) {
    client->lost =
        (client->lost && frame->kind != FRAME_FULL) || decoder_take(client->decoder, frame);
    if (client->lost)
        return;
    struct sample *sample = client->decoder->now;
    sample->sequence = ++client->sequence;
    sample->time_ns = frame->time_ns;
    sample->playback = (struct playback){0};
    client->sampled_ns = clock_awake_ns();
    snprintf(sample->remote_command, sizeof sample->remote_command, "%s",
             client->command ? client->command : "");
    text_sanitize(sample->remote_command);
}

/* Takes the answer to a check. An unreadable answer is sent again. */
static void take_answer(struct client *client, const struct frame *frame) {
    if (frame_inflate(frame, client->decoder->raw)) {
        client->lost = true;
        return;
    }
    struct codec codec = codec_reader(client->decoder->raw, frame->raw);
    struct error answer = {0};
    const uint32_t check = number_code(&codec, 0);
    error_code(&codec, &answer);
    if (!codec.failed && check == client->checks)
        answer_check(client, &answer);
}

/* Takes a frame and confirms its arrival. */
static void take_frame(struct client *client, const struct frame *frame) {
    const bool misses_some = frame->number != client->heard + 1; /* possibly an answer */
    client->lost |= misses_some;
    client->heard = frame->number;
    if (frame->kind == FRAME_FULL || frame->kind == FRAME_DIFF)
        take_sample(client, frame);
    else if (frame->kind == FRAME_CHECKED)
        take_answer(client, frame);
    client->decoder->now->warning[0] = '\0'; /* no longer silent */
    struct codec codec = begin_frame(client);
    number_code(&codec, client->heard);
    send_frame(client, FRAME_SEEN, &codec);
    if (client->lost || misses_some)
        send_empty(client, FRAME_RESEND);
}

static void take_frames(struct client *client) {
    struct connection *connection = &client->connection;
    struct error why = {0};
    connection_poll(connection);
    while (!client->dead && connection_next(connection, &why))
        take_frame(client, &connection->framer.frame);
    if (!client->dead && connection->ended)
        end_by_exit(client);
    else if (!client->dead && why.status)
        end_process(client, &why);
}

/* Warns of silence: a rank or a device may be blocked. */
static void warn_of_silence(struct client *client) {
    struct sample *sample = client->decoder->now;
    const int64_t now_ns = clock_awake_ns();
    const int64_t silent_ns = now_ns - client->connection.heard_ns;
    const int64_t idle_ns = now_ns - client->sampled_ns;
    const bool is_silent = silent_ns > limit_ns(LIMIT_SILENCE);
    const bool is_idle = sample->state == SESSION_RUNNING && idle_ns > limit_ns(LIMIT_SILENCE);
    if (client->sequence > 0 && (is_silent || is_idle))
        snprintf(sample->warning, sizeof sample->warning,
                 is_silent ? "nothing received from %.60s for %d s"
                           : "no iteration received from %.60s for %d s",
                 client->connection.name, (int)((is_silent ? silent_ns : idle_ns) / second_ns));
    text_sanitize(sample->warning); /* the cut may have split a character */
}

/* Waits without holding the mutex. Received frames concern the owner, too. */
static void wait_for_arrivals(struct client *client) {
    const struct child *child = &client->connection.child;
    struct pollfd ready[] = {{.fd = child->from, .events = POLLIN},
                             {.fd = child->errors, .events = POLLIN}};
    pthread_mutex_unlock(&client->mutex);
    poll(ready, 2, 100);
    pthread_mutex_lock(&client->mutex);
    if (!client->dead)
        take_frames(client);
    wake_owner(client);
}

/* The owner gives up if the peer is silent; other threads if the owner has not looked for too long:
 * it may wait for them. */
static enum status client_check(struct source *source, const struct plan *plan,
                                struct error *error) {
    struct client *client = (struct client *)source;
    const bool is_owner = pthread_equal(pthread_self(), client->owner);
    const int64_t began_ns = clock_awake_ns();
    struct error why = {0};
    pthread_mutex_lock(&client->checking);
    pthread_mutex_lock(&client->mutex);
    if (client->dead && begin_process(client, &why)) /* a process without a run */
        answer_check(client, &why);
    else
        send_check(client, plan);
    while (client->answered != client->checks) {
        const int64_t last_ns = is_owner ? client->connection.heard_ns : client->looked_ns;
        const int64_t waited_ns = clock_awake_ns() - (last_ns > began_ns ? last_ns : began_ns);
        if (waited_ns > limit_ns(is_owner ? LIMIT_SILENCE : LIMIT_ANSWER)) {
            error_set(&why, STATUS_UNAVAILABLE, "no answer");
            answer_check(client, &why);
        } else {
            wait_for_arrivals(client);
        }
    }
    *error = client->answer;
    pthread_mutex_unlock(&client->mutex);
    pthread_mutex_unlock(&client->checking);
    return error->status;
}

/* ---- the source ----------------------------------------------------------------------------- */

static const struct sample *client_latest(struct source *source) {
    struct client *client = (struct client *)source;
    uint64_t ignored;
    pthread_mutex_lock(&client->mutex);
    /* NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection): this timer does not block */
    while (read(client->timer, &ignored, sizeof ignored) > 0)
        continue;
    client->looked_ns = clock_awake_ns();
    if (!client->dead && client->answered == client->checks) /* else the checker does */
        take_frames(client);
    if (!client->dead)
        warn_of_silence(client);
    const bool is_there = client->sequence > 0;
    if (is_there && client->shown->sequence != client->sequence)
        sample_copy(client->shown, client->decoder->now);
    memcpy(client->shown->warning, client->decoder->now->warning, sizeof client->shown->warning);
    pthread_mutex_unlock(&client->mutex);
    return is_there ? client->shown : NULL;
}

/* Runs the plan in a process without a run: one that a check has started, or a new one. */
static void start_anew(struct client *client) {
    struct sample *sample = client->decoder->now;
    struct error error = {0};
    if (client->dead && begin_process(client, &error)) {
        end_process(client, &error);
        return;
    }
    sample->state = SESSION_OPENING;
    sample->lane_count = 0;
    sample->is_last = false;
    sample->error = (struct error){0};
    sample->sequence = ++client->sequence;
    wake_owner(client);
    send_plan(client);
}

void client_load(struct source *source, const char *kernels, const struct plan *plan) {
    struct client *client = (struct client *)source;
    char *copy = strdup(kernels);
    if (!copy)
        return;
    pthread_mutex_lock(&client->mutex);
    free(client->kernels);
    client->kernels = copy;
    client->plan = *plan;
    if (!client->dead)
        send_empty(client, FRAME_END);
    child_close(&client->connection.child, 0);
    client->dead = true;
    start_anew(client);
    pthread_mutex_unlock(&client->mutex);
}

static void client_command(struct source *source, const struct command *command) {
    struct client *client = (struct client *)source;
    pthread_mutex_lock(&client->mutex);
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
    pthread_mutex_unlock(&client->mutex);
}

static int client_descriptor(const struct source *source) {
    return ((const struct client *)source)->connection.events;
}

static const char *client_log_line(struct source *source, int index) {
    struct client *client = (struct client *)source;
    const struct child *child = &client->connection.child;
    pthread_mutex_lock(&client->mutex);
    const int count = child->line_count, first = count > CHILD_LINES ? count - CHILD_LINES : 0;
    const bool is_there = first + index < count;
    if (is_there)
        strcpy(client->line, child->lines[(first + index) % CHILD_LINES]);
    pthread_mutex_unlock(&client->mutex);
    return is_there ? client->line : NULL;
}

static void client_close(struct source *source) {
    struct client *client = (struct client *)source;
    const int patience_ms = (int)(limit_ns(LIMIT_END) / 1000000) * (client->command ? 2 : 1);
    if (client->connection.child.pid)
        send_empty(client, FRAME_END);
    if (client->connection.child.pid)
        child_close(&client->connection.child, patience_ms);
    connection_finish(&client->connection);
    decoder_destroy(client->decoder);
    sample_destroy(client->shown);
    if (client->timer >= 0)
        close(client->timer);
    pthread_mutex_destroy(&client->checking);
    pthread_mutex_destroy(&client->mutex);
    free(client->command);
    free(client->kernels);
    free(client);
}

static const struct source_ops client_ops = {
    .latest = client_latest,
    .command = client_command,
    .descriptor = client_descriptor,
    .check = client_check,
    .log_line = client_log_line,
    .close = client_close,
};

/* ---- starting ------------------------------------------------------------------------------- */

static struct client *create_client(const struct client_settings *settings, const struct plan *plan,
                                    const struct view *view) {
    struct client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    client->base.ops = &client_ops;
    client->plan = *plan;
    client->view = *view;
    client->owner = pthread_self();
    client->connection.child.echo = settings->echo;
    pthread_mutex_init(&client->checking, NULL);
    pthread_mutex_init(&client->mutex, NULL);
    client->command = settings->command ? strdup(settings->command) : NULL;
    client->kernels = settings->kernels ? strdup(settings->kernels) : NULL;
    client->shown = sample_create();
    client->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    const bool connects = connection_init(&client->connection, client->command, client->timer);
    client->decoder = decoder_create();
    if (connects && client->decoder && client->shown && client->timer >= 0 &&
        (client->command || !settings->command) && (client->kernels || !settings->kernels)) {
        wake_owner(client);
        return client;
    }
    client_close(&client->base);
    return NULL;
}

/* Waits until the process has sent its handshake, and its answer if one was requested. A process of
 * this machine that examines back ends may be blocked in a driver. */
static enum status wait_for_process(struct client *client, const struct client_settings *settings,
                                    struct error *error) {
    const int64_t began_ns = clock_awake_ns();
    FILE *echo = settings->echo || !settings->echoes_start ? settings->echo : stderr;
    bool is_loud = !echo || !(settings->command || settings->echoes_start);
    while (!client->dead && (!client->connection.greeted || client->answered != client->checks)) {
        const int64_t waited_ns = clock_awake_ns() - began_ns;
        if (atomic_load(interrupt_flag()))
            return error_set(error, STATUS_UNAVAILABLE, "interrupted");
        if (!client->command && !client->kernels && waited_ns > limit_ns(LIMIT_DOCTOR))
            return error_set(error, STATUS_UNAVAILABLE, "%s does not answer: ended after %g s",
                             client->connection.name, limit_of(LIMIT_DOCTOR));
        wait_for_arrivals(client);
        if (!is_loud && waited_ns > loud_after_ns) {
            fprintf(echo, "jacobi-tui: waiting for %s\n", client->connection.name);
            is_loud = true;
        }
    }
    *error = client->dead ? client->decoder->now->error : client->answer;
    return error->status;
}

enum status client_start(const struct client_settings *settings, const struct plan *plan,
                         const struct view *view, struct source **source, struct error *error) {
    struct client *client = create_client(settings, plan, view);
    if (!client)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    pthread_mutex_lock(&client->mutex);
    enum status status = begin_process(client, error);
    if (!status) {
        client->answer = (struct error){0};
        if (settings->check)
            send_check(client, plan);
        send_plan(client);
        status = wait_for_process(client, settings, error);
    }
    if (!status && settings->echoes_start)
        client->connection.child.echo = NULL;
    pthread_mutex_unlock(&client->mutex);
    if (status)
        client_close(&client->base);
    else
        *source = &client->base;
    return status;
}
