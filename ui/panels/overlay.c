/* The overlays: the help screen and the menus. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "ui/panels/view.h"

/* ---- help: every key that has a line of help, in groups and columns */

enum { LABEL_COLS = 8, SHORT_COLS = 25, LINES_MAX = 160 };

struct help_line {
    const char *label, *text; /* no label: a heading; neither: a blank between groups */
    int column, row;
};

/* Assigns each line a position in columns of `rows` rows, none of which ends in a heading. Returns
 * the number of columns. */
static int help_place(struct help_line *lines, int count, int rows) {
    int column = 0, row = 0;
    for (int k = 0; k < count; k++) {
        const bool is_heading = lines[k].text && !lines[k].label;
        if (row >= rows || (is_heading && row == rows - 1 && rows > 1)) {
            column++;
            row = 0;
        }
        lines[k].column = column;
        lines[k].row = row;
        row += row > 0 || lines[k].text;
    }
    return column + 1;
}

/* The lines, group by group, separated by blanks if `apart`; *widest is the width of the widest
 * text. */
static int help_lines(const struct screen *screen, struct help_line *lines, bool apart,
                      int *widest) {
    static const char *const headings[KEY_GROUPS] = {
        [KEYS_FIRST] = "The first twenty", [KEYS_RUN] = "Run",        [KEYS_PANELS] = "Panels",
        [KEYS_PICTURE] = "Picture",        [KEYS_REPLAY] = "Replay",  [KEYS_LESSON] = "Tour",
        [KEYS_EXERCISE] = "Exercise",      [KEYS_PROGRAM] = "Program"};
    int count = 0;
    *widest = 0;
    for (int group = 0; group < KEY_GROUPS; group++) {
        if (group > 0 && apart)
            lines[count++] = (struct help_line){0};
        lines[count++] = (struct help_line){.text = headings[group]};
        for (int h = 0; h < screen->hint_count; h++) {
            const struct key_hint *hint = &screen->hints[h];
            if (!hint->help || hint->group != (enum key_group)group)
                continue;
            const int cols = grid_text_width(hint->help);
            *widest = cols > *widest ? cols : *widest;
            lines[count++] = (struct help_line){.label = hint->label, .text = hint->help};
        }
    }
    return count;
}

/* For a screen reader: one key per row with its full sentence, scrollable. */
static void draw_read_help(struct area area, const struct screen *screen) {
    struct help_line lines[LINES_MAX];
    int widest;
    const int count = help_lines(screen, lines, false, &widest);
    const int last = help_last_top(screen, area), wanted = screen->state->overlay_top;
    const int top = min_int(wanted, last); /* the screen may have grown */
    const bool fits = last == 0;
    const struct frame frame = {.title = "Keys  (: finds each by name)",
                                .foot_left = fits ? NULL : "arrows, PgUp, PgDn scroll",
                                .foot = fits ? "any key goes back" : "any other key goes back"};
    const struct area inner = panel_inside(area, &frame);
    for (int k = top; k < count; k++) {
        const struct area row = area_row(inner, k - top);
        const char *label = lines[k].label;
        const int used = label ? 2 + draw_text(row, ROLE_KEY | BOLD, "%s", label) : 0;
        draw_shortened(area_right_of(row, used),
                       (label ? ROLE_TEXT : ROLE_TITLE) | (label ? 0 : BOLD), lines[k].text);
    }
}

int help_last_top(const struct screen *screen, struct area area) {
    struct help_line lines[LINES_MAX];
    int widest, keys = 0;
    const int count = help_lines(screen, lines, false, &widest);
    const int last = count - frame_inside(area).rows;
    for (int k = 0; k < count; k++)
        keys += lines[k].label != NULL;
    return for_screen_reader(screen) ? max_int(last, 0) : keys - 4;
}

void help_draw(struct area area, const struct screen *screen) {
    if (for_screen_reader(screen)) {
        draw_read_help(area, screen);
        return;
    }
    struct help_line lines[LINES_MAX];
    const int top = screen->state->overlay_top, most = area.rows - 2;
    int widest, columns = 1, rows = 0;
    int count = help_lines(screen, lines, true, &widest);
    int width = LABEL_COLS + 2 + widest + 2;
    /* Full sentences in one or two columns; else their beginnings in as many columns as fit. */
    bool fits = false;
    for (; !fits && columns <= 2 && columns * width + 2 <= area.cols; columns += !fits)
        for (rows = 1; rows <= most && !fits; rows++)
            fits = help_place(lines, count, rows) <= columns;
    const bool is_short = !fits;
    if (is_short) {
        width = SHORT_COLS;
        columns = max_int((area.cols - 4) / width, 1);
        for (int apart = 1; apart >= 0 && !fits; apart--) {
            count = help_lines(screen, lines, apart, &widest);
            for (rows = 1; rows <= most && !fits; rows++)
                fits = help_place(lines, count, rows) <= columns;
        }
    }
    rows--; /* the loop has incremented it once more */
    const struct area box = area_centered(area, columns * width + 2, rows + 2);
    const struct frame frame = {.title = "Keys  (: finds each by name)",
                                .foot =
                                    fits ? "any key goes back" : "any key goes back, ↓ shows more"};
    grid_fill(box, ROLE_OVERLAY);
    const struct area inner = draw_frame(box, &frame);
    const int from = fits || top >= count ? 0 : top;
    help_place(lines + from, count - from, inner.rows);
    for (int k = from; k < count && lines[k].column < columns; k++) {
        const struct help_line *line = &lines[k];
        struct area row =
            area_left(area_right_of(area_row(inner, line->row), line->column * width), width - 1);
        if (line->label) {
            const size_t length = is_short ? strcspn(line->text, ":") : strlen(line->text);
            draw_cell(&row, LABEL_COLS, ROLE_KEY | BOLD, line->label);
            draw_shortened(area_right_of(row, 2), ROLE_TEXT,
                           PRINT("%.*s", (int)length, line->text));
        } else if (line->text) {
            draw_text(area_right_of(row, 1), ROLE_TITLE | BOLD, "%s", line->text);
        }
    }
}

