#include "remote/connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "core/system.h"
#include "core/text.h"

enum { UNSENT_MAX = 1 << 18, READS_AT_ONCE = 16 };

static void watch(const struct connection *connection, int fd, uint32_t events, int operation) {
    struct epoll_event event = {.events = events, .data.fd = fd};
    if (fd >= 0)
        epoll_ctl(connection->events, operation, fd, &event);
}

bool connection_init(struct connection *connection, const char *command, int timer) {
    connection->command = command;
    connection->framer.mark = WIRE_FROM_SOLVER;
    connection->encoder = encoder_create();
    connection->unsent = malloc(UNSENT_MAX);
    connection->events = epoll_create1(EPOLL_CLOEXEC);
    watch(connection, timer, EPOLLIN, EPOLL_CTL_ADD);
    return connection->encoder && connection->unsent && connection->events >= 0;
}

void connection_finish(struct connection *connection) {
    framer_finish(&connection->framer);
    encoder_destroy(connection->encoder);
    free(connection->unsent);
    if (connection->events >= 0)
        close(connection->events);
}

const char *connection_name(const struct connection *connection) {
    return connection->command ? connection->command : "the solver's process";
}

/* ---- sending -------------------------------------------------------------------------------- */

static void flush_lines(struct connection *connection) {
    const int to = connection->child.to;
    size_t done = 0;
    while (done < connection->unsent_size && to >= 0) {
        const ssize_t size = write(to, connection->unsent + done, connection->unsent_size - done);
        if (size <= 0 && errno != EINTR)
            break; /* full, or closed: the output then ends, too */
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
    if (command_start(child, connection->command, kernels, error))
        return error->status;
    framer_finish(&connection->framer);
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
    if (encoder_end(encoder, kind, 0, codec, error))
        return error->status;
    if (connection->unsent_size + wire_room(encoder->size) > UNSENT_MAX)
        return error_set(error, STATUS_DEVICE_FAILED,
                         "%.100s reads no commands: %d kB are waiting, the limit",
                         connection_name(connection), UNSENT_MAX / 1000);
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
        error_set(error, STATUS_INTERNAL, "%.100s can't be read: %s", connection_name(connection),
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
              "%.100s has jacobi-tui %.60s, but this is %s: expected the same",
              connection_name(connection), there, here);
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
