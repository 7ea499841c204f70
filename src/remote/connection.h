/* A connection: frames to and from a solver in another process, over its pipes. */
#ifndef JACOBI_REMOTE_CONNECTION_H
#define JACOBI_REMOTE_CONNECTION_H

#include "record/format/stream.h"
#include "remote/command.h"
#include "remote/wire.h"

struct connection {
    const char *command; /* NULL: this program */
    struct child child;
    int events; /* epoll: readable if something has come, or more can be sent */
    struct framer framer;
    char input[1 << 14];     /* the framer's */
    struct encoder *encoder; /* makes the frames that are sent */
    char *unsent;            /* lines that the pipe did not take yet */
    size_t unsent_size;
    bool greeted;     /* the other side is of this version */
    bool has_failed;  /* COMMAND: what it has left behind may hold its output open */
    bool ended;       /* its output has */
    int64_t heard_ns; /* when anything has come */
    int reads;        /* since connection_poll */
};

/* `timer` wakes `events`, too. False if there is no memory or no descriptor; connection_finish is
 * due all the same. */
bool connection_init(struct connection *connection, const char *command, int timer);
void connection_finish(struct connection *connection);

/* What messages call the other side. */
const char *connection_name(const struct connection *connection);

/* Starts the process and sends the handshake. STATUS_INTERNAL if no process can be made. */
enum status connection_open(struct connection *connection, const char *kernels,
                            struct error *error);

/* Sends a frame whose body the codec, of encoder_begin, has written. What the other side does not
 * take waits, up to a limit: STATUS_DEVICE_FAILED beyond it, for what the other side was not told
 * it would not do. */
enum status connection_send(struct connection *connection, enum frame_kind kind,
                            const struct codec *codec, struct error *error);

/* Sends what waits, and keeps what the other side has printed. */
void connection_poll(struct connection *connection);

/* The next frame that has come, without waiting, in connection->framer.frame; valid until the next
 * call. Frames before the handshake are skipped. False if there is none until connection_poll, or
 * its output has ended. False with an *error if its output can't be read or it has another version.
 */
bool connection_next(struct connection *connection, struct error *error);

#endif
