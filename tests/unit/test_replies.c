/* The terminal's replies, separated from typed input. */
#include "tests/fixtures/support.h"

#include <zlib.h>
#ifdef HAVE_SIXEL
#include <sixel.h>
#endif

#include "ui/terminal/pixels.h"
#include "ui/terminal/term_caps.h"

/* The background that the reply's only event reports. */
static enum theme theme_after(const char *bytes) {
    struct input input = {0};
    struct input_event event;
    input_add(&input, bytes, strlen(bytes), 1);
    assert_true(input_next(&input, &event));
    assert_int_equal(event.kind, INPUT_STRING);
    return term_caps_background(event.text);
}

TEST(background_is_understood) {
    assert_int_equal(theme_after("\033]11;rgb:ffff/ffff/ffff\033\\"), THEME_LIGHT);
    assert_int_equal(theme_after("\033]11;rgb:1E/1e/2\a"), THEME_DARK);
    assert_int_equal(theme_after("\033]11;rgb:f/f/f\a"), THEME_LIGHT);
    assert_int_equal(theme_after("\033]10;rgb:f/f/f\a"), THEME_AUTO);
    assert_int_equal(theme_after("\033]11;rgb:fffff/f/f\a"), THEME_AUTO);
    assert_int_equal(theme_after("\033]11;rgb:/f/f\a"), THEME_AUTO);
    assert_int_equal(theme_after("\033]11;rgb:ffff/0/           0\a"), THEME_AUTO); /* no digits */
}

/* xterm and mlterm claim only 8 colours, but reply; other terminals may display a query. */
TEST(who_is_asked) {
    assert_true(term_caps_replies("xterm", 8) && term_caps_replies("mlterm", 8));
    assert_true(term_caps_replies("foot", 256) && term_caps_replies("tmux-256color", 256));
    assert_false(term_caps_replies("linux", 8) || term_caps_replies("vt340", 0));
    assert_false(term_caps_replies("xterm-mono", 0));
}

TEST(direct_colour_is_understood) {
    assert_true(term_caps_replies_direct("P1+r524742=38"));
    assert_true(term_caps_replies_direct("P1+r524742"));
    assert_false(term_caps_replies_direct("P0+r524742"));
    assert_false(term_caps_replies_direct("]11;rgb:f/f/f"));
}

/* ---- keys, clicks, pastes -------------------------------------------------------------------- */

static const int64_t second = 1000000000;

/* Appends the events as text: keys as they are, others as a letter in angle brackets. */
static void append_events(struct input *input, char *text, size_t size) {
    static const char names[] = "UDLRHEudFNXBP"; /* from TERMINAL_UP on */
    struct input_event event;
    while (input_next(input, &event)) {
        char *end = text + strlen(text);
        const size_t left = size - strlen(text);
        if (event.kind == INPUT_CLICK)
            snprintf(end, left, "<%d,%d>", event.x, event.y);
        else if (event.kind == INPUT_REPORT)
            snprintf(end, left, "<%c>", event.final);
        else if (event.kind == INPUT_STRING)
            snprintf(end, left, "<%s>", event.text);
        else if (event.key >= TERMINAL_UP)
            snprintf(end, left, "<%c>", names[event.key - TERMINAL_UP]);
        else
            grid_encode((uint32_t)event.key, end);
    }
}

/* Reads `bytes`, and expects `events`. */
static void expect_events(struct input *input, const char *bytes, int64_t now_ns,
                          const char *events) {
    char text[512] = "";
    input_add(input, bytes, strlen(bytes), now_ns);
    append_events(input, text, sizeof text);
    assert_string_equal(text, events);
}

