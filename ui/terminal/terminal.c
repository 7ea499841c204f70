#define NCURSES_WIDECHAR 1
#include "ui/terminal/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#include "core/system.h"
#include "ui/terminal/crash.h"
#include "ui/terminal/pixels.h"
#include "ui/terminal/term_caps.h"
#include "ui/terminal/tty.h"

struct terminal {
    struct terminal_settings settings;
    struct tty tty;
    SCREEN *screen;
    struct buffers buffers;
    struct replies replies;
    struct paste paste;
    struct pixels pixels;
    bool lost_pixels; /* this has been told */
    struct palette palette;
    bool has_own;            /* its own background can be left as it is */
    bool direct;             /* it understands RGB */
    struct vt_colors colors; /* what its numbers of colours mean if it does */
    enum glyph_set glyphs;
    bool synchronised;
    struct grid shown; /* what the terminal shows */
    enum colormap shown_map;
};

/* Mouse and brackets around pasted text. One mode at a time: not every terminal understands the
 * list that ncurses sends. */
static void switch_input(struct terminal *terminal, bool on) {
    tty_write_text(&terminal->tty, on ? "\x1b[?2004h" : "\x1b[?2004l");
    if (terminal->settings.mouse && terminal->synchronised)
        tty_write_text(&terminal->tty, on ? "\x1b[?1000h\x1b[?1006h" : "\x1b[?1006l\x1b[?1000l");
}

/* Hands a frame to the terminal; returns its bytes. */
static size_t pass_on(struct terminal *terminal, bool synchronised) {
    const bool direct = terminal->palette.depth == PALETTE_DIRECT;
    return buffers_pass_on(&terminal->buffers, &terminal->tty, direct ? &terminal->colors : NULL,
                           synchronised);
}

/* Sends the question for pixels that is due, if any. */
static void ask_for_pixels(struct terminal *terminal) {
    pixels_ask(&terminal->pixels, &terminal->tty, clock_now_ns());
}

/* ---- opening */

/* The colours that terminfo promises; below 1: none. What it does not know is taken for xterm. */
static int count_colors(const struct terminal *terminal, const char *term) {
    int ignored;
    if (setupterm(term, fileno(terminal->buffers.frame), &ignored) != OK)
        return 256;
    const int count = tigetnum("colors");
    del_curterm(cur_term);
    return count;
}

static void only_be_there(int number) {
}

/* ncurses leaves Ctrl-Z alone, then and later, if newterm finds an action of somebody else's. With
 * its own it ignores the signal while it draws, and one that waits to be read is lost. */
static SCREEN *open_screen(const char *term, FILE *frame, FILE *typed) {
    const struct sigaction other = {.sa_handler = only_be_there};
    struct sigaction before;
    sigaction(SIGTSTP, &other, &before);
    SCREEN *screen = newterm(term, frame, typed);
    sigaction(SIGTSTP, &before, NULL);
    return screen;
}

static bool try_term(struct terminal *terminal, const char *term) {
    int ignored;
    /* Asks for the terminal's description first: a newterm that fails leaks. */
    if (setupterm(term, fileno(terminal->buffers.frame), &ignored) != OK)
        return false;
    del_curterm(cur_term);
    terminal->screen = open_screen(term, terminal->buffers.frame, terminal->buffers.typed);
    if (terminal->screen)
        set_term(terminal->screen);
    return terminal->screen != NULL;
}

