#include "tour/tour.h"

#include <math.h>
#include <string.h>

#include "core/format.h"
#include "core/text.h"

enum status question_finish(struct scene *scene, bool is_strict, struct error *error) {
    struct question *question = &scene->question;
    const bool answered = question->figure || !isnan(question->value), asks = *scene->ask;
    const bool is_word = question->figure && question->figure->unit == UNIT_WORD;
    const char *wrong = NULL;
    if (!asks && (answered || question->choice_count || question->bar_count))
        wrong = "has an answer, but asks nothing: expected 'ask'";
    else if (!answered && question->choice_count)
        wrong = "has choices, but none is marked right: expected 'answer'";
    else if (question->choice_count == 1)
        wrong = "has one choice: expected 2 or more";
    else if (is_word && !question->choice_count)
        wrong = "has an answer in words: expected 'choice' lines to choose from";
    else if (question->choice_count && !is_word &&
             (question->figure || question->value < 1 || question->value > question->choice_count ||
              question->value != floor(question->value)))
        wrong = "has choices: expected 'answer' to be the number of one, or to yield a word";
    else if (is_strict && *scene->reveal && !asks)
        wrong = "has a reveal without a question: expected 'ask' before it";
    else if (is_strict && *scene->export_as && !answered)
        wrong = "has nothing to keep: expected 'answer' in it";
    else if (is_strict && asks && !answered && !*scene->reveal)
        wrong = "has a question without an answer: expected 'answer', 'reveal' or both";
    if (wrong)
        return error_set(error, STATUS_BAD_INPUT, "the previous scene %s", wrong);
    question->kind = !asks                    ? QUESTION_NONE
                     : question->choice_count ? QUESTION_CHOICE
                     : answered               ? QUESTION_NUMBER
                                              : QUESTION_OPEN;
    return STATUS_OK;
}

bool question_right_answer(const struct question *question, const struct sample *sample,
                           double *value, char *text, size_t size) {
    const struct figure *figure = question->figure;
    *value = NAN;
    snprintf(text, size, "–");
    if (figure && !sample)
        return false;
    if (figure && figure->unit == UNIT_WORD) {
        figure_text(text, size, figure, sample, question->lane);
        return strcmp(text, "–") != 0;
    }
    *value = figure ? figure_value(figure, sample, question->lane) : question->value;
    if (isnan(*value))
        return false;
    if (question->kind == QUESTION_CHOICE)
        snprintf(text, size, "%s", question->choices[(int)*value - 1]);
    else
        question_print(text, size, question, *value);
    return true;
}

bool question_is_right(const struct question *question, double guess, double value,
                       const char *text) {
    if (isnan(guess))
        return false;
    if (question->kind == QUESTION_CHOICE) {
        const int choice = (int)guess;
        if (choice < 1 || choice > question->choice_count)
            return false;
        if (!question->figure)
            return guess == question->value;
        /* A choice matches a word with which it begins: "structured: copies each time". */
        const size_t length = strlen(text);
        const char *chosen = question->choices[choice - 1];
        return strncmp(chosen, text, length) == 0 &&
               (chosen[length] == '\0' || strchr(" :,;.(", chosen[length]));
    }
    if (guess == value)
        return true;
    return guess > 0 && value > 0 && guess <= value * question->tolerance &&
           value <= guess * question->tolerance;
}

double question_number(const struct question *question, const char *typed) {
    char text[32];
    double number, scale = 1;
    snprintf(text, sizeof text, "%s", typed);
    for (char *at = text; *at; at++)
        *at = *at == ',' ? '.' : *at;
    if (!value_real(text, 0, NUMBER_MAX, &number))
        return NAN;
    if (!question->figure)
        return number;
    const enum figure_unit unit = question->figure->unit;
    const bool is_share = (unit == UNIT_PERCENT || unit == UNIT_TENTHS) &&
                          strcmp(question->figure->name, "efficiency") != 0 &&
                          strcmp(question->figure->name, "roof_percent") != 0;
    if (is_share && number > 100)
        return NAN;
    figure_unit_word(unit, &scale);
    return number * scale;
}

const char *question_unit(const struct question *question) {
    double scale;
    return question->figure ? figure_unit_word(question->figure->unit, &scale) : question->unit;
}

char *question_print(char *buffer, size_t size, const struct question *question, double value) {
    if (question->figure)
        return figure_print(buffer, size, question->figure->unit, value);
    return format_text(buffer, size, "%s%s%s", AS(format_number, value),
                       *question->unit && strcmp(question->unit, "×") != 0 ? " " : "",
                       question->unit);
}
