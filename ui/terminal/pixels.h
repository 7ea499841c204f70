/* Real pixels: whether the terminal has them, and when a picture is sent.
 *
 * The terminal is asked, without waiting for its replies. First comes kitty's question, which only
 * terminals with its graphics answer. DA1 follows, which all answer and which names sixels. A
 * terminal with sixels alone is then asked for the sizes of cells and pictures, its colours, and
 * DA1 again.
 *
 * Kitty's pictures are above blanks, or below the text of their area, if there is any (kitty on
 * Mesa's software renderer keeps old text above a picture). The terminal scales them. Sixels
 * overwrite text, pixel by pixel of the terminal. */
#ifndef JACOBI_UI_TERMINAL_PIXELS_H
#define JACOBI_UI_TERMINAL_PIXELS_H

#include "ui/draw/theme.h"
#include "ui/terminal/input.h"
#include "ui/terminal/tty.h"

/* The share of pictures on a slow line; the rest is for text. */
enum { PICTURE_BYTES_PER_SECOND = 60000 };

enum pixel_protocol { PROTOCOL_NONE, PROTOCOL_KITTY, PROTOCOL_SIXEL };

struct shown_picture {
    struct area area;
    uint64_t hash;
    char *bytes; /* that were sent; owned */
    size_t length;
    bool is_sent;  /* these bytes were */
    bool is_there; /* these or others before */
};

struct pixels {
    enum pixel_mode mode;
    enum pixel_protocol protocol; /* that pictures are sent by */
    bool failed;                  /* a picture could not be made; no more are shown */
    bool in_multiplexer;          /* tmux or screen: kitty's question is not for them */

    bool asks;        /* a question is due, once the last one is answered */
    int64_t until_ns; /* the time limit of a reply; 0: none is due */

    bool has_sixels;             /* the terminal reports them */
    int cell_width, cell_height; /* in its pixels; 0: not known */
    int colors;                  /* its registers, for sixels */
    int width_most, height_most; /* of a picture in sixels */
    int coarse;                  /* how often the colours are halved to save bytes */

    bool under_text; /* kitty's pictures are below text, not above blanks */
    int count;       /* of pictures that are shown */
    struct shown_picture shown[PICTURES_MAX];
    int64_t next_ns;        /* no others before that, so that no line is flooded */
    int64_t retry_after_ns; /* none until then: they had too many bytes */
    bool taken_away;        /* pictures must be removed from the screen */
};

static inline bool pixels_await_reply(const struct pixels *pixels) {
    return pixels->asks || pixels->until_ns;
}

/* Prepares the first question, unless the mode is off. */
void pixels_begin(struct pixels *pixels, enum pixel_mode mode, const char *term);

/* Asks for the size of a cell again, after the window's size has changed. */
void pixels_resized(struct pixels *pixels);

/* Sends the question that is due, if any. */
void pixels_ask(struct pixels *pixels, struct tty *tty, int64_t now_ns);

/* Handles a report or string, which may be a reply. */
void pixels_take(struct pixels *pixels, const struct input_event *reply);

/* Sets the number of pixels of a picture of that area. False: none can be shown there. */
bool pixels_fit(const struct pixels *pixels, struct pixel_picture *picture);

/* Whether pictures of those areas may be sent now. */
bool pixels_are_due(const struct pixels *pixels, const struct pixel_picture *pictures, int count,
                    int64_t now_ns);

/* Whether the areas differ from those shown. */
bool pixels_have_moved(const struct pixels *pixels, const struct pixel_picture *pictures,
                       int count);

/* Encodes the pictures that are due and differ from those shown; moved ones need their roles.
 * Returns how many are on the screen from now on: all, or none if cells must replace them. Cells do
 * if one could not be made, or if they take a slow line more than a second. */
int pixels_renew(struct pixels *pixels, const struct pixel_picture *pictures, int count,
                 const struct palette *palette, int64_t now_ns);

/* Sends new pictures, and all of them if text has `damaged` sixels. Removes kitty's old ones; text
 * overwrites sixels. Returns the bytes of those sent again. */
size_t pixels_send(struct pixels *pixels, struct tty *tty, bool damaged, int64_t now_ns);

/* Forgets what is shown. */
void pixels_forget(struct pixels *pixels);

/* ---- pictures as bytes; they move the cursor, since saving it would overwrite what some terminals
 * save for the alternate screen */

/* In kitty's protocol, above or below the text of its area, to which the terminal scales it. It
 * replaces the picture of that number, below PICTURES_MAX. NULL without memory; to be freed. */
char *kitty_encode(const struct pixel_picture *picture, int number, bool under_text,
                   const struct palette *palette, size_t *length);

/* Removes all our pictures. */
extern const char kitty_removal[];

/* Whether the build has libsixel, and so sixel_encode_picture. */
bool sixel_is_built(void);

/* As sixels that overwrite the text of its area: width × height pixels of the terminal in at most
 * `colors` colours, 1 to ROLE_LEVELS. NULL if libsixel fails; to be freed. */
char *sixel_encode_picture(const struct pixel_picture *picture, int width, int height, int colors,
                           const struct palette *palette, size_t *length);

#endif
