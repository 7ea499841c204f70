/* Guided tours: scenes that are each a preset with a text, and may ask a question. The format is in
 * docs/tours.md. */
#ifndef JACOBI_TOUR_TOUR_H
#define JACOBI_TOUR_TOUR_H

#include <stdio.h>

#include "config/config.h"
#include "metrics/template.h"
#include "run/source.h"

enum { TOUR_SCENES_MAX = 48, SCENE_TEXT_SIZE = 1600, SCENE_ASK_SIZE = 400, SCENE_HIDE_SIZE = 128 };

enum {
    QUESTION_CHOICES_MAX = 6,
    QUESTION_BARS_MAX = 3,
    QUESTION_TEXT_SIZE = 80,
    QUESTION_LABEL_SIZE = 32,
};

#define NUMBER_MAX 1e15 /* of an answer */

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

struct scene {
    char title[80];
    char text[SCENE_TEXT_SIZE];   /* paragraphs with a newline between */
    char ask[SCENE_ASK_SIZE];     /* to be predicted before the scene runs; "" for nothing */
    char reveal[SCENE_TEXT_SIZE]; /* shown once it does; may hold figures (metrics/template.h) */
    struct question question;
    char hide[SCENE_HIDE_SIZE]; /* panels hidden until it is answered; "": as usual */
    char recording[128];        /* replayed if the first back end can't run here; "" for none */
    char export_as[FIGURE_NAME_SIZE]; /* the answer's name in later scenes; "": none */
    char panel[32];                   /* shown alone; "" for all */
    struct config config;             /* what runs: plan, view, reference */
};

struct tour {
    char title[80];
    char name[64];
    char path[PATH_SIZE];
    int count;
    long core; /* so many first scenes fill a lecture; 0: all */
    struct scene scenes[];
};

/* Reads the tour `name`: a file if it has a '/' or ends in ".ini", else tours/NAME.ini of the user
 * or of the program; "" is "blog". Each scene starts from `base`'s terminal settings and the
 * defaults. STATUS_BAD_INPUT: "file:line: what is wrong, what is allowed"; with `is_strict` also
 * for what could not be shown as written: unknown panels or figures, unreadable recordings, and
 * questions or answers without the other. Else these are accepted, so that tours of other versions
 * keep working. The caller frees *tour. */
enum status tour_load(const char *name, const struct config *base, bool is_strict,
                      struct tour **tour, struct error *error);

/* tour_load from memory; `name` is the tour's name and path. */
enum status tour_parse(const void *bytes, size_t size, const char *name, const struct config *base,
                       struct tour **tour, struct error *error);

enum { TOURS_MAX = 16 };

/* Lists the user's and the program's tours, in alphabetical order, each read to see whether it can
 * be shown: `teaches` is its title and number of scenes. Returns their number; `tours` has room for
 * TOURS_MAX. */
int tour_entries(const struct config *base, struct preset *tours);

/* After the scene's last key: checks the question and sets its kind; `is_strict` as in tour_load.
 */
enum status question_finish(struct scene *scene, bool is_strict, struct error *error);

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

/* ---- What can be shown here (scene.c). */

enum scene_way {
    SCENE_LIVE,      /* its first back end runs */
    SCENE_RECORDED,  /* it does not, and there is a recording */
    SCENE_OTHERWISE, /* neither: the next back end of its list runs */
    SCENE_NEITHER,   /* nothing can be shown */
};

/* Asks the back ends where `source` runs (NULL: here), which may take long the first time. `why` is
 * the reason if the scene is not SCENE_LIVE. */
enum scene_way scene_way(const struct scene *scene, struct source *source, struct error *why);

/* Whether the recordings can be read: those of the key `recording`, and those that are the scene's
 * own run, if any. */
enum status scene_check_recording(const struct scene *scene, struct error *error);
enum status scene_check_source(const struct scene *scene, struct error *error);

/* Reads the recorded figure of a bar; of all bars: the first error. */
enum status scene_read_bar(const struct scene *scene, struct question_bar *bar,
                           struct error *error);
enum status scene_read_bars(struct scene *scene, struct error *error);

/* Checks the tour, and lists its scenes with how each can be shown here. */
enum status tour_list(const struct config *config, FILE *out, struct error *error);

#endif
