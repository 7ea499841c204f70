/* What ncurses makes of a grid, compared with the grid. */
#include "tests/fixtures/support.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fixtures/pty.h"
#include "ui/terminal/terminal.h"
#include "ui/terminal/vt_filter.h"

enum { COLS = 70, ROWS = 20 };

/* Every glyph of ours, every role, every pair of neighbouring levels; different in each frame. */
static void fill(struct grid *grid, int frame) {
    static const uint32_t glyphs[] = {'a',    'Z',    0,      0xb2,   0xb7,   0x2500, 0x256d,
                                      0x2588, 0x258c, 0x2591, 0x2801, 0x28ff, 0x25b6, 0x2026};
    for (int c = 0; c < COLS * ROWS; c++) {
        const unsigned k = (unsigned)(c * 7 + frame * 13);
        struct cell *cell = &grid->cells[c];
        *cell = (struct cell){.glyph = glyphs[k % 14], .ink = (uint8_t)(k / 3 % INK_BAR)};
        if (c % 3 == 0)
            *cell = (struct cell){.glyph = 0x2580,
                                  .ink = (uint8_t)(INK_LEVEL0 + k % INK_LEVELS),
                                  .paper = (uint8_t)(INK_LEVEL0 + k / 5 % INK_LEVELS)};
        if (c / COLS == ROWS - 1)
            cell->paper = INK_BAR;
    }
}

static enum color_mode child_colors;

/* Shows two frames, the second over the first; then, in a frame of its own, so that all before it
 * has been written, says READY, and waits for a key. */
static int show_frames(void) {
    const struct terminal_settings settings = {.colors = child_colors, .theme = THEME_DARK};
    struct terminal *terminal;
    struct grid grid;
    int cols, rows;
    if (terminal_open(&settings, &terminal, NULL) || !grid_init(&grid, COLS, ROWS))
        return 1;
    terminal_resize(terminal, &cols, &rows);
    for (int frame = 0; frame < 3; frame++) {
        fill(&grid, frame > 0);
        if (frame == 2)
            grid_text(&grid, grid_area(&grid), COLS - 8, ROWS - 1, INK_TEXT, 0, "READY");
        terminal_show(terminal, &grid, COLORMAP_VIRIDIS);
        while (terminal_is_busy(terminal))
            terminal_flush(terminal);
    }
    char key;
    const ssize_t got = read(STDIN_FILENO, &key, 1);
    terminal_close(terminal);
    return got == 1 ? 0 : 2;
}

/* The RGB that libvterm gives a colour number; -1: the terminal's own. */
static int number_of(const VTermColor *color, bool is_background) {
    if (is_background ? VTERM_COLOR_IS_DEFAULT_BG(color) : VTERM_COLOR_IS_DEFAULT_FG(color))
        return PALETTE_TERMINAL_OWN;
    if (VTERM_COLOR_IS_INDEXED(color))
        return color->indexed.idx;
    return color->rgb.red << 16 | color->rgb.green << 8 | color->rgb.blue;
}

static void compare_cell(const VTermScreenCell *shown, const struct cell *cell,
                         const struct palette *palette, enum glyph_set set, int x, int y) {
    const uint32_t glyph = glyph_in_set(set, cell->glyph ? cell->glyph : ' ');
    const uint32_t is = shown->chars[0] ? shown->chars[0] : ' ';
    if (is != glyph)
        fail_msg("(%d, %d) shows U+%04x, should be U+%04x", x, y, is, glyph);
    if (palette->depth < PALETTE_256)
        return;
    const int ink = palette_color(palette, (enum ink)cell->ink, false);
    const int paper = palette_color(palette, (enum ink)cell->paper, true);
    if (glyph != ' ' && number_of(&shown->fg, false) != ink)
        fail_msg("(%d, %d) has ink %d, should be %d", x, y, number_of(&shown->fg, false), ink);
    if (number_of(&shown->bg, true) != paper)
        fail_msg("(%d, %d) has paper %d, should be %d", x, y, number_of(&shown->bg, true), paper);
}

