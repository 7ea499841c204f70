/* The user's own kernels, below the panels: the result of the last attempt and, for an exercise,
 * its text, the hint, or the afterword once it is solved. A wrong result is shown as a picture of
 * the differences: beside the text if all of it remains legible there, else after scrolling. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/view.h"

enum { SECTION_SIZE = 1 << 12, PICTURE_ROWS_MAX = 16, PICTURE_TEXT_COLS = 40, LEAST_LEVEL = 20 };

/* Draws paragraphs, separated by blank lines in the text, from row `top` on; returns the number of
 * rows of the whole text. */
static int draw_paragraphs(struct area area, int top, enum role role, const char *text) {
    int rows = 0;
    char paragraph[SECTION_SIZE];
    while (*text) {
        const char *end = strstr(text, "\n\n");
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, text);
        for (char *c = paragraph; *c; c++)
            *c = *c == '\n' ? ' ' : *c;
        rows +=
            draw_scrolled(area_below(area, rows - top), max_int(top - rows, 0), role, paragraph);
        text += length;
        text += strspn(text, "\n");
    }
    return rows;
}

/* Draws what is below an exercise's title, from row `top` on: its text, its afterword or, with the
 * text above it if both fit, the hint. Returns the number of rows of all of it. */
static int draw_section(struct area area, int top, const struct exercise_view *view) {
    const char *task = view->text ? strchr(view->text, '\n') : NULL;
    task = task ? task + strspn(task, "\n") : "";
    if (view->afterword)
        return draw_paragraphs(area, top, ROLE_GOOD, view->afterword);
    if (!view->hint)
        return draw_paragraphs(area, top, ROLE_TEXT, task);
    const struct area unseen = area_on(NULL, area);
    const int rows = draw_paragraphs(unseen, 0, ROLE_TEXT, task);
    if (rows + draw_paragraphs(unseen, 0, ROLE_WARN, view->hint) > area.rows)
        return draw_paragraphs(area, top, ROLE_WARN, view->hint);
    draw_paragraphs(area, 0, ROLE_TEXT, task);
    return rows + draw_paragraphs(area_below(area, rows), 0, ROLE_WARN, view->hint);
}

static const char *status_line(const struct exercise_view *view, char *buffer, size_t size,
                               enum role *role) {
    const struct kernel_builder_status *news = view->news;
    const char *running = *news->good ? "; the last good one continues" : "";
    *role = ROLE_BAD;
    switch (news->state) {
    case BUILD_COMPILING:
        *role = ROLE_WARN;
        return "compiling …";
    case BUILD_CHECKING:
        *role = ROLE_WARN;
        return "compiled; checking …";
    case BUILD_BROKEN:
        return format_text(buffer, size, "%s", news->line);
    case BUILD_OVER_BUDGET: /* "right, but …" */
        return format_text(buffer, size, "R%s%s", news->line + 1, running);
    case BUILD_FAILED:
        return format_text(buffer, size, "%s%s", news->line, running);
    case BUILD_WRONG:
        return format_text(buffer, size, "Wrong: %s%s", news->line, running);
    case BUILD_RIGHT:
        break;
    }
    if (*view->failure)
        return format_text(buffer, size, "%s%s", view->failure,
                           *running ? running : "; the program's own continues");
    *role = ROLE_GOOD;
    return format_text(buffer, size, "Right. Yours %s (compiled in %.2g s, checked in %.2g s)%s",
                       view->waits ? "runs after this recording or tour" : "is run A",
                       news->compile_seconds, news->check_seconds,
                       news->found.emulated ? ". There is no GPU: the CPU emulates one, so no time "
                                              "here is a GPU's"
                                            : "");
}

/* The level of row `row` of `rows`, j = 0 at the bottom: the largest difference in it over six
 * decades, 0 if there is none. */
static int difference_level(const struct check_verdict *verdict, double largest, int cols, int rows,
                            int x, int row) {
    const int i0 = x * verdict->nx / cols, j0 = row * verdict->ny / rows;
    const int i1 = max_int((x + 1) * verdict->nx / cols, i0 + 1);
    const int j1 = max_int((row + 1) * verdict->ny / rows, j0 + 1);
    double most = 0;
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++)
            most = fmax(most, fabs((double)verdict->differences[i + j * verdict->nx]));
    const double decades = fmax(log10(most / largest) + 6, 0);
    return most > 0 ? LEAST_LEVEL + (int)(decades / 6 * (ROLE_LEVELS - 1 - LEAST_LEVEL)) : 0;
}

