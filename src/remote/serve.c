/* The other end of a remote (remote/remote.h): serves a session on standard input and output. */
#include "remote/remote.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

#include "core/limits.h"
#include "core/sandbox.h"
#include "core/system.h"
#include "kernels/backends.h"
#include "record/format/sample_codec.h"
#include "record/format/stream.h"
#include "remote/line.h"
#include "remote/message.h"
#include "session/session.h"

/* So many samples may be on their way at once. */
enum { SAMPLES_AWAY = 3, ALIVE_MS = 1000 };

static const int64_t alive_ns = 900000000, full_period_ns = INT64_C(10000000000);

struct server {
    struct plan plan; /* of the run, if no other is sent */
    int out, wake;    /* the stream; eventfd: something of what follows has changed */
    pthread_t tracer;

    pthread_mutex_t mutex; /* guards from here … */
    struct source *source; /* NULL until the first command, and after the end */
    unsigned seen;         /* the newest message that has arrived there */
    bool full, gone, answered;
    struct error answer, failure;
    unsigned check; /* that `answer` is to; 0: there was none */
    /* … to here */

    struct line_reader reader; /* the tracer's own */
    bool greeted;

    unsigned number; /* of the last message; the writer's own, as the rest */
    unsigned last_sample;
    uint64_t sequence;
    int64_t last_ns, last_full_ns;
    bool solved;
    struct encoder *encoder;
    uint8_t *bytes; /* a message */
    char *lines;
    size_t room;
};

/* ---- listening: a thread of its own --------------------------------------------------------- */

/* `why`: of status 0 if nothing has failed. */
static void server_end(struct server *server, const struct error *why) {
    pthread_mutex_lock(&server->mutex);
    if (!server->gone)
        server->failure = *why;
    server->gone = true;
    pthread_mutex_unlock(&server->mutex);
    alarm((unsigned)ceil(limit_of(LIMIT_END))); /* whatever the solver does just now */
    eventfd_write(server->wake, 1);
}

static void server_take_hello(struct server *server, const char *there) {
    char here[HELLO_SIZE];
    struct error error = {0};
    server->greeted = strcmp(there, hello_find(hello_print(here))) == 0;
    if (server->greeted)
        return;
    error_set(&error, STATUS_UNAVAILABLE, "this is %s, the screen's is %.60s: expected the same",
              here, there);
    server_end(server, &error);
}

static void server_obey(struct server *server, struct command *command, struct plan *plan) {
    struct view view = {.cols = 64, .rows = 32, .x1 = 1, .y1 = 1};
    struct error error = {0};
    if (command->view.cols > 0)
        view = command->view;
    pthread_mutex_lock(&server->mutex); /* nobody closes it meanwhile */
    if (server->source)
        server->source->ops->command(server->source, command);
    else if (!server->gone)
        session_start(command->kind == COMMAND_PLAN ? plan : &server->plan, &view, &server->source,
                      &error);
    pthread_mutex_unlock(&server->mutex);
    if (error.status)
        server_end(server, &error);
}

/* `wrong`: why it could not be read, or NULL. */
static void server_check(struct server *server, unsigned check, const struct plan *plan,
                         const char *wrong) {
    struct error error = {0};
    if (wrong)
        error_set(&error, STATUS_BAD_INPUT, "%s", wrong);
    else
        plan_check(plan, &error);
    pthread_mutex_lock(&server->mutex);
    server->answer = error;
    server->check = check;
    server->answered = true;
    pthread_mutex_unlock(&server->mutex);
}

static void server_take(struct server *server, const struct message *message) {
    struct codec codec = codec_reader(message->bytes, message->size);
    struct command command = {0};
    static struct plan plan; /* the tracer's: too large for its stack */
    unsigned number = 0;
    if (!server->greeted)
        return;
    switch (message->kind) {
    case MESSAGE_COMMAND:
        message_code_command(&codec, &command, &plan);
        if (!codec.failed)
            server_obey(server, &command, &plan);
        break;
    case MESSAGE_CHECK:
        message_code_number(&codec, &number);
        message_code_plan(&codec, &plan);
        server_check(server, number, &plan, codec.failed);
        break;
    case MESSAGE_END:
        server_end(server, &(struct error){0});
        break;
    case MESSAGE_SEEN:
    case MESSAGE_FULL:
        if (message->kind == MESSAGE_SEEN)
            message_code_number(&codec, &number);
        pthread_mutex_lock(&server->mutex);
        if (message->kind == MESSAGE_FULL)
            server->full = true;
        else if (!codec.failed && number > server->seen)
            server->seen = number;
        pthread_mutex_unlock(&server->mutex);
        break;
    default:
        break;
    }
    eventfd_write(server->wake, 1);
}

