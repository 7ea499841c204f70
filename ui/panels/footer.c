/* The footer: the keys that currently apply; only the most important if there is little room. */
#include <string.h>

#include "core/format.h"
#include "ui/panels/view.h"

enum { ITEMS_MAX = 32, GAP = 2 };

/* The keys that fit, in the keymap's order; the least important are dropped first. */
struct footer {
    int count;
    struct footer_item {
        const struct key_hint *hint;
        int cols;
    } items[ITEMS_MAX];
};

static struct footer make_footer(const struct screen *screen, int room) {
    struct footer footer = {0};
    int cols = 0;
    for (int h = 0; h < screen->hint_count && footer.count < ITEMS_MAX; h++) {
        const struct key_hint *hint = &screen->hints[h];
        if (!hint->importance)
            continue;
        const int taken = grid_text_width(hint->label) + 1 + grid_text_width(hint->words);
        footer.items[footer.count++] = (struct footer_item){hint, taken};
        cols += taken + GAP;
    }
    while (footer.count > 0 && cols - GAP + 2 > room) {
        int least = 0;
        for (int i = 1; i < footer.count; i++)
            if (footer.items[i].hint->importance <= footer.items[least].hint->importance)
                least = i;
        cols -= footer.items[least].cols + GAP;
        footer.count--;
        memmove(&footer.items[least], &footer.items[least + 1],
                (size_t)(footer.count - least) * sizeof *footer.items);
    }
    return footer;
}

int footer_draw(struct area area, const struct screen *screen, int x) {
    const struct footer footer = make_footer(screen, area.cols);
    int key = 0;
    grid_fill(area, ROLE_BAR);
    area = area_right_of(area, 1);
    for (int i = 0; i < footer.count && area.rows > 0; i++) {
        const struct key_hint *hint = footer.items[i].hint;
        if (x >= area.x && x < area.x + footer.items[i].cols)
            key = hint->key;
        draw_next(&area, ROLE_KEY | BOLD, "%s", hint->label);
        area = area_right_of(area, 1);
        draw_next(&area, ROLE_TEXT, "%s", hint->words);
        area = area_right_of(area, GAP);
    }
    return key;
}

void progress_draw(struct area area, const struct screen *screen) {
    const struct playback *playback = &screen->sample->playback;
    const char *place = PRINT(" %.1f of %.1f s ", playback->position_s, playback->length_s);
    if (area.rows < 1 || area.cols < 30 || !(playback->length_s > 0))
        return;
    if (playback->chapter >= 0)
        place =
            PRINT("%s· chapter %d of %d ", place, playback->chapter + 1, playback->chapter_count);
    const int taken = draw_right(area, ROLE_TEXT, place);
    const struct area bar = area_left(area_right_of(area, 1), area.cols - taken - 1);
    const double cols = (bar.cols - 1) / playback->length_s;
    for (int x = 0; x < bar.cols; x++)
        grid_put(bar, bar.x + x, bar.y, x <= cols * playback->position_s ? U'━' : U'─',
                 x <= cols * playback->position_s ? ROLE_KEY : ROLE_DIM);
    for (int c = 0; c < min_int(playback->chapter_count, PLAYBACK_CHAPTERS_MAX); c++)
        grid_put(bar, bar.x + (int)(cols * playback->chapters_s[c]), bar.y, U'┼',
                 c <= playback->chapter ? ROLE_KEY : ROLE_DIM);
}
