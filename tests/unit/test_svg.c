/* SVG pictures, read back by expat. */
#include "tests/fixtures/pictures.h"

#include <expat.h>

/* The parser's findings. */
struct seen {
    int rects, texts;
    char text[4096]; /* the content of all text elements, a '|' after each */
    bool in_text;
};

static void on_start(void *data, const char *name, const char **attributes) {
    struct seen *seen = data;
    seen->rects += strcmp(name, "rect") == 0;
    seen->in_text = strcmp(name, "text") == 0;
    seen->texts += seen->in_text;
}

static void on_end(void *data, const char *name) {
    struct seen *seen = data;
    if (strcmp(name, "text") == 0)
        strncat(seen->text, "|", sizeof seen->text - strlen(seen->text) - 1);
    seen->in_text = false;
}

static void on_text(void *data, const char *text, int length) {
    struct seen *seen = data;
    if (seen->in_text)
        strncat(seen->text, text, (size_t)length);
}

static void parse(const char *svg, struct seen *seen) {
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetUserData(parser, seen);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    if (XML_Parse(parser, svg, (int)strlen(svg), 1) != XML_STATUS_OK)
        fail_msg("not XML: %s", XML_ErrorString(XML_GetErrorCode(parser)));
    XML_ParserFree(parser);
}

TEST(is_well_formed_and_text_is_text) {
    owned_grid grid;
    struct seen seen = {0};
    picture_grid(&grid);
    owned_memory char *svg = picture_text(svg_write, &grid);
    parse(svg, &seen);
    assert_contains(seen.text, "Field U & <µs> \"quoted\"|");
    assert_contains(seen.text, "1 204 ms|");
    assert_contains(seen.text, "reversed|");
    assert_contains(seen.text, "underlined|");
    assert_int_equal(seen.texts, 4);
    /* The page, 32 cells of two pixels, reversed text, 8 bars, 8 dots, the frame's corners. */
    assert_true(seen.rects >= 1 + 64 + 1 + 8 + 8 + 4);
}

TEST(half_blocks_are_exact) {
    owned_grid grid;
    picture_grid(&grid);
    owned_memory char *svg = picture_text(svg_write, &grid);
    for (int k = 0; k < ROLE_LEVELS; k++) {
        const struct rgb rgb = colormap_rgb(picture_palette.map, k);
        assert_contains(
            svg,
            PRINT("<rect x=\"%d\" y=\"80\" width=\"10\" height=\"10\" fill=\"#%02x%02x%02x\"/>",
                  10 * k, rgb.r, rgb.g, rgb.b));
    }
}

TEST_MODULE(svg, NULL, NULL)
