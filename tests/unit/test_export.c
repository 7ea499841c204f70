/* Pictures as text and ANSI, shapes, screencasts. */
#include "tests/fixtures/support.h"

#include <cjson/cJSON.h>
#include <vterm.h>

#include "tests/fixtures/folder.h"
#include "tests/fixtures/pictures.h"
#include "ui/export/cast.h"

/* ---- a terminal with 24-bit colour ----------------------------------------------------------- */

static VTerm *terminal(void) {
    VTerm *vterm = vterm_new(PICTURE_ROWS, PICTURE_COLS);
    vterm_set_utf8(vterm, 1);
    vterm_screen_reset(vterm_obtain_screen(vterm), 1);
    return vterm;
}

static void assert_color(const VTermColor *color, struct rgb rgb, bool is_default) {
    if (is_default)
        return;
    assert_true(VTERM_COLOR_IS_RGB(color));
    assert_int_equal(color->rgb.red, rgb.r);
    assert_int_equal(color->rgb.green, rgb.g);
    assert_int_equal(color->rgb.blue, rgb.b);
}

static void assert_shows(VTerm *vterm, const struct grid *grid) {
    VTermScreen *screen = vterm_obtain_screen(vterm);
    const enum theme theme = picture_palette.theme;
    const enum colormap map = picture_palette.map;
    for (int y = 0; y < grid->rows; y++)
        for (int x = 0; x < grid->cols; x++) {
            const struct cell *cell = &grid->cells[x + y * grid->cols];
            VTermScreenCell shown;
            vterm_screen_get_cell(screen, (VTermPos){y, x}, &shown);
            const uint32_t glyph = shown.chars[0] ? shown.chars[0] : ' ';
            assert_int_equal(glyph, cell->glyph ? cell->glyph : ' ');
            if (glyph != ' ')
                assert_int_equal(shown.attrs.bold, cell->attributes & BOLD ? 1 : 0);
            assert_int_equal(shown.attrs.reverse, cell->attributes & REVERSE ? 1 : 0);
            assert_int_equal(shown.attrs.underline, cell->attributes & UNDERLINE ? 1 : 0);
            assert_color(&shown.fg, theme_rgb(theme, map, (enum role)cell->foreground, false),
                         cell->foreground == ROLE_DEFAULT || glyph == ' ');
            assert_color(&shown.bg, theme_rgb(theme, map, (enum role)cell->background, true),
                         cell->background == ROLE_DEFAULT);
        }
}

/* A terminal expands a file's newline to carriage return and newline. */
static void type_file(VTerm *vterm, const char *text) {
    for (; *text; text++)
        if (*text == '\n' && text[1])
            vterm_input_write(vterm, "\r\n", 2);
        else if (*text != '\n')
            vterm_input_write(vterm, text, 1);
}

TEST(ansi) {
    struct grid grid;
    VTerm *vterm = terminal();
    picture_grid(&grid);
    char *ansi = picture_text(ansi_write, &grid);
    type_file(vterm, ansi);
    assert_shows(vterm, &grid);
    vterm_free(vterm);
    free(ansi);
    grid_finish(&grid);
}

TEST(text) {
    struct grid grid;
    struct error error = {0};
    picture_grid(&grid);
    assert_int_equal(picture_write("a.txt", false, &grid, &picture_palette, &error), STATUS_OK);
    const char *text = folder_text("a.txt");
    static const char wanted[] = " Field U & <µs> \"quoted\"\n ╭─ 1 204 ms ─╮\n reversed";
    assert_true(strncmp(text, wanted, strlen(wanted)) == 0);
    assert_null(strchr(text, '\033'));
    grid_finish(&grid);
}

