#include "tour/lesson.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "metrics/costs.h"
#include "metrics/labels.h"

/* The panels with times: hidden unless the scene has `hide`. */
static const char usually_hidden[] =
    "timing, devices, timeline, roofline, sweep, table, explain, verdict, lane, costs, race, "
    "motion, rates";

struct lesson *lesson_begin(struct tour *tour) {
    struct lesson *lesson = calloc(1, sizeof *lesson);
    if (lesson)
        lesson->tour = tour;
    else
        free(tour);
    return lesson;
}

bool lesson_resume(struct lesson *lesson, struct tour *tour) {
    bool same = strcmp(lesson->tour->path, tour->path) == 0 && lesson->tour->count == tour->count;
    for (int s = 0; same && s < tour->count; s++) {
        const struct scene *before = &lesson->tour->scenes[s], *now = &tour->scenes[s];
        same = strcmp(before->ask, now->ask) == 0 && before->question.kind == now->question.kind &&
               before->question.figure == now->question.figure &&
               before->question.choice_count == now->question.choice_count;
    }
    if (same) {
        free(lesson->tour);
        lesson->tour = tour;
    }
    return same;
}

void lesson_end(struct lesson *lesson) {
    if (!lesson)
        return;
    lesson_end(lesson->earlier);
    free(lesson->tour);
    free(lesson);
}

const struct scene *lesson_scene(const struct lesson *lesson) {
    return &lesson->tour->scenes[lesson->scene];
}

void lesson_first_plan(struct config *config) {
    struct lane_spec *lane = &config->plan.lanes[0];
    lane_spec_set_backend(lane, "serial");
    lane->engine.mesh = mesh_make(96, 96);
    lane->engine.problem = problem_find("hot-plate");
    lane->iterations = 100000;
    config->plan.lane_count = 1;
    config->plan.iterations_per_second = 200;
}

/* ---- from scene to scene -------------------------------------------------------------------- */

void lesson_enter(struct lesson *lesson, int scene) {
    lesson->scene = scene;
    lesson->waits = lesson->reads_on = false;
    lesson->typed[0] = '\0';
    const struct question *question = &lesson_scene(lesson)->question;
    lesson->asking = question->kind == QUESTION_OPEN ||
                     (question->kind != QUESTION_NONE && !lesson->results[scene].answered);
}

void lesson_await(struct lesson *lesson, const struct sample *sample) {
    char title[CHAPTER_SIZE];
    lesson->before = (struct chapter_last){0};
    chapter_take(&lesson->before, sample, title);
    lesson->before_seconds = sample->lanes[0].seconds;
    lesson->waits = true;
}

void lesson_show(struct lesson *lesson) {
    lesson->asking = false;
    lesson->typed[0] = '\0';
    lesson->results[lesson->scene].shown = true;
}

bool lesson_holds(const struct lesson *lesson) {
    const struct scene *scene = lesson_scene(lesson);
    return lesson->asking && (!scene->question.figure || *scene->hide);
}

/* ---- answering ------------------------------------------------------------------------------ */

bool lesson_type(struct lesson *lesson, uint32_t key) {
    const struct question *question = &lesson_scene(lesson)->question;
    char *typed = lesson->typed;
    const bool is_number = question->kind == QUESTION_NUMBER;
    const bool is_choice = question->kind == QUESTION_CHOICE;
    const bool digit = key >= '0' && key <= '9', point = key == '.' || key == ',';
    const size_t used = is_choice ? 0 : strlen(typed); /* a choice replaces the previous one */
    if (!lesson->asking || !(is_number ? digit || point : is_choice && digit))
        return false;
    if (is_choice ? key > '0' && key <= '0' + (uint32_t)question->choice_count
                  : used + 1 < sizeof lesson->typed && !(point && strpbrk(typed, ".,"))) {
        typed[used] = (char)key;
        typed[used + 1] = '\0';
    }
    return true;
}

bool lesson_erase(struct lesson *lesson, bool all) {
    const size_t used = strlen(lesson->typed);
    if (!lesson->asking || used == 0)
        return false;
    lesson->typed[all ? 0 : used - 1] = '\0';
    return true;
}

bool lesson_answer(struct lesson *lesson) {
    struct lesson_result *result = &lesson->results[lesson->scene];
    if (!lesson->asking || isnan(question_number(&lesson_scene(lesson)->question, lesson->typed)))
        return false;
    memcpy(result->typed, lesson->typed, sizeof result->typed);
    result->answered = true;
    return true;
}

