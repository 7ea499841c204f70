#include "remote/server.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

#include "core/limits.h"
#include "core/process.h"
#include "core/sandbox.h"
#include "core/system.h"
#include "kernels/backends.h"
#include "record/format/sample_codec.h"
#include "remote/wire.h"
#include "session/worker.h"

/* The most samples in flight. */
enum { SAMPLES_AWAY = 3, ALIVE_MS = 1000 };

static const int64_t alive_ns = 900000000;

struct server {
    struct plan plan; /* runs if no other plan is sent */
    int in, out;      /* the streams */
    int wake;         /* eventfd: a newer sample, or a change of the fields below */

    pthread_mutex_t mutex; /* guards from here … */
    struct worker *worker; /* NULL before the first command, and after the end */
    uint32_t seen;         /* the newest frame that the client has received */
    bool resends, gone, answered;
    struct error answer, failure;
    uint32_t check; /* the check that `answer` is for; 0: none */
    /* … to here */

    struct framer framer; /* used only by the listener */
    bool greeted;

    struct encoder *encoder; /* used only by the writer, like the rest */
    char *lines;
    uint32_t away[SAMPLES_AWAY], sent; /* frame numbers of the last samples; total number sent */
    int64_t last_ns;
};

/* ---- listening, in its own thread ----------------------------------------------------------- */

/* `why` has status 0 if nothing has failed. */
static void end_server(struct server *server, const struct error *why) {
    pthread_mutex_lock(&server->mutex);
    if (!server->gone)
        server->failure = *why;
    server->gone = true;
    pthread_mutex_unlock(&server->mutex);
    alarm((unsigned)ceil(limit_of(LIMIT_END))); /* the solver may be blocked */
    eventfd_write(server->wake, 1);
}

static void take_handshake(struct server *server, const char *there) {
    char here[HANDSHAKE_SIZE];
    struct error error = {0};
    server->greeted = strcmp(there, handshake_find(handshake_print(here))) == 0;
    if (server->greeted)
        return;
    error_set(&error, STATUS_UNAVAILABLE,
              "this is %s, but the screen's is %.60s: expected the same", here, there);
    end_server(server, &error);
}

static void handle_command(struct server *server, struct command *command, struct plan *plan) {
    struct view view = {.cols = 64, .rows = 32, .x1 = 1, .y1 = 1};
    struct error error = {0};
    if (command->view.cols > 0)
        view = command->view;
    pthread_mutex_lock(&server->mutex); /* prevents a stop of the worker */
    if (server->worker)
        worker_command(server->worker, command);
    else if (!server->gone)
        worker_start(command->kind == COMMAND_PLAN ? plan : &server->plan, &view, server->wake,
                     &server->worker, &error);
    pthread_mutex_unlock(&server->mutex);
    if (error.status)
        end_server(server, &error);
}

