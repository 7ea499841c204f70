/* The terminal: what it can do, by terminfo and its replies; frames; what the user types.
 *
 * A frame is the changed cells, written at once, as one synchronised update if the terminal may
 * know these. This is the only file that uses ncurses, and it uses only terminfo. */
#ifndef JACOBI_UI_TERMINAL_TERMINAL_H
#define JACOBI_UI_TERMINAL_TERMINAL_H

#include "core/status.h"
#include "ui/draw/theme.h"
#include "ui/terminal/input.h"
#include "ui/terminal/pixels.h"

struct terminal;

struct terminal_settings {
    enum color_mode colors;
    enum theme theme;
    enum pixel_mode pixels;
    bool ascii, mouse;
};

/* What was typed or clicked. */
struct terminal_event {
    int key;  /* a Unicode scalar or a constant of input.h; 0: a click */
    int x, y; /* of the click */
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

/* What it can show; `pixels` names the protocol of pictures. */
struct terminal_abilities {
    enum palette_depth depth;
    enum glyph_set glyphs;
    const char *pixels; /* NULL: none */
    bool awaits_reply;
};

void terminal_get_abilities(const struct terminal *terminal, struct terminal_abilities *abilities);

/* Adapts to the terminal's current size. */
void terminal_resize(struct terminal *terminal, int *cols, int *rows);

/* A cell's height over its width; 0: not known. */
double terminal_cell_aspect(const struct terminal *terminal);

/* The next frame is written whole. */
void terminal_redraw(struct terminal *terminal);

/* The state of real pixels, for pixels_fit and pixels_are_due. */
struct pixels *terminal_pixels(struct terminal *terminal);

/* Writes the cells that differ from the last frame; never blocks. Returns the number of bytes but
 * for new pictures. Not to be called while terminal_is_busy. Pictures replace the levels in their
 * areas; without roles they are the ones shown last. If the terminal has text or pictures alone,
 * and there is text, it gets cells. */
size_t terminal_show(struct terminal *terminal, const struct grid *grid, enum colormap map,
                     const struct pixel_picture *pictures, int count);

/* Whether bytes of the last frame wait; terminal_flush writes as many as possible without blocking.
 */
bool terminal_is_busy(const struct terminal *terminal);
void terminal_flush(struct terminal *terminal);

/* Descriptors to poll: for reading, for writing. */
int terminal_input(const struct terminal *terminal);
int terminal_output(const struct terminal *terminal);

/* Reads input; call it when terminal_input is readable. */
void terminal_read(struct terminal *terminal);

/* The next event; false: there is none. */
bool terminal_next(struct terminal *terminal, struct terminal_event *event);

/* Whether the terminal went away. */
bool terminal_is_gone(const struct terminal *terminal);

#endif
