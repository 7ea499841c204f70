#include "remote/connection.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/process.h"
#include "core/system.h"
#include "core/text.h"

enum { UNSENT_MAX = 1 << 18, READS_AT_ONCE = 16 };

/* ---- the other process ----------------------------------------------------------------------- */

static const char program[] = "jacobi-tui";

/* Builds "COMMAND jacobi-tui OPTIONS", which the caller frees; NULL if out of memory. The name is
 * omitted if the command's last word, without quotes, is a path of this program. */
static char *command_line(const char *command, const char *options) {
    const size_t length = sizeof program - 1;
    size_t end = strlen(command);
    char *line;
    while (end > 0 && strchr(" \t\n'\"", command[end - 1]))
        end--;
    const bool is_named = end >= length && strncmp(command + end - length, program, length) == 0 &&
                          (end == length || strchr("/ \t\n'\"", command[end - length - 1]));
    return asprintf(&line, "%s %s%s%s", command, is_named ? "" : program, is_named ? "" : " ",
                    options) < 0
               ? NULL
               : line;
}

static enum status start_shell(struct child *child, const char *command, const char *options,
                               const char *title, struct error *error) {
    char *line = command_line(command, options);
    char *const arguments[] = {(char[]){"sh"}, (char[]){"-c"}, line, NULL};
    if (!line)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    const enum status status = child_start(
        child, &(struct child_command){.path = "/bin/sh", .arguments = arguments, .title = title},
        error);
    free(line);
    return status;
}

static enum status start_solver(struct child *child, const char *command, const char *kernels,
                                struct error *error) {
    static const char title[] = "the solver";
    if (command)
        return start_shell(child, command, "--serve", title, error);
    char option[] = "--kernels";
    char *const arguments[] = {(char *)program, (char[]){"--serve"}, kernels ? option : NULL,
                               (char *)kernels, NULL};
    return child_start(child, &(struct child_command){.arguments = arguments, .title = title},
                       error);
}

struct piece {
    char text[4096];
    size_t used;
};

static void print_piece(struct piece *piece, FILE *out) {
    piece->text[piece->used] = '\0';
    piece->used = 0;
    text_sanitize(piece->text);
    fputs(piece->text, out);
}

enum status command_run(const char *command, const char *options, FILE *out, struct error *error) {
    enum { END_MS = 10000 };
    struct child child = {.echo = stderr};
    struct piece piece = {.used = 0};
    char text[ERROR_MESSAGE_SIZE], bytes[4096];
    ssize_t size = 1;
    snprintf(text, sizeof text, "'%.100s'", command);
    TRY(start_shell(&child, command, options, text, error));
    close(child.to);
    child.to = -1;
    bool has_ended = false; /* processes that it left behind may keep its output open */
    while (!interrupt_signal() &&
           (size > 0 || (size < 0 && !has_ended && (errno == EAGAIN || errno == EINTR)))) {
        struct pollfd ready[] = {{.fd = child.from, .events = POLLIN},
                                 {.fd = child.errors, .events = POLLIN},
                                 {.fd = child.pidfd, .events = POLLIN}};
        poll(ready, 3, -1);
        has_ended = child_has_ended(&child);
        child_read_stderr(&child);
        size = read(child.from, bytes, sizeof bytes);
        for (ssize_t b = 0; b < size; b++) { /* newlines and tabs are kept, and end a piece */
            const bool ends = bytes[b] == '\n' || bytes[b] == '\t';
            if (ends || piece.used == sizeof piece.text - 1)
                print_piece(&piece, out);
            if (ends)
                fputc(bytes[b], out);
            else
                piece.text[piece.used++] = bytes[b] ? bytes[b] : '?';
        }
    }
    print_piece(&piece, out);
    child_close(&child, END_MS);
    if (child_exit_status(&child) == STATUS_OK)
        return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%.100s %s", command,
                     child_exit_reason(&child, text, sizeof text));
}

/* ---- opening and closing --------------------------------------------------------------------- */

static void watch(const struct connection *connection, int fd, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    if (fd >= 0)
        epoll_ctl(connection->events, operation, fd, &event);
}

bool connection_init(struct connection *connection, const char *command, int timer) {
    connection->command = command;
    connection->name = command ? command : "the solver's process";
    const bool has_framer = framer_init(&connection->framer, WIRE_FROM_SOLVER);
    connection->encoder = encoder_create();
    connection->unsent = malloc(UNSENT_MAX);
    connection->events = epoll_create1(EPOLL_CLOEXEC);
    watch(connection, timer, EPOLLIN, EPOLL_CTL_ADD);
    return has_framer && connection->encoder && connection->unsent && connection->events >= 0;
}

void connection_finish(struct connection *connection) {
    framer_finish(&connection->framer);
    encoder_destroy(connection->encoder);
    free(connection->unsent);
    if (connection->events >= 0)
        close(connection->events);
}

