/* The wire between a screen and its solver: the frames of a recording (record/format/stream.h),
 * split into lines of text that survive pseudo-terminals, launchers and ssh.
 *
 *     jt< CCCCbytes…
 *     jt<+CCCCbytes…
 *
 * A line has a mark ("jt<" from the solver, "jt>" to it), a blank if it begins a frame, otherwise a
 * plus, the CRC-32 of the remaining line, and some bytes of the frame. Control characters, blanks
 * and "=" are escaped: "=" and the byte with bit 6 inverted. Text before the mark is skipped:
 * launchers insert names. A line without a mark, or with a wrong CRC, is not ours. A frame with a
 * missing line is lost. */
#pragma once

#include <stdbool.h>

#include "record/format/stream.h"

/* ---- The handshake */

enum { PROTOCOL_VERSION = 5, HANDSHAKE_SIZE = 80 };

/* The first line of each side, without its newline: "jacobi-tui 0.1.0, protocol 5". Returns
 * `buffer`, of HANDSHAKE_SIZE bytes. */
char *handshake_print(char *buffer);

/* Finds the text after the name in the first handshake within `line` ("0.1.0, protocol 5"); NULL if
 * there is none. */
const char *handshake_find(const char *line);

/* ---- Frames by kind. record/format/sample_codec.h describes the bodies.
 *
 * From the solver:
 *   FRAME_FULL, FRAME_DIFF   a sample
 *   FRAME_CHECKED            the number of a check, and its answer: an error
 *   FRAME_ALIVE              no other frame was sent for a second
 * To the solver:
 *   FRAME_COMMAND            a command; the first is a COMMAND_PLAN
 *   FRAME_CHECK              a number, and a plan: can it run?
 *   FRAME_SEEN               the number of the newest received frame
 *   FRAME_RESEND             a frame was lost: send a full sample, and all else again
 *   FRAME_END                the end: not every terminal forwards the end of input */

/* ---- Frames to lines */

#define WIRE_FROM_SOLVER "jt<"
#define WIRE_TO_SOLVER "jt>"

/* The length of a line without its newline; the size of the body of a frame to the solver. */
enum { WIRE_LINE_MAX = 1000, WIRE_COMMAND_MAX = 1 << 13 };

/* The maximum size of the lines of a frame of `size` bytes. */
size_t wire_room(size_t size);

/* Writes a frame's lines to `to`, which has wire_room(size) bytes; returns their length. */
size_t wire_write(char *to, const char *mark, const uint8_t *frame, size_t size);

/* ---- Lines to frames. The largest frame bounds the memory. */

struct framer {
    const char *mark;  /* of the accepted lines */
    const char *input; /* pushed but unread bytes */
    size_t input_size;

    char line[WIRE_LINE_MAX + 1];
    size_t used;
    uint8_t *bytes; /* of the incomplete frame */
    size_t size;
    bool is_open;       /* its first line has arrived, and none was lost */
    struct frame frame; /* the complete frame */
};

/* Makes a framer without input: a zeroed one, or once more. False if out of memory. */
bool framer_init(struct framer *framer, const char *mark);
void framer_finish(struct framer *framer);

/* Pushes bytes to read. The caller owns them and keeps them unchanged until all are read. */
void framer_push(struct framer *framer, const char *bytes, size_t size);

enum framer_found {
    FRAMER_NONE,  /* more bytes are needed */
    FRAMER_FRAME, /* framer->frame, valid until the next call */
    FRAMER_OTHER, /* framer->line is a foreign line, cut to WIRE_LINE_MAX, with its control
                   * characters */
};

enum framer_found framer_next(struct framer *framer);
