/* The terminal's rendering of a grid, compared with the grid. */
#include "tests/fixtures/pty.h"
#include "tests/fixtures/vterms.h"

#include "core/limits.h"
#include "ui/terminal/terminal.h"

enum { COLS = 70, ROWS = 30 }; /* more rows than terminfo has */

/* All our glyphs, all roles, all pairs of neighbouring levels; different in each frame. */
static void fill(struct grid *grid, int frame) {
    static const uint32_t glyphs[] = {'a',    'Z',    0,      0xb2,   0xb7,   0x2500, 0x256d,
                                      0x2588, 0x258c, 0x2591, 0x2801, 0x28ff, 0x25b6, 0x2026};
    for (int c = 0; c < COLS * ROWS; c++) {
        const unsigned k = (unsigned)(c * 7 + frame * 13);
        struct cell *cell = &grid->cells[c];
        *cell = (struct cell){.glyph = glyphs[k % 14], .foreground = (uint8_t)(k / 3 % ROLE_BAR)};
        if (c % 3 == 0)
            *cell = (struct cell){.glyph = 0x2580,
                                  .foreground = (uint8_t)(ROLE_LEVEL0 + k % (2 * ROLE_LEVELS)),
                                  .background = (uint8_t)(ROLE_LEVEL0 + k / 5 % (2 * ROLE_LEVELS))};
        if (c / COLS == ROWS - 1)
            cell->background = ROLE_BAR;
    }
}

static enum color_mode child_colors;
static enum colormap child_map;
static const char *const *child_variables; /* NAME, VALUE, and so on, terminated by NULL */

/* Shows the grid, and waits until all of it is written. */
static void show(struct terminal *terminal, const struct grid *grid, enum colormap map) {
    terminal_show(terminal, grid, map, NULL, 0);
    while (terminal->tty.waiting_count)
        tty_flush(&terminal->tty);
}

/* Shows two frames, the second over the first. Then shows READY in a third frame, so that
 * everything before it has been written, and waits for a key. */
static int show_frames(void) {
    /* The test reads its input, so no query may be sent. */
    const struct terminal_settings settings = {
        .colors = child_colors, .theme = THEME_DARK, .pixels = PIXELS_OFF};
    struct terminal *terminal;
    struct grid grid;
    for (const char *const *name = child_variables; name && *name; name += 2)
        setenv(name[0], name[1], 1);
    if (terminal_open(&settings, &terminal, NULL) || !grid_init(&grid, COLS, ROWS))
        return 1;
    terminal_resize(terminal);
    for (int frame = 0; frame < 3; frame++) {
        fill(&grid, frame > 0);
        if (frame == 2)
            grid_text(grid_area(&grid), COLS - 8, ROWS - 1, ROLE_TEXT, "READY");
        show(terminal, &grid, child_map);
    }
    char key;
    const ssize_t got = read(STDIN_FILENO, &key, 1);
    terminal_close(terminal);
    return got == 1 ? 0 : 2;
}

/* Shows the number of reads, in the last row, until one is a key. */
static int show_replies(void) {
    const struct terminal_settings settings = {.pixels = PIXELS_OFF};
    struct terminal *terminal;
    struct input_event event;
    struct grid grid;
    if (terminal_open(&settings, &terminal, NULL) || !grid_init(&grid, COLS, ROWS))
        return 1;
    for (int reads = 0; !terminal->tty.gone; reads++) {
        grid_text(grid_area(&grid), 0, ROWS - 1, ROLE_TEXT, "reads: %d.", reads);
        show(terminal, &grid, COLORMAP_VIRIDIS);
        terminal_read(terminal);
        if (terminal_next(terminal, &event))
            break;
    }
    terminal_close(terminal);
    return 0;
}

/* Exits like a library without memory. */
static int exit_inside(void) {
    const struct terminal_settings settings = {.colors = COLORS_AUTO, .theme = THEME_DARK};
    struct terminal *terminal;
    struct grid grid;
    if (terminal_open(&settings, &terminal, NULL) || !grid_init(&grid, COLS, ROWS))
        return 1;
    fill(&grid, 0);
    show(terminal, &grid, COLORMAP_VIRIDIS);
    exit(7);
}