/* ---- menus */

enum { LEAST_COLS = 54, REASON_ROWS = 3, MARK_COLS = 3 };

/* The palette's least size, so that it stays in its place while words are typed. */
enum { PALETTE_COLS = 84, PALETTE_LABEL = 14, PALETTE_ROWS = 30 };

/* The text beside a row's label. */
static const char *item_words(char *buffer, size_t size, const struct menu_item *item) {
    if (*item->instead)
        return format_text(buffer, size, "recorded: %s", item->instead);
    if (item->error.status)
        return text_clause(buffer, size, item->error.message);
    return item->is_checking && !*item->note ? "checking…" : item->note;
}

static void draw_item(struct area row, const struct menu_item *item, int label_cols,
                      bool is_chosen) {
    const bool possible = !item->error.status || *item->instead;
    const int attributes = is_chosen ? BOLD : 0;
    if (is_chosen)
        grid_fill(row, ROLE_SELECT);
    const enum role role = is_chosen ? ROLE_SELECT : possible ? ROLE_TEXT : ROLE_DIM;
    const char *mark = item->is_current ? "●" : *item->instead ? "▸" : possible ? " " : "×";
    row = area_inset(row, 1, 0);
    draw_text(row, role | attributes, "%s", mark);
    if (*item->key_label)
        row.cols -= draw_right(row, (is_chosen ? role : ROLE_KEY) | BOLD, item->key_label) + 1;
    row = area_right_of(row, MARK_COLS - 1);
    draw_shortened(area_left(row, label_cols), role | attributes, item->label);
    row = area_right_of(row, label_cols > 0 ? label_cols + 2 : 0);
    const char *words = AS(item_words, item);
    if (*item->instead && *item->note && grid_text_width(words) > row.cols)
        words = item->note; /* the mark shows that it is recorded */
    draw_shortened(row, is_chosen || !*item->label ? role : ROLE_DIM, words);
}

/* As wide as its rows, but no wider than the screen; *label_cols: the labels' share. */
static struct area place_menu(struct area area, const struct menu *menu, int *label_cols) {
    int words_cols = 0;
    *label_cols = menu->is_searched ? PALETTE_LABEL : 0;
    for (int i = 0; i < menu->count; i++) {
        const struct menu_item *item = &menu->items[i];
        *label_cols = max_int(*label_cols, grid_text_width(item->label));
        words_cols = max_int(words_cols, grid_text_width(AS(item_words, item)));
    }
    const int least =
        max_int(menu->is_searched ? PALETTE_COLS : LEAST_COLS, grid_text_width(menu->title) + 8);
    const int wanted = max_int(MARK_COLS + *label_cols + 2 + words_cols + 3, least);
    const int cols = min_int(wanted, area.cols - 4);
    *label_cols = min_int(*label_cols, cols / 2);
    const int rows = max_int(menu->count, menu->is_searched ? PALETTE_ROWS : 0);
    return area_centered(area, cols, rows + 2 + 1 + REASON_ROWS);
}

void menu_draw(struct area area, const struct screen *screen) {
    const struct menu *menu = screen->menu;
    const int chosen = screen->state->overlay_row;
    int label_cols;
    const struct area box = place_menu(area, menu, &label_cols);
    const bool for_reader = for_screen_reader(screen);
    struct frame frame = {.title = menu->title,
                          .foot = PRINT("%s %s  Esc back", for_reader ? "arrows" : "↑ ↓",
                                        menu->is_read ? "line" : "choose  Enter select")};
    const struct area framed = area_inset(box, 1, 1);
    const int needed = REASON_ROWS + 1 + menu->count, least = REASON_ROWS + 4;
    const int explained = framed.rows >= min_int(needed, least) ? REASON_ROWS + 1 : 0;
    /* The head is fixed, the rest scrolls. */
    const int head = menu->has_head && menu->count > 0;
    const int rows = framed.rows - explained - head, last = menu->count - head - rows;
    const int wanted = chosen - head - rows / 2;
    const int top = clamp_int(wanted, 0, last);
    frame.foot_left = for_reader && (top > 0 || top < last) ? "there is more"
                      : top > 0 && top < last               ? "↑ ↓ more"
                      : top > 0                             ? "↑ more"
                      : top < last                          ? "↓ more"
                                                            : NULL;
    grid_fill(box, ROLE_OVERLAY);
    const struct area inner = draw_frame(box, &frame);
    if (head)
        draw_item(area_top(inner, 1), &menu->items[0], label_cols, chosen == 0);
    for (int r = 0; r < rows && head + top + r < menu->count; r++)
        draw_item(area_row(inner, head + r), &menu->items[head + top + r], label_cols,
                  head + top + r == chosen);
    if (!explained || chosen >= menu->count)
        return;
    /* The full text of the chosen row, and any recordings to show instead. */
    const struct menu_item *item = &menu->items[chosen];
    struct area text = area_inset(area_below(inner, head + rows + 1), 1, 0);
    if (*item->instead) {
        struct area row = area_take_top(&text, 1);
        draw_next(&row, ROLE_KEY | BOLD, "Enter ");
        draw_text(row, ROLE_TEXT, "shows it recorded: %s", item->instead);
    }
    draw_paragraph(text, ROLE_TEXT, item->error.status ? item->error.message : item->note);
}
