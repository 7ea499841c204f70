/* Real pixels, by kitty's graphics protocol: whether the terminal has them, and the bytes of a
 * picture.
 *
 * The terminal is asked and never guessed: a question that only those answer that can, followed by
 * one that all answer (DA1). Nobody waits for either. */
#ifndef JACOBI_UI_TERMINAL_PIXELS_H
#define JACOBI_UI_TERMINAL_PIXELS_H

#include "ui/draw/theme.h"
#include "ui/terminal/tty.h"

/* All zeroes before the question. */
struct pixels {
    bool can;          /* the terminal has said so */
    int64_t until_ns;  /* so long a reply may come in pieces; 0: none is due any more */
    char held[8];      /* the beginning of what may be a reply */
    size_t held_count; /* of it */
    bool inside;       /* of a reply that goes on */
    char text[32];     /* of that reply */
    size_t count;

    struct rect area; /* of the picture that is shown; no cols: none is */
    uint64_t hash;    /* of it */
    int64_t next_ns;  /* another may be sent then, so that no line is flooded */
};

/* Whether to ask: not inside tmux or screen, which would answer for a terminal behind them. */
bool pixels_may_ask(const char *term);

/* The bytes that ask, and those that take every picture of ours away. */
const char *pixels_question(struct pixels *pixels, int64_t now_ns);
extern const char pixels_removal[];

/* Takes the replies out of what was read, `bytes` of `count`, into `keys`, which has room for
 * sizeof pixels->held more; returns how many bytes are left there. */
size_t pixels_take(struct pixels *pixels, const char *bytes, size_t count, int64_t now_ns,
                   char *keys);

/* Whether a picture of that area would be sent now. */
bool pixels_are_due(const struct pixels *pixels, struct rect area, int64_t now_ns);

/* Sends a picture to stand under the text of its area, if it differs from the one that is shown
 * and the bytes of that have had their time on a slow line; without inks the one that is shown
 * stays. NULL: takes the picture away. */
void pixels_show(struct pixels *pixels, struct tty *tty, const struct pixel_picture *picture,
                 const struct palette *palette, int64_t now_ns);

#endif