/* Keys and pastes are recognised in any pieces; an Escape with nothing after it is a key. */
TEST(keys) {
    static const struct {
        const char *bytes, *events;
    } cases[] = {
        {"aé€\r\x7f\b\f", "aé€<N><B><B>\f"},
        {"\033[A\033OB\033[C\033OD", "<U><D><R><L>"},
        {"\033[H\033OF\033[1~\033[8~\033[5~\033[6~", "<H><E><H><E><u><d>"},
        {"\033OP\033[11~\033[[A\033[224z\033OM", "<F><F><F><F><N>"},
        {"\033\033[Aq", "<X><U>q"},
        {"\033x\033]x\033_x", "<X>x<X>]x<X>_x"},
        {"\033[<0;3;7M\033[<0;3;7m\033[<64;1;1M\033[<65;1;1M\033[<2;1;1M", "<2,6><U><D>"},
        {"\033[M !!\033[M\x60!!q", "<0,0><U>q"},
        {"\033[1;5A\033[I\033[99~\033[?u", "<u>"},
        {"\033[12\033[B\033]11;x\rq", "<D><N>q"},
        {"\033[5~\033[2~\033[A\033[201~x", "<u><U>x"}, /* the end of a paste that has not begun */
        {"\xff\xc3q\xe2\x82q", "qq"},
        {"\033P1+r524742=38\033\\qP1", "<P1+r524742=38>qP1"},
        {"\033[?62;4c\033_Gi=1;OK\033\\\033]11;a\a", "<c><_Gi=1;OK><]11;a>"},
        {"a\033[200~q\033[A\033[201~b", "a<P>b"},
        {"\033[200~qw\033[2\033[201~y", "<P>y"},
    };
    for_each(row, cases)
        for (size_t piece = 1; piece < 40; piece++) {
            struct input input = {0};
            const char *bytes = row->bytes;
            char text[256] = "";
            for (size_t left = strlen(bytes); left > 0;) {
                const size_t count = left < piece ? left : piece;
                input_add(&input, bytes, count, 1);
                append_events(&input, text, sizeof text);
                bytes += count;
                left -= count;
            }
            assert_string_equal(text, row->events);
        }
    struct input input = {0};
    expect_events(&input, "\033", 1, "");
    assert_true(input_holds_escape(&input));
    input_end_escape(&input);
    expect_events(&input, "[", 2, "<X>[");
    expect_events(&input, "\033", 3, "");
    expect_events(&input, "q", 3 + 2 * second, "<X>q");
}

/* An endless item takes no memory, and keys count again after a second without input. */
TEST(items_without_end) {
    static const char *const begins[] = {"\033[", "\033]11;", "\033_G", "\033[200~"};
    for (size_t b = 0; b < count_of(begins); b++) {
        struct input input = {0};
        char digits[INPUT_READ_MAX];
        memset(digits, '1', sizeof digits);
        expect_events(&input, begins[b], 1, b == 3 ? "<P>" : "");
        for (int times = 0; times < 50; times++) {
            struct input_event event;
            input_add(&input, digits, sizeof digits, times + 1);
            assert_false(input_next(&input, &event));
            assert_true(input.count <= INPUT_ITEM_MAX);
        }
        expect_events(&input, "q", 2 * second, "q");
    }
}

/* A paste ends after a second without a byte, but not before. */
TEST(paste_without_end) {
    struct input input = {0};
    expect_events(&input, "\033[200~q", 5 * second, "<P>");
    expect_events(&input, "q", 6 * second, "");
    expect_events(&input, "q", 7 * second + 1, "q");
}

/* ---- real pixels ---------------------------------------------------------------------------- */

/* The query that `pixels` sends now; "" if none is due. Valid until the next call. */
static const char *next_question(struct pixels *pixels) {
    static char question[256];
    struct tty tty = {.in = -1, .out = -1};
    pixels_ask(pixels, &tty, 1);
    assert_true(tty.waiting_count < sizeof question);
    memset(question, 0, sizeof question);
    if (tty.waiting_count)
        memcpy(question, tty.waiting, tty.waiting_count);
    free(tty.waiting);
    return question;
}

/* Reads `typed` in pieces of `piece` bytes; all events but the replies must be `left`. */
static void expect_left(struct pixels *pixels, const char *typed, size_t piece, const char *left) {
    struct input input = {0};
    struct input_event event;
    char text[64] = "";
    for (size_t at = 0; at < strlen(typed); at += piece) {
        const size_t rest = strlen(typed) - at;
        input_add(&input, typed + at, rest < piece ? rest : piece, 1);
        while (input_next(&input, &event))
            if (event.kind == INPUT_KEY)
                text[strlen(text)] = event.key < 0x80 ? (char)event.key : '*';
            else
                pixels_take(pixels, &event);
    }
    assert_string_equal(text, left);
}

