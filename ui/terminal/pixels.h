/* Real pixels: whether the terminal supports them, and when a picture is sent.
 *
 * The terminal is queried without waiting for its replies. The first query is kitty's; only
 * terminals with its graphics reply. DA1 follows: every terminal replies to it, and the reply
 * reports sixels. A terminal with sixels alone is then queried for the sizes of cells and pictures,
 * its colours, and DA1 again.
 *
 * Kitty's pictures are above blanks, or below the text of their area, if there is any (kitty on
 * Mesa's software renderer keeps old text above a picture). The terminal scales them. Sixels
 * overwrite text and are in pixels of the terminal. */
#pragma once

#include <stdio.h>

#include "ui/draw/theme.h"
#include "ui/terminal/input.h"
#include "ui/terminal/tty.h"

/* The pictures' share of a slow line; the rest is for text. */
enum { PICTURE_BYTES_PER_SECOND = 60000 };

enum pixel_protocol { PROTOCOL_NONE, PROTOCOL_KITTY, PROTOCOL_SIXEL };

struct shown_picture {
    struct area area;
    uint64_t hash;
    char *bytes; /* last encoded; owned */
    size_t length;
    bool is_sent;  /* these bytes are on the screen */
    bool is_there; /* these or earlier bytes are on the screen */
};

struct pixels {
    enum pixel_mode mode;
    enum pixel_protocol protocol; /* for sending pictures */
    bool failed;                  /* a picture could not be made; no more are shown */
    bool in_multiplexer;          /* tmux or screen: no kitty query */

    bool asks;        /* a query is due after the reply to the last one */
    int64_t until_ns; /* the deadline of a reply; 0: none is due */

    bool has_sixels;             /* the terminal reports them */
    int cell_width, cell_height; /* in the terminal's pixels; 0: unknown */
    int colors;                  /* its colour registers, for sixels */
    int width_most, height_most; /* the largest picture in sixels */
    int coarse;                  /* how many times the colours are halved to save bytes */

    bool under_text; /* kitty's pictures are below text, not above blanks */
    int count;       /* pictures shown */
    struct shown_picture shown[PICTURES_MAX];
    int64_t next_ns;        /* no new pictures before this time: limits the rate */
    int64_t retry_after_ns; /* no pictures before this time: the last ones were too large */
    bool taken_away;        /* pictures must be removed from the screen */
};

static inline bool pixels_await_reply(const struct pixels *pixels) {
    return pixels->asks || pixels->until_ns;
}

/* Prepares the first query, unless the mode is off. */
void pixels_begin(struct pixels *pixels, enum pixel_mode mode, const char *term);

/* Queries the size of a cell again, after the window's size has changed. */
void pixels_resized(struct pixels *pixels);

/* Sends the query that is due, if any. */
void pixels_ask(struct pixels *pixels, struct tty *tty, int64_t now_ns);

/* Handles a report or string, which may be a reply. */
void pixels_take(struct pixels *pixels, const struct input_event *reply);

/* Sets the number of pixels of a picture for its area. Returns false if no picture can be shown. */
bool pixels_fit(const struct pixels *pixels, struct pixel_picture *picture);

/* Whether pictures of those areas may be sent now. */
bool pixels_are_due(const struct pixels *pixels, const struct pixel_picture *pictures, int count,
                    int64_t now_ns);

/* Whether the areas differ from those shown. */
bool pixels_have_moved(const struct pixels *pixels, const struct pixel_picture *pictures,
                       int count);

/* Encodes the pictures that are due and differ from those shown; moved ones need their roles.
 * Returns the number on the screen from now on: all, or none if cells must replace them. Cells
 * replace them if encoding fails or if sending would take more than a second on a slow line. */
int pixels_renew(struct pixels *pixels, const struct pixel_picture *pictures, int count,
                 const struct palette *palette, int64_t now_ns);

/* Sends new pictures, and all of them if text has `damaged` sixels. Removes kitty's old pictures;
 * text overwrites sixels. Returns the number of bytes sent again. */
size_t pixels_send(struct pixels *pixels, struct tty *tty, bool damaged, int64_t now_ns);

/* Forgets the pictures that are shown. */
void pixels_forget(struct pixels *pixels);

/* ---- pictures as bytes; they move the cursor, since saving it would overwrite the position that
 * some terminals save for the alternate screen */

/* Writes it in kitty's protocol, above or below the text of its area; the terminal scales the
 * picture. It replaces the picture with that number, below PICTURES_MAX. False: no memory. */
bool kitty_write(FILE *file, const struct pixel_picture *picture, int number, bool under_text,
                 const struct palette *palette);

/* Removes all our pictures. */
extern const char kitty_removal[];

/* Whether the build has libsixel, and so sixel_write. */
bool sixel_is_built(void);

/* Writes sixels that overwrite the text of its area: width × height pixels of the terminal in at
 * most `colors` colours, 1 to ROLE_LEVELS. False if libsixel fails. */
bool sixel_write(FILE *file, const struct pixel_picture *picture, int width, int height, int colors,
                 const struct palette *palette);
