#include "tour/question.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/values.h"
#include "metrics/labels.h"
#include "record/replay.h"
#include "record/resolve.h"

static const double usual_tolerance = 2, most_tolerance = 1000, most_number = 1e15;

void question_init(struct question *question) {
    *question = (struct question){.value = NAN, .tolerance = NAN};
}

/* ---- reading -------------------------------------------------------------------------------- */

const char *const question_keys[] = {"answer",    "choice",   "within", "unit",
                                     "reference", "recorded", NULL};

enum { KEY_ANSWER, KEY_CHOICE, KEY_WITHIN, KEY_UNIT, KEY_REFERENCE, KEY_RECORDED };

static enum status set_answer(struct question *question, const char *value, struct error *error) {
    const size_t length = strlen(value);
    char names[ERROR_MESSAGE_SIZE];
    if (question->figure || !isnan(question->value))
        return error_set(error, STATUS_BAD_INPUT, "this key is given twice in one scene");
    if (value_real(value, 0, most_number, &question->value))
        return STATUS_OK;
    if (length > 2 && value[0] == '{' && value[length - 1] == '}')
        question->figure = figure_find(value + 1, length - 2, &question->lane);
    if (question->figure)
        return STATUS_OK;
    return error_set(error, STATUS_BAD_INPUT,
                     "answer = %.80s: expected a number, or in braces one of %.350s", value,
                     template_names(names, sizeof names));
}

/* "46 MI250 (the blog)", or with `recorded` the lanes as `compare` has them. */
static enum status add_bar(struct question *question, const char *value, bool recorded,
                           struct error *error) {
    if (question->bar_count == QUESTION_BARS_MAX)
        return error_set(error, STATUS_BAD_INPUT,
                         "too many figures to stand beside the measured one (at most %d)",
                         QUESTION_BARS_MAX);
    struct question_bar *bar = &question->bars[question->bar_count];
    *bar = (struct question_bar){.value = NAN};
    char number[32];
    const size_t length = strcspn(value, " ");
    const char *label = value + length + strspn(value + length, " ");
    snprintf(number, sizeof number, "%.*s", (int)length, value);
    if (recorded ? !value_text(value, sizeof bar->recordings, bar->recordings)
                 : length >= sizeof number || !value_real(number, 0, most_number, &bar->value) ||
                       !value_text(label, sizeof bar->label, bar->label))
        return error_set(error, STATUS_BAD_INPUT, "%s = %.80s: expected %s",
                         recorded ? "recorded" : "reference", value,
                         recorded ? "recordings, separated by commas"
                                  : "a number and whose it is, as in '46 MI250'");
    question->bar_count++;
    return STATUS_OK;
}

enum status question_set(struct question *question, const char *key, const char *value,
                         struct error *error) {
    int index;
    if (!value_choice(key, question_keys, &index))
        return error_set(error, STATUS_BAD_INPUT, "a question has no key '%s'", key);
    switch (index) {
    case KEY_ANSWER:
        return set_answer(question, value, error);
    case KEY_CHOICE:
        if (question->choice_count == QUESTION_CHOICES_MAX)
            return error_set(error, STATUS_BAD_INPUT, "too many choices (at most %d)",
                             QUESTION_CHOICES_MAX);
        if (!value_text(value, QUESTION_TEXT_SIZE, question->choices[question->choice_count]))
            return error_set(error, STATUS_BAD_INPUT, "choice: expected a text of at most %d bytes",
                             QUESTION_TEXT_SIZE - 1);
        question->choice_count++;
        return STATUS_OK;
    case KEY_WITHIN:
        if (!value_real(value, 1, most_tolerance, &question->tolerance))
            return error_set(error, STATUS_BAD_INPUT, "within = %.80s: expected a factor, 1 to %g",
                             value, most_tolerance);
        return STATUS_OK;
    case KEY_UNIT:
        if (!value_text(value, sizeof question->unit, question->unit))
            return error_set(error, STATUS_BAD_INPUT, "unit: expected a text of at most %zu bytes",
                             sizeof question->unit - 1);
        return STATUS_OK;
    default:
        return add_bar(question, value, index == KEY_RECORDED, error);
    }
}

enum status question_finish(struct question *question, bool has_ask, struct error *error) {
    const bool answered = question->figure || !isnan(question->value);
    const bool is_word = question->figure && question->figure->unit == UNIT_WORD;
    const char *wrong = NULL;
    if (!has_ask && (answered || question->choice_count || question->bar_count))
        wrong = "has an answer, but asks nothing: expected 'ask'";
    else if (!answered && question->choice_count)
        wrong = "has choices, but does not say which is right: expected 'answer'";
    else if (question->choice_count == 1)
        wrong = "has one choice: expected 2 or more";
    else if (is_word && !question->choice_count)
        wrong = "has an answer in words: expected 'choice' lines to choose from";
    else if (question->choice_count && !is_word &&
             (question->figure || question->value < 1 || question->value > question->choice_count ||
              question->value != floor(question->value)))
        wrong = "has choices: expected as its answer the number of one, or a figure in words";
    if (wrong)
        return error_set(error, STATUS_BAD_INPUT, "the scene before this %s", wrong);
    question->kind = !has_ask                 ? QUESTION_NONE
                     : question->choice_count ? QUESTION_CHOICE
                     : answered               ? QUESTION_NUMBER
                                              : QUESTION_OPEN;
    if (isnan(question->tolerance))
        question->tolerance = usual_tolerance;
    return STATUS_OK;
}

/* ---- right and wrong ------------------------------------------------------------------------ */

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
        /* A choice means a word if it begins with it: "structured: copies each time". */
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
    if (!value_real(text, 0, most_number, &number))
        return NAN;
    if (question->figure)
        figure_unit_word(question->figure->unit, &scale);
    return number * scale;
}

const char *question_unit(const struct question *question) {
    double scale;
    return question->figure ? figure_unit_word(question->figure->unit, &scale) : question->unit;
}

char *question_print(char *buffer, size_t size, const struct question *question, double value) {
    char number[32];
    if (question->figure)
        return figure_print(buffer, size, question->figure->unit, value);
    return format_text(buffer, size, "%s%s%s", format_number(number, sizeof number, value),
                       *question->unit && strcmp(question->unit, "×") != 0 ? " " : "",
                       question->unit);
}

/* ---- what others measured ------------------------------------------------------------------- */

/* Of the last sample of these recordings side by side. */
static enum status read_bar(const struct question *question, struct question_bar *bar,
                            struct error *error) {
    struct config *config = malloc(sizeof *config);
    struct playlist *playlist;
    if (!config)
        return error_set(error, STATUS_INTERNAL, "out of memory");
    config_init(config);
    enum status status = resolve_list(bar->recordings, config, error);
    if (!status)
        status = replay_load(config, &playlist, error);
    free(config);
    if (status)
        return status;
    const struct sample *sample = playlist_sample(playlist, playlist_sample_count(playlist) - 1);
    if (question->figure)
        bar->value = figure_value(question->figure, sample, question->lane);
    snprintf(bar->label, sizeof bar->label, "%.20s, recorded", sample->lanes[0].device);
    playlist_close(playlist);
    return STATUS_OK;
}

enum status question_read_bars(struct question *question, struct error *error) {
    struct error ignored;
    enum status status = STATUS_OK;
    for (int b = 0; b < question->bar_count; b++) {
        struct question_bar *bar = &question->bars[b];
        if (!*bar->recordings || !isnan(bar->value))
            continue;
        const enum status one = read_bar(question, bar, status ? &ignored : error);
        status = status ? status : one;
    }
    return status;
}
