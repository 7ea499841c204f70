/* The scene of a tour below the panels: its text and its question. After the answer it shows the
 * guess beside the measurement, and the explanation. */
#include <math.h>
#include <stdio.h>

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

static void draw_judgement(struct page *page, bool is_unsure) {
    const struct question *question = &page->scene->question;
    const struct lesson_result *result = page->result;
    const int style = (result->right || !result->answered ? ROLE_GOOD : ROLE_BAD) | BOLD;
    if (!result->known) {
        draw_sentence(&page->left, true, ROLE_DIM,
                      is_unsure ? "No answer: the times differ by no more than their spread."
                                : "measuring …");
    } else if (question->kind == QUESTION_CHOICE) {
        const int choice = (int)lesson_guess(page->lesson, page->lesson->scene);
        const char *guess = !result->answered ? ""
                            : result->right   ? "Right: "
                                            : PRINT("Not %s, but ", question->choices[choice - 1]);
        draw_sentence(&page->left, true, style, PRINT("%s%s.", guess, result->right_text));
    } else if (!result->answered && page->is_logarithmic) {
        draw_sentence(&page->left, true, ROLE_DIM, "The bars are logarithmic.");
    } else if (result->answered) {
        const double guess = lesson_guess(page->lesson, page->lesson->scene);
        const bool is_near =
            question_is_right(question, guess, result->right_value, result->right_text);
        const char *words =
            is_near ? "Right, within a factor of %s." : "Not right: more than a factor of %s off.";
        const char *off =
            result->right && !is_near      ? "Right, within the spread of the measured times."
            : guess == result->right_value ? "Right."
            : question->tolerance > 1      ? PRINT(words, AS(format_number, question->tolerance))
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
    const bool is_unsure = verdict_make(screen->sample).is_unsure;
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
            draw_judgement(&page, is_unsure);
        snprintf(said, sizeof said, "%s",
                 page.result->known || is_unsure ||
                         (kind == QUESTION_OPEN && page.result->lane_count > 0)
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
