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

/* Whether the mouse may be asked for. Not on the Linux console: ncurses would load the mouse
 * daemon's library, which keeps the daemon's connection and its memory for good. */
bool term_caps_mouse(const char *term, bool wanted);

/* Whether it is tmux or GNU screen, which lie between us and the terminal. */
bool term_caps_multiplexer(const char *term);

/* Whether it may be asked what it can: it replies, or at least shows nothing of a question that it
 * does not know. True of all with 256 colours, and of xterm and mlterm, whose own terminfo entries
 * promise 8. */
bool term_caps_replies(const char *term, int count);

/* The glyphs that it can show. `codeset` as nl_langinfo(CODESET) has it. */
enum glyph_set term_caps_glyphs(const char *term, const char *codeset, bool ascii);

/* ---- the terminal's reply to the question what its background is
 *
 * It comes in between the keys, at once, late or never, and is taken out of what was typed: nobody
 * waits for it. All zeroes before the question. */

struct replies {
    bool expected;
    bool inside; /* of a reply whose end has not come yet */
    char text[64];
    size_t count;
    enum theme theme; /* THEME_AUTO before the reply */
};

/* The bytes to write to ask; then a reply is expected. */
const char *replies_question(struct replies *replies);

/* Takes the replies out of what was read; returns the bytes that are left, moved together. */
size_t replies_take(struct replies *replies, char *bytes, size_t count);

/* The theme for the background in the reply, else in COLORFGBG, else THEME_AUTO. */
enum theme replies_theme(const struct replies *replies);

/* ---- pasted text
 *
 * The terminal brackets it ("bracketed paste"), so that it can be told from keys. It is dropped.
 * All zeroes before the first byte. */

enum { PASTE_HELD = 5 };

struct paste {
    bool inside;          /* its end has not come yet */
    bool seen;            /* one has begun; set back by whoever has told the user */
    size_t matched, told; /* bytes of a bracket that have come; those already handed on */
    char held[PASTE_HELD + 1];
    int64_t last_ns; /* when something was read last */
};

/* Copies the keys among the bytes that were read into `keys`, which has room for PASTE_HELD more;
 * returns how many. A paste whose end got lost is over if nothing has come for a second. The
 * beginning of a bracket waits for what follows, a lone Escape does not. */
size_t paste_take(struct paste *paste, const char *bytes, size_t count, int64_t now_ns, char *keys);

#endif
