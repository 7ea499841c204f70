/* What a terminal gets, judged by its name and by what the user asks for. */
#ifndef JACOBI_UI_TERMINAL_TERM_CAPS_H
#define JACOBI_UI_TERMINAL_TERM_CAPS_H

#include "config/config.h"
#include "ui/draw/grid.h"
#include "ui/draw/theme.h"

/* The deepest palette that is wanted; NO_COLOR counts where the user leaves it open. */
enum palette_depth choice_of_depth(enum color_mode colors);

/* Whether RGB should be tried: asked for, or announced by COLORTERM. */
bool choice_of_direct(enum color_mode colors);

/* Not on the Linux console: ncurses would load the mouse daemon's library, which keeps the daemon's
 * connection and its memory for good. */
bool choice_of_mouse(const char *term, bool wanted);

/* `codeset` as nl_langinfo(CODESET) has it. */
enum glyph_set choice_of_glyphs(const char *term, const char *codeset, bool ascii);

#endif
