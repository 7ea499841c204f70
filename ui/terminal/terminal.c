#include "ui/terminal/terminal.h"

#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

#include "core/limits.h"
#include "core/system.h"
#include "ui/terminal/crash.h"
#include "ui/terminal/term_caps.h"

static void ask_for_pixels(struct terminal *terminal) {
    pixels_ask(&terminal->pixels, &terminal->tty, clock_now_ns());
}

/* ---- opening */

/* A capability of terminfo; NULL: absent. */
static const char *capability(const char *name) {
    const char *string = tigetstr(name);
    return string == (char *)-1 ? NULL : string; /* NOLINT(performance-no-int-to-ptr) */
}

/* Appends a sequence if all of it fits. */
static void append_sequence(char sequences[SEQUENCES_MAX], const char *sequence) {
    const size_t used = strlen(sequences);
    if (used + strlen(sequence) < SEQUENCES_MAX)
        strcpy(sequences + used, sequence);
}

/* The same with a capability, without its padding, "$<2>". */
static void append_capability(char sequences[SEQUENCES_MAX], const char *name) {
    const char *string = capability(name);
    char sequence[SEQUENCES_MAX + 1]; /* one byte more: a longer one does not fit */
    size_t used = 0;
    while (string && *string && used < SEQUENCES_MAX) {
        const char *padding = strncmp(string, "$<", 2) == 0 ? strchr(string, '>') : NULL;
        if (!padding)
            sequence[used++] = *string;
        string = (padding ? padding : string) + 1;
    }
    sequence[used] = '\0';
    append_sequence(sequences, sequence);
}

static bool has_description(struct terminal *terminal, const char *term) {
    int ignored;
    if (terminal->has_terminfo)
        del_curterm(cur_term);
    terminal->has_terminfo = setupterm(term, terminal->tty.out, &ignored) == OK;
    return terminal->has_terminfo;
}

/* Treats terminals unknown to terminfo as xterm; also the Linux console, whose description has no
 * size but which understands xterm's 256 colours. */
static enum status read_terminfo(struct terminal *terminal, const char *term, struct error *error) {
    use_env(FALSE); /* use terminfo's "lines", not the window's */
    const bool is_known = *term && strcmp(term, "dumb") != 0 &&
                          ((has_description(terminal, term) && tigetnum("lines") > 0) ||
                           has_description(terminal, "xterm-256color"));
    const char *place = is_known ? capability("cup") : NULL;
    if (place && strncmp(place, "\x1b[", 2) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "the terminal \"%.40s\" can't place its cursor: use --headless", term);
}

/* Sets the theme. Keeps the terminal's own background, unless a multiplexer hides its colour: it
 * may be white. */
static void take_theme(struct terminal *terminal, enum theme theme) {
    terminal->palette.theme = theme;
    terminal->palette.own_background =
        terminal->settings.theme == THEME_AUTO &&
        (theme != THEME_AUTO || !term_caps_multiplexer(getenv("TERM")));
}

static void choose_palette(struct terminal *terminal, bool is_direct, int colors) {
    const enum palette_depth wanted = term_caps_depth(terminal->settings.colors);
    const enum palette_depth deepest = is_direct      ? PALETTE_DIRECT
                                       : colors < 8   ? PALETTE_MONO
                                       : colors < 16  ? PALETTE_8
                                       : colors < 256 ? PALETTE_16
                                                      : PALETTE_256;
    terminal->palette.depth = deepest < wanted ? deepest : wanted;
    take_theme(terminal, terminal->settings.theme);
}

/* Makes the sequences that take over the terminal and restore it; a crash needs them, too. CAN ends
 * a truncated sequence. */
