/* The terminal: what it can do, by terminfo and its replies; frames; what the user types.
 *
 * A frame is the changed cells, written at once, as one synchronised update if the terminal may
 * know these. This is the only file that uses ncurses, and it uses only terminfo. */
#ifndef JACOBI_UI_TERMINAL_TERMINAL_H
#define JACOBI_UI_TERMINAL_TERMINAL_H

#include "ui/export/ansi.h"
#include "ui/terminal/pixels.h"

enum { SEQUENCES_MAX = 512 };

struct terminal {
    struct terminal_settings settings;
    struct tty tty; /* `waiting_count`: bytes of the last frame, for tty_flush */
    struct input input;
    struct pixels pixels;
    enum theme theme; /* for the terminal's background; THEME_AUTO: not known */
    struct palette palette;
    enum glyph_set glyphs;
    bool has_terminfo, synchronised;
    bool has_bce;                  /* it clears in the background that is in force */
    bool may_scroll;               /* after the last cell, which stays blank */
    char give_back[SEQUENCES_MAX]; /* leaves the screen as it was */
    char take_over[SEQUENCES_MAX];
    struct ansi_writer writer;
    char *bytes; /* of a frame, which the writer writes */
    size_t byte_count;
    struct grid shown, frame; /* what the terminal shows, and the next frame */
    bool clears;              /* the next frame begins with a clear screen */
};

/* Takes over standard input and output. STATUS_BAD_INPUT if they are no terminal, or one without
 * cursor positioning. */
enum status terminal_open(const struct terminal_settings *settings, struct terminal **opened,
                          struct error *error);

/* Gives the terminal back as it was, and frees. NULL is allowed. */
void terminal_close(struct terminal *terminal);

/* Gives it back for a while, as for Ctrl-Z, and takes it over again. */
void terminal_suspend(struct terminal *terminal);
void terminal_resume(struct terminal *terminal);

/* Adapts to the terminal's current size, which `shown` then has; 0×0 without memory. */
void terminal_resize(struct terminal *terminal);

/* A cell's height over its width; 0: not known. */
double terminal_cell_aspect(const struct terminal *terminal);

/* The next frame is written whole. */
void terminal_redraw(struct terminal *terminal);

/* Writes the cells that differ from the last frame; never blocks. Returns the number of bytes but
 * for new pictures. Not to be called while bytes wait. Pictures replace the levels in their
 * areas; without roles they are the ones shown last. If the terminal has text or pictures alone,
 * and there is text, it gets cells. */
size_t terminal_show(struct terminal *terminal, const struct grid *grid, enum colormap map,
                     const struct pixel_picture *pictures, int count);

/* Reads input; call it when there is some. */
void terminal_read(struct terminal *terminal);

/* The next key or click; false: there is none. */
bool terminal_next(struct terminal *terminal, struct input_event *event);

#endif
