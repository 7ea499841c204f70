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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_background_is_understood),
        cmocka_unit_test(test_blanks_are_no_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
