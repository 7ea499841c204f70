/* Text for people: counts, shortened reasons, suggestions for misspelt words. */
#include "core/text.h"
#include "tests/fixtures/support.h"

static void expect_count(double count, const char *text) {
    assert_string_equal(AS(format_si, count), text);
}

/* A ratio that ends in 5 reads the same with and without its interval. */
TEST(ratios) {
    assert_string_equal(AS(format_ratio, 2.675), "2.67×");
    assert_string_equal(AS(format_ratio_within, 2.675, 2.675, 2.675), "2.67×");
    assert_string_equal(AS(format_ratio_interval, 2.675, 2.675, 2.675), "2.67×");
}

/* Words of a shell's command line; a word that does not fit is truncated. */
TEST(quotes) {
    static const char *const words[][2] = {{"--grid=4,5", "--grid=4,5"},
                                           {"", "''"},
                                           {"ssh x", "'ssh x'"},
                                           {"a'$(b)", "'a'\\''$(b)'"},
                                           {"ü", "ü"}};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        assert_string_equal(AS(text_quote, words[w][0]), words[w][1]);
    char buffer[12];
    for (size_t size = 1; size < sizeof buffer; size++)
        assert_true(strlen(text_quote(buffer, size, "a'$(b)")) < size);
}

/* 512² is 262 thousand, at each change of the unit. */
TEST(counts) {
    expect_count(64, "64.0");
    expect_count(256 * 256, "65 536");
    expect_count(99999, "99 999");
    expect_count(100000, "100 k");
    expect_count(512 * 512, "262 k");
    expect_count(999499, "999 k");
    expect_count(999500, "1.00 M");
    expect_count(1024 * 1024, "1.05 M");
    expect_count(1.06e9, "1.06 G");
    assert_string_equal(AS(format_count, 1000000000), "1 000 000 000");
}

TEST(bytes) {
    assert_string_equal(AS(format_bytes, 0.75), "0.75 B"); /* 24/32, for blocked:32 */
    assert_string_equal(AS(format_bytes, 8), "8 B");
    assert_string_equal(AS(format_bytes, 14.2), "14.2 B");
    assert_string_equal(AS(format_bytes, 999.5), "1.00 kB");
}

static void expect_clause(const char *reason, const char *clause) {
    assert_string_equal(AS(text_clause, reason), clause);
}

TEST(clauses) {
    expect_clause("hip: no GPU found: libcuda.so.1: cannot open; none", "no GPU found");
    expect_clause("no GPU found (nothing)", "no GPU found");
    expect_clause("out of memory", "out of memory");
    expect_clause("hip:", "hip");
    expect_clause("", "");
}

static void expect_meant(const char *word, const char *question) {
    struct closest_match nearest = closest_match_init(word);
    closest_match_try(&nearest, "serial");
    closest_match_try(&nearest, "threads");
    closest_match_try(&nearest, "omp");
    assert_string_equal(nearest.question, question);
}

TEST(what_was_meant) {
    expect_meant("serail", ": did you mean 'serial'?"); /* two characters exchanged */
    expect_meant("thread", ": did you mean 'threads'?");
    expect_meant("thre", ": did you mean 'threads'?"); /* truncated */
    expect_meant("thr", "");
    expect_meant("opm", ""); /* in so short a word only one may change */
    expect_meant("amp", ": did you mean 'omp'?");
    expect_meant("hip", "");
    expect_meant("", "");
}

/* Each malformed byte becomes a '?', and so does each byte of an invisible character. */
TEST(what_a_terminal_is_shown) {
    static const char *const cases[][2] = {
        {"a\u00e4\u20ac\U0010ffff", "a\u00e4\u20ac\U0010ffff"},
        {"\u00a0\u0800\ud7ff\ue000\U00010000", "\u00a0\u0800\ud7ff\ue000\U00010000"},
        {"\x1b[2J\x7f\t", "?[2J??"},
        {"\xc2\x9b"
         "2J",
         "??2J"},                                    /* encodes CSI */
        {"\xe0\x80\x9b", "???"},                     /* ESC in three bytes */
        {"\xe0\x82\x9b", "???"},                     /* CSI in three bytes */
        {"\xf0\x80\x80\x9b", "????"},                /* ESC in four bytes */
        {"\xc0\x9b\xc1\xbf", "????"},                /* in two bytes */
        {"\xe0\x81\x81\xf0\x80\x81\x81", "???????"}, /* A in three and in four bytes */
        {"\xed\xa0\x80", "???"},                     /* half of a surrogate pair */
        {"\xf4\x90\x80\x80", "????"},                /* above U+10FFFF */
        {"\xf5\x80\x80\x80", "????"},
        {"\xe4"
         "b\xe2\x82",
         "?b??"}, /* Latin-1; truncated */
        {"\u202e\u2066\u200f\u2028\u2029", "???????????????"},
        /* No width: soft hyphen, zero-width space and joiner, word joiner, fillers, BOM, tags. */
        {"\u00ad\u200b\u200d\u2060\u2064\u3164\ufeff", "????????????????????"},
        {"\U000e0001\U000e0041\U000e007f", "????????????"},
        {"e\u0301 \u2026\u2260\ufe0f", "e\u0301 \u2026\u2260\ufe0f"}, /* shown with another */
    };
    for (size_t c = 0; c < count_of(cases); c++) {
        char text[64];
        print_to(text, "%s", cases[c][0]);
        text_sanitize(text);
        assert_string_equal(text, cases[c][1]);
    }
}

/* Words in any order and case; blanks around and between them don't matter. */
TEST(words_are_found) {
    static const char text[] = "contour lines of equal value";
    assert_true(text_has_words(text, ""));
    assert_true(text_has_words(text, "  LINE  cont "));
    assert_false(text_has_words(text, "line colour"));
    assert_false(text_has_words("", "line"));
}

TEST_MODULE(text, NULL, NULL)
