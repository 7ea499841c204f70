/* The terminal's replies, taken out of what was typed. */
#include "tests/fixtures/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "ui/terminal/pixels.h"
#include "ui/terminal/term_caps.h"

/* What is left of `typed` after the terminal's reply has been taken out of it. */
static enum theme theme_after(const char *typed, const char *left) {
    struct replies replies = {0};
    char bytes[256];
    snprintf(bytes, sizeof bytes, "%s", typed);
    replies_question(&replies);
    const size_t count = replies_take(&replies, bytes, strlen(bytes));
    assert_int_equal(count, strlen(left));
    assert_memory_equal(bytes, left, count);
    return replies.theme;
}

static void test_background_is_understood(void **state) {
    (void)state;
    assert_int_equal(theme_after("a\033]11;rgb:ffff/ffff/ffff\033\\b", "ab"), THEME_LIGHT);
    assert_int_equal(theme_after("\033]11;rgb:1E/1e/2\a", ""), THEME_DARK);
    assert_int_equal(theme_after("\033]11;rgb:f/f/f\a", ""), THEME_LIGHT);
    assert_int_equal(theme_after("\033]10;rgb:f/f/f\a", ""), THEME_AUTO);
    assert_int_equal(theme_after("\033]11;rgb:fffff/f/f\a", ""), THEME_AUTO);
    assert_int_equal(theme_after("\033]11;rgb:/f/f\a", ""), THEME_AUTO);
}

/* Blanks are no digits: such a colour is none. Found by fuzzing. */
static void test_blanks_are_no_colour(void **state) {
    (void)state;
    assert_int_equal(
        theme_after("\033]11;rgb:ffff/0/                                           0\a", ""),
        THEME_AUTO);
}

static const int64_t second = 1000000000;

/* Reads `bytes`, and expects `keys`. */
static void expect_keys(struct paste *paste, const char *bytes, int64_t now_ns, const char *keys) {
    char out[64];
    const size_t count = paste_take(paste, bytes, strlen(bytes), now_ns, out);
    assert_int_equal(count, strlen(keys));
    assert_memory_equal(out, keys, count);
}

static void test_paste_is_dropped(void **state) {
    (void)state;
    struct paste paste = {0};
    expect_keys(&paste, "a\033[200~q\033[A\033[201~b", 1, "ab");
    assert_true(paste.seen);
    expect_keys(&paste, "\033[5~\033[20~\033[2~\033\033[A", 2, "\033[5~\033[20~\033[2~\033\033[A");
    expect_keys(&paste, "\033[201~x", 3, "x"); /* the end of nothing */
}

/* A read may end anywhere. */
static void test_paste_in_pieces(void **state) {
    (void)state;
    static const char bytes[] = "\033[200~qw\033[2\033[201~y";
    for (size_t cut = 2; cut < sizeof bytes - 2; cut++) {
        struct paste paste = {0};
        char first[64];
        snprintf(first, sizeof first, "%.*s", (int)cut, bytes);
        expect_keys(&paste, first, 1, "");
        expect_keys(&paste, bytes + cut, 2, "y");
    }
    struct paste paste = {0};
    expect_keys(&paste, "\033", 1, "\033"); /* the key: nobody waits for more */
    expect_keys(&paste, "[200~q\033[201~", 2, "");
    expect_keys(&paste, "\033", 3, "\033");
    expect_keys(&paste, "[A\033[20", 4, "[A");
    expect_keys(&paste, "q", 5, "\033[20q");
}

/* It is over after a second without a byte, but not before. */
static void test_paste_without_end(void **state) {
    (void)state;
    struct paste paste = {0};
    expect_keys(&paste, "\033[200~q", 5 * second, "");
    expect_keys(&paste, "q", 6 * second, "");
    expect_keys(&paste, "q", 7 * second + 1, "q");
}

/* ---- real pixels ---------------------------------------------------------------------------- */

/* What is left of `typed`, read in pieces of `piece` bytes, after the question for pixels. */
static bool can_after(const char *typed, size_t piece, int64_t now_ns, const char *left) {
    struct pixels pixels = {0};
    char keys[256];
    size_t used = 0;
    assert_non_null(strstr(pixels_question(&pixels, 1), "a=q"));
    for (size_t at = 0; at < strlen(typed); at += piece) {
        const size_t rest = strlen(typed) - at;
        used += pixels_take(&pixels, typed + at, rest < piece ? rest : piece, now_ns, keys + used);
    }
    assert_int_equal(used, strlen(left));
    assert_memory_equal(keys, left, used);
    return pixels.can;
}

