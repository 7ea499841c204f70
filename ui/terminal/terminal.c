#define NCURSES_WIDECHAR 1
#include "ui/terminal/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#include "ui/terminal/buffers.h"
#include "ui/terminal/crash.h"
#include "ui/terminal/moved.h"
#include "ui/terminal/replies.h"
#include "ui/terminal/term_caps.h"
#include "ui/terminal/tty.h"
#include "ui/terminal/vt_filter.h"

struct terminal {
    struct terminal_settings settings;
    struct tty tty;
    SCREEN *screen;
    struct buffers buffers;
    struct answers answers;
    struct palette palette;
    enum glyph_set glyphs;
    bool synchronised;
    struct grid shown; /* what the terminal shows */
    enum colormap shown_map;
};

/* One mode at a time: not every terminal understands the list that ncurses sends. */
static void switch_mouse(struct terminal *terminal, bool on) {
    if (terminal->settings.mouse && terminal->synchronised)
        tty_write_text(&terminal->tty, on ? "\x1b[?1000h\x1b[?1006h" : "\x1b[?1006l\x1b[?1000l");
}

/* ---- opening */

static bool is_direct_color(void) {
    return tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || tigetstr("RGB") > (char *)0;
}

static enum palette_depth deepest(void) {
    if (!has_colors() || COLORS < 8)
        return PALETTE_MONO;
    if (COLORS > 256 && is_direct_color())
        return PALETTE_DIRECT;
    return COLORS >= 256 ? PALETTE_256 : COLORS >= 16 ? PALETTE_16 : PALETTE_8;
}

/* Asks for the terminal's description first: a newterm that fails leaks. */
static bool is_described(const struct terminal *terminal, const char *term) {
    int ignored;
    if (setupterm(term, fileno(terminal->buffers.frame), &ignored) != OK)
        return false;
    del_curterm(cur_term);
    return true;
}

static SCREEN *try_term(struct terminal *terminal, const char *term) {
    if (!is_described(terminal, term))
        return NULL;
    terminal->screen = newterm(term, terminal->buffers.frame, terminal->buffers.typed);
    if (terminal->screen)
        set_term(terminal->screen);
    return terminal->screen;
}

/* RGB where the user's terminal says it can and terminfo knows how. */
static bool try_direct(struct terminal *terminal, const char *term) {
    if (!choice_of_direct(terminal->settings.colors))
        return false;
    char direct[64];
    snprintf(direct, sizeof direct, "%.*s-direct", (int)strcspn(term, "-"), term);
    return try_term(terminal, direct) || try_term(terminal, "xterm-direct");
}

static enum status open_screen(struct terminal *terminal, struct error *error) {
    const char *term = getenv("TERM");
    term = term ? term : "";
    if (strcmp(term, "dumb") != 0 && *term) {
        if (try_direct(terminal, term) || try_term(terminal, term) ||
            try_term(terminal, "xterm-256color")) {
            if (tigetstr("cup") > (char *)0)
                return STATUS_OK;
        }
    }
    return error_set(error, STATUS_BAD_INPUT,
                     "the terminal \"%.40s\" can't place its cursor: use --headless", term);
}

static void choose_palette(struct terminal *terminal) {
    struct palette *palette = &terminal->palette;
    const enum palette_depth wanted = choice_of_depth(terminal->settings.colors);
    start_color();
    const bool has_own = use_default_colors() == OK;
    palette->depth = deepest() < wanted ? deepest() : wanted;
    /* Numbers of a direct palette are RGB: there is nothing between it and monochrome. */
    if (deepest() == PALETTE_DIRECT && wanted < PALETTE_DIRECT && wanted > PALETTE_MONO)
        palette->depth = PALETTE_DIRECT;
    palette->theme = terminal->settings.theme;
    palette->own_background = palette->theme == THEME_AUTO && has_own;
}

static void set_modes(struct terminal *terminal) {
    noecho();
    nonl();
    typeahead(-1);
    curs_set(0);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    if (terminal->settings.mouse) {
        mouseinterval(0);
        mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    }
}

static void add_capability(char *bytes, size_t size, const char *name) {
    const char *string = tigetstr(name);
    if (string != NULL && string != (char *)-1) /* NOLINT(performance-no-int-to-ptr) */
        plainer_capability(bytes, size, string);
}

/* The bytes that give the terminal back, for when nothing else can be done any more. CAN ends what
 * may have been cut off in the middle. */