static enum pixel_protocol protocol_after(const char *typed, size_t piece, const char *left) {
    struct pixels pixels;
    pixels_begin(&pixels, PIXELS_AUTO, "xterm-kitty");
    assert_contains(next_question(&pixels), "a=q");
    expect_left(&pixels, typed, piece, left);
    return pixels.protocol;
}

/* Replies are never keys, in any pieces; unexpected replies have no effect. */
TEST(kitty_answers) {
    for (size_t piece = 1; piece < 40; piece++) {
        assert_int_equal(protocol_after("a\033_Gi=7261;OK\033\\\033[?62;4cb\033[A", piece, "ab*"),
                         PROTOCOL_KITTY);
        assert_int_equal(protocol_after("\033_Gi=7261;EINVAL:no\033\\\033[?1;2cq", piece, "q"),
                         PROTOCOL_NONE);
        assert_int_equal(protocol_after("\033[A\033[?62c\033_Gi=7261;OK\033\\x", piece, "*x"),
                         PROTOCOL_NONE);
    }
}

/* The capabilities of a terminal that reports sixels and then `details`. */
static struct pixels sixels_after(enum pixel_mode mode, const char *term, const char *details) {
    struct pixels pixels;
    pixels_begin(&pixels, mode, term);
    next_question(&pixels);
    expect_left(&pixels, "\033[?62;4;22c", 99, "");
    assert_int_equal(pixels.protocol, PROTOCOL_NONE);
    if (strstr(next_question(&pixels), "\033[16t"))
        expect_left(&pixels, details, 3, "");
    return pixels;
}

TEST(sixel_terminals_answer) {
    static const char usual[] = "\033[6;20;10t\033[?1;0;256S\033[?2;0;800;600S\033[?62;4;22c";
    struct pixels pixels = sixels_after(PIXELS_AUTO, "foot", usual);
    if (!sixel_is_built()) {
        assert_int_equal(pixels.protocol, PROTOCOL_NONE);
        skip();
    }
    assert_int_equal(pixels.protocol, PROTOCOL_SIXEL);
    /* A cell is 10×20 pixels; each of our pixels is two by two of them. */
    struct pixel_picture picture = {.area = {.cols = 60, .rows = 30}};
    assert_true(pixels_fit(&pixels, &picture));
    assert_int_equal(picture.cols, 300);
    assert_int_equal(picture.rows, 300);
    picture.area = (struct area){.cols = 81, .rows = 3};
    assert_false(pixels_fit(&pixels, &picture)); /* wider than the maximum */
    picture.area = (struct area){.cols = 20, .rows = 31};
    assert_false(pixels_fit(&pixels, &picture)); /* higher than the maximum */
    /* After a change of the window a new query is sent, and no picture before its reply. */
    pixels_resized(&pixels);
    assert_int_equal(pixels.protocol, PROTOCOL_NONE);
    assert_string_equal(next_question(&pixels), "\033[16t\033[?1;1;0S\033[?2;1;0S\033[c");
    pixels_resized(&pixels); /* again: the pending reply is obsolete */
    assert_string_equal(next_question(&pixels), "");
    expect_left(&pixels, "\033[6;20;10t\033[?62;4c", 5, "");
    assert_int_equal(pixels.protocol, PROTOCOL_NONE);
    assert_contains(next_question(&pixels), "\033[16t");
    expect_left(&pixels, "\033[6;30;15t\033[?62;4cq", 5, "q");
    assert_int_equal(pixels.protocol, PROTOCOL_SIXEL);
    picture.area = (struct area){.cols = 20, .rows = 10};
    assert_true(pixels_fit(&pixels, &picture));
    assert_int_equal(picture.cols, 150);
}

