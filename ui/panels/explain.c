/* The source: the directives or launches of the lane's mapping, with the current one marked; the
 * blog's first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/labels.h"
#include "ui/panels/motion.h"
#include "ui/panels/panel.h"
#include "ui/panels/timeline.h"

/* Shorter iterations are shown in slow motion, since nobody could follow them. */
static const double follow_seconds = 0.4, cycle_seconds = 4;

enum { NUMBER_COLS = 5, CONTINUED_COLS = 4, SOURCE_LEAST_ROWS = 4, WHY_ROWS = 3 };

/* A tight panel has no room for phases that don't run. */
enum { TIGHT_ROWS = 13 };

/* The current phase, or that of the slow motion of the last iteration. */
struct running {
    enum phase phase;     /* PHASE_COUNT: nothing */
    enum event_kind kind; /* EVENT_KIND_COUNT: only the phase is known */
    enum array array;     /* of a copy */
    double slower;        /* slow-motion factor; 0: live */
    bool is_over;         /* the next one has not begun */
};

struct page {
    struct area left; /* still free */
    const struct screen *screen;
    const struct lane_sample *lane; /* NULL: none */
    enum source_kind kind;
    struct timeline timeline;
    struct running running;
    bool brief; /* too few rows: only the running phase has its text, */
    bool tight; /* and if brief, the others have no row at all */
    bool loops; /* there are rows for the directives around the loop, too */
};

/* Beside the blog's kernels, `plain`, ours are shown: that is what such a comparison is about. */
enum source_kind screen_source(const struct screen *screen) {
    const struct sample *sample = screen->sample;
    const struct lane_sample *lane = screen_lane(screen);
    bool is_own = !lane || !explain_has_blog(lane) || screen->state->own_source;
    for (int l = 0; l < sample->lane_count && !is_own; l++)
        is_own = sample->lanes[l].run.schedule.kind == SCHEDULE_PLAIN &&
                 lane->run.schedule.kind != SCHEDULE_PLAIN;
    return is_own ? SOURCE_OWN : SOURCE_BLOG;
}

/* ---- the current phase -------------------------------------------------------------------- */

/* As the data movement shows it, if that is on the screen. */
static struct running running_of_motion(const struct motion *motion, int l) {
    struct motion_state state;
    motion_state_at(&motion->lanes[l], motion->at, &state);
    const struct motion_step *now = state.now ? state.now : state.last;
    if (!now || state.has_ended)
        return (struct running){.phase = PHASE_COUNT, .slower = motion->slowness};
    return (struct running){now->phase, now->kind, now->array, motion->slowness, !state.now};
}

static struct running running_of(const struct screen *screen, const struct lane_sample *lane,
                                 const struct timeline *timeline) {
    const struct sample *sample = screen->sample;
    if (screen->motion && screen->motion->lane_count == sample->lane_count)
        return running_of_motion(screen->motion, screen->lane);
    if (sample->state == SESSION_RUNNING && timeline->seconds >= follow_seconds)
        return (struct running){.phase = lane->phase < PHASE_DOWNSAMPLE ? lane->phase : PHASE_COUNT,
                                .kind = EVENT_KIND_COUNT};
    struct running running = {.phase = PHASE_COUNT};
    if (timeline->count == 0 || !(timeline->seconds > 0))
        return running;
    double longest = timeline->seconds; /* the lanes share one clock */
    for (int l = 0; l < sample->lane_count; l++) {
        struct timeline other;
        timeline_make(&sample->lanes[l], 1, &other);
        longest = fmax(longest, other.seconds);
    }
    running.slower = cycle_seconds / longest;
    const double at = fmod(1e-9 * (double)sample->time_ns, cycle_seconds) / running.slower;
    if (at > timeline->seconds)
        return running;
    for (int s = 0; s < timeline->count && timeline->segments[s].start <= at; s++) {
        const struct event *event = timeline->segments[s].event;
        if (event->kind == EVENT_WAIT) /* another event runs meanwhile */
            continue;
        running.phase = event->phase;
        running.kind = event->kind;
        running.array = event->array;
    }
    return running;
}