static void compare_screen(enum palette_depth depth, enum glyph_set set) {
    owned_grid grid;
    assert_true(grid_init(&grid, COLS, ROWS));
    fill(&grid, 1);
    grid_text(grid_area(&grid), COLS - 8, ROWS - 1, ROLE_TEXT, "READY");
    const struct palette palette = {.depth = depth, .theme = THEME_DARK, .map = child_map};
    assert_vterm_shows(pty.vterm, &grid, &palette, set);
}

static void check_term(const char *term, const char *locale, enum palette_depth depth,
                       enum glyph_set set) {
    pty_open(&(struct pty_start){
        .term = term, .locale = locale, .cols = COLS, .rows = ROWS, .function = show_frames});
    pty_wait_for("READY");
    assert_true(pty.alternate || strncmp(term, "vt", 2) == 0 || strcmp(term, "linux") == 0 ||
                strcmp(term, "screen") == 0);
    compare_screen(depth, set);
    pty_quit();
}

TEST(terms) {
    child_colors = COLORS_AUTO;
    check_term("xterm-256color", NULL, PALETTE_256, GLYPHS_UNICODE);
    check_term("tmux-256color", NULL, PALETTE_256, GLYPHS_UNICODE);
    check_term("xterm", NULL, PALETTE_8, GLYPHS_UNICODE);
    check_term("screen", NULL, PALETTE_8, GLYPHS_UNICODE);
    check_term("linux", NULL, PALETTE_8, GLYPHS_CONSOLE);
    check_term("vt100", NULL, PALETTE_MONO, GLYPHS_ASCII);
    check_term("no-such-terminal", NULL, PALETTE_256, GLYPHS_UNICODE);
    check_term("xterm-256color", "C", PALETTE_256, GLYPHS_ASCII);
}

/* RGB, whatever terminfo describes; NO_COLOR, a TERM without colours and GNU screen override it. */
TEST(direct_color) {
    unsetenv("TMUX");
    child_colors = COLORS_AUTO;
    child_variables = (const char *[]){"COLORTERM", "truecolor", NULL};
    for (child_map = 0; child_map < COLORMAP_COUNT; child_map++)
        check_term("xterm-256color", NULL, PALETTE_DIRECT, GLYPHS_UNICODE);
    child_map = COLORMAP_VIRIDIS;
    child_variables = (const char *[]){"COLORTERM", "24bit", NULL};
    check_term("xterm", NULL, PALETTE_DIRECT, GLYPHS_UNICODE);
    check_term("tmux-256color", NULL, PALETTE_DIRECT, GLYPHS_UNICODE);
    check_term("no-such-terminal", NULL, PALETTE_DIRECT, GLYPHS_UNICODE);
    check_term("screen", NULL, PALETTE_8, GLYPHS_UNICODE);
    check_term("vt100", NULL, PALETTE_MONO, GLYPHS_ASCII);
    child_variables = (const char *[]){"COLORTERM", "24bit", "NO_COLOR", "1", NULL};
    check_term("xterm-256color", NULL, PALETTE_MONO, GLYPHS_UNICODE);
    child_variables = (const char *[]){"COLORTERM", "24bit", NULL};
    child_colors = COLORS_256;
    check_term("xterm-256color", NULL, PALETTE_256, GLYPHS_UNICODE);
    child_variables = NULL;
    child_colors = COLORS_DIRECT;
    check_term("screen", NULL, PALETTE_DIRECT, GLYPHS_UNICODE);
}

static bool has_own_background(void) {
    VTermScreenCell cell;
    vterm_screen_get_cell(pty.screen, (VTermPos){.row = ROWS / 2, .col = COLS / 2}, &cell);
    return VTERM_COLOR_IS_DEFAULT_BG(&cell.bg);
}

/* The terminal's own background remains; behind a multiplexer only if it reports the background,
 * because light text would be unreadable on white. */