/* Impossible sizes, too few colours, endless numbers: no sixels, and no keys. */
TEST(hostile_sixel_replies) {
    static const char *const details[] = {
        "\033[?62;4c",
        "\033[6;0;0t\033[?62;4c",
        "\033[6;20t\033[?62;4c",
        "\033[6;20;3t\033[?62;4c",
        "\033[6;200;100000000000000000000000t\033[?62;4c",
        "\033[6;4294967316;4294967306t\033[?62;4c",
        "\033[6;-20;10t\033[?62;4c",
        "\033[6;20;10t\033[?1;0;4S\033[?62;4c",
    };
    for_each(detail, details)
        if (sixels_after(PIXELS_AUTO, "foot", *detail).protocol)
            fail_msg("sixels after %s", *detail + 1);
    /* Too large or zero: no picture. Unknown: the default size. An error: as without a reply. */
    static const struct {
        const char *details;
        bool fits;
    } sizes[] = {
        {"\033[6;20;10t\033[?2;0;0;0S\033[?62;4c", false},
        {"\033[6;20;10t\033[?2;0S\033[?62;4c", true},
        {"\033[6;20;10t\033[?2;3;0S\033[?62;4c", true},
        {"\033[6;20;10t\033[?62;4c", true},
        {"\033[6;20;10t\033[?62;1;2;3;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22c", true},
        {"\033[6;120;120t\033[?2;0;99999;99999S\033[?62;4c", false}};
    for (size_t s = 0; s < count_of(sizes) && sixel_is_built(); s++) {
        struct pixel_picture picture = {.area = {.cols = 60, .rows = 30}};
        const struct pixels pixels = sixels_after(PIXELS_AUTO, "foot", sizes[s].details);
        assert_int_equal(pixels.protocol, PROTOCOL_SIXEL);
        assert_int_equal(pixels_fit(&pixels, &picture), sizes[s].fits);
    }
}

TEST(choice_of_protocol) {
    static const char usual[] = "\033[6;20;10t\033[?62;4c";
    const enum pixel_protocol sixel = sixel_is_built() ? PROTOCOL_SIXEL : PROTOCOL_NONE;
    unsetenv("TMUX");
    unsetenv("STY");
    assert_int_equal(sixels_after(PIXELS_KITTY, "foot", usual).protocol, PROTOCOL_NONE);
    assert_int_equal(sixels_after(PIXELS_SIXEL, "foot", usual).protocol, sixel);
    /* tmux answers DA1 itself, but would treat kitty's query as a title. */
    static const char *const multiplexers[] = {"tmux-256color", "screen", "xterm-256color"};
    for (int m = 0; m < 3; m++) {
        struct pixels pixels;
        if (m == 2)
            setenv("TMUX", "/tmp/tmux-1/default,1,0", 1);
        pixels_begin(&pixels, PIXELS_AUTO, multiplexers[m]);
        assert_string_equal(next_question(&pixels), "\033[c");
        expect_left(&pixels, "\033_Gi=7261;OK\033\\", 99, "");
        assert_int_equal(pixels.protocol, PROTOCOL_NONE);
        assert_int_equal(sixels_after(PIXELS_AUTO, multiplexers[m], usual).protocol, sixel);
    }
    unsetenv("TMUX");
    struct pixels pixels; /* 4 is an attribute here, not the type: a VT132 */
    pixels_begin(&pixels, PIXELS_AUTO, "xterm");
    next_question(&pixels);
    expect_left(&pixels, "\033[?4;6c", 99, "");
    assert_false(pixels.has_sixels);
    pixels_begin(&pixels, PIXELS_OFF, "xterm");
    assert_string_equal(next_question(&pixels), "");
}

static size_t decode_base64(const char *text, size_t length, uint8_t *bytes) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t used = 0;
    unsigned bits = 0, count = 0;
    for (size_t c = 0; c < length && text[c] != '='; c++) {
        const char *digit = strchr(digits, text[c]);
        assert_non_null(digit);
        bits = bits << 6 | (unsigned)(digit - digits);
        count += 6;
        if (count >= 8)
            bytes[used++] = (uint8_t)(bits >> (count -= 8));
    }
    return used;
}

enum { COLS = 96, ROWS = 80 };

static const struct palette palette = {.theme = THEME_DARK, .map = COLORMAP_MAGMA};
static struct pixels screen;
static struct tty tty;
static uint8_t roles[COLS * ROWS];