/* ---- lines -------------------------------------------------------------------------------- */

/* The bytes of the text that fit into `cols`. Breaks at a blank between two clauses, or at any
 * blank if that is too early; returns all bytes if there is none. */
static int break_at(const char *text, int length, int cols) {
    int open = 0, between = 0, blank = 0;
    if (length <= cols)
        return length;
    for (int k = 0; k < length && k <= cols; k++) {
        open += (strchr("({", text[k]) != NULL) - (strchr(")}", text[k]) != NULL);
        if (text[k] != ' ')
            continue;
        blank = k;
        between = open == 0 ? k : between;
    }
    const int at = between > cols / 4 ? between : blank;
    return at > 0 ? at : length;
}

/* `length` bytes of code, indented by `indent` cells, on as many rows as necessary; returns their
 * number. `page` NULL: only counts. */
static int draw_code(struct page *page, const char *text, int length, int cols, int indent,
                     int number, bool lit) {
    int rows = 0;
    do {
        const int part = break_at(text, length, cols - NUMBER_COLS - 2 - indent);
        struct area row = page ? area_take_top(&page->left, 1) : (struct area){0};
        if (lit)
            grid_fill(row, ROLE_SELECT);
        if (rows == 0 && row.rows > 0)
            draw_right(area_left(row, NUMBER_COLS), lit ? ROLE_SELECT : ROLE_DIM,
                       PRINT("%d", number));
        if (row.rows > 0)
            draw_shortened(area_right_of(row, NUMBER_COLS + 2 + indent),
                           lit ? ROLE_SELECT | BOLD : ROLE_TEXT, PRINT("%.*s", part, text));
        if (rows++ == 0)
            indent = CONTINUED_COLS + (int)strspn(text, " ");
        const int used = part + (part < length);
        text += used;
        length -= used;
    } while (length > 0);
    return rows;
}

/* The lines of an excerpt that are shown: a copy back follows the launch, which has an excerpt of
 * its own. */
enum part { WHOLE, UP_TO_LAUNCH, AFTER_LAUNCH };

/* Whether the line runs now, in the running phase. */
static bool is_running(const struct running *running, const struct directive *line, bool maps) {
    if (running->kind == EVENT_KIND_COUNT)
        return true;
    if (line->kind == EVENT_KERNEL)
        return maps == (running->kind != EVENT_KERNEL);
    const char *pointer = PRINT("d_%s,", array_names[running->array]);
    return line->kind == running->kind &&
           (running->array == ARRAY_NORM ||
            memmem(line->text, (size_t)line->length, pointer, strlen(pointer)));
}

/* Directives in full, lit if they run; returns the number of rows. `page` NULL: only counts. */
static int draw_directives(struct page *page, const struct excerpt *excerpt, int cols, bool lit,
                           enum part part) {
    struct directive lines[DIRECTIVES_MAX];
    const int count = excerpt ? explain_directives(excerpt, lines) : 0;
    int rows = 0;
    for (int d = 0; d < count; d++)
        if (part == WHOLE || (lines[d].kind == EVENT_FROM_DEVICE) == (part == AFTER_LAUNCH))
            rows += draw_code(page, lines[d].text, lines[d].length, cols,
                              lines[d].is_continued ? CONTINUED_COLS : 0, lines[d].line,
                              lit && is_running(&page->running, &lines[d], part != WHOLE));
    return rows;
}

/* "32 registers/thread · occupancy 75 %", as far as the driver reports them. */
static char *format_usage(char *buffer, size_t size, const struct kernel_usage *usage) {
    *buffer = '\0';
    if (usage->registers > 0)
        format_append(buffer, size, "%d registers/thread", usage->registers);
    if (usage->occupancy > 0)
        format_append(buffer, size, "%soccupancy %s", *buffer ? " · " : "",
                      AS(format_percent, usage->occupancy));
    return buffer;
}

/* ---- sections ----------------------------------------------------------------------------- */

/* "Update  → U 134 MB, AU 134 MB  ← AU 134 MB": the phase, the data moved for it in the last
 * iteration, the kernel's usage if there is room, and the file; below them the text. */
