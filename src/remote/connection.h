/* A connection: frames to and from a solver in another process, over its pipes. */
#ifndef JACOBI_REMOTE_CONNECTION_H
#define JACOBI_REMOTE_CONNECTION_H

#include "record/format/stream.h"
#include "remote/command.h"
#include "remote/wire.h"

struct connection {
    const char *command; /* NULL: this program */
    struct child child;
    int events; /* epoll: readable after an arrival, or when more can be sent */
    struct framer framer;
    char input[1 << 14];     /* buffer of the framer */
    struct encoder *encoder; /* makes the outgoing frames */
    char *unsent;            /* lines that the pipe has not accepted yet */
    size_t unsent_size;
    bool greeted;     /* the other side has this version */
    bool has_failed;  /* COMMAND failed: its descendants may keep the output open */
    bool ended;       /* the output has ended */
    int64_t heard_ns; /* clock_awake_ns at the last arrival */
    int reads;        /* since connection_poll */
};

/* `timer` also wakes `events`. False if out of memory or descriptors; connection_finish must be
 * called in any case. */
bool connection_init(struct connection *connection, const char *command, int timer);
void connection_finish(struct connection *connection);

/* The name of the other side in messages. */
const char *connection_name(const struct connection *connection);

/* Starts the process and sends the handshake. STATUS_INTERNAL if no process can be created. */
enum status connection_open(struct connection *connection, const char *kernels,
                            struct error *error);

/* Sends a frame whose body a codec from encoder_begin has written. Data that the other side does
 * not read is queued. STATUS_DEVICE_FAILED if the queue would exceed its limit, because the other
 * side would miss that frame. */
enum status connection_send(struct connection *connection, enum frame_kind kind,
                            const struct codec *codec, struct error *error);

/* Sends queued data, and stores lines that the other side has printed. */
void connection_poll(struct connection *connection);

/* Takes the next received frame into connection->framer.frame, without waiting. It is valid until
 * the next call. Frames before the handshake are skipped. False if there is none until
 * connection_poll, or the output has ended. False with an *error if the output can't be read or has
 * another version. */
bool connection_next(struct connection *connection, struct error *error);

#endif
