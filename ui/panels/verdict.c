/* The verdict panel: the verdict of metrics/verdict.h, its ratio in big digits. */
#include <stdio.h>

#include "metrics/verdict.h"
#include "ui/draw/draw.h"
#include "ui/panels/panel.h"

enum { BIG_GAP = 4, LEAST_TEXT_COLS = 44, LEAST_TEXT_ROWS = 6, TIMES_MOST = 3 };

/* What sentences are drawn into. */
struct page {
    struct grid *grid;
    struct rect left;   /* still free */
    bool one_line_each; /* there is too little room for all of each */
};

static void verdict_draw_line(struct page *page, enum ink ink, int attributes, const char *text) {
    const struct rect area = page->left;
    int rows = 0;
    if (text[0] && page->one_line_each && area.rows > 0) {
        draw_shortened(page->grid, area, area.x, area.y, area.cols, ink, attributes, text);
        rows = 1;
    } else if (text[0])
        rows = draw_paragraph(page->grid, area, ink, attributes, text);
    page->left = rect_below(area, rows);
}

/* The ratio in big digits, beside the sentences or, if the panel is narrow
 * and high, above them. Returns what is left. */
static struct rect draw_ratio(struct grid *grid, struct rect area, const struct verdict *verdict) {
    const int width = draw_big_width(verdict->big);
    if (!verdict->big[0] || area.rows < BIG_ROWS || area.cols < width)
        return area;
    const int beside = area.cols - 2 * BIG_GAP - LEAST_TEXT_COLS;
    if (beside >= width) {
        int times = TIMES_MOST; /* up to a third of the rows */
        while (times > 1 && (3 * times * BIG_ROWS > area.rows || times * width > beside))
            times--;
        const int y = area.y + (area.rows - times * BIG_ROWS) / 2;
        draw_big(grid, area, area.x + BIG_GAP, y, times, INK_VALUE, verdict->big);
        return rect_right_of(area, times * width + 2 * BIG_GAP);
    }
    if (area.rows < BIG_ROWS + LEAST_TEXT_ROWS)
        return area;
    const int y = area.y + (area.rows - BIG_ROWS - LEAST_TEXT_ROWS) / 2;
    draw_big(grid, area, area.x + (area.cols - width) / 2, y, 1, INK_VALUE, verdict->big);
    return rect_below(area, y - area.y + BIG_ROWS + 1);
}

void verdict_panel_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    static const enum ink agreement_inks[] = {
        [AGREEMENT_UNKNOWN] = INK_DIM,  [AGREEMENT_NONE] = INK_DIM, [AGREEMENT_GOOD] = INK_GOOD,
        [AGREEMENT_RESIDUAL] = INK_BAD, [AGREEMENT_STOP] = INK_BAD, [AGREEMENT_FAILED] = INK_BAD,
    };
    const struct panel *panel = panel_find("verdict");
    const struct verdict verdict = verdict_make(screen->sample);
    const struct frame frame = {.title = panel->title,
                                .key = panel->key,
                                .foot = verdict.lane_count > 1 ? verdict.turns : NULL};
    struct rect inside = rect_inset(draw_frame(grid, area, &frame), 1, 0);
    if (verdict.lane_count < 2) {
        draw_paragraph(grid, inside, INK_DIM, 0, "Nothing to compare: c picks two to four runs.");
        return;
    }
    if (!screen_is_linear(screen)) /* the claim has it in words */
        inside = draw_ratio(grid, inside, &verdict);
    const char *const lines[] = {verdict.claim, verdict.reason, verdict.agreement_text};
    int spare = inside.rows;
    for (size_t k = 0; k < sizeof lines / sizeof *lines && inside.cols > 0; k++)
        spare -= (grid_text_width(lines[k]) + inside.cols - 1) / inside.cols;
    struct page page = {grid, rect_below(inside, spare > 1 ? spare / 2 : 0), spare < 0};
    char agreement[VERDICT_LINE + 16];
    const enum ink ink = agreement_inks[verdict.agreement];
    const bool bad = ink == INK_BAD;
    snprintf(agreement, sizeof agreement, "%s%s", bad ? "ERROR: " : "", verdict.agreement_text);
    if (bad) /* what is wrong is said first */
        verdict_draw_line(&page, ink, CELL_BOLD | CELL_REVERSE, agreement);
    verdict_draw_line(&page, INK_VALUE, CELL_BOLD, verdict.claim);
    verdict_draw_line(&page, INK_TEXT, CELL_BOLD, verdict.reason);
    if (!bad)
        verdict_draw_line(&page, ink, 0, agreement);
}