static void draw_differences(struct area area, const struct check_verdict *verdict,
                             const struct screen *screen) {
    static const struct heatmap_range range = {0};
    const int rows = 2 * area.rows;
    double largest = 0;
    for (int id = 0; id < verdict->nx * verdict->ny; id++)
        largest = fmax(largest, fabs((double)verdict->differences[id]));
    for (int y = 0; y < area.rows; y++)
        for (int x = 0; x < area.cols; x++) {
            const int upper =
                difference_level(verdict, largest, area.cols, rows, x, rows - 1 - 2 * y);
            const int lower =
                difference_level(verdict, largest, area.cols, rows, x, rows - 2 - 2 * y);
            if (screen->no_color || screen->ascii)
                grid_put(area, area.x + x, area.y + y, upper + lower ? '#' : '.', ROLE_TEXT);
            else
                field_put_pixels(area, area.x + x, area.y + y, upper, lower, &range, screen);
        }
}

/* Whether to show a picture of the differences: not for a screen reader. */
static bool wants_picture(const struct screen *screen) {
    const struct exercise_view *view = screen->exercise;
    return view->news->state == BUILD_WRONG && !view->news->verdict->is_residual &&
           !for_screen_reader(screen);
}

struct arrangement {
    struct area status, body, picture; /* no cells: omitted */
    int rows;                          /* the whole text's, at the body's width */
};

static struct arrangement arrange(const struct screen *screen, struct area area, int side) {
    const struct exercise_view *view = screen->exercise;
    char words[2 * ERROR_MESSAGE_SIZE];
    enum role role;
    struct area text = area_inset(frame_inside(area), 1, 0);
    struct arrangement made = {.picture = area_right_of(text, text.cols - side)};
    if (side > 0)
        text = area_left(text, text.cols - side - 2);
    if (screen->ascii) /* for squares, which ASCII spells out: "64^2" */
        text = area_left(text, text.cols - 2);
    const int status = draw_paragraph(area_on(NULL, text), ROLE_TEXT,
                                      status_line(view, words, sizeof words, &role));
    made.status = area_top(text, status);
    made.body = area_below(text, status);
    made.rows = draw_section(area_on(NULL, made.body), 0, view);
    return made;
}

int exercise_rows(const struct screen *screen, int cols, int rows) {
    const int most = (rows - 2) / 2;
    if (most < 4)
        return 0;
    const struct arrangement made = arrange(screen, (struct area){0, 0, cols, most, NULL}, 0);
    const int wanted =
        max_int(2 + made.status.rows + made.rows, wants_picture(screen) ? PICTURE_ROWS_MAX : 0);
    return min_int(wanted, most);
}

void exercise_draw(struct area area, const struct screen *screen) {
    const struct exercise_view *view = screen->exercise;
    char words[2 * ERROR_MESSAGE_SIZE];
    enum role role;
    const char *status = status_line(view, words, sizeof words, &role);
    const char *name = strrchr(view->news->file, '/');
    const struct area inner = area_inset(frame_inside(area), 1, 0);
    const int side = (int)lround(screen_cell_aspect(screen->state) * inner.rows);
    struct arrangement made = arrange(screen, area, 0);
    bool is_behind = false; /* the picture is shown only after scrolling */
    if (wants_picture(screen) && inner.cols >= side + PICTURE_TEXT_COLS && inner.rows >= 4) {
        const struct arrangement beside = arrange(screen, area, side);
        is_behind = view->top == 0 && beside.rows > beside.body.rows;
        if (!is_behind)
            made = beside;
    }
    const bool has_picture = made.picture.cols > 0;
    const int hidden = made.rows - made.body.rows;
    const char *pages = is_behind && hidden > 0 ? "PgDn text, picture  "
                        : is_behind             ? "PgDn picture  "
                        : hidden > 0            ? "PgUp PgDn text  "
                                                : "";
    const struct frame frame = {
        .title = view->title,
        .value = has_picture    ? "|U - expected|, by decades"
                 : view->solved ? "solved"
                                : NULL,
        .foot_left = PRINT("%s%s", area.cols >= 100 || !name ? view->news->file : name + 1,
                           *view->news->good ? "" : ": not running"),
        .foot = PRINT("%sE edit  Enter %s%s", pages, view->news->has_warnings ? "warnings" : "log",
                      view->text ? "  H hint" : ""),
        .title_role = ROLE_GOOD};
    draw_frame(area, &frame);
    draw_paragraph(made.status, role | BOLD, status);
    draw_section(made.body, clamp_int(view->top, 0, hidden), view);
    if (has_picture)
        draw_differences(made.picture, view->news->verdict, screen);
}

/* ---- the user's source ----------------------------------------------------------------------- */

