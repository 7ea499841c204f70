/* The terminal as a device: its modes, its size, its bytes, and the buffers that ncurses has in its
 * place. Knows nothing of what the bytes mean. */
#ifndef JACOBI_UI_TERMINAL_TTY_H
#define JACOBI_UI_TERMINAL_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <termios.h>

#include "core/status.h"
#include "ui/terminal/vt_filter.h"

struct tty {
    int in, out; /* out is a description of its own, so that it alone can be non-blocking */
    struct termios before;
    bool raw;
    char *waiting; /* bytes not yet taken by the terminal */
    size_t waiting_count, waiting_room;
    bool gone; /* the terminal went away: EOF or EIO */
};

/* Takes standard input and output. STATUS_BAD_INPUT if either is no terminal. */
enum status tty_open(struct tty *tty, struct error *error);

/* Gives back the modes and waits at most a second for the last bytes to be taken. */
void tty_close(struct tty *tty);

/* Raw: keys come one by one and unseen, signals from the keyboard still work. Restore: as before.
 */
void tty_raw(struct tty *tty);
void tty_restore(struct tty *tty);

/* Larger than any screen. Who sets a window's size may set 65535×65535. */
enum { TTY_COLS_MAX = 1000, TTY_ROWS_MAX = 500 };

/* The size that we draw: the window's; if the system knows none, that of COLUMNS and LINES, or
 * 80×24. At most TTY_COLS_MAX × TTY_ROWS_MAX: what is beyond stays blank. */
void tty_size(const struct tty *tty, int *cols, int *rows);

/* The pixels of one cell, as the system knows them: of what a border takes some cells get more.
 * 0×0: it doesn't. */
void tty_cell_size(const struct tty *tty, double *width, double *height);

/* Queues bytes. False: no memory. */
bool tty_write(struct tty *tty, const char *bytes, size_t count);
bool tty_write_text(struct tty *tty, const char *text);

/* Writes as many of them as the terminal takes now; never blocks. */
void tty_flush(struct tty *tty);

/* As tty_flush, but waits up to so many milliseconds; what is left then is thrown away. */
void tty_drain(struct tty *tty, int milliseconds);

/* Reads what has been typed; 0: nothing. Sets tty->gone at the end of input. */
size_t tty_read(struct tty *tty, char *bytes, size_t room);

/* ---- what ncurses reads and writes instead of the terminal
 *
 * A pipe of what was typed, and memory for the bytes of a frame, which then go to the terminal in
 * one piece. */

struct buffers {
    FILE *frame; /* in memory: what ncurses writes */
    FILE *typed; /* what ncurses reads */
    int typing;  /* the other end of that */
};

/* False if there is no memory or no descriptor for them; to be closed all the same. */
bool buffers_open(struct buffers *buffers);

/* All zeroes, as before buffers_open, is allowed. */
void buffers_close(struct buffers *buffers);

/* Hands what was written since to the terminal, through the VT filter (`colors` as there), and
 * bracketed as one synchronised update if the terminal knows that. Returns the bytes that the
 * terminal gets. */
size_t buffers_pass_on(struct buffers *buffers, struct tty *tty, const struct vt_colors *colors,
                       bool synchronised);

/* Hands what was typed to ncurses; what a full pipe doesn't take is lost. */
void buffers_type(const struct buffers *buffers, const char *bytes, size_t count);

#endif
