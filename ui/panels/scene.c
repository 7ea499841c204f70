/* The scene of a tour below the panels: its text and its question. After the answer it shows the
 * guess beside the measurement, and the explanation. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/backends.h"
#include "metrics/labels.h"
#include "metrics/verdict.h"
#include "tour/lesson.h"
#include "ui/panels/view.h"

/* If the bars differ by a larger factor, they are logarithmic: the shortest would vanish. */
static const double linear_factor = 10;

enum { BARS_MAX = QUESTION_BARS_MAX + 2, SCENE_WHOLE_ROWS = 30, BAR_LABEL_MIN = 10 };

struct page {
    struct area left; /* still free */
    const struct lesson *lesson;
    const struct scene *scene;
    const struct lesson_result *result;
    bool is_logarithmic; /* its bars */
};

/* ---- the question --------------------------------------------------------------------------- */

/* In one row, if all fit; else a row each. */
static void draw_choices(struct page *page) {
    const struct question *question = &page->scene->question;
    int cols = 0;
    for (int c = 0; c < question->choice_count; c++)
        cols += 5 + grid_text_width(question->choices[c]);
    const bool beside = cols <= page->left.cols;
    struct area row = area_top(page->left, 0);
    for (int c = 0; c < question->choice_count && page->left.rows > 0; c++) {
        const bool chosen = page->lesson->typed[0] == '1' + c;
        if (!beside || c == 0)
            row = area_take_top(&page->left, 1);
        if (chosen)
            grid_fill(area_left(row, 4 + grid_text_width(question->choices[c])), ROLE_SELECT);
        row = area_right_of(row, 1);
        draw_next(&row, (chosen ? ROLE_SELECT : ROLE_KEY) | BOLD, "%d ", c + 1);
        draw_next(&row, chosen ? ROLE_SELECT | BOLD : ROLE_TEXT, "%s ", question->choices[c]);
        row = area_right_of(row, 1);
    }
}

static void draw_prompt(struct page *page) {
    const struct question *question = &page->scene->question;
    const char *typed = page->lesson->typed;
    if (question->kind == QUESTION_OPEN || page->left.rows < 1)
        return;
    struct area row = area_take_top(&page->left, 1);
    draw_next(&row, ROLE_TEXT, "your guess: ");
    if (question->kind == QUESTION_CHOICE && !*typed)
        draw_next(&row, ROLE_VALUE | BOLD, "_ (1-%d)", question->choice_count);
    else
        draw_next(&row, ROLE_VALUE | BOLD, "%s_ %s", typed,
                  question->kind == QUESTION_NUMBER ? question_unit(question) : "");
    const char *hint = *typed ? "Enter: see the answer" : "space: see it without a guess";
    if (2 + grid_text_width(hint) <= row.cols)
        draw_right(row, ROLE_DIM, hint);
}

/* ---- the answer ----------------------------------------------------------------------------- */

struct answer_bar {
    const char *label;
    double value;
    enum role role;
};

/* Where bars begin if they are logarithmic: at the power of ten below the least; else 0. */
static double bars_start(const struct answer_bar *bars, int count, double longest) {
    double least = longest;
    for (int b = 0; b < count; b++)
        if (bars[b].value > 0)
            least = fmin(least, bars[b].value);
    return longest > linear_factor * least ? pow(10, ceil(log10(least)) - 1) : 0;
}

/* All bars have one scale. */
static void draw_bars(struct page *page, const struct answer_bar *bars, int count) {
    const struct question *question = &page->scene->question;
    int label_cols = BAR_LABEL_MIN, value_cols = 0;
    double longest = 0;
    for (int b = 0; b < count; b++) {
        label_cols = max_int(label_cols, grid_text_width(bars[b].label) + 1);
        value_cols =
            max_int(value_cols, grid_text_width(AS(question_print, question, bars[b].value)));
        longest = fmax(longest, bars[b].value);
    }
    const double start = bars_start(bars, count, longest);
    const int bar_cols = page->left.cols - label_cols - value_cols - 1;
    for (int b = 0; b < count && page->left.rows > 0; b++) {
        const struct area row = area_take_top(&page->left, 1);
        const double value = bars[b].value;
        draw_text(row, bars[b].role | BOLD, "%s", bars[b].label);
        draw_bar(area_left(area_right_of(row, label_cols), bar_cols),
                 start > 0 ? log(value / start) / log(longest / start) : value / longest,
                 bars[b].role);
        draw_right(row, ROLE_TEXT | BOLD, AS(question_print, question, value));
    }
    page->is_logarithmic = start > 0;
}

