/* The state of a running tour: scene, answers, results. Pure except for the worksheet. */
#pragma once

#include "record/recording.h"
#include "tour/tour.h"

enum { TYPED_SIZE = 17 }; /* every number up to NUMBER_MAX */

struct lesson_result {
    bool shown;    /* its question was answered or skipped */
    bool answered; /* an answer was entered */
    char typed[TYPED_SIZE];
    bool known; /* the right answer has been measured */
    double right_value;
    char right_text[QUESTION_TEXT_SIZE];
    bool right;
    char said[2 * SCENE_TEXT_SIZE]; /* the completed reveal */
    int lane_count;
    bool is_recorded; /* lane A is recorded */
    char rows[LANES_MAX]
             [320]; /* of the worksheet's table: "NVIDIA H200: hip/structured/classic | …" */
};

struct lesson {
    struct tour *tour;
    struct lesson *earlier; /* another tour's, whose answers are kept; NULL: none */
    int scene;
    bool asking;                /* the question is shown without its answer */
    bool reads_on;              /* the explanation is shown alone: it did not fit */
    bool waits;                 /* the scene's run has not begun: samples are … */
    struct chapter_last before; /* … of the previous run */
    double before_seconds;      /* of its first lane */
    char typed[TYPED_SIZE];     /* the typed part of the answer */
    struct lesson_result results[TOUR_SCENES_MAX];
};

/* Begins a tour. NULL if out of memory; lesson_end allows NULL. */
struct lesson *lesson_begin(struct tour *tour);
void lesson_end(struct lesson *lesson);

/* Continues with the same tour after a reload, keeping scene and answers, and takes ownership of
 * `tour`. False, with nothing changed, if it is another tour. */
bool lesson_resume(struct lesson *lesson, struct tour *tour);

const struct scene *lesson_scene(const struct lesson *lesson);

/* Goes to a scene and asks its question unless it has been answered. */
void lesson_enter(struct lesson *lesson, int scene);

/* The scene's run begins after the run of `sample`, which is not measured. */
void lesson_await(struct lesson *lesson, const struct sample *sample);

/* Shows the answer of the scene, answered or not. */
void lesson_show(struct lesson *lesson);

/* Whether the run waits at its start while the question is asked. It does unless the answer is a
 * time, which hidden panels cover. */
bool lesson_holds(const struct lesson *lesson);

/* Type a character of the answer, erase the last one or all, enter the typed answer. False if the
 * key is not part of one, nothing has been typed, or the answer is not valid. */
bool lesson_type(struct lesson *lesson, uint32_t key);
bool lesson_erase(struct lesson *lesson, bool all);
bool lesson_answer(struct lesson *lesson);

/* The guess: a number in the figure's unit, or a choice from 1; NaN without an answer. */
double lesson_guess(const struct lesson *lesson, int scene);

/* Fills in all names in braces in a scene's text: earlier scenes' answers, and figures of the run.
 * Without a sample they become blanks. */
char *lesson_fill(char *buffer, size_t size, const struct lesson *lesson, const char *text,
                  const struct sample *sample);

/* Updates the scene's result with a sample of its run. */
void lesson_update(struct lesson *lesson, const struct sample *sample);

/* Whether the panel would reveal the answer. */
bool lesson_hides(const struct lesson *lesson, const char *panel);

/* "2 of 3 right", counting answered questions; "" before the first one. */
char *lesson_score(char *buffer, size_t size, const struct lesson *lesson);

/* ---- The worksheet, in Markdown: texts, questions, answers, results or blanks. (worksheet.c) */

/* The sheets of the earlier lessons and of this one, `size` bytes; the caller frees them. NULL: no
 * memory. If a lesson has shown nothing, its sheet is blank. */
char *worksheet_make(const struct lesson *lesson, size_t *size);

/* The plan that runs until the first scene's: small. */
void lesson_first_plan(struct config *config);

/* Writes the blank sheet of the tour that the configuration requests. */
enum status worksheet_write_blank(const struct config *config, struct error *error);
