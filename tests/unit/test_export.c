/* Pictures as text and ANSI, shapes, screencasts. */
#include "tests/fixtures/folder.h"
#include "tests/fixtures/pictures.h"
#include "tests/fixtures/vterms.h"
#include "ui/export/cast.h"

static VTerm *terminal(void) {
    VTerm *vterm = vterm_new(PICTURE_ROWS, PICTURE_COLS);
    vterm_set_utf8(vterm, 1);
    vterm_screen_reset(vterm_obtain_screen(vterm), 1);
    return vterm;
}

static void assert_shows(VTerm *vterm, const struct grid *grid) {
    assert_vterm_shows(vterm, grid, &picture_palette, GLYPHS_UNICODE);
}

/* A terminal expands a file's newline to carriage return and newline. */
static void type_file(VTerm *vterm, const char *text) {
    for (; *text; text++)
        if (*text == '\n' && text[1])
            vterm_input_write(vterm, "\r\n", 2);
        else if (*text != '\n')
            vterm_input_write(vterm, text, 1);
}

/* Each set of quadrants is drawn as rectangles that hold their centres, and no other's. */
TEST(quadrants_are_rectangles) {
    static const uint32_t glyphs[] = U" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█";
    for (unsigned set = 1; set < 16; set++) {
        const struct shape shape = shape_of(glyphs[set], 2);
        for (int q = 0; q < 4; q++) {
            const double x = 0.25 + 0.5 * (q % 2), y = q < 2 ? 0.25 : 0.75;
            bool covered = false;
            for (int r = 0; r < shape.count; r++)
                covered |= x > shape.rects[r].x0 && x < shape.rects[r].x1 &&
                           y > shape.rects[r].y0 && y < shape.rects[r].y1;
            assert_int_equal(covered, set >> q & 1);
        }
    }
}

TEST(ansi) {
    owned_grid grid;
    VTerm *vterm = terminal();
    picture_grid(&grid);
    owned_memory char *ansi = picture_text(ansi_write, &grid);
    type_file(vterm, ansi);
    assert_shows(vterm, &grid);
    vterm_free(vterm);
}

TEST(text) {
    owned_grid grid;
    picture_grid(&grid);
    assert_ok(picture_write("a.txt", false, &grid, &picture_palette, &error));
    const char *text = folder_text("a.txt");
    static const char wanted[] = " Field U & <µs> \"quoted\"\n ╭─ 1 204 ms ─╮\n reversed";
    assert_true(strncmp(text, wanted, strlen(wanted)) == 0);
    assert_null(strchr(text, '\033'));
}

TEST(names) {
    enum picture_format format;
    assert_ok(picture_format_of("a.svg", &format, &error));
    assert_int_equal(format, PICTURE_SVG);
    assert_ok(picture_format_of("x/B.ANS", &format, &error));
    assert_int_equal(format, PICTURE_ANSI);
    for_each_word(text, "", "a", ".svg", "a.gif", "a.svg.", "svg")
        assert_int_equal(picture_format_of(text, &format, &error), STATUS_BAD_INPUT);
}

/* A failed picture leaves no file behind, and an existing file remains. */
TEST(all_or_nothing) {
    owned_grid grid;
    picture_grid(&grid);
    assert_refused(picture_write("none/a.svg", false, &grid, &picture_palette, &error),
                   STATUS_INTERNAL, "none/a.svg");
}

TEST(cast) {
    owned_grid grid;
    struct cast *cast;
    picture_grid(&grid);
    static const char path[] = "a.cast";
    assert_ok(cast_open(path, false, "a \"title\"", &cast, &error));
    cast_frame(cast, &grid, &picture_palette, 0, &error);
    cast_frame(cast, &grid, &picture_palette, 0.1, &error); /* nothing has changed */
    cast_marker(cast, "chapter", 0.2, &error);
    const struct area all = {0, 0, PICTURE_COLS, PICTURE_ROWS, &grid};
    grid_text(all, 3, 8, ROLE_WARN, "changed");
    grid_text(all, 0, 0, ROLE_WARN, "X");
    grid_put(all, PICTURE_COLS - 1, 9, 'z', style_on(ROLE_TEXT, ROLE_BAR));
    assert_ok(cast_frame(cast, &grid, &picture_palette, 0.3, &error));
    assert_ok(cast_close(cast, &error));
    VTerm *vterm = terminal();
    const struct cast_counts counts = cast_read(path, vterm);
    assert_int_equal(counts.cols, PICTURE_COLS);
    assert_int_equal(counts.rows, PICTURE_ROWS);
    assert_int_equal(counts.markers, 1);
    assert_close(counts.seconds, 0.3, 1e-9);
    assert_shows(vterm, &grid);
    vterm_free(vterm);
    assert_int_equal(cast_open(path, false, "", &cast, &error), STATUS_BAD_INPUT);
}

/* A change of size is reported to the player, with a full redraw; without a frame no file is
 * made. */
TEST(cast_resizes) {
    owned_grid grid;
    owned_grid larger;
    struct cast *cast;
    static const char path[] = "b.cast";
    assert_ok(cast_open(path, false, "", &cast, &error));
    cast_marker(cast, "too early", 0, &error);
    assert_ok(cast_close(cast, &error));
    assert_int_equal(access(path, F_OK), -1);
    picture_grid(&grid);
    assert_true(grid_init(&larger, PICTURE_COLS + 1, PICTURE_ROWS));
    assert_ok(cast_open(path, false, "", &cast, &error));
    cast_frame(cast, &grid, &picture_palette, 0, &error);
    cast_frame(cast, &larger, &picture_palette, 1, &error);
    cast_frame(cast, &grid, &picture_palette, 2, &error);
    assert_ok(cast_close(cast, &error));
    const char *text = folder_text(path);
    assert_contains(text, PRINT("[1.000000,\"r\",\"%dx%d\"]\n", PICTURE_COLS + 1, PICTURE_ROWS));
    assert_contains(text, "[2.000000,\"r\",");
}

TEST_MODULE(export, NULL, NULL)