/* Replies are no keys, however they are cut, and keys that begin like them stay keys. */
static void test_pixels_are_answered(void **state) {
    (void)state;
    for (size_t piece = 1; piece < 40; piece++) {
        assert_true(can_after("a\033_Gi=7261;OK\033\\\033[?62;4cb\033[A", piece, 2, "ab\033[A"));
        assert_false(can_after("\033_Gi=7261;EINVAL:no\033\\\033[?1;2cq", piece, 2, "q"));
        assert_false(can_after("\033[A\033[?62c\033[?1cx", piece, 2, "\033[A\033[?1cx"));
        assert_false(can_after("\033OPx\033\033[Bq", piece, 2, "\033OPx\033\033[Bq"));
    }
    /* A slow machine reads them late; but Escape waits for nothing more by then. */
    assert_true(can_after("a\033_Gi=7261;OK\033\\\033[?62;4cb", 99, 9 * second, "ab"));
    for (size_t piece = 1; piece < 4; piece++)
        assert_false(can_after("\033[A\033", piece, 9 * second, "\033[A\033"));
}

static void test_nobody_asks_through_tmux(void **state) {
    (void)state;
    unsetenv("TMUX");
    unsetenv("STY");
    assert_true(pixels_may_ask("xterm-kitty"));
    assert_false(pixels_may_ask("tmux-256color"));
    assert_false(pixels_may_ask("screen"));
    setenv("TMUX", "/tmp/tmux-1/default,1,0", 1);
    assert_false(pixels_may_ask("xterm-256color"));
    unsetenv("TMUX");
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

/* What is sent is the picture, in chunks of at most 4096 characters; the same is not sent twice,
 * another not before the first has had its time on a slow line, and NULL takes it away. */
static void test_pictures_are_sent(void **state) {
    (void)state;
    enum { COLS = 96, ROWS = 80 };
    const struct palette palette = {.theme = THEME_DARK, .map = COLORMAP_MAGMA};
    struct pixels pixels = {.can = true};
    struct tty tty = {.out = -1};
    uint8_t inks[COLS * ROWS];
    uint32_t random = 1; /* hardly to be compressed: several chunks */
    for (int p = 0; p < COLS * ROWS; p++) {
        random = 1664525 * random + 1013904223;
        inks[p] = (uint8_t)(INK_LEVEL0 + (random >> 16) % INK_LEVELS);
    }
    struct pixel_picture picture = {{3, 5, 24, 10}, COLS, ROWS, inks};
    pixels_show(&pixels, &tty, &picture, &palette, 1);
    assert_true(tty_write(&tty, "", 1));
    assert_non_null(strstr(tty.waiting, "\033[6;4H"));
    assert_non_null(strstr(tty.waiting, "s=96,v=80,c=24,r=10,"));
    static char text[65536];
    static uint8_t stream[65536], rgb[3 * COLS * ROWS];
    size_t used = 0;
    int chunks = 0;
    for (const char *at = tty.waiting; (at = strstr(at, "\033_G")); chunks++) {
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
        const struct rgb color = theme_rgb(THEME_DARK, COLORMAP_MAGMA, (enum ink)inks[p], true);
        assert_memory_equal(rgb + 3 * p, &color, 3);
    }
    const size_t before = tty.waiting_count;
    assert_false(pixels_are_due(&pixels, picture.area, 2));
    pixels_show(&pixels, &tty, &picture, &palette, INT64_C(900000000000));
    assert_int_equal(tty.waiting_count, before); /* the same */
    inks[0] ^= 1;
    pixels_show(&pixels, &tty, &picture, &palette, 2);
    assert_int_equal(tty.waiting_count, before); /* too early */
    pixels_show(&pixels, &tty, &picture, &palette, INT64_C(900000000000));
    assert_true(tty.waiting_count > before);
    const size_t then = tty.waiting_count;
    pixels_show(&pixels, &tty, NULL, &palette, 3);
    assert_memory_equal(tty.waiting + then, pixels_removal, strlen(pixels_removal));
    free(tty.waiting);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_background_is_understood),
        cmocka_unit_test(test_blanks_are_no_colour),
        cmocka_unit_test(test_paste_is_dropped),
        cmocka_unit_test(test_paste_in_pieces),
        cmocka_unit_test(test_paste_without_end),
        cmocka_unit_test(test_pixels_are_answered),
        cmocka_unit_test(test_nobody_asks_through_tmux),
        cmocka_unit_test(test_pictures_are_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