static void draw_numbers(struct page *page) {
    const struct question *question = &page->scene->question;
    const struct lesson_result *result = page->result;
    struct answer_bar bars[BARS_MAX];
    int count = 0;
    if (result->answered)
        bars[count++] = (struct answer_bar){
            "your guess", lesson_guess(page->lesson, page->lesson->scene), ROLE_TEXT};
    const char *label = !question->figure     ? "computed"
                        : result->is_recorded ? "recorded"
                                              : "measured";
    if (result->known)
        bars[count++] = (struct answer_bar){label, result->right_value, ROLE_GOOD};
    for (int b = 0; b < question->bar_count; b++)
        if (!isnan(question->bars[b].value))
            bars[count++] = (struct answer_bar){question->bars[b].label, question->bars[b].value,
                                                ROLE_REFERENCE};
    draw_bars(page, bars, count);
}

static void draw_judgement(struct page *page, const struct sample *sample) {
    const struct question *question = &page->scene->question;
    const struct lesson_result *result = page->result;
    const int style = (result->right || !result->answered ? ROLE_GOOD : ROLE_BAD) | BOLD;
    if (!result->known) {
        draw_sentence(&page->left, true, ROLE_DIM,
                      verdict_make(sample).is_unsure
                          ? "No answer: the times differ by no more than their spread."
                          : "measuring …");
    } else if (question->kind == QUESTION_CHOICE) {
        const int choice = (int)lesson_guess(page->lesson, page->lesson->scene);
        const char *guess = !result->answered ? ""
                            : result->right   ? "Right: "
                                            : PRINT("Not %s, but ", question->choices[choice - 1]);
        draw_sentence(&page->left, true, style, PRINT("%s%s.", guess, result->right_text));
    } else if (result->answered) {
        const bool is_near =
            question_is_right(question, lesson_guess(page->lesson, page->lesson->scene),
                              result->right_value, result->right_text);
        const char *words =
            is_near ? "Right, within a factor of %s." : "Not right: more than a factor of %s off.";
        const char *off =
            result->right && !is_near ? "Right, within the spread of the measured times."
            : question->tolerance > 1 ? PRINT(words, AS(format_number, question->tolerance))
            : is_near                 ? "Right."
                                      : "Not right.";
        draw_sentence(&page->left, true, style,
                      PRINT("%s%s", off, page->is_logarithmic ? " The bars are logarithmic." : ""));
    }
}

/* ---- the whole scene ------------------------------------------------------------------------ */

/* Draws into `area`, or only measures without a grid; returns the rows used. The caller omits the
 * scene's text if there is too little room for everything. */
static int draw_scene(struct area area, const struct screen *screen, bool with_text) {
    const struct lesson *lesson = screen->scene->lesson;
    struct page page = {area, lesson, lesson_scene(lesson), &lesson->results[lesson->scene], false};
    const enum question_kind kind = page.scene->question.kind;
    char said[2 * SCENE_TEXT_SIZE];
    if (with_text)
        draw_sentence(&page.left, true, ROLE_TEXT,
                      lesson_fill(said, sizeof said, lesson, page.scene->text, screen->sample));
    if (kind != QUESTION_NONE && !lesson->reads_on)
        draw_sentence(&page.left, true, ROLE_WARN | BOLD, page.scene->ask);
    if (lesson->asking) {
        draw_choices(&page);
        draw_prompt(&page);
    } else if (kind != QUESTION_NONE) {
        if (kind == QUESTION_NUMBER && !lesson->reads_on)
            draw_numbers(&page);
        if (kind != QUESTION_OPEN && !lesson->reads_on)
            draw_judgement(&page, screen->sample);
        snprintf(said, sizeof said, "%s",
                 page.result->known || (kind == QUESTION_OPEN && page.result->lane_count > 0)
                     ? page.result->said
                 : kind == QUESTION_OPEN ? page.scene->reveal
                                         : "");
        draw_sentence(&page.left, true, ROLE_GOOD | (kind == QUESTION_OPEN ? BOLD : 0), said);
    }
    return area.rows - page.left.rows;
}