static void draw_phase(struct page *page, enum phase phase) {
    const struct phase_source source = explain_phase(page->lane, phase, page->kind);
    const struct excerpt *run = source.launch ? source.launch : source.kernel;
    const struct excerpt *shown = source.mapping ? source.mapping : run;
    const bool is_shown = page->running.phase == phase, lit = is_shown && !page->running.is_over;
    if (page->tight && page->brief && !is_shown)
        return;
    struct area row = area_take_top(&page->left, 1);
    char copies[160] = "", shortened[96];
    for (int kind = EVENT_TO_DEVICE; kind <= EVENT_FROM_DEVICE; kind++) {
        const char *before = kind == EVENT_TO_DEVICE ? "→ " : "  ← ";
        for (int s = 0; s < page->timeline.count; s++) {
            const struct event *event = page->timeline.segments[s].event;
            if ((int)event->kind != kind || event->phase != phase)
                continue;
            format_append(copies, sizeof copies, "%s%s %s", before,
                          event->array ? array_names[event->array] : "?",
                          AS(format_bytes, (double)event->bytes));
            before = ", ";
        }
    }
    draw_next(&row, (lit ? ROLE_VALUE : ROLE_TITLE) | BOLD, "%s %s", lit ? "▶" : " ",
              phase_names[phase]);
    row = area_right_of(row, 2);
    row = area_right_of(row, draw_shortened(row, ROLE_TO_DEVICE, copies));
    const char *file = shown ? shown->file : "its source is not built in";
    const char *usage = AS(format_usage, &page->lane->usage[phase]), *name = strrchr(file, '/');
    const struct area after = area_right_of(row, *copies ? 2 : 0);
    const int least = 3 + grid_text_width(name ? name : file); /* "  …/update.c" */
    if (*usage && grid_text_width(usage) + least <= after.cols)
        row = area_right_of(after, draw_shortened(after, ROLE_TEXT, usage));
    /* A path that is too long loses leading folders: "…/host/update.c". */
    snprintf(shortened, sizeof shortened, "%s", file);
    while (2 + grid_text_width(shortened) > row.cols && (file = strchr(file, '/')))
        snprintf(shortened, sizeof shortened, "…%s", file++);
    if (file)
        draw_right(row, ROLE_DIM, shortened);
    if (page->brief && !is_shown)
        return;
    draw_directives(page, source.mapping, page->left.cols, lit, UP_TO_LAUNCH);
    draw_directives(page, run, page->left.cols, lit, WHOLE);
    draw_directives(page, source.mapping, page->left.cols, lit, AFTER_LAUNCH);
}

/* The data mapped once, with the bytes moved, if known already. */
static void draw_loop_end(struct page *page, const char *when, const char *arrow,
                          enum event_kind kind, const struct excerpt *excerpt) {
    const uint64_t moved = page->lane->totals.of[kind][PHASE_SETUP].bytes;
    if (!excerpt && moved == 0)
        return;
    struct area row = area_take_top(&page->left, 1);
    draw_next(&row, ROLE_TITLE | BOLD, "  %s", when);
    if (moved > 0)
        draw_text(row, ROLE_TO_DEVICE, "  %s %s, once", arrow, AS(format_bytes, (double)moved));
    if (page->loops)
        draw_directives(page, excerpt, page->left.cols, false, WHOLE);
}

/* The text of a kernel, if there is room for its first lines. */
static void draw_kernel(struct page *page, const struct excerpt *kernel) {
    if (!kernel || page->left.rows < SOURCE_LEAST_ROWS)
        return;
    area_take_top(&page->left, 1);
    const struct area row = area_take_top(&page->left, 1);
    draw_text(row, ROLE_TITLE | BOLD, "  %s:%d", kernel->file, kernel->line);
    int number = kernel->line;
    for (const char *line = kernel->text; *line && page->left.rows > 0; number++) {
        const int length = (int)strcspn(line, "\n");
        if (page->kind == SOURCE_OWN || !explain_is_timing(line, length))
            draw_code(page, line, length, page->left.cols, 0, number, false);
        line += length + (line[length] == '\n');
    }
}