static enum status open_curses(struct terminal *terminal, struct error *error) {
    const char *term = getenv("TERM");
    term = term ? term : "";
    /* Else ncurses would make a screen as large as LINES and COLUMNS say. A description without a
     * size, as the Linux console has, can then not be used: it gets xterm's, which it understands.
     */
    use_env(FALSE);
    if (strcmp(term, "dumb") != 0 && *term) {
        /* RGB is written by the VT filter, from a description of 256 colours. Numbers of a direct
         * description are no use: those below 8 are the palette's. */
        const int count = count_colors(terminal, term);
        char indexed[64] = "";
        snprintf(indexed, sizeof indexed, "%.*s-256color", (int)strcspn(term, "-"), term);
        terminal->direct = term_caps_direct(terminal->settings.colors, term, count);
        const bool other = count != 256 && (terminal->direct || count > 256);
        if ((other && (try_term(terminal, indexed) || try_term(terminal, "xterm-256color"))) ||
            ((try_term(terminal, term) || try_term(terminal, "xterm-256color")) &&
             tigetstr("cup") > (char *)0))
            return STATUS_OK;
    }
    return error_set(error, STATUS_BAD_INPUT,
                     "the terminal \"%.40s\" can't place its cursor: use --headless", term);
}

/* The theme that was asked for or found out. The terminal's own background goes with it unless that
 * lies behind a multiplexer that doesn't say what it is: it may be white. */
static void take_theme(struct terminal *terminal, enum theme theme) {
    terminal->palette.theme = theme;
    terminal->palette.own_background =
        terminal->settings.theme == THEME_AUTO && terminal->has_own &&
        (theme != THEME_AUTO || !term_caps_multiplexer(getenv("TERM")));
}

static void choose_palette(struct terminal *terminal) {
    struct palette *palette = &terminal->palette;
    const enum palette_depth wanted = term_caps_depth(terminal->settings.colors);
    start_color();
    terminal->has_own = use_default_colors() == OK;
    const enum palette_depth deepest = !has_colors() || COLORS < 8         ? PALETTE_MONO
                                       : COLORS < 16                       ? PALETTE_8
                                       : COLORS < 256                      ? PALETTE_16
                                       : COLORS == 256 && terminal->direct ? PALETTE_DIRECT
                                                                           : PALETTE_256;
    palette->depth = deepest < wanted ? deepest : wanted;
    take_theme(terminal, terminal->settings.theme);
}

/* Tells the crash guard which bytes give the terminal back, for when nothing else can be done any
 * more. CAN ends what may have been cut off in the middle. */
