/* The state of a tour being given: scene, answers, results. Pure but for the worksheet. */
#ifndef JACOBI_TOUR_LESSON_H
#define JACOBI_TOUR_LESSON_H

#include "record/recording.h"
#include "tour/tour.h"

enum { TYPED_SIZE = 9 };

struct lesson_result {
    bool shown;    /* its question was answered, or passed over */
    bool answered; /* something was typed and entered */
    char typed[TYPED_SIZE];
    bool known; /* what is right has been measured */
    double right_value;
    char right_text[QUESTION_TEXT_SIZE];
    bool right;
    char said[2 * SCENE_TEXT_SIZE]; /* the reveal, filled in */
    int lane_count;
    bool is_recorded; /* lane A is */
    char rows[LANES_MAX]
             [320]; /* of the worksheet's table: "NVIDIA H200: hip/structured/classic | …" */
};

struct lesson {
    struct tour *tour;
    int scene;
    bool asking;                /* the question is shown, and its answer is not */
    bool waits;                 /* the scene's run has not begun: samples are … */
    struct chapter_last before; /* … of the run before */
    char typed[TYPED_SIZE];     /* so far */
    struct lesson_result results[TOUR_SCENES_MAX];
};

/* Begins a tour, which lesson_end frees. NULL if memory ran out. */
struct lesson *lesson_begin(struct tour *tour);

/* Continues with the same tour after it was reloaded, keeping scene and answers; owns `tour` then.
 * False, and unchanged, if it is another tour. */
bool lesson_resume(struct lesson *lesson, struct tour *tour);

/* NULL is allowed. */
void lesson_end(struct lesson *lesson);

const struct scene *lesson_scene(const struct lesson *lesson);

/* Goes to a scene, which asks its question unless that was answered. */
void lesson_enter(struct lesson *lesson, int scene);

/* Shows the scene, answered or not: its run begins after that of `sample`. */
void lesson_show(struct lesson *lesson, const struct sample *sample);

/* Types a character of the answer. False if the key is none. */
bool lesson_type(struct lesson *lesson, uint32_t key);

/* Erases the last character, or all of them. False if nothing was typed. */
bool lesson_erase(struct lesson *lesson, bool all);

/* Enters the typed answer. False if it is none. */
bool lesson_answer(struct lesson *lesson);

/* The guess: a number in the figure's unit, a choice from 1; NaN if nothing was answered. */
double lesson_guess(const struct lesson *lesson, int scene);

/* A scene's text with everything in braces filled in: earlier scenes' answers, and figures of the
 * run; blanks without a sample. */
char *lesson_fill(char *buffer, size_t size, const struct lesson *lesson, const char *text,
                  const struct sample *sample);

/* Updates the scene's result from a sample of its run. */
void lesson_update(struct lesson *lesson, const struct sample *sample);

/* Whether that panel would give the answer away. */
bool lesson_hides(const struct lesson *lesson, const char *panel);

/* "2 of 3 right", of the questions that were answered; "" before the first. */
char *lesson_score(char *buffer, size_t size, const struct lesson *lesson);

/* ---- The worksheet, in Markdown: texts, questions, answers and results, or blanks. (worksheet.c)
 */

/* Writes it by file_write, with its statuses. A lesson that has shown nothing makes a blank sheet.
 */
enum status worksheet_write(const char *path, bool replace, const struct lesson *lesson,
                            struct error *error);

/* The plan that runs while a lesson asks its first question: small, and worth watching. */
void lesson_first_plan(struct config *config);

/* The blank sheet of the tour that the configuration asks for. */
enum status worksheet_write_blank(const struct config *config, struct error *error);

#endif
