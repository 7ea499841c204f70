/* The terminal as a device: its modes, its size, its bytes. Knows nothing of what the bytes mean.
 */
#ifndef JACOBI_UI_TERMINAL_TTY_H
#define JACOBI_UI_TERMINAL_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "core/status.h"

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

#endif