static int measured_rows(const struct screen *screen, int cols, bool with_text) {
    return draw_scene((struct area){0, 0, cols, 64, NULL}, screen, with_text);
}

int scene_rows(const struct screen *screen, int cols, int rows) {
    const struct lesson *lesson = screen->scene->lesson;
    const enum question_kind kind = lesson_scene(lesson)->question.kind;
    const bool typed = kind == QUESTION_NUMBER || kind == QUESTION_CHOICE;
    const bool answered = typed && !lesson->asking;
    const int most = typed ? (rows - 2) / 2 : rows / 3;
    const int whole = measured_rows(screen, cols - 4, true) + 2;
    const int least = answered ? measured_rows(screen, cols - 4, false) + 2 : whole;
    /* After the question is answered, a small screen uses its rows for the answer. */
    const int wanted = answered && (rows < SCENE_WHOLE_ROWS || whole > most) ? least : whole;
    return rows / 3 < 3 ? 0 : min_int(wanted, most);
}

bool scene_goes_on(struct area area, const struct screen *screen) {
    const struct lesson *lesson = screen->scene->lesson;
    return area.rows > 0 && !lesson->asking && !lesson->reads_on &&
           lesson_scene(lesson)->question.kind != QUESTION_NONE &&
           measured_rows(screen, area.cols - 4, false) > area.rows - 2;
}

void scene_draw(struct area area, const struct screen *screen) {
    const struct lesson *lesson = screen->scene->lesson;
    const char *score = AS(lesson_score, lesson);
    const bool open = lesson_scene(lesson)->question.kind == QUESTION_OPEN;
    const char *way = scene_goes_on(area, screen) ? "space more"
                      : !lesson->asking           ? screen->scene->way
                      : open                      ? "space reveals"
                                                  : "";
    const struct frame frame = {.title = screen->scene->title,
                                .value = *score ? score : way,
                                .foot = *score && *way ? way : NULL,
                                .title_role = ROLE_GOOD};
    const struct area inner = panel_inside(area, &frame);
    draw_scene(inner, screen,
               !lesson->reads_on && (measured_rows(screen, inner.cols, true) <= inner.rows ||
                                     lesson_scene(lesson)->question.kind == QUESTION_NONE));
}

/* ---- a picture of what is asked ------------------------------------------------------------- */

/* The arrays that a kernel reads (r), writes (w) or both (b). In part written ones (p) are mapped
 * both ways. In the order U, AU, RHS, RES. */
static const char kernel_uses[PHASE_COUNT][5] = {
    [PHASE_LAPLACIAN] = "rp  ", [PHASE_BOUNDARY] = "rp  ", [PHASE_UPDATE] = "brrw",
    [PHASE_NORM] = "   r",      [PHASE_FUSED] = "b r ",    [PHASE_BLOCKED] = "b r ",
};

enum { USE_NAME_COLS = 19, ARRAYS = 4 };

/* A block per array that a kernel reads or writes, all of one size: a double per unknown. With
 * `copies` the arrays that cross the link. */
static void draw_uses(struct area *area, const struct lane_sample *lane, bool copies, int pitch) {
    static const struct {
        enum role role;
        const char *uses, *copied, *kernels_word, *link_word;
    } ways[] = {{ROLE_TO_DEVICE, "rb", "rbp", "▼ read", "▶ in"},
                {ROLE_FROM_DEVICE, "wbp", "wbp", "▲write", "◀ out"}};
    enum phase phases[PHASE_COUNT];
    const int count = lane_phases(lane, phases);
    for (int p = 0; p < count; p++) {
        const struct area row = area_take_top(area, pitch);
        draw_text(area_row(row, (pitch - 1) / 2), ROLE_KERNEL | BOLD, "%s", phase_names[phases[p]]);
        if (phases[p] == PHASE_BOUNDARY && !copies)
            draw_text(area_right_of(area_row(row, (pitch - 1) / 2), USE_NAME_COLS), ROLE_DIM,
                      "the same, only next to the boundary");
        for (int k = 0; k < 2 * ARRAYS && (copies || phases[p] != PHASE_BOUNDARY); k++) {
            const char use = kernel_uses[phases[p]][k / 2];
            const struct area half =
                area_column_of(area_right_of(row, USE_NAME_COLS), k, 2 * ARRAYS);
            const struct area block =
                area_left(area_top(half, max_int(pitch - 1, 1)), half.cols - 1);
            if (!use || !strchr(copies ? ways[k % 2].copied : ways[k % 2].uses, use))
                continue;
            grid_fill_glyph(block, U'█', ways[k % 2].role);
            draw_centered(area_row(block, (block.rows - 1) / 2), ways[k % 2].role | REVERSE | BOLD,
                          copies ? ways[k % 2].link_word : ways[k % 2].kernels_word);
        }
    }
}