/* Sends pictures like a frame; returns the number of bytes sent again. */
static size_t show_pictures(const struct pixel_picture *pictures, int count, bool damaged,
                            int64_t now_ns) {
    pixels_renew(&screen, pictures, count, &palette, now_ns);
    return pixels_send(&screen, &tty, damaged, now_ns);
}

/* Almost incompressible: several chunks. */
static void fill_roles(uint8_t *roles, int count, int first) {
    uint32_t random = 1;
    for (int p = 0; p < count; p++) {
        random = 1664525 * random + 1013904223;
        roles[p] = (uint8_t)(first + (int)((random >> 16) % ROLE_LEVELS));
    }
}

/* Begins with nothing sent, and noise. */
static void begin(struct pixels initial) {
    pixels_forget(&screen);
    free(tty.waiting);
    screen = initial;
    tty = (struct tty){.out = -1};
    fill_roles(roles, COLS * ROWS, ROLE_LEVEL0);
}

/* The picture is sent in chunks of at most 4096 characters. The same picture is not sent twice,
 * another one not before the first has had its time on a slow line, and no picture removes it. */
TEST(kitty_pictures) {
    begin((struct pixels){.protocol = PROTOCOL_KITTY});
    struct pixel_picture picture = {{3, 5, 24, 10, NULL}, COLS, ROWS, roles};
    show_pictures(&picture, 1, false, 1);
    assert_true(tty_write(&tty, "", 1));
    assert_contains(tty.waiting, "\033[6;4H");
    assert_contains(tty.waiting, "s=96,v=80,c=24,r=10,");
    static char text[65536];
    static uint8_t stream[65536], rgb[3 * COLS * ROWS];
    size_t used = 0;
    int chunks = 0;
    for (const char *at = strstr(tty.waiting, "a=T"); at; at = strstr(at, "\033_G"), chunks++) {
        const char *begin = strchr(at, ';') + 1, *end = strchr(begin, '\033');
        assert_true(end - begin <= 4096);
        memcpy(text + used, begin, (size_t)(end - begin));
        used += (size_t)(end - begin);
        at = end;
    }
    assert_true(chunks > 1);
    uLongf length = sizeof rgb;
    assert_int_equal(uncompress(rgb, &length, stream, (uLong)decode_base64(text, used, stream)),
                     Z_OK);
    assert_int_equal(length, sizeof rgb);
    for (int p = 0; p < COLS * ROWS; p++) {
        const struct rgb color = theme_rgb(THEME_DARK, COLORMAP_MAGMA, (enum role)roles[p], true);
        assert_memory_equal(rgb + 3 * p, &color, 3);
    }
    const size_t before = tty.waiting_count;
    assert_false(pixels_are_due(&screen, &picture, 1, 2));
    show_pictures(&picture, 1, false, INT64_C(900000000000));
    assert_int_equal(tty.waiting_count, before); /* the same picture */
    roles[0] ^= 1;
    show_pictures(&picture, 1, false, 2);
    assert_int_equal(tty.waiting_count, before); /* too early */
    show_pictures(&picture, 1, false, INT64_C(900000000000));
    assert_true(tty.waiting_count > before);
    const size_t then = tty.waiting_count;
    show_pictures(NULL, 0, false, 3);
    assert_memory_equal(tty.waiting + then, kitty_removal, strlen(kitty_removal));
}

/* Each lane of a comparison has a picture, and they share the line: all are sent, then no more
 * until all have had their time. */