TEST(unknown_background) {
    unsetenv("TMUX");
    unsetenv("STY");
    for (int multiplexed = 0; multiplexed < 2; multiplexed++) {
        pty_open(&(struct pty_start){.term = multiplexed ? "tmux-256color" : "xterm-256color",
                                     .cols = COLS,
                                     .rows = ROWS,
                                     .function = show_replies});
        pty_wait_for("reads: 0.");
        assert_int_equal(has_own_background(), !multiplexed);
        PTY_PLAY({"\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "reads: 1."});
        assert_true(has_own_background());
        pty_quit();
    }
}

TEST(forced_depths) {
    child_colors = COLORS_MONO;
    check_term("xterm-256color", NULL, PALETTE_MONO, GLYPHS_UNICODE);
    child_colors = COLORS_8;
    check_term("xterm-256color", NULL, PALETTE_8, GLYPHS_UNICODE);
}

static double linear(int value) {
    return pow(value / 255.0, 2.2);
}

/* The lightness of fixed colour 16 … 255. */
static double lightness(int color) {
    static const int steps[6] = {0, 95, 135, 175, 215, 255};
    const int k = color - 16;
    if (color >= 232)
        return linear(8 + 10 * (color - 232));
    return 0.2126 * linear(steps[k / 36]) + 0.7152 * linear(steps[k / 6 % 6]) +
           0.0722 * linear(steps[k % 6]);
}

/* A higher level is not darker, and each new colour is the ramp's next one. */
TEST(ramps_rise) {
    for (int map = 0; map < COLORMAP_COUNT; map++) {
        const struct palette palette = {.depth = PALETTE_256, .map = (enum colormap)map};
        int before = -1, bands = 0;
        for (int level = 0; level < ROLE_LEVELS; level++) {
            const int color = palette_color(&palette, (enum role)(ROLE_LEVEL0 + level), false);
            if (before >= 0 && lightness(color) < lightness(before))
                fail_msg("%s gets darker at level %d", colormap_names[map], level);
            bands += color != before;
            before = color;
        }
        assert_in_range(bands, 10, 16);
    }
}

/* Sends queries, ends immediately, and checks that a shell would not get the replies: the next
 * bytes that the terminal sends are its reply to another query. */
static int end_at_once(void) {
    static const char query[] = "\033[5n", reply[] = "\033[0n";
    const struct terminal_settings settings = {.theme = THEME_AUTO, .pixels = PIXELS_AUTO};
    struct terminal *terminal;
    struct termios modes;
    char read_back[sizeof reply - 1];
    setenv("JACOBI_LIMITS", "reply=1500", 1);
    if (limits_read(NULL) || terminal_open(&settings, &terminal, NULL))
        return 1;
    terminal_close(terminal);
    tcgetattr(STDIN_FILENO, &modes);
    modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    modes.c_cc[VMIN] = sizeof read_back;
    tcsetattr(STDIN_FILENO, TCSANOW, &modes);
    const bool is_reply = write(STDOUT_FILENO, query, sizeof query - 1) == sizeof query - 1 &&
                          read(STDIN_FILENO, read_back, sizeof read_back) == sizeof read_back &&
                          memcmp(read_back, reply, sizeof read_back) == 0;
    return is_reply ? 0 : 3;
}

TEST(replies_at_the_end) {
    pty_open(&(struct pty_start){.function = end_at_once});
    assert_int_equal(pty_wait(), 0);
    pty_close();
}

/* Writes part of a character, and the rest after a key. */
static int write_in_pieces(void) {
    struct termios modes;
    char key;
    tcgetattr(STDIN_FILENO, &modes);
    modes.c_lflag &= ~(tcflag_t)ECHO;
    tcsetattr(STDIN_FILENO, TCSANOW, &modes);
    return write(STDOUT_FILENO, "a\xe2", 2) != 2 || read(STDIN_FILENO, &key, 1) != 1 ||
           write(STDOUT_FILENO, "\x96\x80 READY", 8) != 8;
}

TEST(characters_come_in_pieces) {
    pty_open(&(struct pty_start){.function = write_in_pieces});
    pty_read();
    PTY_PLAY({"\n", "READY"});
    assert_true(pty_shows("a\xe2\x96\x80"));
    assert_int_equal(pty_wait(), 0);
    pty_close();
}

TEST(exit_gives_it_back) {
    pty_open(&(struct pty_start){.cols = COLS, .rows = ROWS, .function = exit_inside});
    pty_end(7);
}

TEST_MODULE(terminal, NULL, NULL)
