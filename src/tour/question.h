/* A scene's question: the answer, its tolerance, and figures to compare with. Pure but for reading
 * recordings. */
#ifndef JACOBI_TOUR_QUESTION_H
#define JACOBI_TOUR_QUESTION_H

#include "metrics/template.h"

enum {
    QUESTION_CHOICES_MAX = 6,
    QUESTION_BARS_MAX = 3,
    QUESTION_TEXT_SIZE = 80,
    QUESTION_LABEL_SIZE = 32,
};

enum question_kind {
    QUESTION_NONE,
    QUESTION_OPEN,   /* nothing is typed: the class thinks first */
    QUESTION_NUMBER, /* right within a factor */
    QUESTION_CHOICE, /* right if it is the one */
};

/* A published or recorded figure, shown next to the guess and the measured one. */
struct question_bar {
    char label[QUESTION_LABEL_SIZE]; /* "MI250 (the blog)" */
    char recordings[160];            /* the figure is that of these lanes; "": `value` is given */
    double value;                    /* in the figure's own unit; NaN until it was read */
};

struct question {
    enum question_kind kind;
    const struct figure *figure; /* what is right, measured; NULL: `value` */
    int lane;
    double value;     /* what is right, if nothing has to be measured; of a choice, its number */
    double tolerance; /* a number is right within this factor */
    char unit[16];    /* behind a number that is not measured; "" for none */
    int choice_count, bar_count;
    char choices[QUESTION_CHOICES_MAX][QUESTION_TEXT_SIZE];
    struct question_bar bars[QUESTION_BARS_MAX];
};

void question_init(struct question *question);

/* The keys of a scene that are a question's: ended by NULL. */
extern const char *const question_keys[];

/* Sets a key of a tour's file. STATUS_BAD_INPUT: what is wrong, and what is allowed. */
enum status question_set(struct question *question, const char *key, const char *value,
                         struct error *error);

/* After the scene's last key: checks the question and sets its kind. */
enum status question_finish(struct question *question, bool has_ask, struct error *error);

/* The right answer as text and, for a number, in the figure's unit (else NaN). Without a sample,
 * only answers that need no measurement. False if not known yet. */
bool question_right_answer(const struct question *question, const struct sample *sample,
                           double *value, char *text, size_t size);

/* Whether a guess (a number in the figure's unit, or a choice from 1) is right, given
 * question_right_answer's results. */
bool question_is_right(const struct question *question, double guess, double value,
                       const char *text);

/* A number that was typed, "10" or "0,5", in the figure's own unit; NaN if it is none. */
double question_number(const struct question *question, const char *typed);

/* The unit behind a typed number: "×". */
const char *question_unit(const struct question *question);

/* "10×": a number in the figure's own unit. */
char *question_print(char *buffer, size_t size, const struct question *question, double value);

/* Reads the recorded figures of all bars. STATUS_BAD_INPUT if one can't be read. */
enum status question_read_bars(struct question *question, struct error *error);

#endif
