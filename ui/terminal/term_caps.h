/* What a terminal can show: judged by its name, by the environment, by what the user asks for, and
 * by what the terminal itself replies. */
#ifndef JACOBI_UI_TERMINAL_TERM_CAPS_H
#define JACOBI_UI_TERMINAL_TERM_CAPS_H

#include <stdint.h>

#include "config/config.h"
#include "ui/draw/theme.h"

/* The deepest palette that is wanted; NO_COLOR counts if the user leaves it open. */
enum palette_depth term_caps_depth(enum color_mode colors);

/* Whether to write RGB: asked for, or left open and announced: by COLORTERM, unless TERM has no
 * colours or is GNU screen's, which hands COLORTERM on and takes RGB for blinking; or by a TERM of
 * more than 256 colours. `count`: how many TERM has, below 1: none. */
bool term_caps_direct(enum color_mode colors, const char *term, int count);

/* Whether it is tmux or GNU screen, which lie between us and the terminal. */
bool term_caps_multiplexer(const char *term);

/* Whether it may be asked what it can: it replies, or at least shows nothing of a question that it
 * does not know. True of all with 256 colours, and of xterm and mlterm, whose own terminfo entries
 * promise 8. */
bool term_caps_replies(const char *term, int count);

/* The glyphs that it can show. `codeset` as nl_langinfo(CODESET) has it. */
enum glyph_set term_caps_glyphs(const char *term, const char *codeset, bool ascii);

/* The theme for the background that a terminal reports, "]11;rgb:RRRR/GGGG/BBBB" of one to four
 * hexadecimal digits each. THEME_AUTO: it is no such report. */
enum theme term_caps_background(const char *reply);

/* The theme for the background in COLORFGBG, else THEME_AUTO. */
enum theme term_caps_theme(void);

#endif
