/* A connection: frames to and from a solver in another process, over its pipes.
 *
 * The process is this program, or the one at the other end of COMMAND: /bin/sh runs "COMMAND
 * jacobi-tui OPTIONS", or "COMMAND OPTIONS" if COMMAND ends in a path of a jacobi-tui. */
#pragma once

#include "core/child.h"
#include "remote/wire.h"

struct connection {
    const char *command; /* NULL: this program */
    const char *name;    /* of the other side in messages */
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

/* Starts the process and sends the handshake. `kernels`: the user's library, which this program
 * loads; or NULL. STATUS_INTERNAL if no process can be created. */
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

/* Runs the program at the other end of `command` to its end, without input or a connection. Its
 * sanitised output goes to `out` and to standard error. STATUS_UNAVAILABLE if its exit status is
 * not 0, STATUS_INTERNAL if no process can be created. */
enum status command_run(const char *command, const char *options, FILE *out, struct error *error);
