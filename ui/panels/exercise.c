/* Kernels of the user's own, under the panels: how the last attempt went, and of an exercise its
 * text, the hint, or once it is solved the afterword. A wrong result is shown as a picture of what
 * differs: beside the text if all of it can still be read there, else when it is scrolled. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/view.h"

enum { SECTION_SIZE = 1 << 12, PICTURE_ROWS_MAX = 16, PICTURE_TEXT_COLS = 40, LEAST_LEVEL = 20 };

/* Draws paragraphs, between which the text has blank lines, from its row `top` on; returns the rows
 * of the whole text. */
static int draw_paragraphs(struct area area, int top, enum role role, const char *text) {
    int rows = 0;
    char paragraph[SECTION_SIZE];
    while (*text) {
        const char *end = strstr(text, "\n\n");
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, text);
        for (char *c = paragraph; *c; c++)
            *c = *c == '\n' ? ' ' : *c;
        const char *rest = paragraph;
        /* Rows above the top are left out: the longest beginning that fills so many. */
        for (int skip = top - rows; skip > 0 && *rest;) {
            char begin[SECTION_SIZE];
            const char *blank = rest, *cut = rest;
            while ((blank = strchr(blank + 1, ' '))) {
                snprintf(begin, sizeof begin, "%.*s", (int)(blank - rest), rest);
                if (draw_paragraph((struct area){0, 0, area.cols, 99, NULL}, role, begin) > 1)
                    break;
                cut = blank;
            }
            rest = blank ? cut + 1 : rest + strlen(rest);
            rows++;
            skip--;
        }
        rows += draw_paragraph((struct area){0, 0, area.cols, 99, NULL}, role, rest);
        area = area_below(area, draw_paragraph(area, role, rest));
        text += length;
        text += strspn(text, "\n");
    }
    return rows;
}

/* The text under an exercise's title now. */
static const char *section_shown(const struct exercise_view *view) {
    const char *text = view->afterword ? view->afterword : view->hint ? view->hint : view->text;
    const char *body = text == view->text && text ? strchr(text, '\n') : text;
    return body ? body + strspn(body, "\n") : "";
}

static const char *status_line(const struct exercise_view *view, char *buffer, size_t size,
                               enum role *role) {
    const struct kernel_builder_status *news = &view->news;
    const char *running = *news->good ? "; the last good one runs on" : "";
    *role = ROLE_BAD;
    switch (news->state) {
    case BUILD_COMPILING:
        *role = ROLE_WARN;
        return "compiling …";
    case BUILD_CHECKING:
        *role = ROLE_WARN;
        return "compiled; checking …";
    case BUILD_BROKEN:
        snprintf(buffer, size, "%s", news->line);
        break;
    case BUILD_OVER_BUDGET: /* "right, but …" */
        snprintf(buffer, size, "R%s%s", news->line + 1, running);
        break;
    case BUILD_FAILED:
        snprintf(buffer, size, "%s%s", news->line, running);
        break;
    case BUILD_WRONG:
        snprintf(buffer, size, "Wrong: %s%s", news->line, running);
        break;
    case BUILD_RIGHT:
        if (*view->failure) {
            snprintf(buffer, size, "%s%s", view->failure,
                     *running ? running : "; the program's own runs on");
            break;
        }
        *role = ROLE_GOOD;
        snprintf(
            buffer, size, "Right. Yours runs as lane A (compiled in %.2g s, checked in %.2g s)%s",
            news->compile_seconds, news->check_seconds,
            news->found.emulated ? ". There is no GPU: the CPU emulates one, so no time here is "
                                   "a GPU's"
                                 : "");
        break;
    }
    return buffer;
}

/* What differs, unknown by unknown, on a logarithmic scale over six decades; j = 0 at the bottom.
 */
