/* Guided tours: each scene is a preset with a text, and may ask a question. The format is in
 * docs/tours.md. */
#pragma once

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
    QUESTION_OPEN,   /* nothing is typed: the audience thinks first */
    QUESTION_NUMBER, /* right within a factor */
    QUESTION_CHOICE, /* right if it is the right choice */
};

/* A published or recorded figure, shown next to the guess and the measured one. */
struct question_bar {
    char label[QUESTION_LABEL_SIZE]; /* "MI250 (the blog)" */
    char recordings[160];            /* the lanes whose figure it is; "": `value` is given */
    double value;                    /* in the figure's own unit; NaN until it is read */
};

struct question {
    enum question_kind kind;
    const struct figure *figure; /* the right answer, if it is measured; NULL: `value` */
    int lane;
    double value;     /* the right answer, if it is not measured; the number of a choice */
    double tolerance; /* a number is right if it differs at most by this factor */
    char unit[16];    /* after a number that is not measured; "": none */
    int choice_count, bar_count;
    char choices[QUESTION_CHOICES_MAX][QUESTION_TEXT_SIZE];
    struct question_bar bars[QUESTION_BARS_MAX];
};

struct scene {
    char title[80];
    char text[SCENE_TEXT_SIZE];   /* paragraphs separated by newlines */
    char ask[SCENE_ASK_SIZE];     /* the question before the scene runs; "": none */
    char reveal[SCENE_TEXT_SIZE]; /* shown when it runs; may contain figures (metrics/template.h) */
    char note[SCENE_TEXT_SIZE];   /* for the lecturer, not on the screen; "": none */
    struct question question;
    char hide[SCENE_HIDE_SIZE];       /* panels hidden until the answer; "": the usual ones */
    char recording[128];              /* replayed if the first back end can't run here; "": none */
    char export_as[FIGURE_NAME_SIZE]; /* the answer's name in later scenes; "": none */
    char panel[32];                   /* shown alone; "": all */
    struct config config;             /* the run: plan, view, reference */
};

struct tour {
    char title[80];
    char name[64];
    char path[PATH_SIZE];
    int count;
    long core; /* the number of initial scenes that fill a lecture; 0: all */
    struct scene scenes[];
};

/* Reads the tour `name`: a file if it has a '/' or ends in ".ini", otherwise tours/NAME.ini of the
 * user or of the program; "" is "blog". Each scene starts from `base`'s terminal settings and the
 * defaults. STATUS_BAD_INPUT: "file:line: the fault, the allowed values". `is_strict` also refuses
 * scenes that can't be shown as written: unknown panels or figures, unreadable recordings, and
 * questions or answers without the other. Otherwise these are accepted, so that tours of other
 * versions keep working. The caller frees *tour. */
enum status tour_load(const char *name, const struct config *base, bool is_strict,
                      struct tour **tour, struct error *error);

enum { TOURS_MAX = 16 };

/* Lists the user's and the program's tours in alphabetical order. Reads each one to test whether it
 * can be shown; `teaches` is its title and number of scenes. Returns their number; `tours` has room
 * for TOURS_MAX. */
int tour_entries(const struct config *base, struct preset *tours);

/* After the scene's last key: checks the question and sets its kind. `is_strict`: see tour_load. */
enum status question_finish(struct scene *scene, bool is_strict, struct error *error);

/* Returns the right answer as text and, if it is a number, in the figure's unit (otherwise NaN).
 * Without a sample, only answers that need no measurement. False if not known yet. */
bool question_right_answer(const struct question *question, const struct sample *sample,
                           double *value, char *text, size_t size);

/* Whether a guess (a number in the figure's unit, or a choice from 1) is right, given
 * question_right_answer's results. */
bool question_is_right(const struct question *question, double guess, double value,
                       const char *text);

/* Parses a typed number, "10" or "0,5", in the figure's own unit; NaN if it is not one, or a
 * share above 100 %. */
double question_number(const struct question *question, const char *typed);

/* The unit after a typed number: "×". */
const char *question_unit(const struct question *question);

/* "10×": a number in the figure's own unit. */
char *question_print(char *buffer, size_t size, const struct question *question, double value);

/* ---- How scenes can be shown on this machine (scene.c) */

enum scene_way {
    SCENE_LIVE,      /* the scene's first back end runs */
    SCENE_RECORDED,  /* it does not run, but there is a recording */
    SCENE_OTHERWISE, /* neither: the next back end of the scene's list runs */
    SCENE_NEITHER,   /* the scene can't be shown */
};

/* Queries the back ends where `source` runs (NULL: here), which may take long the first time. `why`
 * is the reason if the scene is not SCENE_LIVE. */
enum scene_way scene_way(const struct scene *scene, struct source *source, struct error *why);

/* Whether the recordings of a list can be read, or if it is NULL those that are the scene's own
 * run, if any. */
enum status scene_check_recordings(const struct scene *scene, const char *list,
                                   struct error *error);

/* Reads the recorded figure of a bar. scene_read_bars reads those of all bars and returns the first
 * error. */
enum status scene_read_bar(const struct scene *scene, struct question_bar *bar,
                           struct error *error);
enum status scene_read_bars(struct scene *scene, struct error *error);

/* Checks the tour, and lists its scenes with the way in which each can be shown here. */
enum status tour_list(const struct config *config, FILE *out, struct error *error);
