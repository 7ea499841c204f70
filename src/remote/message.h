/* What the messages between the two sides hold, by one description for writing and reading
 * (record/format/codec.h), and the line by which each side says who it is. */
#ifndef JACOBI_REMOTE_MESSAGE_H
#define JACOBI_REMOTE_MESSAGE_H

#include "record/format/codec.h"
#include "record/format/stream.h"
#include "remote/line.h"
#include "run/source.h"

/* Of the messages below, and of what they hold. */
enum { PROTOCOL_VERSION = 4 };

enum message_kind {
    /* From the solver. */
    MESSAGE_SAMPLE = 'S',    /* message_code_unrecorded, then a frame of a recording */
    MESSAGE_CHECKED = 'C',   /* the number of the check that it answers, and message_code_error */
    MESSAGE_SOLUTIONS = 'U', /* message_code_solutions: after COMMAND_FINISH and its last sample */
    MESSAGE_ALIVE = 'A',     /* nothing else has been said for a second */
    /* To the solver. */
    MESSAGE_COMMAND = 'D', /* message_code_command; the first must be a COMMAND_PLAN */
    MESSAGE_CHECK = 'K',   /* a number, and message_code_plan: whether it can run */
    MESSAGE_SEEN = 'N',    /* message_code_number: the newest message that has arrived */
    MESSAGE_END = 'E',     /* the end of standard input is not passed on by every terminal */
    MESSAGE_FULL = 'F', /* a message was lost: a sample that needs no other, and all else again */
};

/* A command or a plan never takes more bytes. */
enum { MESSAGE_COMMAND_MAX = 1 << 13 };

enum { HELLO_SIZE = 80 };

/* The first line of each side, without its newline: "jacobi-tui 0.1.0, protocol 4". Returns
 * `buffer`, of HELLO_SIZE bytes. */
char *hello_print(char *buffer);

/* What is behind the name in the first hello that stands in `line` ("0.1.0, protocol 4"); NULL if
 * there is none. */
const char *hello_find(const char *line);

void message_code_plan(struct codec *codec, struct plan *plan);

/* `plan` is that of a COMMAND_PLAN; reading, command->plan points to it. */
void message_code_command(struct codec *codec, struct command *command, struct plan *plan);

void message_code_error(struct codec *codec, struct error *error);
void message_code_solutions(struct codec *codec, struct solution *solutions);
void message_code_number(struct codec *codec, unsigned *number);

/* What a sample holds and a recording doesn't keep; all LANES_MAX are described. */
void message_code_unrecorded(struct codec *codec, struct sample *sample);

/* Reads a MESSAGE_SAMPLE; everything but the sequence is then as it was sent. `lost`: the sample
 * before it did not arrive. NULL, or what is wrong: then the next one must be full. */
const char *message_read_sample(const struct message *message, struct decoder *decoder, bool lost,
                                struct sample *sample);

#endif
