#include "ui/terminal/term_caps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum palette_depth term_caps_depth(enum color_mode colors) {
    static const enum palette_depth depths[] = {
        [COLORS_AUTO] = PALETTE_DIRECT, [COLORS_DIRECT] = PALETTE_DIRECT,
        [COLORS_256] = PALETTE_256,     [COLORS_16] = PALETTE_16,
        [COLORS_8] = PALETTE_8,         [COLORS_MONO] = PALETTE_MONO};
    const char *no_color = getenv("NO_COLOR");
    return colors == COLORS_AUTO && no_color && *no_color ? PALETTE_MONO : depths[colors];
}

bool term_caps_direct(enum color_mode colors, const char *term, int count) {
    const char *can = getenv("COLORTERM");
    const bool announced = can && (!strcmp(can, "truecolor") || !strcmp(can, "24bit"));
    const bool believed = count >= 8 && (strncmp(term, "screen", 6) != 0 || getenv("TMUX"));
    return colors == COLORS_DIRECT ||
           (term_caps_depth(colors) == PALETTE_DIRECT && ((announced && believed) || count > 256));
}

bool term_caps_mouse(const char *term, bool wanted) {
    return wanted && strcmp(term, "linux") != 0;
}

bool term_caps_multiplexer(const char *term) {
    return getenv("TMUX") || getenv("STY") || strncmp(term, "screen", 6) == 0 ||
           strncmp(term, "tmux", 4) == 0;
}

bool term_caps_replies(const char *term, int count) {
    return count >= 256 ||
           (count >= 8 && (strncmp(term, "xterm", 5) == 0 || strncmp(term, "mlterm", 6) == 0));
}

enum glyph_set term_caps_glyphs(const char *term, const char *codeset, bool ascii) {
    if (ascii || strcmp(codeset, "UTF-8") != 0 || strncmp(term, "vt", 2) == 0)
        return GLYPHS_ASCII;
    return strcmp(term, "linux") == 0 ? GLYPHS_CONSOLE : GLYPHS_UNICODE;
}

/* ---- replies */

const char *replies_question(struct replies *replies) {
    replies->expected = true;
    return "\x1b]11;?\x1b\\";
}

/* Understands "11;rgb:RRRR/GGGG/BBBB", of one to four hexadecimal digits each. */
static void understand_reply(struct replies *replies) {
    static const char begins[] = "11;rgb:";
    const char *rest = replies->text + sizeof begins - 1;
    double share[3]; /* of the most that so many digits can say */
    replies->text[replies->count] = 0;
    if (strncmp(replies->text, begins, sizeof begins - 1) != 0)
        return;
    for (int c = 0; c < 3; c++) {
        unsigned value = 0, most = 0;
        if (c > 0 && *rest++ != '/')
            return;
        for (; isxdigit((unsigned char)*rest) && most < 0xffff; rest++) {
            value = 16 * value + (unsigned)(*rest <= '9' ? *rest - '0' : (*rest | 0x20) - 'a' + 10);
            most = 16 * most + 15;
        }
        if (!most)
            return;
        share[c] = (double)value / most;
    }
    const double lightness = 0.2126 * share[0] + 0.7152 * share[1] + 0.0722 * share[2];
    replies->theme = lightness > 0.5 ? THEME_LIGHT : THEME_DARK;
    replies->expected = false;
}

size_t replies_take(struct replies *replies, char *bytes, size_t count) {
    if (!replies->expected)
        return count;
    size_t left = 0;
    for (size_t b = 0; b < count; b++) {
        if (!replies->inside && bytes[b] == '\x1b' && b + 1 < count && bytes[b + 1] == ']') {
            replies->inside = true;
            replies->count = 0;
            b++;
        } else if (!replies->inside) {
            bytes[left++] = bytes[b];
        } else if (bytes[b] == '\a' || bytes[b] == '\\') { /* BEL or ESC \ end it */
            replies->inside = false;
            understand_reply(replies);
        } else if (replies->count + 1 < sizeof replies->text) {
            replies->text[replies->count++] = bytes[b];
        } else {
            replies->inside = false; /* too long for a reply */
        }
    }
    return left;
}

enum theme replies_theme(const struct replies *replies) {
    const char *value = getenv("COLORFGBG");
    const char *background = value ? strrchr(value, ';') : NULL;
    if (replies->theme || !background)
        return replies->theme;
    /* "foreground;background" in the sixteen colours; 7 and 9 … 15 are light. */
    const int color = atoi(background + 1);
    return color == 7 || color > 8 ? THEME_LIGHT : THEME_DARK;
}

/* ---- pasted text */

size_t paste_take(struct paste *paste, const char *bytes, size_t count, int64_t now_ns,
                  char *keys) {
    static const char bracket[] = "\x1b[20?~"; /* 0 begins a paste, 1 ends it */
    static const int64_t silence_ns = 1000000000, key_ns = 50000000;
    enum { DIGIT = 4 };
    size_t used = 0;
    if (now_ns - paste->last_ns > silence_ns)
        paste->inside = false;
    if (paste->told && now_ns - paste->last_ns > key_ns)
        paste->matched = paste->told = 0; /* it was the key Escape */
    paste->last_ns = now_ns;
    for (size_t b = 0; b < count; b++) {
        const char byte = bytes[b];
        const bool fits =
            paste->matched == DIGIT ? byte == '0' || byte == '1' : byte == bracket[paste->matched];
        if (!fits) { /* what began like a bracket was typed, or pasted */
            for (size_t h = paste->told; h < paste->matched && !paste->inside; h++)
                keys[used++] = paste->held[h];
            paste->matched = paste->told = 0;
        }
        if (fits || byte == bracket[0]) {
            paste->held[paste->matched++] = byte;
        } else if (!paste->inside) {
            keys[used++] = byte;
        }
        if (paste->matched == sizeof bracket - 1) {
            paste->inside = paste->held[DIGIT] == '0';
            paste->seen |= paste->inside;
            paste->matched = paste->told = 0;
        }
    }
    if (paste->matched == 1 && !paste->told && !paste->inside) { /* the key Escape */
        keys[used++] = bracket[0];
        paste->told = 1;
    }
    return used;
}