TEST(pictures_of_lanes) {
    begin((struct pixels){.protocol = PROTOCOL_KITTY});
    static uint8_t all[PICTURES_MAX][COLS * ROWS];
    struct pixel_picture pictures[PICTURES_MAX];
    for (int p = 0; p < PICTURES_MAX; p++) {
        memcpy(all[p], roles, sizeof roles);
        pictures[p] = (struct pixel_picture){{1 + 20 * p, 2, 16, 8, NULL}, COLS, ROWS, all[p]};
    }
    show_pictures(pictures, PICTURES_MAX, false, 1);
    assert_true(tty_write(&tty, "", 1));
    for (int p = 0; p < PICTURES_MAX; p++) {
        char number[16];
        print_to(number, "i=%d,p=1", 7261 + p);
        assert_contains(tty.waiting, number);
        print_to(number, "\033[3;%dH", 2 + 20 * p);
        assert_contains(tty.waiting, number);
    }
    const double seconds = (double)tty.waiting_count / PICTURE_BYTES_PER_SECOND;
    const int64_t due_ns = (int64_t)(1e9 * seconds);
    assert_false(pixels_are_due(&screen, pictures, PICTURES_MAX, (int64_t)(0.9 * 1e9 * seconds)));
    assert_true(pixels_are_due(&screen, pictures, PICTURES_MAX, due_ns + 2));
    /* Only the changed picture is sent. */
    const size_t before = tty.waiting_count;
    all[2][5] ^= 1;
    show_pictures(pictures, PICTURES_MAX, false, due_ns + 2);
    assert_true(tty_write(&tty, "", 1));
    assert_contains(tty.waiting + before, "i=7263,");
    assert_null(strstr(tty.waiting + before, "i=7262,"));
    /* If their number changes, the old pictures are removed, and all are due. */
    assert_true(pixels_are_due(&screen, pictures, 2, due_ns + 3));
    const size_t then = tty.waiting_count;
    show_pictures(pictures, 2, false, due_ns + 3);
    assert_memory_equal(tty.waiting + then, kitty_removal, strlen(kitty_removal));
}

/* Noise exceeds the capacity of a slow line per second: it is not sent, and not tried again
 * immediately; the old picture is removed. */
TEST(too_many_bytes) {
    enum { SIDE = 400 };
    begin((struct pixels){.protocol = PROTOCOL_KITTY});
    static uint8_t roles[SIDE * SIDE];
    const struct pixel_picture picture = {{3, 5, 100, 50, NULL}, SIDE, SIDE, roles};
    memset(roles, ROLE_LEVEL0, sizeof roles);
    assert_int_equal(pixels_renew(&screen, &picture, 1, &palette, 1), 1);
    pixels_send(&screen, &tty, false, 1);
    const size_t before = tty.waiting_count;
    fill_roles(roles, SIDE * SIDE, ROLE_LEVEL0);
    screen.coarse = 2; /* colours can't be reduced further */
    assert_int_equal(pixels_renew(&screen, &picture, 1, &palette, 2 * second), 0);
    assert_false(screen.failed);
    pixels_send(&screen, &tty, false, 2 * second);
    assert_int_equal(tty.waiting_count, before + strlen(kitty_removal));
    assert_memory_equal(tty.waiting + before, kitty_removal, strlen(kitty_removal));
    assert_false(pixels_are_due(&screen, &picture, 1, 3 * second - 1));
    assert_true(pixels_are_due(&screen, &picture, 1, 3 * second));
}

#ifdef HAVE_SIXEL
/* Decodes the first sixels sent. Returns the pixels as numbers of colours; the caller frees both.
 */
static uint8_t *decode_sixels(int *width, int *height, uint8_t **colors_rgb, int *count) {
    uint8_t *pixels = NULL;
    const char *begin = memmem(tty.waiting, tty.waiting_count, "\033P", 2);
    assert_non_null(begin);
    const size_t left = tty.waiting_count - (size_t)(begin - tty.waiting);
    const char *end = memmem(begin, left, "\033\\", 2);
    assert_non_null(end);
    assert_int_equal(sixel_decode_raw((unsigned char *)begin, (int)(end + 2 - begin), &pixels,
                                      width, height, colors_rgb, count, NULL),
                     SIXEL_OK);
    return pixels;
}

/* Sixels reproduce the picture pixel by pixel, in its levels' colours to a percent. Parts that text
 * has overwritten are sent again immediately, with the same bytes. */