TEST(names) {
    enum picture_format format;
    struct error error = {0};
    assert_int_equal(picture_format_of("a.svg", &format, &error), STATUS_OK);
    assert_int_equal(format, PICTURE_SVG);
    assert_int_equal(picture_format_of("x/B.ANS", &format, &error), STATUS_OK);
    assert_int_equal(format, PICTURE_ANSI);
    static const char *const bad[] = {"", "a", ".svg", "a.gif", "a.svg.", "svg"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(picture_format_of(bad[k], &format, &error), STATUS_BAD_INPUT);
}

/* A failed picture leaves no file behind, and an existing file remains. */
TEST(all_or_nothing) {
    struct grid grid;
    struct error error = {0};
    picture_grid(&grid);
    assert_int_equal(picture_write("none/a.svg", false, &grid, &picture_palette, &error),
                     STATUS_INTERNAL);
    assert_contains(error.message, "none/a.svg");
    grid_finish(&grid);
}

/* ---- screencasts ----------------------------------------------------------------------------- */

/* Plays a cast; returns the markers. */
static int play(const char *path, VTerm *vterm, double *last_time) {
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    int markers = 0;
    assert_true(getline(&line, &room, file) > 0);
    cJSON *header = cJSON_Parse(line);
    assert_int_equal(cJSON_GetObjectItem(header, "version")->valueint, 2);
    assert_int_equal(cJSON_GetObjectItem(header, "width")->valueint, PICTURE_COLS);
    assert_int_equal(cJSON_GetObjectItem(header, "height")->valueint, PICTURE_ROWS);
    cJSON_Delete(header);
    while (getline(&line, &room, file) > 0) {
        cJSON *event = cJSON_Parse(line);
        assert_int_equal(cJSON_GetArraySize(event), 3);
        const double time = cJSON_GetArrayItem(event, 0)->valuedouble;
        const char *data = cJSON_GetArrayItem(event, 2)->valuestring;
        assert_true(time >= *last_time);
        *last_time = time;
        if (strcmp(cJSON_GetArrayItem(event, 1)->valuestring, "o") == 0)
            vterm_input_write(vterm, data, strlen(data));
        else
            markers++;
        cJSON_Delete(event);
    }
    free(line);
    fclose(file);
    return markers;
}

TEST(cast) {
    struct grid grid;
    struct cast *cast;
    struct error error = {0};
    picture_grid(&grid);
    static const char path[] = "a.cast";
    assert_int_equal(cast_open(path, false, "a \"title\"", &cast, &error), STATUS_OK);
    cast_frame(cast, &grid, &picture_palette, 0, &error);
    cast_frame(cast, &grid, &picture_palette, 0.1, &error); /* nothing has changed */
    cast_marker(cast, "chapter", 0.2, &error);
    const struct area all = {0, 0, PICTURE_COLS, PICTURE_ROWS, &grid};
    grid_text(all, 3, 8, ROLE_WARN, "changed");
    grid_text(all, 0, 0, ROLE_WARN, "X");
    grid_put(all, PICTURE_COLS - 1, 9, 'z', style_on(ROLE_TEXT, ROLE_BAR));
    assert_int_equal(cast_frame(cast, &grid, &picture_palette, 0.3, &error), STATUS_OK);
    assert_int_equal(cast_close(cast, &error), STATUS_OK);
    VTerm *vterm = terminal();
    double last_time = 0;
    assert_int_equal(play(path, vterm, &last_time), 1);
    assert_close(last_time, 0.3, 1e-9);
    assert_shows(vterm, &grid);
    vterm_free(vterm);
    assert_int_equal(cast_open(path, false, "", &cast, &error), STATUS_BAD_INPUT);
    grid_finish(&grid);
}

/* A change of size is reported to the player, with a full redraw; without a frame no file is
 * made. */
TEST(cast_resizes) {
    struct grid grid, larger;
    struct cast *cast;
    struct error error = {0};
    static const char path[] = "b.cast";
    assert_int_equal(cast_open(path, false, "", &cast, &error), STATUS_OK);
    cast_marker(cast, "too early", 0, &error);
    assert_int_equal(cast_close(cast, &error), STATUS_OK);
    assert_int_equal(access(path, F_OK), -1);
    picture_grid(&grid);
    assert_true(grid_init(&larger, PICTURE_COLS + 1, PICTURE_ROWS));
    assert_int_equal(cast_open(path, false, "", &cast, &error), STATUS_OK);
    cast_frame(cast, &grid, &picture_palette, 0, &error);
    cast_frame(cast, &larger, &picture_palette, 1, &error);
    cast_frame(cast, &grid, &picture_palette, 2, &error);
    assert_int_equal(cast_close(cast, &error), STATUS_OK);
    const char *text = folder_text(path);
    char size[64];
    snprintf(size, sizeof size, "[1.000000,\"r\",\"%dx%d\"]\n", PICTURE_COLS + 1, PICTURE_ROWS);
    assert_contains(text, size);
    assert_contains(text, "[2.000000,\"r\",");
    grid_finish(&grid);
    grid_finish(&larger);
}

TEST_MODULE(export, NULL, NULL)
