/* Real pixels: whether the terminal has them, and when a picture is sent.
 *
 * The terminal is asked and never guessed. First: kitty's question, which only those answer that
 * have its graphics, and behind it one that all answer (DA1), whose reply names sixels. Then those
 * with sixels alone: the size of a cell, how many colours, how large a picture, and DA1 again.
 * Nobody waits for replies.
 *
 * Kitty's pictures lie over blanks, or under text if there is any in their area (kitty on Mesa's
 * software renderer doesn't clear old text while there is a picture under it), and the terminal
 * stretches them; sixels overwrite text, pixel by pixel of the terminal. */
#ifndef JACOBI_UI_TERMINAL_PIXELS_H
#define JACOBI_UI_TERMINAL_PIXELS_H

#include "ui/draw/theme.h"
#include "ui/terminal/input.h"
#include "ui/terminal/tty.h"

/* What pictures may take of a slow line, at most; the rest is for text. */
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

/* All zeroes but for the mode before the first question. */
struct pixels {
    enum pixel_mode mode;
    enum pixel_protocol protocol; /* that pictures are sent by */
    bool failed;                  /* a picture could not be made: no other is shown */
    bool in_multiplexer;          /* tmux or screen: kitty's question is not for them */

    bool asks;        /* a question is to be sent, once no reply is due any more */
    int64_t until_ns; /* so long a reply may come in pieces; 0: none is due any more */

    bool has_sixels;             /* the terminal has said so */
    int cell_width, cell_height; /* in its pixels; 0: not known */
    int colors;                  /* its registers, for sixels */
    int width_most, height_most; /* of a picture in sixels */
    int coarse;                  /* how often its colours are halved to save bytes */

    bool under_text; /* text lies over kitty's pictures; else they lie over blanks */
    int count;       /* of pictures that are shown */
    struct shown_picture shown[PICTURES_MAX];
    int64_t next_ns;        /* others may be sent then, so that no line is flooded */
    int64_t retry_after_ns; /* none is shown until then: they were too many bytes */
    bool taken_away;        /* pictures that were sent are to be shown no more */
};

/* Prepares the first question. No picture is ever sent if the mode or the environment is against
 * it. */
void pixels_begin(struct pixels *pixels, enum pixel_mode mode, const char *term);

/* Asks for the size of a cell again, as after the window has changed. */
void pixels_resized(struct pixels *pixels);

/* Sends the question that is due, if any. */
void pixels_ask(struct pixels *pixels, struct tty *tty, int64_t now_ns);

/* Takes a report or string that may be a reply. */
void pixels_take(struct pixels *pixels, const struct input_event *reply);

/* Sets how many pixels a picture of that area has. False: none can be shown there. */
bool pixels_fit(const struct pixels *pixels, struct pixel_picture *picture);

/* Whether pictures of those areas would be sent now. */
bool pixels_are_due(const struct pixels *pixels, const struct pixel_picture *pictures, int count,
                    int64_t now_ns);

/* Whether those shown are others than of those areas. */
bool pixels_have_moved(const struct pixels *pixels, const struct pixel_picture *pictures,
                       int count);

/* Makes those that are due and differ from the ones shown; pictures that have moved must have
 * roles. Returns how many are to stand on the screen from now on: all, or none if there are to be
 * cells in their place, as one could not be made or they take more than a second of a slow line. */
int pixels_renew(struct pixels *pixels, const struct pixel_picture *pictures, int count,
                 const struct palette *palette, int64_t now_ns);

/* Sends what was made since, and everything again if `damaged` says that text was written over
 * sixels. Takes away what is shown no more, except sixels: text does that. Returns the bytes of
 * what was sent again. */
size_t pixels_send(struct pixels *pixels, struct tty *tty, bool damaged, int64_t now_ns);

/* Forgets what is shown. */
void pixels_forget(struct pixels *pixels);

/* ---- pictures as bytes for a terminal: what they put at its place leaves the cursor somewhere,
 * for saving it would take the place of what some terminals save when the alternate screen is
 * entered.
 */

/* By kitty's protocol, over or under the text of its area, to which the terminal stretches it; it
 * takes the place of the picture of that number, below PICTURES_MAX. NULL if there is no memory; to
 * be freed. */
char *kitty_encode(const struct pixel_picture *picture, int number, bool under_text,
                   const struct palette *palette, size_t *length);

/* The bytes that take every picture of ours away. */
extern const char kitty_removal[];

/* Whether this program was built with libsixel, and so with sixel_encode_picture. */
bool sixel_is_built(void);

/* As sixels that overwrite the text of its area: width × height pixels of the terminal in at most
 * `colors` colours, 1 to ROLE_LEVELS. NULL if libsixel fails; to be freed. */
char *sixel_encode_picture(const struct pixel_picture *picture, int width, int height, int colors,
                           const struct palette *palette, size_t *length);

#endif