static void make_sequences(struct terminal *terminal) {
    char *take_over = terminal->take_over, *give_back = terminal->give_back;
    static const char *const take[] = {"smcup", "smkx", "civis"};
    static const char *const give[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
    for (size_t c = 0; c < sizeof take / sizeof *take; c++)
        append_capability(take_over, take[c]);
    append_sequence(take_over, "\x1b[?2004h");
    append_sequence(give_back, "\x18\x1b[?2004l");
    if (terminal->settings.mouse) {
        append_sequence(take_over, "\x1b[?1000h\x1b[?1006h");
        append_sequence(give_back, "\x1b[?1006l\x1b[?1000l");
    }
    if (terminal->synchronised)
        append_sequence(give_back, "\x1b[?2026l");
    if (terminal->pixels.until_ns && !terminal->pixels.in_multiplexer) /* kitty's query was sent */
        append_sequence(give_back, kitty_removal);
    for (size_t c = 0; c < sizeof give / sizeof *give; c++)
        append_capability(give_back, give[c]);
    if (!capability("rmcup")) /* the shell's prompt follows below the picture */
        append_sequence(give_back, "\x1b[999B\r\n");
}

static void set_modes(struct terminal *terminal, const char *term) {
    struct terminal_settings *settings = &terminal->settings;
    const int known = tigetnum("colors");
    const bool is_direct = term_caps_direct(settings->colors, term, known);
    const int colors = is_direct ? 256 : known;
    choose_palette(terminal, is_direct, colors);
    const bool is_read = settings->ascii && settings->colors == COLORS_MONO;
    terminal->glyphs = is_read ? GLYPHS_SCREEN_READER
                               : term_caps_glyphs(term, nl_langinfo(CODESET), settings->ascii);
    terminal->synchronised = colors >= 256;
    terminal->has_bce = tigetflag("bce") > 0;
    terminal->may_scroll = tigetflag("am") > 0 && tigetflag("xenl") <= 0;
    settings->mouse = settings->mouse && (colors >= 256 || capability("kmous"));
    const bool replies = term_caps_replies(term, colors);
    const bool may_have = replies && term_caps_depth(settings->colors) >= PALETTE_256;
    tty_raw(&terminal->tty);
    pixels_begin(&terminal->pixels, may_have ? settings->pixels : PIXELS_OFF, term);
    ask_for_pixels(terminal);
    make_sequences(terminal);
    crash_guard_terminal(&terminal->tty, terminal->give_back, strlen(terminal->give_back));
    if (replies && settings->theme == THEME_AUTO)
        tty_write_text(&terminal->tty, "\x1b]11;?\x1b\\");
    if (replies && terminal->palette.depth == PALETTE_256 && settings->colors == COLORS_AUTO &&
        !terminal->pixels.in_multiplexer)
        tty_write_text(&terminal->tty, term_caps_ask_direct);
    tty_write_text(&terminal->tty, terminal->take_over);
    tty_flush(&terminal->tty);
    terminal_resize(terminal);
}

enum status terminal_open(const struct terminal_settings *settings, struct terminal **opened,
                          struct error *error) {
    struct terminal *terminal = calloc(1, sizeof *terminal);
    const char *term = getenv("TERM");
    if (!terminal)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    term = term ? term : "";
    terminal->settings = *settings;
    terminal->theme = term_caps_theme();
    terminal->tty.out = -1;
    terminal->writer.palette = &terminal->palette;
    setlocale(LC_CTYPE, "");
    enum status status = tty_open(&terminal->tty, error);
    if (!status)
        status = read_terminfo(terminal, term, error);
    if (!status) {
        terminal->writer.file = open_memstream(&terminal->bytes, &terminal->byte_count);
        if (!terminal->writer.file)
            status = error_set(error, STATUS_INTERNAL, "out of memory");
    }
    if (status) {
        terminal_close(terminal);
        return status;
    }
    set_modes(terminal, term);
    terminal->writer.glyphs = terminal->glyphs;
    *opened = terminal;
    return STATUS_OK;
}

/* ---- restoring */

/* Waits for outstanding replies, which would otherwise be typed into the shell. */
static void await_replies(struct terminal *terminal) {
    struct pollfd reply = {.fd = terminal->tty.in, .events = POLLIN};
    struct input_event ignored;
    const int64_t end_ns = clock_now_ns() + limit_ns(LIMIT_REPLY) / 15;
    while (clock_now_ns() < terminal->pixels.until_ns && !terminal->tty.gone) {
        const int64_t left_ms = (end_ns - clock_now_ns()) / 1000000;
        if (left_ms <= 0 || poll(&reply, 1, (int)left_ms) <= 0)
            break;
        terminal_read(terminal);
        while (terminal_next(terminal, &ignored))
            continue;
    }
}

void terminal_suspend(struct terminal *terminal) {
    tty_drain(&terminal->tty, 1000);
    await_replies(terminal);
    if (terminal->pixels.count > 0 && terminal->pixels.protocol == PROTOCOL_SIXEL)
        tty_write_text(&terminal->tty, "\x1b[2J");
    pixels_forget(&terminal->pixels);
    pixels_send(&terminal->pixels, &terminal->tty, false, 0);
    tty_write_text(&terminal->tty, terminal->give_back + 1);
    tty_drain(&terminal->tty, 1000);
    tty_restore(&terminal->tty);
}

void terminal_take_modes(struct terminal *terminal) {
    if (terminal->tty.raw)
        tty_raw(&terminal->tty);
}

void terminal_resume(struct terminal *terminal) {
    tty_raw(&terminal->tty);
    tty_write_text(&terminal->tty, terminal->take_over);
    terminal_redraw(terminal);
}

void terminal_close(struct terminal *terminal) {
    if (!terminal)
        return;
    if (terminal->tty.raw)
        terminal_suspend(terminal);
    crash_unguard_terminal();
    tty_close(&terminal->tty);
    if (terminal->has_terminfo)
        del_curterm(cur_term);
    if (terminal->writer.file)
        fclose(terminal->writer.file);
    free(terminal->bytes);
    pixels_forget(&terminal->pixels);
    grid_finish(&terminal->shown);
    grid_finish(&terminal->frame);
    free(terminal);
}

double terminal_cell_aspect(const struct terminal *terminal) {
    static const double least = 1.25, most = 3.2; /* the plausible range */
    const struct tty_size size = tty_size(&terminal->tty);
    const double aspect = size.cell_width > 0 ? size.cell_height / size.cell_width : 0;
    return aspect >= least && aspect <= most ? aspect : 0;
}

/* ---- drawing */

void terminal_resize(struct terminal *terminal) {
    const struct tty_size size = tty_size(&terminal->tty);
    pixels_resized(&terminal->pixels);
    ask_for_pixels(terminal);
    if (size.cols == terminal->shown.cols && size.rows == terminal->shown.rows)
        return;
    grid_finish(&terminal->shown);
    grid_finish(&terminal->frame);
    if (!grid_init(&terminal->shown, size.cols, size.rows) ||
        !grid_init(&terminal->frame, size.cols, size.rows))
        grid_finish(&terminal->shown); /* shows nothing at that size */
    terminal_redraw(terminal);
}

void terminal_redraw(struct terminal *terminal) {
    terminal->clears = true;
    pixels_forget(&terminal->pixels); /* clearing the screen clears pictures */
}

/* The number of pictures to show: all or none. Sixels overwrite text, and must not make the screen
 * scroll. */
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

/* Copies the grid, with blanks below pictures. */
static void make_frame(struct terminal *terminal, const struct grid *grid,
                       const struct pixel_picture *pictures, int count) {
    const size_t cells = (size_t)grid->cols * (size_t)grid->rows;
    memcpy(terminal->frame.cells, grid->cells, cells * sizeof *grid->cells);
    for (int p = 0; p < count; p++) {
        const struct area *area = &pictures[p].area;
        for (int c = 0; c < area->cols * area->rows; c++) {
            const int x = area->x + c % area->cols, y = area->y + c / area->cols;
            struct cell *cell = &terminal->frame.cells[x + y * grid->cols];
            if (cell->foreground >= ROLE_LEVEL0)
                *cell = (struct cell){0};
        }
    }
    if (terminal->may_scroll)
        terminal->frame.cells[cells - 1] = terminal->shown.cells[cells - 1];
}

/* Writes the changed cells, as one synchronised update if the terminal may support it. Returns the
 * number of bytes. */
static size_t write_changes(struct terminal *terminal) {
    struct tty *tty = &terminal->tty;
    FILE *file = terminal->writer.file;
    const size_t before = tty->waiting_count;
    ansi_put_changes(&terminal->writer, &terminal->shown, &terminal->frame);
    bool written = fflush(file) == 0 && !ferror(file);
    if (written && terminal->byte_count > 0)
        written = tty_write_text(tty, terminal->synchronised ? "\x1b[?2026h" : "") &&
                  tty_write(tty, terminal->bytes, terminal->byte_count) &&
                  tty_write_text(tty, terminal->synchronised ? "\x1b[?2026l" : "");
    written = fseek(file, 0, SEEK_SET) == 0 && written;
    if (!written) /* no memory: the next frame tries again */
        terminal_redraw(terminal);
    return tty->waiting_count - before;
}

size_t terminal_show(struct terminal *terminal, const struct grid *grid, enum colormap map,
                     const struct pixel_picture *pictures, int count) {
    struct pixels *pixels = &terminal->pixels;
    const bool has_sixels = pixels->protocol == PROTOCOL_SIXEL;
    const struct palette before = terminal->palette;
    if (grid->cols != terminal->shown.cols || grid->rows != terminal->shown.rows)
        return 0;
    if (terminal->settings.theme == THEME_AUTO)
        take_theme(terminal, terminal->theme);
    terminal->palette.map = map;
    const bool new_look = terminal->palette.theme != before.theme || map != before.map;
    if (terminal->clears)
        ansi_clear(&terminal->writer, &terminal->shown, terminal->has_bce);
    else
        ansi_change_palette(&terminal->shown, &before, &terminal->palette);
    terminal->clears = false;
    count = pixels_renew(pixels, pictures, count_pictures(terminal, grid, pictures, count),
                         &terminal->palette, clock_now_ns());
    if (pixels->has_sixels && pixels->taken_away) /* text overwrites them */
        ansi_damage(&terminal->shown);
    make_frame(terminal, grid, pictures, count);
    const size_t changed = write_changes(terminal), end = terminal->tty.waiting_count;
    const size_t again =
        pixels_send(pixels, &terminal->tty, has_sixels && new_look, clock_now_ns());
    if (terminal->tty.waiting_count != end)
        terminal->writer.x = -1; /* the cursor has moved */
    tty_flush(&terminal->tty);
    return changed + again;
}

/* ---- keys */

void terminal_read(struct terminal *terminal) {
    enum { KEY_MS = 25 }; /* an Escape is the key if nothing follows */
    char bytes[INPUT_READ_MAX];
    struct pollfd typed = {.fd = terminal->tty.in, .events = POLLIN};
    struct input *input = &terminal->input;
    input_add(input, bytes, tty_read(&terminal->tty, bytes, sizeof bytes), clock_now_ns());
    /* A reply may come in pieces. */
    const bool waits = input_holds_escape(input) && clock_now_ns() > terminal->pixels.until_ns;
    if (waits && poll(&typed, 1, KEY_MS) == 0)
        input_end_escape(input);
}

static void take_reply(struct terminal *terminal, const struct input_event *reply) {
    const enum theme theme = term_caps_background(reply->text);
    if (theme != THEME_AUTO)
        terminal->theme = theme;
    if (terminal->settings.colors == COLORS_AUTO && terminal->palette.depth == PALETTE_256 &&
        term_caps_replies_direct(reply->text)) {
        terminal->palette.depth = PALETTE_DIRECT;
        terminal_redraw(terminal);
    }
    pixels_take(&terminal->pixels, reply);
    ask_for_pixels(terminal);
}

bool terminal_next(struct terminal *terminal, struct input_event *event) {
    while (input_next(&terminal->input, event)) {
        if (event->kind == INPUT_KEY || event->kind == INPUT_CLICK)
            return true;
        take_reply(terminal, event);
    }
    return false;
}
