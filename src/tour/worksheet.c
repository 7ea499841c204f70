/* Writes a lesson's worksheet, or a blank one (tour/lesson.h). */
#include "tour/lesson.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/format.h"

enum { LINE_BYTES = 96 };

static const char blank[] = "____________";
static const char table_head[] =
    "| run | grid | iterations | per iteration | copied per iteration |\n"
    "|---|---|---|---|---|\n";

/* Writes lines of about `LINE_BYTES`, with an empty line after each paragraph. */
static void write_paragraphs(FILE *out, const char *text) {
    for (int used = 0; *text; text++) {
        const int word = (int)strcspn(text + 1, " \n");
        if (*text == '\n' || (*text == ' ' && used + word > LINE_BYTES)) {
            fputs(*text == '\n' ? "\n\n" : "\n", out);
            used = 0;
        } else {
            fputc(*text, out);
            used++;
        }
    }
    fputs("\n\n", out);
}

/* ---- a question ----------------------------------------------------------------------------- */

/* Writes the right answer, other sources' figures, and whether the guess was right. */
static void write_answer(FILE *out, const struct lesson *lesson, int s) {
    const struct question *question = &lesson->tour->scenes[s].question;
    const struct lesson_result *result = &lesson->results[s];
    fprintf(out, "%s: %s%s\n\n",
            !question->figure     ? "Right"
            : result->is_recorded ? "Recorded"
                                  : "Measured",
            result->known ? result->right_text : blank,
            !result->known || !result->answered ? ""
            : result->right                     ? " (the guess was right)"
                                                : " (the guess was not right)");
    /* On a blank sheet, other sources' figures would reveal the answer. */
    for (int b = 0; b < question->bar_count && result->shown; b++)
        if (!isnan(question->bars[b].value))
            fprintf(out, "%s: %s\n\n", question->bars[b].label,
                    AS(question_print, question, question->bars[b].value));
}

static void write_question(FILE *out, const struct lesson *lesson, int s) {
    const struct scene *scene = &lesson->tour->scenes[s];
    const struct question *question = &scene->question;
    const struct lesson_result *result = &lesson->results[s];
    fprintf(out, "**%s**\n\n", scene->ask);
    for (int c = 0; c < question->choice_count; c++)
        fprintf(out, "%d. %s\n%s", c + 1, question->choices[c],
                c == question->choice_count - 1 ? "\n" : "");
    if (question->kind == QUESTION_OPEN) {
        fprintf(out, "Your answer: %s%s%s%s\n\n", blank, blank, blank, blank);
    } else {
        const double guess = lesson_guess(lesson, s);
        const bool is_choice = question->kind == QUESTION_CHOICE;
        fprintf(out, "Your guess: %s%s%s\n\n",
                isnan(guess) ? blank
                : is_choice  ? question->choices[(int)guess - 1]
                             : AS(question_print, question, guess),
                isnan(guess) && !is_choice ? " " : "",
                isnan(guess) && !is_choice ? question_unit(question) : "");
        write_answer(out, lesson, s);
    }
    if (result->known || (result->shown && question->kind == QUESTION_OPEN))
        write_paragraphs(out, result->said);
    fprintf(out, "Why? %s%s%s%s%s\n\n", blank, blank, blank, blank, blank);
}

/* ---- the sheet ------------------------------------------------------------------------------ */

static void write_lesson(FILE *out, const struct lesson *lesson) {
    const struct tour *tour = lesson->tour;
    char score[32], text[2 * SCENE_TEXT_SIZE];
    if (lesson->earlier)
        write_lesson(out, lesson->earlier);
    fprintf(out, "# %s\n\nName: %s%s    Date: %s\n\n", *tour->title ? tour->title : tour->name,
            blank, blank, blank);
    if (*lesson_score(score, sizeof score, lesson))
        fprintf(out, "%s.\n\n", score);
    for (int s = 0; s < tour->count; s++) {
        const struct scene *scene = &tour->scenes[s];
        fprintf(out, "## %d. %s\n\n", s + 1, scene->title);
        write_paragraphs(out, lesson_fill(text, sizeof text, lesson, scene->text, NULL));
        if (scene->question.kind != QUESTION_NONE)
            write_question(out, lesson, s);
        const struct lesson_result *result = &lesson->results[s];
        for (int l = 0; l < result->lane_count; l++)
            fprintf(out, "%s| %s |\n%s", l ? "" : table_head, result->rows[l],
                    l + 1 < result->lane_count ? "" : "\n");
    }
}

char *worksheet_make(const struct lesson *lesson, size_t *size) {
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, size);
    if (!out)
        return NULL;
    write_lesson(out, lesson);
    if (fclose(out) == 0)
        return bytes;
    free(bytes);
    return NULL;
}

enum status worksheet_write_blank(const struct config *config, struct error *error) {
    struct tour *tour = NULL;
    TRY(tour_load(config->tour_name, config, false, &tour, error));
    size_t size;
    struct lesson *lesson = lesson_begin(tour);
    char *bytes = lesson ? worksheet_make(lesson, &size) : NULL;
    const enum status status =
        bytes ? file_write(config->worksheet, config->overwrite, bytes, size, error)
              : error_set(error, STATUS_INTERNAL, "out of memory");
    free(bytes);
    lesson_end(lesson);
    return status;
}