static void draw_page(struct page *page) {
    const struct lane_sample *lane = page->lane;
    char why[320];
    enum phase phases[PHASE_COUNT];
    explain_why(why, sizeof why, page->screen->sample, page->screen->lane);
    page->tight = page->left.rows < TIGHT_ROWS;
    char *more = strstr(why, ". ");
    if (page->tight && more && grid_text_width(why) > page->left.cols)
        more[1] = '\0'; /* only its first sentence */
    const struct area text = area_top(page->left, page->tight ? 1 : WHY_ROWS);
    const int used = page->tight ? draw_shortened(text, ROLE_TEXT | BOLD, why) > 0
                                 : draw_paragraph(text, ROLE_TEXT | BOLD, why);
    page->left = area_below(page->left, used);
    const int count = lane_phases(lane, phases), cols = page->left.cols;
    const struct loop_source loop = explain_loop(lane, page->kind);
    /* The rows needed for the whole text, without the directives around the loop. */
    int rows = (loop.enter != NULL) + (loop.exit != NULL) + count;
    const int loops = draw_directives(NULL, loop.enter, cols, false, WHOLE) +
                      draw_directives(NULL, loop.exit, cols, false, WHOLE);
    for (int p = 0; p < count; p++) {
        const struct phase_source source = explain_phase(lane, phases[p], page->kind);
        rows += draw_directives(NULL, source.mapping, cols, false, WHOLE);
        rows += draw_directives(NULL, source.launch ? source.launch : source.kernel, cols, false,
                                WHOLE);
    }
    page->brief = page->running.phase < PHASE_COUNT && rows > page->left.rows;
    page->loops = page->brief ? !page->tight : rows + loops <= page->left.rows;
    draw_loop_end(page, "before the loop", "→", EVENT_TO_DEVICE, loop.enter);
    for (int p = 0; p < count; p++)
        draw_phase(page, phases[p]);
    draw_loop_end(page, "after the loop", "←", EVENT_FROM_DEVICE, loop.exit);
    /* As many lines of the kernels as there is room for, from the running one on. */
    int first = 0;
    for (int p = 0; p < count; p++)
        first = phases[p] == page->running.phase ? p : first;
    for (int p = first; p < first + count; p++)
        draw_kernel(page, explain_phase(lane, phases[p % count], page->kind).kernel);
}

static void explain_draw(struct area area, const struct screen *screen) {
    const struct lane_sample *lane = screen_lane(screen);
    struct page page = {.screen = screen, .lane = lane};
    const struct running *running = &page.running;
    struct frame frame = panel_frame(&explain_panel);
    if (!lane) {
        draw_frame(area, &frame);
        return;
    }
    timeline_make(lane, 1, &page.timeline);
    page.running = running_of(screen, lane, &page.timeline);
    page.kind = screen_source(screen);
    const bool is_blog = page.kind == SOURCE_BLOG;
    frame.value = running->phase == PHASE_COUNT ? "nothing runs"
                  : running->slower > 0
                      ? PRINT("slow motion 1:%.*f", running->slower < 10, running->slower)
                      : PRINT("now: %s", phase_names[running->phase]);
    enum { BLOG_COLS = 34 }; /* "Source as in the blog: ", key and frame */
    const char *label = AS(lane_label_full, lane);
    const int left = area.cols - grid_text_width(label) - grid_text_width(frame.value);
    const bool is_named = !is_blog || left >= BLOG_COLS || screen->sample->lane_count > 1;
    frame.title = PRINT("%s%s%s%s", explain_panel.title,
                        is_blog && (left >= BLOG_COLS || !is_named) ? " as in the blog" : "",
                        is_named ? ": " : "", is_named ? label : "");
    frame.value_role = running->slower > 0 ? ROLE_DIM : ROLE_VALUE;
    frame.foot = lane->run.user_kernels ? is_blog ? "your kernels run; the blog's are shown"
                                                  : "your kernels run; the program's are shown"
                 : is_blog              ? "e: as this program runs it"
                                        : NULL;
    page.left = panel_inside(area, &frame);
    draw_page(&page);
}

const struct panel explain_panel = {PANEL("explain", "Source", 'e', explain_draw)};