static void guard(struct terminal *terminal) {
    static const char *const capabilities[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
    char bytes[512] = "\x18";
    if (terminal->settings.mouse) /* ncurses may have switched it on by itself */
        strcat(bytes, "\x1b[?1006l\x1b[?1000l");
    if (terminal->synchronised)
        strcat(bytes, "\x1b[?2026l");
    for (size_t c = 0; c < sizeof capabilities / sizeof *capabilities; c++)
        add_capability(bytes, sizeof bytes - 16, capabilities[c]);
    if (tigetstr("rmcup") == NULL) /* what is said then stands below the picture */
        strcat(bytes, "\x1b[r\x1b[999B\r\n");
    crash_guard(terminal->tty.out, &terminal->tty.before, bytes, strlen(bytes));
}

static void begin(struct terminal *terminal) {
    choose_palette(terminal);
    terminal->glyphs =
        choice_of_glyphs(getenv("TERM"), nl_langinfo(CODESET), terminal->settings.ascii);
    terminal->synchronised = COLORS >= 256;
    terminal->settings.mouse = choice_of_mouse(getenv("TERM"), terminal->settings.mouse);
    set_modes(terminal);
    tty_raw(&terminal->tty);
    switch_mouse(terminal, true);
    guard(terminal);
    if (terminal->synchronised && terminal->settings.theme == THEME_AUTO)
        tty_write_text(&terminal->tty, answers_question(&terminal->answers));
    int cols, rows;
    terminal_resize(terminal, &cols, &rows);
}

enum status terminal_open(const struct terminal_settings *settings, struct terminal **opened,
                          struct error *error) {
    struct terminal *terminal = calloc(1, sizeof *terminal);
    if (!terminal)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    terminal->settings = *settings;
    terminal->tty.out = -1;
    setlocale(LC_CTYPE, "");
    enum status status = tty_open(&terminal->tty, error);
    if (!status && !buffers_open(&terminal->buffers))
        status = error_set(error, STATUS_INTERNAL, "can't make the screen's buffers");
    if (!status)
        status = open_screen(terminal, error);
    if (status) {
        terminal_close(terminal);
        return status;
    }
    begin(terminal);
    *opened = terminal;
    return STATUS_OK;
}

/* ---- giving it back */

void terminal_leave(struct terminal *terminal) {
    tty_drain(&terminal->tty, 1000);
    switch_mouse(terminal, false);
    endwin();
    buffers_pass_on(&terminal->buffers, &terminal->tty, false);
    tty_drain(&terminal->tty, 1000);
    tty_restore(&terminal->tty);
}

void terminal_enter(struct terminal *terminal) {
    tty_raw(&terminal->tty);
    switch_mouse(terminal, true);
    terminal_redraw(terminal);
}

void terminal_close(struct terminal *terminal) {
    if (!terminal)
        return;
    if (terminal->screen) {
        if (terminal->tty.raw)
            terminal_leave(terminal);
        crash_unguard();
        delscreen(terminal->screen);
    }
    tty_close(&terminal->tty);
    buffers_close(&terminal->buffers);
    grid_finish(&terminal->shown);
    free(terminal);
}

/* ---- what it can do */

bool terminal_has_color(const struct terminal *terminal) {
    return terminal->palette.depth != PALETTE_MONO;
}

enum glyph_set terminal_glyphs(const struct terminal *terminal) {
    return terminal->glyphs;
}

enum theme terminal_theme(const struct terminal *terminal) {
    return terminal->palette.theme;
}

bool terminal_is_busy(const struct terminal *terminal) {
    return terminal->tty.waiting_count > 0;
}

void terminal_flush(struct terminal *terminal) {
    tty_flush(&terminal->tty);
}

int terminal_input(const struct terminal *terminal) {
    return terminal->tty.in;
}

int terminal_output(const struct terminal *terminal) {
    return terminal->tty.out;
}

bool terminal_is_gone(const struct terminal *terminal) {
    return terminal->tty.gone;
}

/* ---- drawing */

void terminal_resize(struct terminal *terminal, int *cols, int *rows) {
    tty_size(&terminal->tty, cols, rows);
    if (*cols == terminal->shown.cols && *rows == terminal->shown.rows)
        return;
    resizeterm(*rows, *cols);
    grid_finish(&terminal->shown);
    grid_init(&terminal->shown, *cols, *rows);
    terminal_redraw(terminal);
}

void terminal_redraw(struct terminal *terminal) {
    /* A glyph that is never drawn: every cell differs from it. */
    for (int c = 0; c < terminal->shown.cols * terminal->shown.rows; c++)
        terminal->shown.cells[c].glyph = UINT32_MAX;
    clearok(stdscr, TRUE);
}

static attr_t attributes_of(const struct terminal *terminal, const struct cell *cell) {
    attr_t attributes = 0;
    const bool few = terminal->palette.depth < PALETTE_256;
    const bool bar = cell->paper == INK_BAR || cell->paper == INK_SELECT;
    const bool reverse = cell->attributes & CELL_REVERSE;
    if (cell->attributes & CELL_BOLD)
        attributes |= A_BOLD;
    if (cell->attributes & CELL_UNDERLINE)
        attributes |= A_UNDERLINE;
    return reverse != (few && bar) ? attributes | A_REVERSE : attributes;
}

static int pair_of(const struct terminal *terminal, const struct cell *cell) {
    const struct palette *palette = &terminal->palette;
    if (palette->depth == PALETTE_MONO)
        return 0;
    const bool few = palette->depth < PALETTE_256;
    const bool bar = cell->paper == INK_BAR || cell->paper == INK_SELECT;
    const enum ink ink = few && bar ? INK_TEXT : (enum ink)cell->ink;
    const int pair = alloc_pair(palette_color(palette, ink, false),
                                palette_color(palette, (enum ink)cell->paper, true));
    return pair > 0 ? pair : 0;
}

static void put(const struct terminal *terminal, const struct cell *cell, int x, int y) {
    const uint32_t glyph = glyph_in_set(terminal->glyphs, cell->glyph);
    const wchar_t text[2] = {(wchar_t)(glyph ? glyph : ' '), 0};
    int pair = pair_of(terminal, cell);
    cchar_t shown;
    setcchar(&shown, text, attributes_of(terminal, cell), 0, &pair);
    mvadd_wch(y, x, &shown);
}

static bool same(const struct cell *a, const struct cell *b) {
    return a->glyph == b->glyph && a->ink == b->ink && a->paper == b->paper &&
           a->attributes == b->attributes;
}

/* ncurses moves rows by scrolling a region wherever that is shorter, and offers no way to say no;
 * not every terminal, and hardly any recorder of terminals, follows. So rows that look alike in
 * another place are taken from its memory. */
static void write_anew(int row) {
    wredrawln(stdscr, row, 1);
}

static void put_changes(struct terminal *terminal, const struct grid *grid) {
    for (int y = 0; y < grid->rows; y++)
        for (int x = 0; x < grid->cols; x++) {
            const struct cell *cell = &grid->cells[x + y * grid->cols];
            struct cell *shown = &terminal->shown.cells[x + y * grid->cols];
            if (same(cell, shown))
                continue;
            put(terminal, cell, x, y);
            *shown = *cell;
        }
}

size_t terminal_show(struct terminal *terminal, const struct grid *grid, enum colormap map) {
    if (grid->cols != terminal->shown.cols || grid->rows != terminal->shown.rows)
        return 0;
    const enum theme answered = answers_theme(&terminal->answers);
    const bool new_theme =
        terminal->settings.theme == THEME_AUTO && answered != terminal->palette.theme;
    if (new_theme || map != terminal->shown_map)
        for (int c = 0; c < grid->cols * grid->rows; c++)
            terminal->shown.cells[c].glyph = UINT32_MAX;
    if (new_theme)
        terminal->palette.theme = answered;
    terminal->palette.map = terminal->shown_map = map;
    moved_rows(&terminal->shown, grid, write_anew);
    put_changes(terminal, grid);
    refresh();
    return buffers_pass_on(&terminal->buffers, &terminal->tty, terminal->synchronised);
}

/* ---- keys */

void terminal_read(struct terminal *terminal) {
    char bytes[1024];
    size_t count = tty_read(&terminal->tty, bytes, sizeof bytes);
    count = answers_take(&terminal->answers, bytes, count);
    buffers_type(&terminal->buffers, bytes, count);
}

static int key_of(wint_t code) {
    static const struct {
        wint_t code;
        int key;
    } keys[] = {{KEY_UP, TERMINAL_UP},
                {KEY_DOWN, TERMINAL_DOWN},
                {KEY_LEFT, TERMINAL_LEFT},
                {KEY_RIGHT, TERMINAL_RIGHT},
                {KEY_HOME, TERMINAL_HOME},
                {KEY_END, TERMINAL_END},
                {KEY_PPAGE, TERMINAL_PAGE_UP},
                {KEY_NPAGE, TERMINAL_PAGE_DOWN},
                {KEY_F(1), TERMINAL_F1},
                {KEY_ENTER, TERMINAL_ENTER},
                {KEY_BACKSPACE, TERMINAL_BACKSPACE}};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (keys[k].code == code)
            return keys[k].key;
    return 0;
}

static int text_key(wint_t code) {
    return code == '\r' || code == '\n'   ? TERMINAL_ENTER
           : code == 0x1b                 ? TERMINAL_ESCAPE
           : code == 0x7f || code == 0x08 ? TERMINAL_BACKSPACE
                                          : (int)code;
}

static bool take_mouse(struct terminal_event *event) {
    MEVENT mouse;
    if (getmouse(&mouse) != OK)
        return false;
    *event = (struct terminal_event){.x = mouse.x, .y = mouse.y};
    if (mouse.bstate & BUTTON4_PRESSED)
        event->key = TERMINAL_UP;
    else if (mouse.bstate & BUTTON5_PRESSED)
        event->key = TERMINAL_DOWN;
    return true;
}

bool terminal_next(struct terminal *terminal, struct terminal_event *event) {
    (void)terminal;
    wint_t code;
    for (int got; (got = get_wch(&code)) != ERR;) {
        if (got == KEY_CODE_YES && code == KEY_MOUSE) {
            if (take_mouse(event))
                return true;
            continue;
        }
        *event =
            (struct terminal_event){.key = got == KEY_CODE_YES ? key_of(code) : text_key(code)};
        if (event->key)
            return true;
    }
    return false;
}
