/* The wire between a screen and its solver: the frames of a recording (record/format/frame.h), cut
 * into lines of text that survive pseudo-terminals, launchers and ssh.
 *
 *     jt< CCCCbytes…
 *     jt<+CCCCbytes…
 *
 * A line has a mark ("jt<" comes from the solver, "jt>" goes to it), a blank if a frame begins with
 * it, else a plus, the CRC-32 of all that follows, and some bytes of the frame. Control characters,
 * blanks and "=" are escaped: "=" and the byte with bit 6 changed. Text before the mark is skipped:
 * launchers put names there. A line without a mark, or with a wrong CRC, is not ours. A frame that
 * misses a line is lost. */
#ifndef JACOBI_REMOTE_WIRE_H
#define JACOBI_REMOTE_WIRE_H

#include <stdbool.h>

#include "record/format/frame.h"

/* ---- Who speaks. */

enum { PROTOCOL_VERSION = 5, HANDSHAKE_SIZE = 80 };

/* The first line of each side, without its newline: "jacobi-tui 0.1.0, protocol 5". Returns
 * `buffer`, of HANDSHAKE_SIZE bytes. */
char *handshake_print(char *buffer);

/* What follows the name in the first handshake within `line` ("0.1.0, protocol 5"); NULL if there
 * is none. */
const char *handshake_find(const char *line);

/* ---- Frames by kind. Bodies are described by record/format/plan_codec.h.
 *
 * From the solver:
 *   FRAME_FULL, FRAME_DIFF   a sample
 *   FRAME_CHECKED            the number of the check that it answers, and an error
 *   FRAME_ALIVE              nothing else was sent for a second
 * To the solver:
 *   FRAME_COMMAND            a command; the first is a COMMAND_PLAN
 *   FRAME_CHECK              a number, and a plan: whether it can run
 *   FRAME_SEEN               the number of the newest frame that has arrived
 *   FRAME_RESEND             a frame was lost: a full sample is needed, and all else again
 *   FRAME_END                not every terminal passes on the end of standard input
 */

/* ---- Frames to lines. */

#define WIRE_FROM_SOLVER "jt<"
#define WIRE_TO_SOLVER "jt>"

/* A line, its newline apart; and the body of a frame that goes to the solver. */
enum { WIRE_LINE_MAX = 1000, WIRE_COMMAND_MAX = 1 << 13 };

/* The most bytes that the lines of a frame of so many bytes take. */
size_t wire_room(size_t size);

/* Writes a frame's lines to `to`, which has wire_room(size) bytes; returns their length. */
size_t wire_write(char *to, const char *mark, const uint8_t *frame, size_t size);

/* ---- Lines to frames. Memory is bounded by the largest frame. */

struct framer {
    const char *mark;  /* of the lines that are read */
    const char *input; /* pushed, and not yet read */
    size_t input_size;

    char line[WIRE_LINE_MAX + 1];
    size_t used;
    uint8_t *bytes; /* of the frame that is being put together; to be freed */
    size_t size;
    bool is_open;       /* its first line has come, and none was lost */
    struct frame frame; /* the one that is complete */
    bool no_memory;     /* for a frame, which was lost by that */
};

/* Hands over bytes to be read, which stay the caller's and as they are until all are read. */
void framer_push(struct framer *framer, const char *bytes, size_t size);

enum framer_found {
    FRAMER_NONE,  /* more bytes are needed */
    FRAMER_FRAME, /* framer->frame, valid until the next call */
    FRAMER_OTHER, /* framer->line is somebody else's, cut to WIRE_LINE_MAX, control characters in it
                   */
};

enum framer_found framer_next(struct framer *framer);

/* Frees the unfinished frame. The framer may be used again. */
void framer_finish(struct framer *framer);

#endif
