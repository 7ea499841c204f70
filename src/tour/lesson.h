/* A tour as it is being given: at which scene, what was answered, what came out. Pure, but for
 * its worksheet: keys and samples go in, nothing is drawn or run here. */
#ifndef JACOBI_TOUR_LESSON_H
#define JACOBI_TOUR_LESSON_H

#include "record/chapter.h"
#include "tour/tour.h"

enum { TYPED_SIZE = 9 };

/* What a scene's run came to, per lane: the worksheet's measured table. */
struct lesson_lane {
    char label[176]; /* "NVIDIA H200: hip/structured/classic" */
    bool recorded;
    long iterations;
    double ms, bytes; /* per iteration; NaN if not measured */
};

struct lesson_result {
    bool shown;    /* its question was answered, or passed over */
    bool answered; /* something was typed and entered */
    char typed[TYPED_SIZE];
    bool known; /* what is right has been measured */
    double right_value;
    char right_text[QUESTION_TEXT_SIZE];
    bool right;
    char grid[24];
    char said[2 * SCENE_TEXT_SIZE]; /* the reveal, filled in */
    int lane_count;
    struct lesson_lane lanes[LANES_MAX];
};

struct lesson {
    struct tour *tour;
    int scene;
    bool asking;                /* the question is shown, and its answer is not */
    bool waits;                 /* the scene's run has not begun: samples are still of the … */
    struct chapter_last before; /* … run before it */
    char typed[TYPED_SIZE];     /* so far */
    struct lesson_result results[TOUR_SCENES_MAX];
};

/* Begins a tour, which is taken over: freed by lesson_end. NULL if there is no memory. */
struct lesson *lesson_begin(struct tour *tour);

/* Goes on with the same tour, read anew: it is taken over, and answers and place stay. False, and
 * nothing changed, if it is another tour. */
bool lesson_resume(struct lesson *lesson, struct tour *tour);

/* NULL is allowed. */
void lesson_end(struct lesson *lesson);

const struct scene *lesson_scene(const struct lesson *lesson);

/* Goes to a scene. One with a question that was not answered yet asks it; any other is to be run.
 */
void lesson_enter(struct lesson *lesson, int scene);

/* Shows the scene, answered or not. It is to be run: what `sample` shows is something else. */
void lesson_show(struct lesson *lesson, const struct sample *sample);

/* A character of an answer. False if it is none: the key means something else then. */
bool lesson_type(struct lesson *lesson, uint32_t key);

/* Takes the last character back; all of them. False if nothing was typed. */
bool lesson_erase(struct lesson *lesson);
bool lesson_clear(struct lesson *lesson);

/* Gives the answer that was typed. False if it is none. */
bool lesson_answer(struct lesson *lesson);

/* The guess: a number in the figure's unit, a choice from 1; NaN if nothing was answered. */
double lesson_guess(const struct lesson *lesson, int scene);

/* A text of a scene with everything in braces filled in: what earlier scenes keep, and the figures
 * of the scene's run; without a sample they are blanks. */
char *lesson_fill(char *buffer, size_t size, const struct lesson *lesson, const char *text,
                  const struct sample *sample);

/* Takes what the scene's run has measured so far. */
void lesson_take(struct lesson *lesson, const struct sample *sample);

/* Whether that panel would give the answer away. */
bool lesson_hides(const struct lesson *lesson, const char *panel);

/* "2 of 3 right", of the questions that were answered; "" before the first. */
char *lesson_score(char *buffer, size_t size, const struct lesson *lesson);

/* ---- Its worksheet, in Markdown that reads well as plain text: texts and questions, what was
 * answered and measured, and blanks for what was not. (worksheet.c) */

/* Writes the lesson to `path` (file_write, with its statuses). A lesson of which nothing has been
 * shown makes a blank sheet, for a class to fill in. */
enum status worksheet_write(const char *path, bool replace, const struct lesson *lesson,
                            struct error *error);

/* The plan that runs while a lesson asks its first question: small, and worth watching. */
void lesson_first_plan(struct config *config);

/* The blank sheet of the tour that the configuration asks for. */
enum status worksheet_write_blank(const struct config *config, struct error *error);

#endif