/* The arrays, and below them the kernels of each lane whose schedule differs from the one before.
 * If any lane copies around its kernels, its copies. */
static void draw_arrays(struct area area, const struct sample *sample) {
    bool copies = false;
    for (int l = 0; l < sample->lane_count; l++)
        copies |= sample->lanes[l].run.mapping == MAPPING_STRUCTURED &&
                  backend_maps(sample->lanes[l].run.backend);
    const int pitch = clamp_int(area.rows / (copies ? 6 : 6 * sample->lane_count), 1, 4);
    const struct area heads = area_right_of(area_take_top(&area, pitch), USE_NAME_COLS);
    for (int a = 0; a < ARRAYS; a++) {
        const struct area head = area_column_of(heads, a, ARRAYS);
        const struct area bar = area_left(area_top(head, max_int(pitch - 1, 1)), head.cols - 1);
        grid_fill_glyph(bar, U'█', ROLE_TEXT);
        draw_centered(area_row(bar, (bar.rows - 1) / 2), ROLE_TEXT | REVERSE | BOLD,
                      array_names[ARRAY_U + a]);
    }
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        const bool copied = copies && lane->run.mapping == MAPPING_STRUCTURED;
        if (l > 0 && !copies && lane->run.schedule.kind == lane[-1].run.schedule.kind)
            continue;
        if (sample->lane_count > 1)
            draw_text(area_take_top(&area, 1), lane_role(l) | BOLD, "%c  %s%s", lane_letter(l),
                      AS(lane_label, sample, l),
                      !copies  ? ""
                      : copied ? ": each block is an array, copied in each iteration"
                               : ": copied before the loop, once");
        if (!copies || copied)
            draw_uses(&area, lane, copied, pitch);
    }
}

/* The slabs of a run on several devices, the first one at the bottom, and the rows that neighbours
 * exchange. */
static void draw_slabs(struct area area, const struct sample *sample,
                       const struct lane_sample *lane) {
    const int count = min_int(lane->device_stats.count, (area.rows + 1) / 2);
    const int depth = lane->run.schedule.kind == SCHEDULE_BLOCKED ? lane->run.schedule.depth : 1;
    for (int d = count - 1; d >= 0; d--) {
        const int rows = (area.rows - d) / (d + 1);
        const struct area slab = area_take_top(&area, rows);
        grid_fill_glyph(slab, U'░', ROLE_KERNEL);
        draw_centered(area_row(slab, rows / 2), ROLE_KERNEL | BOLD, PRINT(" device %d ", d));
        const struct area halo = area_take_top(&area, d > 0);
        grid_fill_glyph(halo, U'▒', ROLE_TO_DEVICE);
        draw_centered(halo, ROLE_TO_DEVICE | BOLD,
                      PRINT(" ▼ %d row%s of %d each way, per %s ▲ ", depth, depth > 1 ? "s" : "",
                            sample->nx, depth > 1 ? PRINT("%d iterations", depth) : "iteration"));
    }
}

void hidden_draw(struct area area, const struct screen *screen, const struct panel *panel) {
    const struct sample *sample = screen->sample;
    const struct lane_sample *most = sample->lanes;
    const char *until = "? until you have answered";
    const bool drawn =
        screen->state->full == panel && sample->lane_count > 0 && !for_screen_reader(screen);
    const struct frame frame =
        drawn ? (struct frame){.title = "What is asked", .foot = until} : panel_frame(panel);
    const struct area inner = draw_frame(area, &frame);
    for (int l = 1; l < sample->lane_count; l++)
        if (sample->lanes[l].device_stats.count > most->device_stats.count)
            most = &sample->lanes[l];
    if (!drawn)
        draw_note(inner, inner.cols >= 30 ? until : "?");
    else if (most->device_stats.count > 1)
        draw_slabs(area_inset(inner, 1, 0), sample, most);
    else
        draw_arrays(area_inset(inner, 1, 0), sample);
}
