/* The terminal's replies, taken out of what was typed. */
#include "tests/fixtures/support.h"

#include <stdio.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_background_is_understood),
        cmocka_unit_test(test_blanks_are_no_colour),
        cmocka_unit_test(test_paste_is_dropped),
        cmocka_unit_test(test_paste_in_pieces),
        cmocka_unit_test(test_paste_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
