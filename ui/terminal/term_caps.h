/* What a terminal can show, by its name, the environment, the user's options, and its replies. */
#ifndef JACOBI_UI_TERMINAL_TERM_CAPS_H
#define JACOBI_UI_TERMINAL_TERM_CAPS_H

#include <stdint.h>

#include "config/config.h"
#include "ui/draw/theme.h"

/* The deepest palette that the user wants; NO_COLOR counts if the option leaves it open. */
enum palette_depth term_caps_depth(enum color_mode colors);

/* Whether to write RGB: if the user asks for it, or leaves it open and COLORTERM or a TERM of more
 * than 256 colours announces it. COLORTERM counts only for a TERM with colours, and not for GNU
 * screen, which passes it on but blinks instead. `count`: the colours of TERM; below 1: none. */
bool term_caps_direct(enum color_mode colors, const char *term, int count);

/* Whether it is tmux or GNU screen, between us and the terminal. */
bool term_caps_multiplexer(const char *term);

/* Whether it may be asked questions: it replies, or ignores them. That holds for all with 256
 * colours, and for xterm and mlterm, whose own terminfo entries have 8. */
bool term_caps_replies(const char *term, int count);

/* The glyphs that it can show. `codeset` as nl_langinfo(CODESET) has it. */
enum glyph_set term_caps_glyphs(const char *term, const char *codeset, bool ascii);

/* The theme for the background that a terminal reports, "]11;rgb:RRRR/GGGG/BBBB" of one to four
 * hexadecimal digits each. THEME_AUTO: it is no such report. */
/* Asks whether the terminal has RGB (XTGETTCAP), where COLORTERM has not come along, as with ssh;
 * and whether the reply, without its ESC, says so. */
extern const char term_caps_ask_direct[];
bool term_caps_replies_direct(const char *reply);

enum theme term_caps_background(const char *reply);

/* The theme for the background in COLORFGBG, else THEME_AUTO. */
enum theme term_caps_theme(void);

#endif
