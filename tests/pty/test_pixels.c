/* The field in real pixels, on a terminal that reports sixels. */
#include "tests/fixtures/pty.h"

#include <sixel.h>

/* Heat from the upper edge: 200 iterations, then the field is final. */
static void open_hot_plate(const char *attributes, const char *options) {
    char line[160];
    print_to(line,
             "--problem hot-plate --backend serial --grid 64 --iterations 200 --tolerance 0 %s",
             options);
    pty_open(&(struct pty_start){.cols = 120,
                                 .rows = 40,
                                 .line = line,
                                 .attributes = attributes,
                                 .cell_width = 10,
                                 .cell_height = 20});
}

struct sixels {
    int row, col; /* of the upper left corner, from 1 */
    int width, height;
    uint8_t *pixels; /* colour numbers; to be freed */
    uint8_t *rgb;    /* to be freed, too */
};

/* The next picture after the first *from bytes; sets *from to its end. */
static struct sixels next_picture(size_t *from) {
    struct sixels sixels;
    int colors;
    static const char head[] = "\033P0;1"; /* queries to the terminal begin with \033P, too */
    const size_t begin = pty_wait_for_bytes(*from, head) - (sizeof head - 1);
    const size_t end = pty_wait_for_bytes(begin, "\033\\");
    size_t place = begin;
    while (place > 0 && pty.said[place] != '[')
        place--;
    assert_int_equal(sscanf(pty.said + place, "[%d;%dH\033P", &sixels.row, &sixels.col), 2);
    assert_int_equal(sixel_decode_raw((uint8_t *)pty.said + begin, (int)(end - begin),
                                      &sixels.pixels, &sixels.width, &sixels.height, &sixels.rgb,
                                      &colors, NULL),
                     SIXEL_OK);
    *from = end;
    return sixels;
}

static void free_picture(struct sixels *sixels) {
    free(sixels->pixels);
    free(sixels->rgb);
}

#define owned_picture owned(struct sixels, free_picture)

/* Opens it and waits until it finishes; returns the first picture's rows of cells. */
static int open_and_finish(size_t *from) {
    open_hot_plate("\033[?62;4c", "");
    owned_picture sixels = next_picture(from);
    pty_wait_for("finished: 200");
    return sixels.height / 20;
}

/* A pixel's lightness: viridis gets lighter with U. */
static int light_at(const struct sixels *sixels, int x, int y) {
    const uint8_t *rgb = sixels->rgb + 3 * sixels->pixels[x + y * sixels->width];
    return 2 * rgb[0] + 7 * rgb[1] + rgb[2];
}

/* After its last frame the program sends only the restoration of the terminal. */
static void quit_cleanly(void) {
    pty_type("q");
    const size_t left = pty_wait_for_bytes(0, "\033[?1049l");
    pty_wait_for_bytes(left, "Again: jacobi-tui");
    assert_null(strstr(pty.said + left, "\033P"));
    pty_end(0);
}

/* The last picture shows the final field: the upper edge is light, and nothing below is lighter. It
 * is inside the panel, whose frame remains. */
TEST(sixels_are_the_field) {
    size_t from = 0;
    open_hot_plate("\033[?62;4;22c", "");
    pty_wait_for("finished: 200");
    owned_picture last = next_picture(&from);
    /* Reads up to the newest picture, which may wait for the line. */
    while (light_at(&last, last.width / 2, 2) <= light_at(&last, last.width / 2, last.height / 2)) {
        free_picture(&last);
        last = next_picture(&from);
    }
    assert_int_equal(last.width % 10, 0);
    assert_true(last.height >= last.width && last.height < last.width + 6); /* rows of six pixels */
    assert_true(last.row > 2 && last.col > 1);
    assert_true(last.row - 1 + last.height / 20 < 40 && last.col - 1 + last.width / 10 < 120);
    for (int y = 7; y < last.width; y += 7)
        for (int x = 0; x < last.width; x += 7)
            assert_true(light_at(&last, x, y) <= light_at(&last, x, y - 7));
    assert_true(pty_shows("Field U"));
    quit_cleanly();
}

/* Text over the field replaces the picture; afterwards the picture returns with the same bytes. */
TEST(overlays_are_read) {
    size_t from = 0;
    open_and_finish(&from);
    PTY_PLAY({"?", "Keys"});
    const size_t over = pty.bytes;
    PTY_PLAY({"\033", "!Keys"});
    from = over;
    owned_picture sixels = next_picture(&from);
    quit_cleanly();
}

/* After a change of the window's and its cells' size, both are queried and the picture redrawn. */
TEST(resize_draws_anew) {
    size_t from = 0;
    const int rows = open_and_finish(&from);
    pty.cell_width = 7;
    pty.cell_height = 14;
    const size_t before = pty.bytes;
    pty_resize(80, 24);
    from = pty_wait_for_bytes(before, "\033[16t");
    owned_picture sixels = next_picture(&from);
    assert_int_equal(sixels.width % 7, 0);
    assert_true(sixels.height / 14 < rows);
    quit_cleanly();
}

/* Two lanes with different iterates: two pictures at different places. */
TEST(lanes_have_pixels) {
    size_t from = 0;
    open_hot_plate("\033[?62;4c", "--compare serial,serial+omega=0.8");
    owned_picture a = next_picture(&from);
    owned_picture b = next_picture(&from);
    assert_int_equal(a.row, b.row);
    assert_true(a.col + a.width / 10 < b.col);
    assert_int_equal(a.width, b.width);
    pty_wait_for("quit");
    pty_quit();
}

/* No pixels are sent if the terminal has none, if they are switched off, or if the cells' size is
 * unknown. If they are switched off, no query is sent either. */
TEST(none_without_leave) {
    static const struct {
        const char *attributes, *options;
        int cell_width;
    } cases[] = {{"\033[?62;22c", "--pixels auto", 10},
                 {"\033[?62;4c", "--pixels off", 10},
                 {"\033[?62;4c", "--pixels kitty", 10},
                 {"\033[?62;4c", "--pixels auto", 0}};
    for_each(row, cases) {
        open_hot_plate(row->attributes, row->options);
        pty.cell_width = row->cell_width;
        pty_wait_for("finished: 200");
        quit_cleanly();
    }
}

TEST_MODULE(pixels, NULL, NULL)
