/* Lines: messages as text that survives a pseudo-terminal, mpirun's forwarding and ssh.
 *
 * A message is cut into pieces of at most LINE_DATA bytes, each of which is a line:
 *
 *     jt< 9c1e03aa F 12 0 3 RElGRgAA...
 *
 * the mark of the direction ("jt<" comes from the solver, "jt>" goes to it), the CRC-32 of all that
 * follows it, the kind of the message, its number, the piece's number, how many pieces there are,
 * and the bytes in base64. What stands before the mark is passed over: launchers put names there. A
 * line without a mark is somebody else's; one that is damaged makes its message be lost. */
#ifndef JACOBI_REMOTE_LINE_H
#define JACOBI_REMOTE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_DATA = 660, LINE_SIZE = 1000, LINE_PIECES_MAX = 8192 };

#define LINE_FROM_SOLVER "jt< "
#define LINE_TO_SOLVER "jt> "

struct message {
    char kind;       /* a letter */
    unsigned number; /* as the writer counts: a gap tells that messages were lost */
    const uint8_t *bytes;
    size_t size;
};

/* Bytes that the lines of a message of so many bytes take at most. */
size_t line_room(size_t size);

/* Writes a message's lines to `to`, which has line_room(message->size) bytes; returns how many it
 * took. */
size_t line_write(char *to, const char *mark, const struct message *message);

/* Puts lines and messages together again. Memory is bounded by the largest message. */
struct line_reader {
    const char *mark;  /* of the lines that are read */
    const char *input; /* given, and not yet taken */
    size_t input_size;

    char line[LINE_SIZE + 1];
    size_t used;
    uint8_t *bytes; /* of the message that is being put together; to be freed */
    size_t size, room;
    struct message message;
    unsigned next_piece; /* of it; 0: none is */
    bool no_memory;      /* for a message, which was lost by that */
};

/* Gives bytes to be read, which stay the caller's and as they are until all are taken. */
void line_give(struct line_reader *reader, const char *bytes, size_t size);

enum line_found {
    LINE_NONE,    /* more bytes are needed */
    LINE_MESSAGE, /* reader->message, valid until the next call */
    LINE_OTHER,   /* reader->line is somebody else's, cut to LINE_SIZE, control characters in it */
};

enum line_found line_take(struct line_reader *reader);

/* Frees what it has put together, and makes it begin anew. */
void line_reader_finish(struct line_reader *reader);

#endif
