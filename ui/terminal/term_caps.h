/* The capabilities of a terminal, from its name, the environment, the user's options, and its
 * replies. */
#pragma once

#include <stdint.h>

#include "config/config.h"
#include "ui/draw/theme.h"

/* The deepest palette that the user allows; NO_COLOR counts if the option is "auto". */
enum palette_depth term_caps_depth(enum color_mode colors);

/* Whether to write RGB: on the user's request, or by default if COLORTERM or a TERM of more than
 * 256 colours announces it. COLORTERM counts only for a TERM with colours. It doesn't count for GNU
 * screen, which passes it on but blinks instead. `count`: the colours of TERM; below 1: none. */
bool term_caps_direct(enum color_mode colors, const char *term, int count);

/* Whether tmux or GNU screen runs between us and the terminal. */
bool term_caps_multiplexer(const char *term);

/* Whether it may be queried: it replies, or ignores queries. This holds for all terminals with 256
 * colours, and for xterm and mlterm, whose own terminfo entries have 8. */
bool term_caps_replies(const char *term, int count);

/* The glyphs that it can show. `codeset`: the result of nl_langinfo(CODESET). */
enum glyph_set term_caps_glyphs(const char *term, const char *codeset, bool ascii);

/* The query for RGB (XTGETTCAP), used if COLORTERM is not passed on, as with ssh; and whether the
 * reply, without its ESC, confirms RGB. */
extern const char term_caps_ask_direct[];
bool term_caps_replies_direct(const char *reply);

/* The theme for the background that a terminal reports, "]11;rgb:RRRR/GGGG/BBBB" with one to four
 * hexadecimal digits each. THEME_AUTO: not such a report. */
enum theme term_caps_background(const char *reply);

/* The theme for the background in COLORFGBG, else THEME_AUTO. */
enum theme term_caps_theme(void);