enum { NUMBER_COLS = 4, INDENT_COLS = 4 };

void code_size(const char *code, int *cols, int *rows) {
    *cols = *rows = 0;
    for (; *code; ++*rows) {
        const int length = (int)strcspn(code, "\n");
        *cols = max_int(*cols, grid_text_width(PRINT("%.*s", length, code)));
        code += length + (code[length] == '\n');
    }
    *cols += NUMBER_COLS + 4; /* the frame, and a blank column inside it */
    *rows += 2;
}

/* A line of code; its map clauses have the colour of the copies that they cause. */
static void draw_code_line(struct area row, const char *text, bool is_directive) {
    const char *first = text + strspn(text, " \t");
    const bool is_comment = strncmp(first, "/*", 2) == 0 || strncmp(first, "//", 2) == 0;
    const int used = draw_shortened(row,
                                    is_directive ? ROLE_TITLE | BOLD
                                    : is_comment ? ROLE_DIM
                                                 : ROLE_TEXT,
                                    text);
    for (const char *map = text; is_directive && (map = strstr(map, "map(")); map++) {
        const int clause = (int)strcspn(map, ")") + 1, at = (int)(map - text);
        const bool is_from = strncmp(map + 4, "from", 4) == 0;
        if (at + clause <= used)
            draw_text(area_right_of(row, at), (is_from ? ROLE_FROM_DEVICE : ROLE_TO_DEVICE) | BOLD,
                      "%.*s", clause, map);
    }
}

/* The length of the beginning of a directive that fits into `cols` and ends before a clause; all of
 * it if it fits, or if there is no such beginning. */
static int first_clauses(const char *text, int length, int cols) {
    int depth = 0, end = 0;
    for (int k = (int)strspn(text, " \t"); k < length && k <= cols && length > cols; k++) {
        depth += (text[k] == '(') - (text[k] == ')');
        end = text[k] == ' ' && depth == 0 ? k : end;
    }
    return end > 0 ? end : length;
}

/* A line of the file with its number. `goes_on`: a backslash continues it. The clauses of a
 * directive that is too long take up to `*spare` further rows. */
static void draw_numbered(struct area *rows, int number, const char *text, int length,
                          bool is_directive, bool goes_on, int *spare) {
    struct area row = area_take_top(rows, 1);
    draw_next(&row, ROLE_DIM, "%3d ", number);
    const bool is_cut = goes_on && length > row.cols; /* the backslash after it stays */
    while (is_cut && length > 0 && strchr(" \\", text[length - 1]))
        length--;
    for (; is_directive && *spare > 0; --*spare) {
        const int part = first_clauses(text, length, row.cols);
        if (part == length)
            break;
        draw_code_line(row, PRINT("%.*s", part, text), true);
        text += part + 1;
        length -= part + 1;
        row = area_right_of(area_take_top(rows, 1), NUMBER_COLS + INDENT_COLS);
    }
    draw_code_line(row, PRINT("%.*s%s", length, text, is_cut ? " \\" : ""), is_directive);
}

static void code_draw(struct area area, const struct screen *screen) {
    const struct exercise_view *view = screen->exercise;
    const char *line = view && view->code ? view->code : "";
    const char *name = view ? strrchr(view->news->file, '/') : NULL;
    struct area inner = area_inset(
        draw_frame(area, &(struct frame){.title = name ? name + 1 : "", .foot = "E edit"}), 1, 0);
    /* If not all lines fit, starts a few lines before the gap or the first directive. */
    const char *gap = strstr(line, "to be written"), *wanted = gap ? gap : strstr(line, "#pragma");
    int lines = 0, above = 0; /* the lines before `wanted`; all if there is none */
    for (const char *c = line; *c; c++) {
        lines += *c == '\n' || !c[1];
        above = !wanted || c < wanted ? lines : above;
    }
    const int top = clamp_int(above - inner.rows / 3, 0, max_int(lines - inner.rows, 0));
    int spare = max_int(inner.rows - lines, 0);
    bool goes_on = false; /* a directive that a backslash continues */
    for (int number = 1; *line; number++) {
        const int length = (int)strcspn(line, "\n");
        const char *first = line + strspn(line, " \t");
        const bool is_directive = goes_on || strncmp(first, "#pragma", 7) == 0;
        goes_on = is_directive && length > 0 && line[length - 1] == '\\';
        if (number > top && inner.rows > 0)
            draw_numbered(&inner, number, line, length, is_directive, goes_on, &spare);
        line += length + (line[length] == '\n');
    }
}

const struct panel code_panel = {PANEL("code", "Your source", 0, code_draw)};
