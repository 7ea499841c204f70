/* The terminal: its capabilities by terminfo and its replies, its frames, and the user's input.
 *
 * A frame consists of the changed cells, written as one synchronised update if the terminal may
 * support it. Only this module uses ncurses, and of ncurses only terminfo. */
#pragma once

#include "ui/export/ansi.h"
#include "ui/terminal/pixels.h"

enum { SEQUENCES_MAX = 512 };

struct terminal {
    struct terminal_settings settings;
    struct tty tty; /* `waiting_count`: bytes of the last frame, for tty_flush */
    struct input input;
    struct pixels pixels;
    enum theme theme; /* for the terminal's background; THEME_AUTO: unknown */
    struct palette palette;
    enum glyph_set glyphs;
    bool has_terminfo, synchronised;
    bool has_bce;                  /* clears in the current background colour */
    bool may_scroll;               /* after the last cell, which therefore stays blank */
    char give_back[SEQUENCES_MAX]; /* restores the screen */
    char take_over[SEQUENCES_MAX];
    struct ansi_writer writer;
    char *bytes; /* the frame that the writer writes */
    size_t byte_count;
    struct grid shown, frame; /* the current contents of the screen, and the next frame */
    bool clears;              /* the next frame first clears the screen */
};

/* Takes over standard input and output. STATUS_BAD_INPUT if they are not a terminal, or one without
 * cursor positioning. */
enum status terminal_open(const struct terminal_settings *settings, struct terminal **opened,
                          struct error *error);

/* Restores the terminal and frees. NULL is allowed. */
void terminal_close(struct terminal *terminal);

/* Sets the terminal's modes again: the shell may have changed them during the process's stop. */
void terminal_take_modes(struct terminal *terminal);

/* Restores the terminal temporarily, as for Ctrl-Z, and takes it over again. */
void terminal_suspend(struct terminal *terminal);
void terminal_resume(struct terminal *terminal);

/* Adapts `shown` to the terminal's current size; 0×0 without memory. */
void terminal_resize(struct terminal *terminal);

/* A cell's height divided by its width; 0: unknown. */
double terminal_cell_aspect(const struct terminal *terminal);

/* Requests that the next frame be written in full. */
void terminal_redraw(struct terminal *terminal);

/* Writes the cells that differ from the last frame; never blocks. Returns the number of bytes,
 * excluding new pictures. Must not be called while bytes are pending. Pictures replace the levels
 * in their areas; without roles they are the ones shown last. If the terminal can't show text over
 * pictures, and there is text, it gets cells. */
size_t terminal_show(struct terminal *terminal, const struct grid *grid, enum colormap map,
                     const struct pixel_picture *pictures, int count);

/* Reads input; call it when input is available. */
void terminal_read(struct terminal *terminal);

/* Returns the next key or click; false if there is none. */
bool terminal_next(struct terminal *terminal, struct input_event *event);