double lesson_guess(const struct lesson *lesson, int scene) {
    const struct lesson_result *result = &lesson->results[scene];
    return result->answered ? question_number(&lesson->tour->scenes[scene].question, result->typed)
                            : NAN;
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* Finds a scene's answer by its exported name. */
static const char *find_exported(const struct lesson *lesson, const char *name, size_t length,
                                 const char *not_known) {
    for (int s = 0; s < lesson->tour->count; s++) {
        const char *export_as = lesson->tour->scenes[s].export_as;
        if (*export_as && strlen(export_as) == length && strncmp(export_as, name, length) == 0)
            return lesson->results[s].known ? lesson->results[s].right_text : not_known;
    }
    return NULL;
}

char *lesson_fill(char *buffer, size_t size, const struct lesson *lesson, const char *text,
                  const struct sample *sample) {
    char kept[2 * SCENE_TEXT_SIZE] = "";
    while (*text) {
        const size_t before = strcspn(text, "{"), length = strcspn(text + before, "}");
        const char *found = length > 1 ? find_exported(lesson, text + before + 1, length - 1,
                                                       sample ? template_missing : template_blank)
                                       : NULL;
        const size_t taken = before + (found ? length + 1 : text[before] != '\0');
        format_append(kept, sizeof kept, "%.*s%s", (int)(found ? before : taken), text,
                      found ? found : "");
        text += taken;
    }
    return template_fill(buffer, size, kept, sample);
}

/* ---- results -------------------------------------------------------------------------------- */

/* Whether the scene's run has begun. The same run as before may end as early, but not in the same
 * time. */
static bool has_begun(const struct lesson *lesson, const struct sample *sample) {
    const long before = lesson->before.iterations[0];
    const struct lane_sample *lane = &sample->lanes[0];
    return before == 0 || chapter_is_new_run(&lesson->before, sample) ||
           (lane->iterations == before && lane->seconds != lesson->before_seconds);
}

void lesson_update(struct lesson *lesson, const struct sample *sample) {
    const struct scene *scene = lesson_scene(lesson);
    const struct question *question = &scene->question;
    struct lesson_result *result = &lesson->results[lesson->scene];
    if (sample->lane_count == 0 || sample->state == SESSION_OPENING)
        return;
    lesson->waits = lesson->waits && !has_begun(lesson, sample);
    if (lesson->asking || !result->shown || (lesson->waits && question->figure))
        return;
    result->lane_count = sample->lane_count;
    result->is_recorded = *sample->lanes[0].recorded;
    for (int l = 0; l < sample->lane_count; l++) {
        const struct lane_sample *lane = &sample->lanes[l];
        const struct costs costs = costs_of_run(sample, l);
        format_text(result->rows[l], sizeof result->rows[l], "%s: %s%s | %d×%d | %s | %s | %s",
                    lane->device, AS(lane_label_full, lane), *lane->recorded ? ", recorded" : "",
                    lane->nx, lane->ny, AS(format_count, lane->iterations),
                    AS(format_ms, costs.ms_per_iteration), AS(format_bytes, costs.copied_bytes));
    }
    lesson_fill(result->said, sizeof result->said, lesson, scene->reveal, sample);
    if (question->kind != QUESTION_NUMBER && question->kind != QUESTION_CHOICE)
        return;
    result->known = question_right_answer(question, sample, &result->right_value,
                                          result->right_text, sizeof result->right_text);
    const double guess = lesson_guess(lesson, lesson->scene);
    result->right =
        result->known &&
        (question_is_right(question, guess, result->right_value, result->right_text) ||
         (question->figure && figure_holds(question->figure, sample, question->lane, guess)));
}

bool lesson_hides(const struct lesson *lesson, const char *panel) {
    const struct scene *scene = lesson_scene(lesson);
    char list[SCENE_HIDE_SIZE], *rest = list;
    if (!lesson->asking)
        return false;
    snprintf(list, sizeof list, "%s",
             *scene->hide                            ? scene->hide
             : scene->question.kind == QUESTION_OPEN ? ""
                                                     : usually_hidden);
    for (char *name = value_next(&rest, ','); name; name = value_next(&rest, ','))
        if (strcmp(name, panel) == 0)
            return true;
    return false;
}

char *lesson_score(char *buffer, size_t size, const struct lesson *lesson) {
    int answered = 0, right = 0;
    for (int s = 0; s < lesson->tour->count; s++) {
        answered += lesson->results[s].answered && lesson->results[s].known;
        right += lesson->results[s].answered && lesson->results[s].right;
    }
    buffer[0] = '\0';
    if (answered)
        snprintf(buffer, size, "%d of %d right", right, answered);
    return buffer;
}