static void guard_terminal(struct terminal *terminal) {
    static const char *const capabilities[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
    char bytes[512] = "\x18\x1b[?2004l";
    if (terminal->settings.mouse) /* ncurses may have switched it on by itself */
        strcat(bytes, "\x1b[?1006l\x1b[?1000l");
    if (terminal->synchronised)
        strcat(bytes, "\x1b[?2026l");
    if (terminal->pixels.until_ns && !terminal->pixels.in_multiplexer) /* it was asked for them */
        strcat(bytes, kitty_removal);
    for (size_t c = 0; c < sizeof capabilities / sizeof *capabilities; c++) {
        const char *string = tigetstr(capabilities[c]);
        if (string != NULL && string != (char *)-1) /* NOLINT(performance-no-int-to-ptr) */
            vt_filter_capability(bytes, sizeof bytes - 16, string);
    }
    if (tigetstr("rmcup") == NULL) /* what is said then stands below the picture */
        strcat(bytes, "\x1b[r\x1b[999B\r\n");
    crash_guard(terminal->tty.out, &terminal->tty.before, bytes, strlen(bytes));
}

static void set_modes(struct terminal *terminal) {
    choose_palette(terminal);
    const bool spoken = terminal->settings.ascii && terminal->settings.colors == COLORS_MONO;
    terminal->glyphs =
        spoken ? GLYPHS_SPOKEN
               : term_caps_glyphs(getenv("TERM"), nl_langinfo(CODESET), terminal->settings.ascii);
    terminal->synchronised = COLORS >= 256;
    terminal->settings.mouse = term_caps_mouse(getenv("TERM"), terminal->settings.mouse);
    noecho();
    nonl();
    typeahead(-1);
    curs_set(0);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    idcok(stdscr, FALSE); /* cells that are moved would take pixels with them */
    set_escdelay(25);
    if (terminal->settings.mouse) {
        mouseinterval(0);
        mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    }
    tty_raw(&terminal->tty);
    switch_input(terminal, true);
    const bool replies = term_caps_replies(getenv("TERM"), COLORS);
    const bool may_have = replies && term_caps_depth(terminal->settings.colors) >= PALETTE_256;
    pixels_begin(&terminal->pixels, may_have ? terminal->settings.pixels : PIXELS_OFF,
                 getenv("TERM"));
    ask_for_pixels(terminal);
    guard_terminal(terminal);
    if (replies && terminal->settings.theme == THEME_AUTO)
        tty_write_text(&terminal->tty, replies_question(&terminal->replies));
    refresh(); /* what newterm has to say goes before what it can't know */
    pass_on(terminal, false);
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
        status = open_curses(terminal, error);
    if (status) {
        terminal_close(terminal);
        return status;
    }
    set_modes(terminal);
    *opened = terminal;
    return STATUS_OK;
}

/* ---- giving it back */

void terminal_suspend(struct terminal *terminal) {
    tty_drain(&terminal->tty, 1000);
    if (terminal->pixels.count > 0 && terminal->pixels.protocol == PROTOCOL_SIXEL)
        tty_write_text(&terminal->tty, "\x1b[2J");
    pixels_forget(&terminal->pixels);
    pixels_send(&terminal->pixels, &terminal->tty, false, 0);
    switch_input(terminal, false);
    endwin();
    const size_t passed = pass_on(terminal, false);
    tty_drain(&terminal->tty, 1000);
    if (passed == 0)
        crash_put_bytes();
    tty_restore(&terminal->tty);
}

void terminal_resume(struct terminal *terminal) {
    tty_raw(&terminal->tty);
    switch_input(terminal, true);
    terminal_redraw(terminal);
}

void terminal_close(struct terminal *terminal) {
    if (!terminal)
        return;
    if (terminal->screen) {
        if (terminal->tty.raw)
            terminal_suspend(terminal);
        /* No delscreen: it crashes if ncurses has ever lacked memory for what it then frees. */
        crash_unguard();
    }
    tty_close(&terminal->tty);
    buffers_close(&terminal->buffers);
    pixels_forget(&terminal->pixels);
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

void terminal_tell(const struct terminal *terminal, struct terminal_abilities *abilities) {
    static const char *const protocols[] = {
        [PROTOCOL_NONE] = NULL, [PROTOCOL_KITTY] = "kitty's graphics", [PROTOCOL_SIXEL] = "sixels"};
    *abilities = (struct terminal_abilities){
        .depth = terminal->palette.depth,
        .glyphs = terminal->glyphs,
        .pixels = protocols[terminal->pixels.protocol],
        .awaits_reply = terminal->pixels.asks || terminal->pixels.until_ns != 0,
    };
}

bool terminal_fits_picture(const struct terminal *terminal, struct pixel_picture *picture) {
    return pixels_fit(&terminal->pixels, picture);
}

bool terminal_wants_pictures(const struct terminal *terminal, const struct pixel_picture *pictures,
                             int count) {
    return pixels_are_due(&terminal->pixels, pictures, count, clock_now_ns());
}

bool terminal_lost_pixels(struct terminal *terminal) {
    const bool lost = terminal->pixels.failed && !terminal->lost_pixels;
    terminal->lost_pixels = terminal->pixels.failed;
    return lost;
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

double terminal_cell_aspect(const struct terminal *terminal) {
    static const double least = 1.25, most = 3.2; /* else it is not believed */
    double width, height;
    tty_cell_size(&terminal->tty, &width, &height);
    const double aspect = width > 0 ? height / width : 0;
    return aspect >= least && aspect <= most ? aspect : 0;
}

void terminal_resize(struct terminal *terminal, int *cols, int *rows) {
    tty_size(&terminal->tty, cols, rows);
    pixels_resized(&terminal->pixels);
    ask_for_pixels(terminal);
    if (*cols == terminal->shown.cols && *rows == terminal->shown.rows)
        return;
    resizeterm(*rows, *cols);
    /* newterm, which can't ask for the size, lets as many rows scroll as terminfo says: moves
     * relative to the cursor would end at the last of them. The next frame begins with a clear. */
    const char *region = tigetstr("csr");
    char bytes[64] = "";
    if (region != NULL && region != (char *)-1) /* NOLINT(performance-no-int-to-ptr) */
        vt_filter_capability(bytes, sizeof bytes, tiparm(region, 0, *rows - 1));
    tty_write_text(&terminal->tty, bytes);
    grid_finish(&terminal->shown);
    grid_init(&terminal->shown, *cols, *rows);
    terminal_redraw(terminal);
}

void terminal_redraw(struct terminal *terminal) {
    /* A glyph that is never drawn: every cell differs from it. */
    for (int c = 0; c < terminal->shown.cols * terminal->shown.rows; c++)
        terminal->shown.cells[c].glyph = UINT32_MAX;
    pixels_forget(&terminal->pixels); /* what clears the screen clears pictures */
    clearok(stdscr, TRUE);
}

/* The number that ncurses has for a colour. On a direct palette it stands for the RGB of an role
 * (vt_colors) and is not below 16: the first 16 have sequences of their own. */
enum { DIRECT_FIRST = 16 };

static int color_number(const struct palette *palette, enum role role, bool background, int x,
                        int y) {
    const int color = palette_color(palette, role, background, x, y);
    return palette->depth == PALETTE_DIRECT && color != PALETTE_TERMINAL_OWN
               ? DIRECT_FIRST + (int)role
               : color;
}

static void name_colors(struct terminal *terminal) {
    for (int role = 0; role < 256 - DIRECT_FIRST; role++) {
        const int text = palette_color(&terminal->palette, (enum role)role, false, 0, 0);
        const int background = palette_color(&terminal->palette, (enum role)role, true, 0, 0);
        terminal->colors.text[DIRECT_FIRST + role] = (uint32_t)text;
        terminal->colors.background[DIRECT_FIRST + role] = (uint32_t)background;
    }
    redrawwin(stdscr); /* the same numbers mean others */
}

static void put_cell(const struct terminal *terminal, const struct cell *cell, int x, int y) {
    const struct palette *palette = &terminal->palette;
    const uint32_t glyph = glyph_in_set(terminal->glyphs, cell->glyph);
    const wchar_t text[2] = {(wchar_t)(glyph ? glyph : ' '), 0};
    /* With few colours a bar is text reversed. */
    const bool bar = palette->depth < PALETTE_256 &&
                     (cell->background == ROLE_BAR || cell->background == ROLE_SELECT);
    const bool reverse = cell->attributes & REVERSE;
    attr_t attributes = reverse != bar ? A_REVERSE : 0;
    if (cell->attributes & UNDERLINE)
        attributes |= A_UNDERLINE;
    int pair = 0, role = -1;
    if (palette->depth != PALETTE_MONO) {
        role = color_number(palette, bar ? ROLE_TEXT : (enum role)cell->foreground, false, x, y);
        pair = alloc_pair(role, color_number(palette, (enum role)cell->background, true, x, y));
    }
    /* Of 8 or 16 colours bold ones are often the bright ones: yellow on white. */
    const bool pales = palette->theme == THEME_LIGHT && palette->depth < PALETTE_256 && role >= 0;
    if ((cell->attributes & BOLD) && !pales)
        attributes |= A_BOLD;
    pair = pair > 0 ? pair : 0;
    cchar_t shown;
    setcchar(&shown, text, attributes, 0, &pair);
    mvadd_wch(y, x, &shown);
}

/* Of the text alone: rows that differ in colour are the same to ncurses. */
static uint64_t row_hash(const struct grid *grid, int y, enum glyph_set set) {
    uint64_t hash = 14695981039346656037u;
    for (int x = 0; x < grid->cols; x++) {
        const uint32_t glyph = grid->cells[x + y * grid->cols].glyph;
        hash = (hash ^ glyph_in_set(set, glyph ? glyph : ' ')) * 1099511628211u;
    }
    return hash;
}

/* ncurses moves rows by scrolling a region wherever that is shorter, and offers no way to say no;
 * not every terminal, and hardly any recorder of terminals, follows. So rows that stand in another
 * place of the next frame are taken from its memory; rows from the 512th on are left to it. */
static void forget_moved_rows(const struct grid *shown, const struct grid *next,
                              enum glyph_set set) {
    enum { ROWS_COMPARED = 512 };
    uint64_t before[ROWS_COMPARED], after[ROWS_COMPARED];
    const int rows = next->rows < ROWS_COMPARED ? next->rows : ROWS_COMPARED;
    for (int y = 0; y < rows; y++) {
        before[y] = row_hash(shown, y, set);
        after[y] = row_hash(next, y, set);
    }
    for (int from = 0; from < rows; from++)
        for (int to = 0; to < rows && before[from] != after[from]; to++)
            if (after[to] != before[to] && after[to] == before[from]) {
                wredrawln(stdscr, from, 1);
                break;
            }
}

/* How many of the pictures are shown: all or none. Sixels take the place of text, and must not make
 * the screen scroll. */
static int count_pictures(struct terminal *terminal, const struct grid *grid,
                          const struct pixel_picture *pictures, int count) {
    struct pixels *pixels = &terminal->pixels;
    bool has_text = false, at_end = false;
    for (int p = 0; p < count; p++) {
        const struct area *area = &pictures[p].area;
        at_end |= area->y + area->rows >= grid->rows;
        for (int c = 0; c < area->cols * area->rows && !has_text; c++)
            has_text =
                grid_at(grid, area->x + c % area->cols, area->y + c / area->cols)->foreground <
                ROLE_LEVEL0;
    }
    pixels->under_text = has_text;
    const bool fits = pixels->protocol != PROTOCOL_SIXEL || (!has_text && !at_end);
    return fits && (!pixels_have_moved(pixels, pictures, count) || !count || pictures->roles)
               ? count
               : 0;
}

size_t terminal_show(struct terminal *terminal, const struct grid *grid, enum colormap map,
                     const struct pixel_picture *pictures, int count) {
    if (grid->cols != terminal->shown.cols || grid->rows != terminal->shown.rows)
        return 0;
    struct pixels *pixels = &terminal->pixels;
    const bool has_sixels = pixels->protocol == PROTOCOL_SIXEL;
    const enum theme replied = replies_theme(&terminal->replies);
    const bool new_theme =
        terminal->settings.theme == THEME_AUTO && replied != terminal->palette.theme;
    const bool new_look = new_theme || map != terminal->shown_map;
    if (new_look)
        for (int c = 0; c < grid->cols * grid->rows; c++)
            terminal->shown.cells[c].glyph = UINT32_MAX;
    if (new_theme)
        take_theme(terminal, replied);
    terminal->palette.map = terminal->shown_map = map;
    if (terminal->palette.depth == PALETTE_DIRECT &&
        (new_look || !terminal->colors.text[DIRECT_FIRST + ROLE_TEXT]))
        name_colors(terminal);
    count = pixels_renew(pixels, pictures, count_pictures(terminal, grid, pictures, count),
                         &terminal->palette, clock_now_ns());
    if (pixels->has_sixels && pixels->taken_away)
        redrawwin(stdscr); /* text takes their place, also where it was there before */
    forget_moved_rows(&terminal->shown, grid, terminal->glyphs);
    for (int c = 0; c < grid->cols * grid->rows; c++) {
        const struct cell *cell = &grid->cells[c];
        const int x = c % grid->cols, y = c / grid->cols;
        struct cell blank = {0}; /* a picture is in its place */
        for (int p = 0; p < count; p++)
            if (cell->foreground >= ROLE_LEVEL0 && area_holds(pictures[p].area, x, y)) {
                /* A row is told from others by its number in two kinds of blanks: ncurses would
                 * else move rows, and the sixels with them. */
                const int bit = x - pictures[p].area.x;
                blank.glyph = has_sixels && bit < 9 && (y >> bit & 1) ? 0xa0 : 0;
                cell = &blank;
            }
        if (!cell_equals(cell, &terminal->shown.cells[c])) {
            put_cell(terminal, cell, x, y);
            terminal->shown.cells[c] = *cell;
        }
    }
    refresh();
    const size_t passed = pass_on(terminal, terminal->synchronised);
    const size_t before = terminal->tty.waiting_count;
    const size_t again =
        pixels_send(pixels, &terminal->tty, has_sixels && new_look, clock_now_ns());
    if (terminal->tty.waiting_count != before) { /* the cursor goes back to where ncurses left it */
        char place[32];
        snprintf(place, sizeof place, "\x1b[%d;%dH", getcury(curscr) + 1, getcurx(curscr) + 1);
        tty_write_text(&terminal->tty, place);
    }
    tty_flush(&terminal->tty);
    return passed + again;
}

/* ---- keys */

void terminal_read(struct terminal *terminal) {
    char bytes[1024], unpasted[sizeof bytes + PASTE_HELD];
    char keys[sizeof unpasted + sizeof terminal->pixels.held];
    size_t count = tty_read(&terminal->tty, bytes, sizeof bytes);
    const int64_t now_ns = clock_now_ns();
    count = paste_take(&terminal->paste, bytes, count, now_ns, unpasted);
    count = pixels_take(&terminal->pixels, unpasted, count, now_ns, keys);
    ask_for_pixels(terminal);
    count = replies_take(&terminal->replies, keys, count);
    buffers_type(&terminal->buffers, keys, count);
}

/* A key of ncurses (`special`) or a character, as the terminal_event has it; 0: none of ours. */
static int key_of(wint_t code, bool special) {
    static const struct {
        wint_t code;
        bool special;
        int key;
    } keys[] = {
        {KEY_UP, true, TERMINAL_UP},
        {KEY_DOWN, true, TERMINAL_DOWN},
        {KEY_LEFT, true, TERMINAL_LEFT},
        {KEY_RIGHT, true, TERMINAL_RIGHT},
        {KEY_HOME, true, TERMINAL_HOME},
        {KEY_END, true, TERMINAL_END},
        {KEY_PPAGE, true, TERMINAL_PAGE_UP},
        {KEY_NPAGE, true, TERMINAL_PAGE_DOWN},
        {KEY_F(1), true, TERMINAL_F1},
        {KEY_ENTER, true, TERMINAL_ENTER},
        {KEY_BACKSPACE, true, TERMINAL_BACKSPACE},
        {'\r', false, TERMINAL_ENTER},
        {'\n', false, TERMINAL_ENTER},
        {0x1b, false, TERMINAL_ESCAPE},
        {0x7f, false, TERMINAL_BACKSPACE},
        {0x08, false, TERMINAL_BACKSPACE},
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (keys[k].code == code && keys[k].special == special)
            return keys[k].key;
    return special ? 0 : (int)code;
}

bool terminal_next(struct terminal *terminal, struct terminal_event *event) {
    wint_t code;
    if (terminal->paste.seen) {
        terminal->paste.seen = false;
        *event = (struct terminal_event){.key = TERMINAL_PASTE};
        return true;
    }
    for (int got; (got = get_wch(&code)) != ERR;) {
        const bool special = got == KEY_CODE_YES;
        if (!special || code != KEY_MOUSE) {
            *event = (struct terminal_event){.key = key_of(code, special)};
            if (event->key)
                return true;
            continue;
        }
        MEVENT mouse;
        if (getmouse(&mouse) != OK)
            continue;
        *event = (struct terminal_event){.x = mouse.x, .y = mouse.y};
        if (mouse.bstate & BUTTON4_PRESSED)
            event->key = TERMINAL_UP;
        else if (mouse.bstate & BUTTON5_PRESSED)
            event->key = TERMINAL_DOWN;
        return true;
    }
    return false;
}
