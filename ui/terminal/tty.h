/* The terminal as a device: its modes, its size, its bytes. Doesn't interpret the bytes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "core/status.h"

struct tty {
    int in, out;     /* `out` is opened separately, so that it alone can be non-blocking */
    int standard[2]; /* copies of standard output and error; -1: not this terminal */
    struct termios before;
    bool raw;
    char *waiting; /* bytes not yet taken by the terminal */
    size_t waiting_count, waiting_room;
    bool gone; /* the terminal has disappeared: EOF or EIO */
};

/* Opens standard input and output. STATUS_BAD_INPUT if either is not a terminal. */
enum status tty_open(struct tty *tty, struct error *error);

/* Restores the modes and waits at most a second for the last bytes to be accepted. */
void tty_close(struct tty *tty);

/* Raw: keys arrive one by one, without echo; signals from the keyboard still work. Libraries'
 * output on the terminal is lost. Restore: the previous modes and output. */
void tty_raw(struct tty *tty);
void tty_restore(struct tty *tty);

/* Gives standard output and error back. Safe in a signal handler. */
void tty_restore_output(const struct tty *tty);

/* Larger than any screen. A window may report 65535×65535. */
enum { TTY_COLS_MAX = 1000, TTY_ROWS_MAX = 500 };

/* The size to draw: the window's, else COLUMNS and LINES, else 80×24; at most TTY_COLS_MAX ×
 * TTY_ROWS_MAX. */
struct tty_size {
    int cols, rows;
    double cell_width, cell_height; /* in pixels, with a part of the border; 0: unknown */
};
struct tty_size tty_size(const struct tty *tty);

/* Queues bytes. False: no memory. */
bool tty_write(struct tty *tty, const char *bytes, size_t count);
bool tty_write_text(struct tty *tty, const char *text);

/* Writes as many pending bytes as possible without blocking. */
void tty_flush(struct tty *tty);

/* Flushes for at most that many milliseconds, and drops the rest. */
void tty_drain(struct tty *tty, int milliseconds);

/* Reads input; returns 0 if there is none. Sets tty->gone at end of file. */
size_t tty_read(struct tty *tty, char *bytes, size_t room);