static void *server_listen(void *argument) {
    struct server *server = argument;
    struct error error = {0};
    char bytes[4096];
    while (!error.status) {
        const ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
        if (size == 0)
            break;
        if (size < 0 && errno != EINTR)
            error_set(&error, STATUS_INTERNAL, "standard input can't be read: %s", strerror(errno));
        line_give(&server->reader, bytes, size > 0 ? (size_t)size : 0);
        for (enum line_found found; (found = line_take(&server->reader));) {
            const char *there = found == LINE_OTHER ? hello_find(server->reader.line) : NULL;
            if (there && !server->greeted)
                server_take_hello(server, there);
            else if (found == LINE_MESSAGE)
                server_take(server, &server->reader.message);
        }
        if (server->reader.no_memory) /* it will not be sent again */
            error_set(&error, STATUS_INTERNAL, "out of memory");
    }
    server_end(server, &error);
    return NULL;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* A few whole lines at a time: what others write into the same pipe then comes between lines. */
static bool write_whole(int out, const char *bytes, size_t size) {
    while (size > 0) {
        const char *end = size > PIPE_BUF ? memrchr(bytes, '\n', PIPE_BUF) : NULL;
        const ssize_t written = write(out, bytes, end ? (size_t)(end - bytes) + 1 : size);
        if (written < 0 && errno != EINTR)
            return false;
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

/* What can't be written ends it. */
static void server_write(struct server *server, const char *bytes, size_t size) {
    struct error error = {0};
    if (write_whole(server->out, bytes, size))
        return;
    if (errno != EPIPE) /* the screen has gone: no failure of ours */
        error_set(&error, STATUS_INTERNAL, "standard output can't be written: %s", strerror(errno));
    server_end(server, &error);
}

static void server_send(struct server *server, enum message_kind kind, const uint8_t *bytes,
                        size_t size) {
    const struct message message = {(char)kind, ++server->number, bytes, size};
    struct error error = {0};
    if (line_room(size) > server->room) {
        free(server->lines);
        server->room = 2 * line_room(size);
        server->lines = malloc(server->room);
    }
    server->last_ns = clock_now_ns();
    if (server->lines) {
        server_write(server, server->lines, line_write(server->lines, LINE_FROM_SOLVER, &message));
        return;
    }
    error_set(&error, STATUS_INTERNAL, "out of memory");
    server_end(server, &error);
}

/* Sends a sample, and the solutions if it is the last of all. */
static void server_send_sample(struct server *server, const struct sample *sample, bool full) {
    struct codec codec = codec_writer(server->bytes, RECORD_RAW_MAX);
    struct solution solutions[LANES_MAX];
    struct error error = {0};
    const uint8_t *frame;
    size_t size;
    message_code_unrecorded(&codec, (struct sample *)sample);
    full |= server->last_full_ns == 0 || server->last_ns - server->last_full_ns > full_period_ns;
    if (encoder_sample(server->encoder, sample, sample->time_ns, full, true, &frame, &size,
                       &error)) {
        server_end(server, &error);
        return;
    }
    memcpy(server->bytes + codec.at, frame, size);
    server_send(server, MESSAGE_SAMPLE, server->bytes, codec.at + size);
    if (full)
        server->last_full_ns = server->last_ns;
    server->last_sample = server->number;
    server->sequence = sample->sequence;
    if (server->solved || !server->source->ops->solutions(server->source, solutions))
        return;
    codec = codec_writer(server->bytes, RECORD_RAW_MAX);
    message_code_solutions(&codec, solutions);
    server_send(server, MESSAGE_SOLUTIONS, server->bytes, codec.at);
    server->solved = true;
}

/* Waits for something to do, and does it. False: the end. */
static bool server_turn(struct server *server, unsigned *sent, unsigned away[SAMPLES_AWAY]) {
    struct pollfd ready[] = {{.fd = server->wake, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    eventfd_t ignored;
    pthread_mutex_lock(&server->mutex);
    struct source *source = server->source;
    const bool may_send = server->seen >= away[*sent % SAMPLES_AWAY];
    pthread_mutex_unlock(&server->mutex);
    if (source && may_send)
        ready[1].fd = source->ops->descriptor(source);
    poll(ready, 2, ALIVE_MS);
    eventfd_read(server->wake, &ignored);
    pthread_mutex_lock(&server->mutex);
    const bool gone = server->gone, full = server->full;
    const bool answered = server->answered || (full && server->check > 0);
    unsigned check = server->check;
    struct error answer = server->answer;
    server->answered = false;
    pthread_mutex_unlock(&server->mutex);
    if (gone)
        return false;
    if (answered) {
        struct codec codec = codec_writer(server->bytes, RECORD_RAW_MAX);
        message_code_number(&codec, &check);
        message_code_error(&codec, &answer);
        server_send(server, MESSAGE_CHECKED, server->bytes, codec.at);
    }
    const struct sample *sample = source && may_send ? source->ops->latest(source) : NULL;
    if (sample && (sample->sequence != server->sequence || full)) {
        pthread_mutex_lock(&server->mutex);
        server->full = false;
        pthread_mutex_unlock(&server->mutex);
        server->solved &= !full;
        server_send_sample(server, sample, full);
        away[(*sent)++ % SAMPLES_AWAY] = server->last_sample;
    }
    if (clock_now_ns() - server->last_ns > alive_ns)
        server_send(server, MESSAGE_ALIVE, NULL, 0);
    return true;
}

/* ---- opening and closing -------------------------------------------------------------------- */

static enum status server_open(struct server *server, const char *kernels, struct error *error) {
    char hello[HELLO_SIZE + 1];
    struct termios modes;
    server->bytes = malloc(RECORD_RAW_MAX + frame_room(RECORD_RAW_MAX));
    server->encoder = encoder_create();
    server->out = dup(STDOUT_FILENO);
    server->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (server->out < 0 || server->wake < 0)
        return error_set(error, STATUS_INTERNAL, "no descriptor: %s", strerror(errno));
    if (!server->bytes || !server->encoder)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    /* Whatever runtimes print must not come between the lines. */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    if (*kernels) {
        /* Others' code runs in this process alone, and a call of it may last so long. What the
         * drivers start, they start before. */
        const struct sandbox_limits limits = {.cpu_seconds = INFINITY,
                                              .wall_seconds = limit_of(LIMIT_RUN),
                                              .memory_bytes = memory_usable(),
                                              .output_bytes = 1 << 14};
        struct user_library found;
        struct device_list devices;
        const struct backend *backend = backend_of_library(kernels);
        if (!backend)
            return error_set(error, STATUS_BAD_INPUT,
                             "--kernels %.200s: expected a library of this program's", kernels);
        backend->probe(&devices, NULL);
        if (sandbox_begin(&limits, error) || backend->load_user_kernels(kernels, &found, error))
            return error->status;
    }
    /* What is typed into a terminal is echoed: our lines would come back to where they came from.
     */
    if (tcgetattr(STDIN_FILENO, &modes) == 0) {
        modes.c_lflag &= ~(tcflag_t)ECHO;
        tcsetattr(STDIN_FILENO, TCSANOW, &modes);
    }
    signal(SIGINT, SIG_IGN); /* Ctrl-C at the screen is the screen's affair */
    hello_print(hello);
    strcat(hello, "\n");
    server_write(server, hello, strlen(hello));
    const int reason = thread_start(&server->tracer, server_listen, server);
    if (reason)
        return error_set(error, STATUS_INTERNAL, "no thread to listen: %s", strerror(reason));
    pthread_detach(server->tracer); /* it may listen when the process ends */
    return STATUS_OK;
}

enum status serve_run(const struct plan *plan, const char *kernels, struct error *error) {
    static struct server one; /* of the process: its tracer may outlive this call */
    struct server *server = &one;
    unsigned sent = 0, away[SAMPLES_AWAY] = {0};
    server->plan = *plan;
    server->reader.mark = LINE_TO_SOLVER;
    pthread_mutex_init(&server->mutex, NULL);
    enum status status = server_open(server, kernels, error);
    if (status)
        return status;
    while (server_turn(server, &sent, away))
        continue;
    pthread_mutex_lock(&server->mutex);
    struct source *source = server->source;
    server->source = NULL; /* a command that comes now starts none */
    *error = server->failure;
    pthread_mutex_unlock(&server->mutex);
    if (source)
        source->ops->close(source);
    alarm(0);
    return error->status;
}