/* ---- sending -------------------------------------------------------------------------------- */

static void flush_lines(struct connection *connection) {
    const int to = connection->child.to;
    size_t done = 0;
    if (poll(&(struct pollfd){.fd = to}, 1, 0) >
        0) { /* nobody reads: epoll would always be ready */
        close(to);
        connection->child.to = -1;
        connection->unsent_size = 0;
        return;
    }
    while (done < connection->unsent_size && to >= 0) {
        const ssize_t size = write(to, connection->unsent + done, connection->unsent_size - done);
        if (size <= 0 && errno != EINTR)
            break; /* full */
        done += size > 0 ? (size_t)size : 0;
    }
    memmove(connection->unsent, connection->unsent + done, connection->unsent_size - done);
    connection->unsent_size -= done;
    watch(connection, to, connection->unsent_size ? EPOLLOUT : 0, EPOLL_CTL_MOD);
}

enum status connection_open(struct connection *connection, const char *kernels,
                            struct error *error) {
    struct child *child = &connection->child;
    char handshake[HANDSHAKE_SIZE];
    TRY(start_solver(child, connection->command, kernels, error));
    framer_init(&connection->framer, WIRE_FROM_SOLVER);
    connection->greeted = connection->ended = false;
    connection->encoder->number = 0;
    connection->heard_ns = clock_awake_ns();
    watch(connection, child->to, 0, EPOLL_CTL_ADD);
    watch(connection, child->from, EPOLLIN, EPOLL_CTL_ADD);
    watch(connection, child->errors, EPOLLIN, EPOLL_CTL_ADD);
    connection->unsent_size =
        (size_t)sprintf(connection->unsent, "%s\n", handshake_print(handshake));
    flush_lines(connection);
    return STATUS_OK;
}

enum status connection_send(struct connection *connection, enum frame_kind kind,
                            const struct codec *codec, struct error *error) {
    struct encoder *encoder = connection->encoder;
    if (connection->child.to < 0)
        return STATUS_OK; /* the end of the output reports it */
    TRY(encoder_end(encoder, kind, 0, codec, error));
    if (connection->unsent_size + wire_room(encoder->size) > UNSENT_MAX)
        return error_set(error, STATUS_DEVICE_FAILED,
                         "%.100s reads no commands: %d kB are waiting, the limit", connection->name,
                         UNSENT_MAX / 1000);
    connection->unsent_size += wire_write(connection->unsent + connection->unsent_size,
                                          WIRE_TO_SOLVER, encoder->bytes, encoder->size);
    flush_lines(connection);
    return STATUS_OK;
}

/* ---- receiving ------------------------------------------------------------------------------ */

void connection_poll(struct connection *connection) {
    connection->reads = 0;
    connection->has_failed = child_has_ended(&connection->child) && connection->child.status != 0;
    child_read_stderr(&connection->child);
    flush_lines(connection);
}

/* Reads more bytes for the framer; false if there are none. */
static bool read_more(struct connection *connection, struct error *error) {
    if (connection->reads++ == READS_AT_ONCE)
        return false;
    const ssize_t size = read(connection->child.from, connection->input, sizeof connection->input);
    connection->ended = size == 0 || (size < 0 && errno == EAGAIN && connection->has_failed);
    if (size < 0 && errno != EAGAIN && errno != EINTR)
        error_set(error, STATUS_INTERNAL, "%.100s can't be read: %s", connection->name,
                  strerror(errno));
    if (size <= 0)
        return false;
    connection->heard_ns = clock_awake_ns();
    framer_push(&connection->framer, connection->input, (size_t)size);
    return true;
}

/* Handles a line that is not a frame. False if it is the handshake of another version. */
static bool take_line(struct connection *connection, const char *line, struct error *error) {
    char here[HANDSHAKE_SIZE];
    const char *there = connection->greeted ? NULL : handshake_find(line);
    if (!there) {
        if (!strstr(line, WIRE_TO_SOLVER) && !strstr(line, WIRE_FROM_SOLVER))
            child_log(&connection->child, line); /* neither our echo nor a damaged frame */
        return true;
    }
    connection->greeted = strcmp(there, handshake_find(handshake_print(here))) == 0;
    if (connection->greeted)
        return true;
    error_set(error, STATUS_UNAVAILABLE,
              "%.100s has jacobi-tui %.60s, but this is %s: expected the same", connection->name,
              there, here);
    text_sanitize(error->message);
    return false;
}

bool connection_next(struct connection *connection, struct error *error) {
    struct framer *framer = &connection->framer;
    for (;;) {
        const enum framer_found found = framer_next(framer);
        if (found == FRAMER_OTHER && !take_line(connection, framer->line, error))
            return false;
        if (found == FRAMER_FRAME && connection->greeted)
            return true;
        if (found == FRAMER_NONE && !read_more(connection, error))
            return false;
    }
}