static void draw_differences(struct area area, const struct check_verdict *verdict,
                             const struct screen *screen) {
    double largest = 0;
    for (int id = 0; id < verdict->nx * verdict->ny; id++)
        largest = fmax(largest, fabs((double)verdict->differences[id]));
    for (int y = 0; y < area.rows; y++)
        for (int x = 0; x < area.cols; x++) {
            int levels[2];
            for (int half = 0; half < 2; half++) {
                const int row = 2 * area.rows - 1 - 2 * y - half, rows = 2 * area.rows;
                const int i0 = x * verdict->nx / area.cols, j0 = row * verdict->ny / rows;
                int i1 = (x + 1) * verdict->nx / area.cols, j1 = (row + 1) * verdict->ny / rows;
                double most = 0;
                i1 = i1 > i0 ? i1 : i0 + 1;
                j1 = j1 > j0 ? j1 : j0 + 1;
                for (int j = j0; j < j1; j++)
                    for (int i = i0; i < i1; i++)
                        most = fmax(most, fabs((double)verdict->differences[i + j * verdict->nx]));
                const double decades = most > 0 ? fmax(log10(most / largest) + 6, 0) : -1;
                levels[half] =
                    decades < 0
                        ? 0
                        : LEAST_LEVEL + (int)(decades / 6 * (ROLE_LEVELS - 1 - LEAST_LEVEL));
            }
            const bool shades = screen->no_color || screen->ascii;
            if (shades)
                grid_put(area, area.x + x, area.y + y, levels[0] + levels[1] ? '#' : '.',
                         ROLE_TEXT);
            else
                /* NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): a role per level
                 */
                grid_put(area, area.x + x, area.y + y, 0x2580,
                         style_on(ROLE_LEVEL0 + levels[0], ROLE_LEVEL0 + levels[1]));
        }
}

/* Whether there is a picture of what differs: not on a screen that is read aloud. */
static bool wants_picture(const struct screen *screen) {
    const struct exercise_view *view = screen->exercise;
    return view->news.state == BUILD_WRONG && !view->verdict.is_residual &&
           !for_screen_reader(screen);
}

/* The areas of the panel. */
struct arrangement {
    struct area status, body, picture; /* no cells: none is shown */
    int rows;                          /* of the whole text in the body's columns */
};

static struct arrangement arrange(const struct screen *screen, struct area area, int side) {
    const struct exercise_view *view = screen->exercise;
    char words[2 * ERROR_MESSAGE_SIZE];
    enum role role;
    struct area text = area_inset(frame_inside(area), 1, 0);
    struct arrangement made = {.picture = area_right_of(text, text.cols - side)};
    if (side > 0)
        text = area_left(text, text.cols - side - 2);
    if (screen->ascii) /* room for squares, which are spelled out: "64^2" */
        text = area_left(text, text.cols - 2);
    const int status = draw_paragraph(area_on(NULL, text), ROLE_TEXT,
                                      status_line(view, words, sizeof words, &role));
    made.status = area_top(text, status);
    made.body = area_below(text, status);
    made.rows = draw_paragraphs(area_on(NULL, made.body), 0, ROLE_TEXT, section_shown(view));
    return made;
}

int exercise_rows(const struct screen *screen, int cols, int rows) {
    const int most = (rows - 2) / 2;
    const struct arrangement made = arrange(screen, (struct area){0, 0, cols, 99, NULL}, 0);
    int wanted = 2 + made.status.rows + made.rows;
    if (wants_picture(screen) && wanted < PICTURE_ROWS_MAX)
        wanted = PICTURE_ROWS_MAX;
    return most < 4 ? 0 : wanted < most ? wanted : most;
}

void exercise_draw(struct area area, const struct screen *screen) {
    const struct exercise_view *view = screen->exercise;
    char words[2 * ERROR_MESSAGE_SIZE], foot[160];
    enum role role;
    const char *status = status_line(view, words, sizeof words, &role);
    const char *name = strrchr(view->file, '/');
    const struct area inner = area_inset(frame_inside(area), 1, 0);
    const int side = (int)lround(screen_cell_aspect(screen->state) * inner.rows);
    struct arrangement made = arrange(screen, area, 0);
    bool is_behind = false; /* the picture, of the text */
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
    snprintf(foot, sizeof foot, "%sE edit  Enter %s%s", pages,
             view->news.has_warnings ? "warnings" : "log", !view->text ? "" : "  H hint");
    const struct frame frame = {.title = view->title,
                                .value = has_picture    ? "|U - expected|, by decades"
                                         : view->solved ? "solved"
                                                        : NULL,
                                .foot_left = area.cols >= 100 || !name ? view->file : name + 1,
                                .foot = foot,
                                .title_role = ROLE_GOOD};
    draw_frame(area, &frame);
    draw_paragraph(made.status, role | BOLD, status);
    draw_paragraphs(made.body,
                    hidden <= 0          ? 0
                    : view->top < hidden ? view->top
                                         : hidden,
                    view->afterword ? ROLE_GOOD
                    : view->hint    ? ROLE_WARN
                                    : ROLE_TEXT,
                    section_shown(view));
    if (has_picture)
        draw_differences(made.picture, &view->verdict, screen);
}
