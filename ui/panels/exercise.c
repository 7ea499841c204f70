/* Kernels of the user's own, under the panels: how the last attempt went, and of an exercise its
 * text, the hint, or once it is solved the afterword. A wrong result is shown as a picture of what
 * differs: beside the text if all of it can still be read there, else when it is scrolled. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/draw/draw.h"
#include "ui/panels/view.h"

enum { SECTION_SIZE = 1 << 12, PICTURE_ROWS_MAX = 16, PICTURE_TEXT_COLS = 40, LEAST_LEVEL = 20 };

/* Draws paragraphs, between which the text has blank lines, from its row `top` on; returns the rows
 * of the whole text. */
static int draw_text(struct grid *grid, struct rect area, int top, enum ink ink, const char *text) {
    struct grid nowhere = {0};
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
                if (draw_paragraph(&nowhere, (struct rect){0, 0, area.cols, 99}, ink, 0, begin) > 1)
                    break;
                cut = blank;
            }
            rest = blank ? cut + 1 : rest + strlen(rest);
            rows++;
            skip--;
        }
        rows += draw_paragraph(&nowhere, (struct rect){0, 0, area.cols, 99}, ink, 0, rest);
        area = rect_below(area, draw_paragraph(grid, area, ink, 0, rest));
        text += length;
        text += strspn(text, "\n");
    }
    return rows;
}

/* What stands under the title of an exercise now. */
static const char *section_shown(const struct exercise_view *view) {
    const char *text = view->afterword ? view->afterword : view->hint ? view->hint : view->text;
    const char *body = text == view->text && text ? strchr(text, '\n') : text;
    return body ? body + strspn(body, "\n") : "";
}

static const char *status_line(const struct exercise_view *view, char *buffer, size_t size,
                               enum ink *ink) {
    const struct workshop_news *news = &view->news;
    const char *running = *news->good ? "; the last good one runs on" : "";
    *ink = INK_BAD;
    switch (news->state) {
    case WORKSHOP_COMPILING:
        *ink = INK_WARN;
        return "compiling …";
    case WORKSHOP_CHECKING:
        *ink = INK_WARN;
        return "compiled; checking …";
    case WORKSHOP_BROKEN:
        snprintf(buffer, size, "%s", news->line);
        break;
    case WORKSHOP_COSTLY: /* "right, but …" */
        snprintf(buffer, size, "R%s%s", news->line + 1, running);
        break;
    case WORKSHOP_FAILED:
        snprintf(buffer, size, "%s%s", news->line, running);
        break;
    case WORKSHOP_WRONG:
        snprintf(buffer, size, "Wrong: %s%s", news->line, running);
        break;
    case WORKSHOP_RIGHT:
        if (*view->failure) {
            snprintf(buffer, size, "%s%s", view->failure,
                     *running ? running : "; the program's own runs on");
            break;
        }
        *ink = INK_GOOD;
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
static void draw_differences(struct grid *grid, struct rect area,
                             const struct check_verdict *verdict, const struct screen *screen) {
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
                    decades < 0 ? 0
                                : LEAST_LEVEL + (int)(decades / 6 * (INK_LEVELS - 1 - LEAST_LEVEL));
            }
            const bool shades = screen->no_color || screen->ascii;
            if (shades)
                grid_put(grid, area, area.x + x, area.y + y, levels[0] + levels[1] ? '#' : '.',
                         INK_TEXT, INK_DEFAULT, 0);
            else
                /* NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): an ink per level */
                grid_put(grid, area, area.x + x, area.y + y, 0x2580,
                         (enum ink)(INK_LEVEL0 + levels[0]), (enum ink)(INK_LEVEL0 + levels[1]), 0);
        }
}

/* Whether there is a picture of what differs: not on a screen that is read aloud. */
static bool wants_picture(const struct screen *screen) {
    const struct exercise_view *view = screen->exercise;
    return view->news.state == WORKSHOP_WRONG && !view->verdict.is_residual &&
           !screen_is_linear(screen);
}

/* What stands where in the panel. */
struct arrangement {
    struct rect status, body, picture; /* no cells: none is shown */
    int rows;                          /* of the whole text in the body's columns */
};

static struct arrangement arrange(const struct screen *screen, struct rect area, int side) {
    const struct exercise_view *view = screen->exercise;
    struct grid nowhere = {0};
    char words[2 * ERROR_MESSAGE_SIZE];
    enum ink ink;
    struct rect text = rect_inset(frame_inside(area), 1, 0);
    struct arrangement made = {.picture = rect_right_of(text, text.cols - side)};
    if (side > 0)
        text = rect_left(text, text.cols - side - 2);
    if (screen->ascii) /* room for squares, which are spelled out: "64^2" */
        text = rect_left(text, text.cols - 2);
    const int status =
        draw_paragraph(&nowhere, text, INK_TEXT, 0, status_line(view, words, sizeof words, &ink));
    made.status = rect_top(text, status);
    made.body = rect_below(text, status);
    made.rows = draw_text(&nowhere, made.body, 0, INK_TEXT, section_shown(view));
    return made;
}

int exercise_rows(const struct screen *screen, int cols, int rows) {
    const int most = (rows - 2) / 2;
    const struct arrangement made = arrange(screen, (struct rect){0, 0, cols, 99}, 0);
    int wanted = 2 + made.status.rows + made.rows;
    if (wants_picture(screen) && wanted < PICTURE_ROWS_MAX)
        wanted = PICTURE_ROWS_MAX;
    return most < 4 ? 0 : wanted < most ? wanted : most;
}

void exercise_draw(struct grid *grid, struct rect area, const struct screen *screen) {
    const struct exercise_view *view = screen->exercise;
    char words[2 * ERROR_MESSAGE_SIZE], foot[160];
    enum ink ink;
    const char *status = status_line(view, words, sizeof words, &ink);
    const char *name = strrchr(view->file, '/');
    const struct rect inner = rect_inset(frame_inside(area), 1, 0);
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
                                .title_ink = INK_GOOD};
    draw_frame(grid, area, &frame);
    draw_paragraph(grid, made.status, ink, CELL_BOLD, status);
    draw_text(grid, made.body,
              hidden <= 0          ? 0
              : view->top < hidden ? view->top
                                   : hidden,
              view->afterword ? INK_GOOD
              : view->hint    ? INK_WARN
                              : INK_TEXT,
              section_shown(view));
    if (has_picture)
        draw_differences(grid, made.picture, &view->verdict, screen);
}
