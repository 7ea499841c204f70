/* What ncurses reads and writes instead of the terminal: a pipe of what was typed, and memory for
 * the bytes of a frame, which then go to the terminal in one piece. */
#ifndef JACOBI_UI_TERMINAL_BUFFERS_H
#define JACOBI_UI_TERMINAL_BUFFERS_H

#include <stdio.h>

#include "ui/terminal/tty.h"

struct buffers {
    FILE *frame; /* in memory: what ncurses writes */
    FILE *typed; /* what ncurses reads */
    int typing;  /* the other end of that */
};

/* False where there is no memory or no descriptor for them; to be closed all the same. */
bool buffers_open(struct buffers *buffers);

/* All zeroes, as before buffers_open, is allowed. */
void buffers_close(struct buffers *buffers);

/* Hands what was written since to the terminal, plainer, and bracketed as one synchronised update
 * where the terminal knows that. Returns the bytes that the terminal gets. */
size_t buffers_pass_on(struct buffers *buffers, struct tty *tty, bool synchronised);

/* Hands what was typed to ncurses; what a full pipe doesn't take is lost. */
void buffers_type(const struct buffers *buffers, const char *bytes, size_t count);

#endif