/* `wrong`: why the plan is unreadable, or NULL. */
static void handle_check(struct server *server, uint32_t check, const struct plan *plan,
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

static void handle_frame(struct server *server, const struct frame *frame) {
    static uint8_t body[WIRE_COMMAND_MAX]; /* of the listener, whose stack is too small */
    static struct plan plan;
    struct codec codec = codec_reader(body, frame->raw);
    struct command command = {0};
    uint32_t number = 0;
    if (!server->greeted || frame->raw > sizeof body || frame_inflate(frame, body))
        return;
    if (frame->kind == FRAME_CHECK || frame->kind == FRAME_SEEN)
        number = number_code(&codec, 0);
    switch (frame->kind) {
    case FRAME_COMMAND:
        command_code(&codec, &command, &plan);
        if (!codec.failed)
            handle_command(server, &command, &plan);
        break;
    case FRAME_CHECK:
        plan_code(&codec, &plan);
        handle_check(server, number, &plan, codec.failed);
        break;
    case FRAME_END:
        end_server(server, &(struct error){0});
        break;
    case FRAME_SEEN:
    case FRAME_RESEND:
        pthread_mutex_lock(&server->mutex);
        server->resends |= frame->kind == FRAME_RESEND;
        if (!codec.failed && number > server->seen)
            server->seen = number;
        pthread_mutex_unlock(&server->mutex);
        break;
    default:
        break;
    }
    eventfd_write(server->wake, 1);
}

static void *listen_to_input(void *argument) {
    struct server *server = argument;
    struct error error = {0};
    char bytes[4096];
    while (!error.status) {
        const ssize_t size = read(server->in, bytes, sizeof bytes);
        if (size == 0)
            break;
        if (size < 0 && errno != EINTR)
            error_set(&error, STATUS_INTERNAL, "standard input can't be read: %s", strerror(errno));
        framer_push(&server->framer, bytes, size > 0 ? (size_t)size : 0);
        for (enum framer_found found; (found = framer_next(&server->framer));) {
            const char *there = found == FRAMER_OTHER ? handshake_find(server->framer.line) : NULL;
            if (there && !server->greeted)
                take_handshake(server, there);
            else if (found == FRAMER_FRAME)
                handle_frame(server, &server->framer.frame);
        }
    }
    end_server(server, &error);
    return NULL;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Whole lines at a time: other processes' output to the same pipe falls between them. */
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

/* A failure to write ends the server. */
static void write_lines(struct server *server, const char *bytes, size_t size) {
    struct error error = {0};
    server->last_ns = clock_now_ns();
    if (write_whole(server->out, bytes, size))
        return;
    if (errno != EPIPE) /* EPIPE: the screen has gone, which is not our failure */
        error_set(&error, STATUS_INTERNAL, "standard output can't be written: %s", strerror(errno));
    end_server(server, &error);
}

/* Sends the encoder's frame, unless encoding failed. */
static void send_frame(struct server *server, const struct error *failure) {
    if (failure->status)
        end_server(server, failure);
    else
        write_lines(server, server->lines,
                    wire_write(server->lines, WIRE_FROM_SOLVER, server->encoder->bytes,
                               server->encoder->size));
}

static void send_body(struct server *server, enum frame_kind kind, const struct codec *codec) {
    struct error error = {0};
    encoder_end(server->encoder, kind, 0, codec, &error);
    send_frame(server, &error);
}

/* Waits for work and does it. False: the end. */
static bool serve_once(struct server *server) {
    struct pollfd ready = {.fd = server->wake, .events = POLLIN};
    struct encoder *encoder = server->encoder;
    struct error failure = {0};
    eventfd_t ignored;
    poll(&ready, 1, ALIVE_MS);
    eventfd_read(server->wake, &ignored);
    pthread_mutex_lock(&server->mutex);
    struct worker *worker = server->worker;
    const bool gone = server->gone, resends = server->resends;
    const bool answered = server->answered || (resends && server->check > 0);
    const bool may_send = server->seen >= server->away[server->sent % SAMPLES_AWAY];
    const uint32_t check = server->check;
    struct error answer = server->answer;
    server->answered = false;
    server->resends &= !may_send;
    pthread_mutex_unlock(&server->mutex);
    if (gone)
        return false;
    if (answered) {
        struct codec codec = encoder_begin(encoder);
        number_code(&codec, check);
        error_code(&codec, &answer);
        send_body(server, FRAME_CHECKED, &codec);
    }
    const bool is_new = worker && may_send && worker_take(worker, &encoder->next);
    const bool repeats = resends && may_send && server->sent > 0;
    if (repeats && !is_new)
        sample_copy(encoder->next, encoder->last);
    if (is_new || repeats) {
        encoder_sample(encoder, encoder->next->time_ns, repeats || server->sent == 0, &failure);
        send_frame(server, &failure);
        server->away[server->sent++ % SAMPLES_AWAY] = encoder->number;
    }
    if (clock_now_ns() - server->last_ns > alive_ns) {
        const struct codec nothing = encoder_begin(encoder);
        send_body(server, FRAME_ALIVE, &nothing);
    }
    return true;
}

/* ---- opening and closing -------------------------------------------------------------------- */

/* The input, if it is a terminal, and its modes. */
static struct {
    int in;
    struct termios modes;
} terminal = {.in = -1};

static void restore_modes(void) {
    if (terminal.in >= 0)
        tcsetattr(terminal.in, TCSANOW, &terminal.modes);
}

static void end_by_signal(int number) {
    restore_modes();
    signal(number, SIG_DFL);
    raise(number);
}

/* A terminal would echo the received lines back to the sender. */
static void stop_echo(int in) {
    struct sigaction action = {.sa_handler = end_by_signal};
    sigset_t ends;
    if (tcgetattr(in, &terminal.modes))
        return;
    terminal.in = in;
    signals_that_end(&ends);
    sigfillset(&action.sa_mask); /* SIGTTOU would stop a process in the background */
    for (int number = 1; number <= SIGRTMAX; number++)
        if (sigismember(&ends, number) == 1)
            sigaction(number, &action, NULL);
    struct termios silent = terminal.modes;
    silent.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(in, TCSANOW, &silent);
}

/* Sandboxes the process and loads the user's library: a call may take at most LIMIT_RUN. The probe
 * lets drivers start their threads and processes first. */
static enum status load_kernels(const char *kernels, struct error *error) {
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
    TRY(sandbox_begin(&limits, error));
    return backend->user_kernels->load(kernels, &found, error);
}

static enum status open_server(struct server *server, const char *kernels, struct error *error) {
    char handshake[HANDSHAKE_SIZE + 1];
    pthread_t listener;
    int nothing[2];
    server->lines = malloc(wire_room(frame_room(FRAME_RAW_MAX)));
    server->encoder = encoder_create();
    server->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    server->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    server->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (server->in < 0 || server->out < 0 || server->wake < 0 || pipe2(nothing, O_CLOEXEC))
        return error_set(error, STATUS_INTERNAL, "no descriptor: %s", strerror(errno));
    if (!framer_init(&server->framer, WIRE_TO_SOLVER) || !server->lines || !server->encoder)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    /* Runtimes' messages go to standard error, so that they can't mix with the lines. User kernels
     * must not read the input. */
    dup2(STDERR_FILENO, STDOUT_FILENO);
    dup2(nothing[0], STDIN_FILENO);
    close(nothing[0]);
    close(nothing[1]);
    if (*kernels && load_kernels(kernels, error))
        return error->status;
    signal(SIGINT, SIG_IGN); /* the screen handles its Ctrl-C */
    stop_echo(server->in);
    handshake_print(handshake);
    strcat(handshake, "\n");
    write_lines(server, handshake, strlen(handshake));
    const int reason = thread_start(&listener, listen_to_input, server);
    if (reason)
        return error_set(error, STATUS_INTERNAL, "can't listen: %s", strerror(reason));
    pthread_detach(listener); /* it may still be listening when the process exits */
    return STATUS_OK;
}

enum status server_run(const struct plan *plan, const char *kernels, struct error *error) {
    static struct server one; /* static, as its listener may outlive this call */
    struct server *server = &one;
    server->plan = *plan;
    pthread_mutex_init(&server->mutex, NULL);
    TRY(open_server(server, kernels, error));
    while (serve_once(server))
        continue;
    pthread_mutex_lock(&server->mutex);
    struct worker *worker = server->worker;
    server->worker = NULL; /* later commands start no worker */
    *error = server->failure;
    pthread_mutex_unlock(&server->mutex);
    if (worker)
        worker_stop(worker);
    alarm(0);
    restore_modes();
    return error->status;
}