static void compare_screen(const struct pty *pty, enum palette_depth depth, enum glyph_set set) {
    struct grid grid;
    assert_true(grid_init(&grid, COLS, ROWS));
    fill(&grid, 1);
    grid_text(&grid, grid_area(&grid), COLS - 8, ROWS - 1, INK_TEXT, 0, "READY");
    const struct palette palette = {.depth = depth, .theme = THEME_DARK};
    for (int c = 0; c < COLS * ROWS; c++) {
        VTermScreenCell shown;
        const VTermPos place = {.row = c / COLS, .col = c % COLS};
        vterm_screen_get_cell(pty->screen, place, &shown);
        compare_cell(&shown, &grid.cells[c], &palette, set, c % COLS, c / COLS);
    }
    grid_finish(&grid);
}

static void check_term(const char *term, const char *locale, enum palette_depth depth,
                       enum glyph_set set) {
    static char can_direct[] = "COLORTERM=truecolor";
    char *const variables[] = {depth == PALETTE_DIRECT ? can_direct : NULL, NULL};
    struct pty pty;
    pty_open(&pty, &(struct pty_start){.term = term,
                                       .variables = variables,
                                       .locale = locale,
                                       .cols = COLS,
                                       .rows = ROWS,
                                       .function = show_frames});
    pty_wait_for(&pty, "READY");
    pty_settle(&pty);
    assert_true(pty.alternate || strncmp(term, "vt", 2) == 0 || strcmp(term, "linux") == 0 ||
                strcmp(term, "screen") == 0);
    compare_screen(&pty, depth, set);
    pty_type(&pty, "q");
    const int status = pty_wait(&pty);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    pty_assert_given_back(&pty);
    pty_close(&pty);
}

static void test_terms(void **state) {
    (void)state;
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

/* Where terminfo has no description of a direct terminal, 256 colours must do. */
static void test_direct_color(void **state) {
    (void)state;
    if (access("/usr/share/terminfo/x/xterm-direct", R_OK) == 0)
        check_term("xterm-256color", NULL, PALETTE_DIRECT, GLYPHS_UNICODE);
}

static char plain[128];

static void keep(void *user, const char *bytes, size_t count) {
    (void)user;
    strncat(plain, bytes, count);
}

static void test_vt_filter(void **state) {
    (void)state;
    static const char bytes[] = "a-\x1b[3bz\x1b[38:2::1:2:3mq\x1b[1;31m\x1b[4:3m\x1b[";
    vt_filter(bytes, sizeof bytes - 1, keep, NULL);
    assert_string_equal(plain, "a----z\x1b[38;2;1;2;3mq\x1b[1;31m\x1b[4;3m\x1b[");
}

static void test_forced_depths(void **state) {
    (void)state;
    child_colors = COLORS_MONO;
    check_term("xterm-256color", NULL, PALETTE_MONO, GLYPHS_UNICODE);
    child_colors = COLORS_8;
    check_term("xterm-256color", NULL, PALETTE_8, GLYPHS_UNICODE);
}

static void test_refuses_what_has_no_cursor(void **state) {
    (void)state;
    struct pty pty;
    child_colors = COLORS_AUTO;
    pty_open(&pty, &(struct pty_start){
                       .term = "dumb", .cols = COLS, .rows = ROWS, .function = show_frames});
    const int status = pty_wait(&pty);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    pty_assert_given_back(&pty);
    pty_close(&pty);
}

static double linear(int value) {
    return pow(value / 255.0, 2.2);
}

/* How light the fixed colour 16 … 255 is. */
static double lightness(int color) {
    static const int steps[6] = {0, 95, 135, 175, 215, 255};
    const int k = color - 16;
    if (color >= 232)
        return linear(8 + 10 * (color - 232));
    return 0.2126 * linear(steps[k / 36]) + 0.7152 * linear(steps[k / 6 % 6]) +
           0.0722 * linear(steps[k % 6]);
}

static void test_ramps_rise(void **state) {
    (void)state;
    for (int map = 0; map < COLORMAP_COUNT; map++) {
        const struct palette palette = {.depth = PALETTE_256, .map = (enum colormap)map};
        double before = -1;
        for (int level = 0; level < INK_LEVELS; level++) {
            const double light =
                lightness(palette_color(&palette, (enum ink)(INK_LEVEL0 + level), false));
            if (light < before)
                fail_msg("%s gets darker at level %d", colormap_name((enum colormap)map), level);
            before = light;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_direct_color),
        cmocka_unit_test(test_vt_filter),
        cmocka_unit_test(test_forced_depths),
        cmocka_unit_test(test_refuses_what_has_no_cursor),
        cmocka_unit_test(test_ramps_rise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
