#include <stdio.h>
#include <string.h>

#include "ui/app/keymap.h"
#include "ui/draw/draw.h"
#include "ui/panels/view.h"

enum { ITEMS_MAX = 32, GAP = 2 };

struct item {
    const struct binding *binding;
    char words[64];
    int cols;
};

/* What would stand in the footer were there room, in the table's order. */
static int collect(struct item *items, const struct screen *screen) {
    int count = 0;
    for (const struct binding *binding = keymap; binding->label && count < ITEMS_MAX; binding++) {
        if (!binding->importance || (binding->applies && !binding->applies(screen)))
            continue;
        struct item *item = &items[count++];
        item->binding = binding;
        if (binding->describe)
            binding->describe(screen, item->words, sizeof item->words);
        else
            snprintf(item->words, sizeof item->words, "%s", binding->word);
        item->cols = grid_text_width(binding->label) + 1 + grid_text_width(item->words);
    }
    return count;
}

static int total_cols(const struct item *items, int count) {
    int cols = 0;
    for (int i = 0; i < count; i++)
        cols += items[i].cols + (i ? GAP : 0);
    return cols;
}

static int drop_least(struct item *items, int count) {
    int least = 0;
    for (int i = 1; i < count; i++)
        if (items[i].binding->importance <= items[least].binding->importance)
            least = i;
    memmove(&items[least], &items[least + 1], (size_t)(count - least - 1) * sizeof *items);
    return count - 1;
}

static int items_that_fit(struct item *items, int cols, const struct screen *screen) {
    int count = collect(items, screen);
    while (count > 0 && total_cols(items, count) + 2 > cols)
        count = drop_least(items, count);
    return count;
}

void footer_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    if (area.rows < 1)
        return;
    struct item items[ITEMS_MAX];
    const int count = items_that_fit(items, area.cols, screen);
    grid_fill(grid, area, INK_BAR);
    int x = area.x + 1;
    for (int i = 0; i < count; i++) {
        x += grid_text(grid, area, x, area.y, INK_KEY, CELL_BOLD, "%s", items[i].binding->label);
        x += 1 + grid_text(grid, area, x + 1, area.y, INK_TEXT, 0, "%s", items[i].words) + GAP;
    }
}

int footer_key_at(struct rect area, const struct screen *screen, int x) {
    struct item items[ITEMS_MAX];
    const int count = items_that_fit(items, area.cols, screen);
    int start = area.x + 1;
    for (int i = 0; i < count; i++) {
        const int end = start + items[i].cols;
        if (x >= start && x < end)
            return items[i].binding->key;
        start = end + GAP;
    }
    return 0;
}