TEST(sixel_pictures) {
    enum { WIDTH = 9, HEIGHT = 17, AREA_COLS = 24, AREA_ROWS = 10 };
    for (int registers = 16; registers <= 256; registers *= 4)
        for (int first = ROLE_LEVEL0; first <= ROLE_SIGNED0; first += ROLE_LEVELS) {
            begin((struct pixels){.protocol = PROTOCOL_SIXEL,
                                  .cell_width = WIDTH,
                                  .cell_height = HEIGHT,
                                  .colors = registers});
            owned_memory uint8_t *colors_rgb = NULL;
            int width, height, count;
            fill_roles(roles, COLS * ROWS, first);
            struct pixel_picture picture = {{3, 5, AREA_COLS, AREA_ROWS, NULL}, COLS, ROWS, roles};
            show_pictures(&picture, 1, false, 1);
            assert_int_equal(screen.count, 1);
            assert_memory_equal(tty.waiting, "\033[6;4H\033P", 8);
            owned_memory uint8_t *decoded = decode_sixels(&width, &height, &colors_rgb, &count);
            assert_int_equal(width, WIDTH * AREA_COLS);
            assert_true(height >= HEIGHT * AREA_ROWS && height < HEIGHT * AREA_ROWS + 6);
            for (int p = 0; p < WIDTH * AREA_COLS * HEIGHT * AREA_ROWS; p++) {
                const int x = p % (WIDTH * AREA_COLS) * COLS / (WIDTH * AREA_COLS);
                const int y = p / (WIDTH * AREA_COLS) * ROWS / (HEIGHT * AREA_ROWS);
                const int step = registers < ROLE_LEVELS ? ROLE_LEVELS / registers : 1;
                const int level = (roles[x + y * COLS] - first) / step * step + step / 2;
                const struct rgb color =
                    theme_rgb(THEME_DARK, palette.map, (enum role)(first + level), true);
                const uint8_t *sent = colors_rgb + 3 * decoded[p];
                if (abs(sent[0] - color.r) > 3 || abs(sent[1] - color.g) > 3 ||
                    abs(sent[2] - color.b) > 3)
                    fail_msg("%d colours: pixel %d is %d %d %d, should be %d %d %d", registers, p,
                             sent[0], sent[1], sent[2], color.r, color.g, color.b);
            }
            const size_t before = tty.waiting_count;
            picture.roles = NULL;
            assert_int_equal(show_pictures(&picture, 1, true, 2), before);
            assert_memory_equal(tty.waiting, tty.waiting + before, before);
            show_pictures(NULL, 0, false, 3);
            assert_int_equal(tty.waiting_count, 2 * before); /* text removes the picture */
        }
}

/* A picture that libsixel rejects is not sent, and no other is made. */
TEST(sixels_that_fail) {
    struct pixel_picture picture = {{3, 5, 48, 24, NULL}, COLS, ROWS, roles};
    begin((struct pixels){.protocol = PROTOCOL_SIXEL, .cell_height = 20, .colors = 256});
    assert_int_equal(pixels_renew(&screen, &picture, 1, &palette, 1), 0);
    assert_true(screen.failed);
    assert_int_equal(pixels_send(&screen, &tty, true, 1), 0);
    assert_int_equal(tty.waiting_count, 0);
    screen.cell_width = 10;
    assert_false(pixels_fit(&screen, &picture));
}

/* A picture with too many bytes gets fewer colours until it is small enough again. */
TEST(sixels_save_bytes) {
    const struct pixel_picture picture = {{3, 5, 48, 24, NULL}, COLS, ROWS, roles};
    int64_t now_ns = 1;
    begin((struct pixels){
        .protocol = PROTOCOL_SIXEL, .cell_width = 10, .cell_height = 20, .colors = 256});
    for (int times = 0; times < 8; times++) {
        roles[0] ^= 1;
        show_pictures(&picture, 1, false, now_ns);
        now_ns = screen.next_ns;
    }
    assert_int_equal(screen.coarse, 2);
    memset(roles, ROLE_LEVEL0, sizeof roles);
    for (int times = 0; times < 8; times++) {
        roles[0] ^= 1;
        show_pictures(&picture, 1, false, now_ns);
        now_ns = screen.next_ns;
    }
    assert_int_equal(screen.coarse, 0);
}
#endif

TEST_MODULE(replies, NULL, NULL)
