/* The verdict panel: the verdict of metrics/verdict.h, its ratio in big digits. */
#include <stdio.h>

#include "metrics/verdict.h"
#include "ui/panels/panel.h"

enum { BIG_GAP = 4, LEAST_TEXT_COLS = 36, LEAST_TEXT_ROWS = 6, TIMES_MAX = 2 };

/* The ratio in big digits, beside the sentences or, if the panel is narrow and high, above them.
 * Returns the remaining area. */
static struct area draw_ratio(struct area area, const struct verdict *verdict) {
    const int width = draw_big_width(verdict->big);
    if (!verdict->big[0] || area.rows < BIG_ROWS || area.cols < width)
        return area;
    const int beside = area.cols - 2 * BIG_GAP - LEAST_TEXT_COLS;
    if (beside >= width) {
        int times = TIMES_MAX;
        while (times > 1 && (times * BIG_ROWS > area.rows || times * width > beside))
            times--;
        const struct area room = area_below(area, (area.rows - times * BIG_ROWS) / 2);
        draw_big(area_right_of(room, BIG_GAP), times, ROLE_VALUE, verdict->big);
        return area_right_of(area, times * width + 2 * BIG_GAP);
    }
    if (area.rows < BIG_ROWS + LEAST_TEXT_ROWS)
        return area;
    area = area_below(area, (area.rows - BIG_ROWS - LEAST_TEXT_ROWS) / 2);
    draw_big(area_right_of(area, (area.cols - width) / 2), 1, ROLE_VALUE, verdict->big);
    return area_below(area, BIG_ROWS + 1);
}

static void verdict_draw(struct area area, const struct screen *screen) {
    static const enum role agreement_roles[] = {
        [AGREEMENT_UNKNOWN] = ROLE_DIM,  [AGREEMENT_NONE] = ROLE_DIM, [AGREEMENT_GOOD] = ROLE_GOOD,
        [AGREEMENT_RESIDUAL] = ROLE_BAD, [AGREEMENT_STOP] = ROLE_BAD, [AGREEMENT_FAILED] = ROLE_BAD,
    };
    const struct verdict verdict = verdict_make(screen->sample);
    const struct frame frame = {.title = verdict_panel.title,
                                .key = verdict_panel.key,
                                .foot = verdict.lane_count > 1 ? verdict.turns : NULL};
    /* In few rows the sentences need no frame. */
    struct area inside = area.rows <= 3
                             ? area_inset(area, 1, 0)
                             : area_top(panel_inside(area, &frame), BIG_ROWS + LEAST_TEXT_ROWS);
    if (verdict.lane_count < 2) {
        draw_paragraph(inside, ROLE_DIM, "Nothing to compare: c chooses two to four runs.");
        return;
    }
    const int cols = inside.cols;
    if (!for_screen_reader(screen)) /* the claim has the ratio in words */
        inside = draw_ratio(inside, &verdict);
    const bool is_beside = inside.cols < cols;
    const char *const lines[] = {verdict.claim, verdict.reason, verdict.agreement_text,
                                 verdict.parts};
    int spare = inside.rows, of_parts = 0; /* rows */
    for (size_t k = 0; k < sizeof lines / sizeof *lines && inside.cols > 0; k++)
        spare -= of_parts = (grid_text_width(lines[k]) + inside.cols - 1) / inside.cols;
    const bool has_parts = spare >= 0;
    spare += has_parts ? 0 : of_parts;
    const bool is_whole = spare >= 0;
    struct area left = area_below(inside, clamp_int(spare / 2, 0, is_beside ? inside.rows : 1));
    const enum role role = agreement_roles[verdict.agreement];
    const bool bad = role == ROLE_BAD;
    if (bad) /* an error comes first */
        draw_sentence(&left, is_whole, role | BOLD | REVERSE,
                      PRINT("ERROR: %s", verdict.agreement_text));
    draw_sentence(&left, is_whole, ROLE_VALUE | BOLD, verdict.claim);
    draw_sentence(&left, is_whole, ROLE_TEXT | BOLD, verdict.reason);
    if (has_parts)
        draw_sentence(&left, is_whole, ROLE_TEXT, verdict.parts);
    if (!bad)
        draw_sentence(&left, is_whole, role, verdict.agreement_text);
}

const struct panel verdict_panel = {PANEL("verdict", "Verdict", 'v', verdict_draw)};
